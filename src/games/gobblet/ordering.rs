//! Which moves look good before they are searched.
//!
//! What the search learns while it runs is worth more than what can be told
//! beforehand, so these hints are small against its history.

use super::board::{Board, SQUARES, View};
use super::lines::{LINES, Squares};
use super::moves::{Kind, Move};
use super::position::top_size;
use super::tactics::Uncovering;

/// The hint for a move that loses on the spot.
const LOSES: i32 = -30_000;

/// What a gobblet is worth on a line where its side shows as many others and
/// the opponent none: the last is a win.
const ATTACK: [i32; 4] = [1, 2, 14, 70];

/// What it is worth on a line where only the opponent shows some others.
const BLOCK: [i32; 4] = [0, 1, 6, 12];

/// What it is worth for its own size.
const SIZE: [i32; 5] = [0, 0, 1, 2, 4];

/// What the gobblet that it covers was worth, by size.
const COVERED: [i32; 5] = [0, 1, 2, 5, 0];

/// What the moves promise. See [`crate::search::heuristics::Heuristics::hint`].
pub(super) fn hint(board: Board, moves: &[Move], hints: &mut [i32]) {
    let guide = Guide::new(board);
    for (&mv, hint) in moves.iter().zip(hints) {
        *hint = guide.promise(mv);
    }
}

/// What it costs to set free a gobblet of the opponent's.
const UNCOVERS: i32 = 2;

/// The squares of each line.
const MEMBERS: [[u8; 4]; 10] = {
    let mut members = [[0; 4]; 10];
    let mut line = 0;
    while line < 10 {
        let mut found = 0;
        let mut square = 0;
        while square < SQUARES {
            if LINES[line] >> square & 1 != 0 {
                members[line][found] = square;
                found += 1;
            }
            square += 1;
        }
        line += 1;
    }
    members
};

/// What is common to the moves of one position.
struct Guide {
    /// What landing on a square is worth to the side to move.
    lands: [i32; 16],
    /// What lifting a gobblet from a square costs.
    lifts: [i32; 16],
    uncovering: Uncovering,
}

impl Guide {
    fn new(board: Board) -> Self {
        let view = board.view();
        let uncovering = Uncovering::new(board, &view);
        let worth = worth(view.mover_tops(), view.other_tops());
        let (mut lands, mut lifts) = (worth, worth);
        for square in 0..SQUARES {
            lands[usize::from(square)] += gobbles(&view, square);
            if uncovering.frees(square) {
                lifts[usize::from(square)] += UNCOVERS;
            }
        }
        Self {
            lands,
            lifts,
            uncovering,
        }
    }

    fn promise(&self, mv: Move) -> i32 {
        let lands = self.lands[usize::from(mv.to())];
        match mv.kind() {
            Kind::Placement { size, .. } => lands + SIZE[usize::from(size)],
            Kind::Shift { .. } if self.uncovering.loses(mv) => LOSES,
            Kind::Shift { from, .. } => lands - self.lifts[usize::from(from)],
        }
    }
}

/// What covering the visible gobblet on a square is worth.
fn gobbles(view: &View, square: u8) -> i32 {
    let covered = COVERED[usize::from(top_size(view, square))];
    if view.other_tops() >> square & 1 != 0 {
        covered
    } else {
        -covered / 2
    }
}

/// For each square what standing there is worth, its present gobblet aside.
fn worth(own: Squares, other: Squares) -> [i32; 16] {
    let mut worth = [0; 16];
    for (line, members) in LINES.into_iter().zip(MEMBERS) {
        let friends = (own & line).count_ones();
        let foes = (other & line).count_ones();
        for square in members {
            let friends = friends - u32::from(own >> square & 1);
            let foes = foes - u32::from(other >> square & 1);
            worth[usize::from(square)] += match (friends, foes) {
                (_, 0) => ATTACK[friends as usize],
                (0, _) => BLOCK[foes as usize],
                _ => 0,
            };
        }
    }
    worth
}
