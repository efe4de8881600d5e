//! A turn: a placement or a board move.

use std::fmt;

use super::board::SQUARES;

/// Codes of placements come first: 16 squares for each of four sizes.
const PLACEMENTS: u16 = 64;

/// A turn, as its code: what is played, not what it does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// The two kinds of turns. Squares are `4 * row + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A gobblet comes from beside the board.
    Placement {
        /// From 1, the smallest, to 4.
        size: u8,
        /// Where it is put.
        square: u8,
    },
    /// A gobblet moves on the board.
    Shift {
        /// Where it is lifted.
        from: u8,
        /// Where it is put down.
        to: u8,
    },
}

impl Move {
    /// One more than the largest code.
    pub(super) const CODES: usize = PLACEMENTS as usize + 256;

    /// A placement of a gobblet of `size` (1 to 4).
    pub const fn placement(size: u8, square: u8) -> Self {
        debug_assert!(size >= 1 && size <= 4 && square < SQUARES);
        Self((size as u16 - 1) * 16 + square as u16)
    }

    /// A board move between two different squares.
    pub const fn shift(from: u8, to: u8) -> Self {
        debug_assert!(from < SQUARES && to < SQUARES && from != to);
        Self(PLACEMENTS + from as u16 * 16 + to as u16)
    }

    /// What kind of turn this is.
    pub const fn kind(self) -> Kind {
        if self.0 < PLACEMENTS {
            Kind::Placement {
                size: (self.0 >> 4) as u8 + 1,
                square: (self.0 & 15) as u8,
            }
        } else {
            Kind::Shift {
                from: ((self.0 - PLACEMENTS) >> 4) as u8,
                to: (self.0 & 15) as u8,
            }
        }
    }

    /// The square on which the gobblet is put down.
    pub const fn to(self) -> u8 {
        (self.0 & 15) as u8
    }

    /// The square from which a board move lifts its gobblet.
    pub const fn from(self) -> Option<u8> {
        match self.kind() {
            Kind::Placement { .. } => None,
            Kind::Shift { from, .. } => Some(from),
        }
    }

    /// Whether this is a placement.
    pub const fn is_placement(self) -> bool {
        self.0 < PLACEMENTS
    }

    pub(super) const fn code(self) -> u16 {
        self.0
    }

    pub(super) const fn from_code(code: u16) -> Option<Self> {
        let move_on_board = code >= PLACEMENTS;
        let on_the_spot = move_on_board && (code - PLACEMENTS) >> 4 == code & 15;
        if code as usize >= Self::CODES || on_the_spot {
            None
        } else {
            Some(Self(code))
        }
    }
}

/// As the notation writes it.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Placement { size, square } => write!(f, "{size}@{}", Name(square)),
            Kind::Shift { from, to } => write!(f, "{}{}", Name(from), Name(to)),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A square's name: `a1` is square 0, `d4` square 15.
pub(super) struct Name(pub(super) u8);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 4), 1 + self.0 / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_reversible() {
        let moves: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_code).collect();
        assert_eq!(moves.len(), 64 + 16 * 15);
        for mv in moves {
            assert!(usize::from(mv.code()) < Move::CODES);
            let again = match mv.kind() {
                Kind::Placement { size, square } => Move::placement(size, square),
                Kind::Shift { from, to } => Move::shift(from, to),
            };
            assert_eq!(again, mv);
        }
    }
}
