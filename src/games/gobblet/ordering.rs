//! Which moves look good before they are searched.

use super::board::{Board, SQUARES, View};
use super::lines::{LINES, Squares, has_line, three_lines};
use super::moves::{Kind, Move};
use super::position::top_size;
use super::tactics::winning_move;

/// The hint for a move that loses on the spot.
const LOSES: i32 = -30_000;

/// The hint for a move that lets the opponent win on the spot, before what
/// else is to be said of it.
const LETS_WIN: i32 = -22_000;

/// Other hints are within this.
const LIMIT: i32 = 15_000;

/// What a gobblet is worth on a line where its side shows as many others and
/// the opponent none: the last is a win.
const ATTACK: [i32; 4] = [40, 150, 900, 9_000];

/// What it is worth on a line where only the opponent shows some others.
const BLOCK: [i32; 4] = [0, 60, 400, 1_500];

/// What it is worth for its own size.
const SIZE: [i32; 5] = [0, 0, 40, 120, 240];

/// What the gobblet that it covers was worth, by size.
const COVERED: [i32; 5] = [0, 40, 160, 320, 0];

/// What the moves promise. See [`crate::search::heuristics::Heuristics::hint`].
pub(super) fn hint(board: Board, moves: &[Move], hints: &mut [i32]) {
    let view = board.view();
    let guide = Guide::new(board, view);
    let threatened = winning_move(board.flip(), &view.flip()).is_some();
    for (&mv, hint) in moves.iter().zip(hints) {
        let promise = guide.promise(mv).clamp(-LIMIT, LIMIT);
        *hint = if guide.loses(mv) {
            LOSES
        } else if threatened && lets_win(board, &view, mv) {
            LETS_WIN + promise / 4
        } else {
            promise
        };
    }
}

/// Whether the opponent wins at once after `mv`.
fn lets_win(board: Board, view: &View, mv: Move) -> bool {
    let after = match mv.kind() {
        Kind::Placement { size, square } => board.place(size, square),
        Kind::Shift { from, to } => board.shift(top_size(view, from), from, to),
    };
    winning_move(after, &after.view()).is_some()
}

/// What it costs to set free a gobblet of the opponent's.
const UNCOVERS: i32 = 100;

/// What is common to the moves of one position.
struct Guide {
    view: View,
    /// What standing on a square is worth to the side to move.
    worth: [i32; 16],
    /// Opponent's gobblets directly beneath visible ones.
    other_beneath: Squares,
    /// Squares that complete a line of the opponent's.
    other_completing: Squares,
}

impl Guide {
    fn new(board: Board, view: View) -> Self {
        let (own, other) = (view.mover_tops(), view.other_tops());
        Self {
            worth: worth(own, other),
            other_beneath: board.hidden(&view).view().other_tops(),
            other_completing: three_lines(other) & !other,
            view,
        }
    }

    /// Whether lifting the gobblet gives the opponent a line that putting it
    /// down does not break.
    fn loses(&self, mv: Move) -> bool {
        mv.from().is_some_and(|from| {
            let uncovered = self.other_beneath & self.other_completing & (1 << from);
            uncovered != 0 && has_line((self.view.other_tops() | uncovered) & !(1 << mv.to()))
        })
    }

    fn promise(&self, mv: Move) -> i32 {
        let to = mv.to();
        let lands = self.worth[usize::from(to)] + self.gobbles(to);
        match mv.kind() {
            Kind::Placement { size, .. } => lands + SIZE[usize::from(size)],
            Kind::Shift { from, .. } => lands - self.lifts(from),
        }
    }

    fn gobbles(&self, to: u8) -> i32 {
        let size = usize::from(top_size(&self.view, to));
        if self.view.other_tops() >> to & 1 != 0 {
            COVERED[size]
        } else {
            -COVERED[size] / 2
        }
    }

    /// What lifting a gobblet costs.
    fn lifts(&self, from: u8) -> i32 {
        let uncovers = self.other_beneath >> from & 1 != 0;
        self.worth[usize::from(from)] + if uncovers { UNCOVERS } else { 0 }
    }
}

/// For each square what standing there is worth, its present gobblet aside.
fn worth(own: Squares, other: Squares) -> [i32; 16] {
    let mut worth = [0; 16];
    for line in LINES {
        for square in 0..SQUARES {
            let here = 1 << square;
            if line & here != 0 {
                let friends = (own & line & !here).count_ones() as usize;
                let foes = (other & line & !here).count_ones() as usize;
                worth[usize::from(square)] += match (friends, foes) {
                    (_, 0) => ATTACK[friends],
                    (0, _) => BLOCK[foes],
                    _ => 0,
                };
            }
        }
    }
    worth
}
