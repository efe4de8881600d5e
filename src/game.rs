//! The rules of a two-player board game, and nothing else.
//!
//! A position is a small `Copy` value: a move makes a new position and nothing
//! is ever undone. Searching a copied 32-byte position costs no more than
//! making and unmaking it in place, and leaves nothing to get out of step.

use std::fmt;
use std::ops::Not;

use arrayvec::ArrayVec;

/// One of the two players, by the colour the protocol gives him.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// `black` in the protocol.
    Black,
    /// `white` in the protocol.
    White,
}

impl Side {
    /// 0 for Black, 1 for White: for arrays with an entry a side.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// `side` has won by `margin`, which is 1 in a game that has no margins.
    Win {
        /// The winner.
        side: Side,
        /// At least 1; in the disc games the difference of discs, with the
        /// empty squares counted for the winner.
        margin: u32,
    },
    /// Nobody has won.
    Draw,
}

/// `unfinished` has no outcome, so this prints the other three forms of the
/// protocol's `result`: `black+N`, `white+N`, `draw`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { side, margin } => write!(f, "{side}+{margin}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// More moves than any position of any of our games has. Gobblet's bound is
/// 228 (three stack tops to 16 squares, twelve pieces to 15), tiles' is 128.
pub const MAX_MOVES: usize = 256;

/// The moves of one position, on the stack.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// One of the eight ways to turn or reflect a square board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All of them, that which changes nothing first.
    pub const ALL: [Self; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// Where a square of a board of `width` columns and `height` rows comes
    /// to lie; columns and rows count from 0. Whether they change places says
    /// [`Symmetry::transposes`].
    pub const fn apply(self, column: u8, row: u8, width: u8, height: u8) -> (u8, u8) {
        let column = if self.0 & 1 != 0 {
            width - 1 - column
        } else {
            column
        };
        let row = if self.0 & 2 != 0 {
            height - 1 - row
        } else {
            row
        };
        if self.transposes() {
            (row, column)
        } else {
            (column, row)
        }
    }

    /// Whether columns become rows.
    pub const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }
}

/// A position of a game, with the rules that lead from it.
///
/// What holds for every implementation, and is tested for every one alike:
///
/// 1. `legal_moves` is empty exactly when `outcome` is some;
/// 2. its moves are pairwise different, and each is playable;
/// 3. a side that must pass has the pass as its only legal move;
/// 4. `parse_position(print_position)` and `parse_move(print_move)` give back
///    the same value;
/// 5. `key` equals `key_from_scratch`, and equal positions have equal keys;
/// 6. `decode(encode(m))` is `m`, and `encode(m) < MOVE_CODES`;
/// 7. the images of a position are positions of equal worth: what follows an
///    image are the images of what follows the position.
pub trait Game: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// A move (a whole turn), as small as it can be.
    type Move: Copy + Eq + Ord + fmt::Debug + Send + Sync + 'static;

    /// Whether the outcome carries a margin worth more than winning.
    const HAS_MARGIN: bool;

    /// Whether a position can come back in the course of a game. Its third
    /// occurrence then is a draw, which whoever keeps the game's history
    /// decides: a position does not know its past.
    const CAN_REPEAT: bool = false;

    /// One more than the largest code `encode` gives.
    const MOVE_CODES: usize;

    /// The side to move. Says nothing in a finished game.
    fn side_to_move(&self) -> Side;

    /// Puts every legal move into `moves`, which must be empty.
    fn legal_moves(&self, moves: &mut MoveList<Self::Move>);

    /// Whether `mv` may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    /// The position after `mv`, which must be legal here.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// Whether `mv` is the forced pass of a side that has no other move.
    /// It costs the search no depth.
    fn is_pass(_mv: Self::Move) -> bool {
        false
    }

    /// Whether no position before `mv` can come back after it.
    fn is_irreversible(&self, _mv: Self::Move) -> bool {
        true
    }

    /// How the game has ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The same position on a board turned or reflected. A game without
    /// symmetries keeps it as it is.
    #[must_use]
    fn image(&self, _symmetry: Symmetry) -> Self {
        *self
    }

    /// The same key for all images of a position: the least of theirs.
    fn canonical_key(&self) -> u64 {
        let images = Symmetry::ALL
            .into_iter()
            .map(|symmetry| self.image(symmetry).key());
        images.min().unwrap_or_else(|| self.key())
    }

    /// The Zobrist key, side to move included, kept up to date by `play`.
    fn key(&self) -> u64;

    /// The same key, computed from the whole board.
    fn key_from_scratch(&self) -> u64;

    /// The number of sequences of `depth` moves, counted the fast way: the
    /// last ply is counted and not played. See [`Game::PERFT_FINISHED`].
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        if moves.is_empty() {
            return Self::PERFT_FINISHED;
        }
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|&mv| self.play(mv).perft(depth - 1)).sum()
    }

    /// What a game that ended before the perft depth counts: 1 or 0.
    const PERFT_FINISHED: u64 = 0;

    /// A code for `mv`, the same in every position, for tables.
    fn encode(mv: Self::Move) -> u16;

    /// The move of a code; none if no move has it.
    fn decode(code: u16) -> Option<Self::Move>;

    /// Reads a move in the notation of this position's board, upper or lower
    /// case. The move need not be legal.
    ///
    /// # Errors
    /// One line that says what a move looks like.
    fn parse_move(&self, text: &str) -> Result<Self::Move, String>;

    /// The move in the notation of this position's board, in lower case.
    fn print_move(&self, mv: Self::Move) -> String;

    /// Reads a position of the same variant as this one.
    ///
    /// # Errors
    /// One line that says what is wrong and what would be right.
    fn parse_position(&self, text: &str) -> Result<Self, String>;

    /// The position as one line of text.
    fn print_position(&self) -> String;
}
