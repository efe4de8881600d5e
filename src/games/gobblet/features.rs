//! What the evaluation looks at.
//!
//! The evaluation is a sum of weights. The largest part are line patterns: the
//! four visible states of each of the ten lines choose a weight, by kind of
//! line. The rest counts what lines do not show: hidden gobblets, stacks
//! beside the board, mobility, forks and pins.
//!
//! [`Gobblet::terms`] names every weight that a position uses, so that the
//! evaluation, its tests and whoever fits the weights share one source.

use super::board::{self, Board, COPIES, FIRST_SQUARES, Layers, SQUARES, View};
use super::lines::{LINES, Squares, crossing_twos, three_lines};
use super::moves::Move;
use super::position::{Gobblet, top_size};
use crate::game::{Game as _, Side};

/// States of a square as it looks from above: 0 empty, 1 to 4 White's by size,
/// 5 to 8 Black's.
const STATES: u16 = 9;

/// Patterns of a line: four states, the first square of the line lowest.
pub(super) const PATTERNS: usize = 6561;

/// Kinds of lines that symmetry leaves apart: edges, inner rows and columns,
/// diagonals.
pub(super) const LINE_KINDS: usize = 3;

const KIND: [usize; 10] = [0, 1, 1, 0, 0, 1, 1, 0, 2, 2];

/// Phases of a game, by the gobblets on the board; each has weights of its
/// own. The last of a game is phase 0.
pub(super) const PHASES: usize = 4;

/// The middle of each phase, in gobblets on the board.
pub(super) const PHASE_MIDDLES: [u32; PHASES] = [21, 15, 10, 5];

/// The phase of a position with so many gobblets on the board.
pub(super) const fn phase(gobblets: u32) -> usize {
    match gobblets {
        18.. => 0,
        13.. => 1,
        8.. => 2,
        _ => 3,
    }
}

/// Offsets of the groups of weights in one flat list. Groups with an entry a
/// side have the mover's first.
pub(super) mod offset {
    use super::{LINE_KINDS, PATTERNS};

    /// By side to move (Black first), kind of line and pattern.
    pub(in super::super) const LINES: usize = 0;
    /// By side, colour of the visible gobblet (its own first), size - 1.
    pub(in super::super) const HIDDEN: usize = LINES + 2 * LINE_KINDS * PATTERNS;
    /// By side, size - 1, how many of the size are beside the board.
    pub(in super::super) const RESERVE: usize = HIDDEN + 2 * 2 * 3;
    /// By side, size - 1; counts the squares its visible gobblets can move to.
    pub(in super::super) const MOBILITY: usize = RESERVE + 2 * 4 * 4;
    /// By side, number of forks up to 3.
    pub(in super::super) const FORKS: usize = MOBILITY + 2 * 4;
    /// By side, number of pinned gobblets up to 3.
    pub(in super::super) const PINNED: usize = FORKS + 2 * 4;
    /// For having the move.
    pub(in super::super) const TEMPO: usize = PINNED + 2 * 4;
    /// The number of weights.
    pub(in super::super) const END: usize = TEMPO + 1;
}

/// The pattern of each line; a few entries at the end are never used, so that
/// every square can be on three lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patterns([u16; 12]);

/// The lines through a square, each with what a state counts in its pattern.
const MEMBERSHIP: [[(usize, u16); 3]; 16] = {
    let mut table = [[(10, 0); 3]; 16];
    let mut filled = [0; 16];
    let mut line = 0;
    while line < 10 {
        let mut place = 1;
        let mut square = 0;
        while square < 16 {
            if LINES[line] >> square & 1 != 0 {
                table[square][filled[square]] = (line, place);
                filled[square] += 1;
                place *= STATES;
            }
            square += 1;
        }
        line += 1;
    }
    table
};

pub(super) const fn digit(pattern: usize, place: u32) -> usize {
    pattern / (STATES as usize).pow(place) % STATES as usize
}

/// The same line read from its other end.
pub(super) const fn reversed(pattern: usize) -> usize {
    ((digit(pattern, 0) * 9 + digit(pattern, 1)) * 9 + digit(pattern, 2)) * 9 + digit(pattern, 3)
}

/// The same line with the colours exchanged.
pub(super) const fn recoloured(pattern: usize) -> usize {
    let mut result = 0;
    let mut place = 4;
    while place > 0 {
        place -= 1;
        let state = digit(pattern, place);
        let other = match state {
            0 => 0,
            1..=4 => state + 4,
            _ => state - 4,
        };
        result = 9 * result + other;
    }
    result
}

/// The same squares in every lane.
const fn in_every_lane(squares: Squares) -> Layers {
    squares as Layers * FIRST_SQUARES
}

impl Patterns {
    /// Replaces the state of a square.
    fn change(&mut self, square: u8, old: u16, new: u16) {
        for (line, unit) in MEMBERSHIP[usize::from(square)] {
            let pattern = &mut self.0[line];
            *pattern = pattern.wrapping_add(new.wrapping_sub(old).wrapping_mul(unit));
        }
    }
}

impl Gobblet {
    /// The state of `square` for line patterns.
    fn state(&self, view: &View, square: u8) -> u16 {
        let size = u16::from(top_size(view, square));
        let movers = view.mover_tops() >> square & 1 != 0;
        let black = movers == (self.side_to_move() == Side::Black);
        if size != 0 && black { size + 4 } else { size }
    }

    /// The line patterns of the position.
    pub(super) fn patterns(&self) -> Patterns {
        let view = self.board().view();
        let mut patterns = Patterns([0; 12]);
        for square in 0..SQUARES {
            patterns.change(square, 0, self.state(&view, square));
        }
        patterns
    }

    /// The line patterns of this position, which `mv` made out of `before`.
    pub(super) fn patterns_after(&self, before: &Self, mv: Move, patterns: &Patterns) -> Patterns {
        let (old, new) = (before.board().view(), self.board().view());
        let mut patterns = *patterns;
        let mut update = |square| {
            patterns.change(square, before.state(&old, square), self.state(&new, square));
        };
        update(mv.to());
        if let Some(from) = mv.from() {
            update(from);
        }
        patterns
    }

    /// How many gobblets are on the board.
    pub(super) fn gobblets(&self) -> u32 {
        let board = self.board();
        board.mover.count_ones() + board.other.count_ones()
    }

    /// Calls `term` with the place of each weight that the evaluation of this
    /// unfinished game adds up, and how many times. `patterns` must be this
    /// position's, as [`crate::search::heuristics::Heuristics::refresh`] gives
    /// them.
    #[inline(always)]
    pub(super) fn terms(&self, patterns: &Patterns, mut term: impl FnMut(usize, i32)) {
        let board = self.board();
        let view = board.view();
        let first = offset::LINES + self.side_to_move().index() * LINE_KINDS * PATTERNS;
        for (&pattern, kind) in patterns.0.iter().zip(KIND) {
            term(first + kind * PATTERNS + usize::from(pattern), 1);
        }
        let hidden = board.hidden(&view).view();
        side_terms(board, &view, &hidden, 0, &mut term);
        let (board, view, hidden) = (board.flip(), view.flip(), hidden.flip());
        side_terms(board, &view, &hidden, 1, &mut term);
        term(offset::TEMPO, 1);
    }
}

/// The terms of one side, which the board is turned to: `side` is 0 if it is
/// the side to move. `hidden` is the view if the visible gobblets were gone.
#[inline(always)]
fn side_terms(
    board: Board,
    view: &View,
    hidden: &View,
    side: usize,
    term: &mut impl FnMut(usize, i32),
) {
    let (tops, other_tops) = (view.mover_tops(), view.other_tops());
    let covered = board.mover & !view.mover;
    for (cover, above) in [tops, other_tops].into_iter().enumerate() {
        let covered = covered & in_every_lane(above);
        for size in 1..=3 {
            let place = offset::HIDDEN + (side * 2 + cover) * 3 + usize::from(size) - 1;
            term(place, board::lane(covered, size).count_ones() as i32);
        }
    }
    let on_board = board::counts(board.mover);
    for size in 1..=4 {
        let place = side * 4 + usize::from(size) - 1;
        let beside = usize::from(COPIES - on_board[usize::from(size) - 1]);
        term(offset::RESERVE + place * 4 + beside, 1);
        let moves = board::lane(view.mover, size).count_ones() * view.open(size).count_ones();
        term(offset::MOBILITY + place, moves as i32);
    }
    // A largest gobblet of the other side blocks a line for good.
    let forks = crossing_twos(tops, board::lane(view.other, 4)) & view.open(4) & !tops;
    term(offset::FORKS + side * 4 + capped(forks), 1);
    let pinned = tops & hidden.other_tops() & three_lines(other_tops);
    term(offset::PINNED + side * 4 + capped(pinned), 1);
}

/// The number of squares, at most 3.
fn capped(set: Squares) -> usize {
    set.count_ones().min(3) as usize
}
