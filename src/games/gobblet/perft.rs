//! Counting move sequences. The last ply is counted by sizes of sets.

use super::board::{self, Board, View};
use super::lines::squares;

/// The number of sequences of `depth` moves.
pub(super) fn perft(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let view = board.view();
    if view.is_over() {
        0
    } else if depth == 1 {
        count(board, &view)
    } else {
        children(board, &view, |child| perft(child, depth - 1))
    }
}

/// The sum of `visit` over all positions that one move leads to.
fn children(board: Board, view: &View, visit: impl Fn(Board) -> u64) -> u64 {
    let mut sum = 0;
    let exposed = view.exposed();
    let tops = board::reserve_tops(board.mover);
    for size in 1..=4 {
        let open = view.open(size);
        if tops[usize::from(size) - 1] {
            for square in squares(view.empty() | (exposed & open)) {
                sum += visit(board.place(size, square));
            }
        }
        for from in squares(board::lane(view.mover, size)) {
            for to in squares(open) {
                sum += visit(board.shift(size, from, to));
            }
        }
    }
    sum
}

/// The number of moves in an unfinished game.
fn count(board: Board, view: &View) -> u64 {
    let exposed = view.exposed();
    let tops = board::reserve_tops(board.mover);
    let mut sum = 0;
    for size in 1..=4 {
        let open = view.open(size);
        sum += board::lane(view.mover, size).count_ones() * open.count_ones();
        let targets = view.empty() | (exposed & open);
        sum += u32::from(tops[usize::from(size) - 1]) * targets.count_ones();
    }
    u64::from(sum)
}
