//! Othello and Reversi: one source for both board sizes.
//!
//! A position is two sets of squares, those of the side to move and those of
//! the opponent, on a board of 8x8 bits: bit 0 is a1, bit 7 is h1, bit 63 is
//! h8. The 6x6 board is the middle of it (b2 to g7) under a mask, so that
//! kernels, perft, stability and the exact solver know one size only; what
//! differs is the notation, the start and the weights.
//!
//! - `kernels`: legal moves and flips, for the processor at hand;
//! - `rules`, `notation`, `depict`: the game as the protocol sees it;
//! - `evaluation` and what searches ask for beyond the rules.

mod depict;
mod endgame;
mod evaluation;
mod heuristics;
mod kernels;
mod notation;
mod ordering;
mod patterns;
mod perft;
mod rules;
mod stability;
mod training;

use crate::game::Side;
use crate::zobrist;

pub use evaluation::{Indices, Tables};

/// A set of squares.
type Bits = u64;

/// The size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Board {
    Six,
    Eight,
}

impl Board {
    /// The squares of the board.
    const fn mask(self) -> Bits {
        match self {
            Self::Six => 0x007e_7e7e_7e7e_7e00,
            Self::Eight => !0,
        }
    }

    /// The four corners.
    const fn corners(self) -> Bits {
        match self {
            Self::Six => 0x0042_0000_0000_4200,
            Self::Eight => 0x8100_0000_0000_0081,
        }
    }

    /// Squares in a row.
    const fn size(self) -> usize {
        match self {
            Self::Six => 6,
            Self::Eight => 8,
        }
    }

    /// Columns and rows between the corner of the 8x8 board and this one's.
    const fn margin(self) -> usize {
        (8 - self.size()) / 2
    }

    /// The index of the square in `column` and `row`, both from 0.
    const fn square(self, column: usize, row: usize) -> u8 {
        ((row + self.margin()) * 8 + column + self.margin()) as u8
    }
}

/// A move: a square, or the forced pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u8);

impl Move {
    /// The pass of a side that has no other move.
    pub const PASS: Self = Self(64);
}

/// A position of a disc game.
///
/// ```
/// use quadrille::game::Game;
/// use quadrille::games::discs::Discs;
/// use quadrille::search::heuristics::legal_moves;
///
/// let start = Discs::othello6();
/// assert_eq!(start.print_position(), "------/------/--OX--/--XO--/------/------ X");
/// assert_eq!(legal_moves(&start).len(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Discs {
    own: Bits,
    opponent: Bits,
    key: u64,
    side: Side,
    board: Board,
}

/// Keys of a disc by side and square.
static DISC_KEYS: [[u64; 64]; 2] = [zobrist::keys(0x6f74_6865_6c6c_6f42), zobrist::keys(0x6f57)];

/// In the key while White is to move.
const WHITE_TO_MOVE: u64 = zobrist::keys::<1>(0x7475_726e)[0];

impl Discs {
    /// The start on 6x6, Black to move.
    pub fn othello6() -> Self {
        Self::start(Board::Six, Side::Black)
    }

    /// The start of standard Othello on 8x8, Black to move.
    pub fn othello8() -> Self {
        Self::start(Board::Eight, Side::Black)
    }

    /// The start on 8x8 with White to move, who stands where Black stands in
    /// Othello.
    pub fn reversi8() -> Self {
        Self::start(Board::Eight, Side::White)
    }

    /// Four discs on the centre, `first` on the rising diagonal and to move.
    fn start(board: Board, first: Side) -> Self {
        let own = 1 << 28 | 1 << 35;
        let opponent = 1 << 27 | 1 << 36;
        Self::new(board, first, own, opponent)
    }

    /// The position with these discs.
    fn new(board: Board, side: Side, own: Bits, opponent: Bits) -> Self {
        debug_assert!(own & opponent == 0 && (own | opponent) & !board.mask() == 0);
        let mut position = Self {
            own,
            opponent,
            key: 0,
            side,
            board,
        };
        position.key = position.compute_key();
        position
    }

    fn compute_key(&self) -> u64 {
        let turn = match self.side {
            Side::Black => 0,
            Side::White => WHITE_TO_MOVE,
        };
        let own = key_of(&DISC_KEYS[self.side.index()], self.own);
        turn ^ own ^ key_of(&DISC_KEYS[(!self.side).index()], self.opponent)
    }

    /// The discs of `side`.
    fn discs(&self, side: Side) -> Bits {
        if side == self.side {
            self.own
        } else {
            self.opponent
        }
    }

    /// The squares without a disc.
    fn empty(&self) -> Bits {
        self.board.mask() & !(self.own | self.opponent)
    }

    /// Where the side to move may put a disc.
    fn moves(&self) -> Bits {
        kernels::moves(self.own, self.opponent) & self.board.mask()
    }

    /// Where the opponent could if it were his turn.
    fn opponent_moves(&self) -> Bits {
        kernels::moves(self.opponent, self.own) & self.board.mask()
    }
}

/// The keys of a set of discs.
fn key_of(keys: &[u64; 64], discs: Bits) -> u64 {
    squares(discs).fold(0, |key, square| key ^ keys[usize::from(square)])
}

/// The squares of a set, lowest first.
fn squares(mut set: Bits) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(square)
    })
}

/// The neighbours of the squares of a set, and those of its squares that are
/// neighbours of others.
const fn around(set: Bits) -> Bits {
    const NOT_A: Bits = !0x0101_0101_0101_0101;
    const NOT_H: Bits = !0x8080_8080_8080_8080;
    let sides = (set << 1) & NOT_A | (set >> 1) & NOT_H;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// The squares of the quadrants with an odd number of empty squares.
fn odd_quadrants(empty: Bits) -> Bits {
    const UPPER_LEFT: Bits = 0x0f0f_0f0f;
    [0, 4, 32, 36]
        .into_iter()
        .map(|shift| UPPER_LEFT << shift)
        .filter(|quadrant| (empty & quadrant).count_ones() % 2 == 1)
        .fold(0, |set, quadrant| set | quadrant)
}
