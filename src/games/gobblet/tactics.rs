//! Wins in one move, seen without making any.

use super::board::{self, Board, Layers, View};
use super::lines::{Squares, THROUGH, has_line, squares, three_lines};
use super::moves::Move;
use super::position::top_size;

/// A move by which the side to move wins at once, in an unfinished game.
///
/// Such a move puts a gobblet on a square that completes a line of his, from a
/// square that this line can spare, and leaves the opponent no line:
///
/// 1. a placement uncovers nothing, so it wins wherever it is allowed;
/// 2. a board move from outside the line, or from one of the other three
///    squares if a gobblet of his lies beneath, makes the line;
/// 3. a board move that uncovers an opponent's gobblet may give him a line,
///    which the landing must then break.
pub(super) fn winning_move(board: Board, view: &View) -> Option<Move> {
    let own = view.mover_tops();
    let completing = three_lines(own) & !own;
    if completing == 0 {
        return None;
    }
    winning_placement(board, view, completing).or_else(|| winning_shift(board, view, completing))
}

fn winning_placement(board: Board, view: &View, completing: Squares) -> Option<Move> {
    let tops = board::reserve_tops(board.mover);
    let size = (1..=4u8).rev().find(|&size| tops[usize::from(size) - 1])?;
    let on = |size, targets: Squares| {
        (targets != 0).then(|| Move::placement(size, targets.trailing_zeros() as u8))
    };
    // Whoever can cover a gobblet with some size can do so with a larger one,
    // so the largest is enough.
    let targets = completing & (view.empty() | (view.exposed() & view.open(size)));
    on(size, targets)
}

fn winning_shift(board: Board, view: &View, completing: Squares) -> Option<Move> {
    // What a lift uncovers.
    let beneath = board.hidden(view).view();
    let (own_beneath, other_beneath) = (beneath.mover_tops(), beneath.other_tops());
    let (own, other) = (view.mover_tops(), view.other_tops());
    squares(completing).find_map(|to| {
        let spared = spared(own, to) | own_beneath;
        let able = able_to_reach(view, to) & spared;
        let from = able & !other_beneath;
        if from != 0 {
            return Some(Move::shift(from.trailing_zeros() as u8, to));
        }
        squares(able & other_beneath)
            .find(|&from| !has_line((other | 1 << from) & !(1 << to)))
            .map(|from| Move::shift(from, to))
    })
}

/// The squares that at least one line can spare which `to` would complete.
fn spared(own: Squares, to: u8) -> Squares {
    let missing = !own & !(1 << to);
    let spares = |line: Squares| if line & missing == 0 { !line } else { 0 };
    THROUGH[usize::from(to)]
        .into_iter()
        .fold(0, |spared, line| spared | spares(line))
}

/// The visible gobblets of the side to move that are large enough to go to
/// `to`.
fn able_to_reach(view: &View, to: u8) -> Squares {
    let smallest = top_size(view, to) + 1;
    if smallest > 4 {
        return 0;
    }
    let movable: Layers = view.mover >> (16 * (smallest - 1));
    board::any_lane(movable)
}

/// What lifting a gobblet may give to the opponent.
pub(super) struct Uncovering {
    /// Opponent's gobblets directly beneath visible ones.
    beneath: Squares,
    /// Of these, those that would complete a line.
    dangerous: Squares,
    /// His visible gobblets.
    tops: Squares,
}

impl Uncovering {
    pub(super) fn new(board: Board, view: &View) -> Self {
        let beneath = board.hidden(view).view().other_tops();
        let tops = view.other_tops();
        Self {
            beneath,
            dangerous: beneath & three_lines(tops) & !tops,
            tops,
        }
    }

    /// Whether some lift would give him a line, unless it lands on it.
    pub(super) const fn is_dangerous(&self) -> bool {
        self.dangerous != 0
    }

    /// Whether lifting the visible gobblet on `from` frees one of his.
    pub(super) const fn frees(&self, from: u8) -> bool {
        self.beneath >> from & 1 != 0
    }

    /// Whether `mv` loses on the spot: it uncovers a line and does not land on
    /// it.
    pub(super) fn loses(&self, mv: Move) -> bool {
        mv.from().is_some_and(|from| {
            let uncovered = self.dangerous & (1 << from);
            uncovered != 0 && has_line((self.tops | uncovered) & !(1 << mv.to()))
        })
    }
}
