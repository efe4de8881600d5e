//! The gobblets on the board as bits, seen by the side to move.
//!
//! Each side's gobblets are four layers of 16 squares in one word, size 1 in
//! the lowest lane and size 4 in the highest: bit `16 * (size - 1) + square`.
//! A stack grows strictly from bottom to top, so the word says all: of the
//! gobblets on a square the largest is the visible one.

use super::lines::{self, Squares};

/// Four lanes of squares, one a size; size 4 is the highest.
pub(super) type Layers = u64;

/// Squares `(4 * row + column)` on the board.
pub(super) const SQUARES: u8 = 16;

/// Gobblets of one size a side has.
pub(super) const COPIES: u8 = 3;

/// The first square in every lane.
pub(super) const FIRST_SQUARES: Layers = 0x0001_0001_0001_0001;

/// The bit of a gobblet.
pub(super) const fn bit(size: u8, square: u8) -> Layers {
    1 << (16 * (size - 1) + square)
}

/// One lane: the squares of size `size`, from 1.
pub(super) const fn lane(layers: Layers, size: u8) -> Squares {
    (layers >> (16 * (size - 1))) as Squares
}

/// The squares that are in any lane.
pub(super) const fn any_lane(layers: Layers) -> Squares {
    let halves = layers | (layers >> 32);
    (halves | (halves >> 16)) as Squares
}

/// In lane `s` what `layers` has in lane `s` or a higher one.
pub(super) const fn at_least(layers: Layers) -> Layers {
    let pairs = layers | (layers >> 16);
    pairs | (pairs >> 32)
}

/// All gobblets on the board, hidden ones included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Board {
    /// Those of the side to move.
    pub(super) mover: Layers,
    /// Those of the other side.
    pub(super) other: Layers,
}

/// What a player sees on a [`Board`].
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// Visible gobblets of the side to move.
    pub(super) mover: Layers,
    /// Visible gobblets of the other side.
    pub(super) other: Layers,
    /// In lane `s` the squares that a gobblet of size `s` can not cover: those
    /// that hold one of size `s` or larger.
    pub(super) closed: Layers,
}

impl Board {
    /// What is visible.
    pub(super) const fn view(self) -> View {
        let closed = at_least(self.mover | self.other);
        let covered = closed >> 16;
        View {
            mover: self.mover & !covered,
            other: self.other & !covered,
            closed,
        }
    }

    /// What is left without the gobblets of `view`, the visible ones.
    pub(super) const fn hidden(self, view: &View) -> Self {
        Self {
            mover: self.mover & !view.mover,
            other: self.other & !view.other,
        }
    }

    /// The same board with the other side to move.
    pub(super) const fn flip(self) -> Self {
        Self {
            mover: self.other,
            other: self.mover,
        }
    }

    /// The board after the side to move has put a gobblet of `size` from
    /// beside the board on `square`.
    pub(super) const fn place(self, size: u8, square: u8) -> Self {
        Self {
            mover: self.other,
            other: self.mover | bit(size, square),
        }
    }

    /// The board after the side to move has moved a gobblet of `size`.
    pub(super) const fn shift(self, size: u8, from: u8, to: u8) -> Self {
        Self {
            mover: self.other,
            other: self.mover ^ bit(size, from) ^ bit(size, to),
        }
    }
}

impl View {
    /// The same view with the other side to move.
    pub(super) const fn flip(&self) -> Self {
        Self {
            mover: self.other,
            other: self.mover,
            closed: self.closed,
        }
    }

    /// The squares on which the side to move shows a gobblet.
    pub(super) const fn mover_tops(&self) -> Squares {
        any_lane(self.mover)
    }

    /// The squares on which the other side shows a gobblet.
    pub(super) const fn other_tops(&self) -> Squares {
        any_lane(self.other)
    }

    /// The empty squares.
    pub(super) const fn empty(&self) -> Squares {
        !(self.closed as Squares)
    }

    /// The squares to which a visible gobblet of `size` can move.
    pub(super) const fn open(&self, size: u8) -> Squares {
        !lane(self.closed, size)
    }

    /// Whether someone shows a line.
    pub(super) const fn is_over(&self) -> bool {
        lines::has_line(self.mover_tops()) || lines::has_line(self.other_tops())
    }

    /// The gobblets of the other side that stand three in a line: a placement
    /// may cover a smaller one of them.
    pub(super) const fn exposed(&self) -> Squares {
        let tops = self.other_tops();
        lines::three_lines(tops) & tops
    }
}

/// For each size (the index is one less) whether it is the top of one of the
/// stacks beside the board of a side with these gobblets on the board.
///
/// A stack of height `h` holds the sizes up to `h`, so the stacks at least `s`
/// high are as many as gobblets of size `s` are missing on the board.
pub(super) const fn reserve_tops(layers: Layers) -> [bool; 4] {
    let on_board = counts(layers);
    [
        on_board[1] > on_board[0],
        on_board[2] > on_board[1],
        on_board[3] > on_board[2],
        COPIES > on_board[3],
    ]
}

/// How many gobblets of each size there are; the index is one less than the
/// size.
pub(super) const fn counts(layers: Layers) -> [u8; 4] {
    [
        lane(layers, 1).count_ones() as u8,
        lane(layers, 2).count_ones() as u8,
        lane(layers, 3).count_ones() as u8,
        lane(layers, 4).count_ones() as u8,
    ]
}

/// The heights of the three stacks beside the board, highest first.
pub(super) fn heights(layers: Layers) -> [u8; 3] {
    let on_board = counts(layers);
    std::array::from_fn(|stack| {
        on_board
            .iter()
            .filter(|&&count| COPIES - count > stack as u8)
            .count() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_a_square_is_visible() {
        let board = Board {
            mover: bit(4, 3) | bit(1, 0),
            other: bit(2, 3) | bit(3, 0),
        };
        let view = board.view();
        assert_eq!(view.mover_tops(), 1 << 3);
        assert_eq!(view.other_tops(), 1 << 0);
        assert_eq!(view.empty(), !0b1001);
        assert_eq!(view.open(4), !0b1000);
        assert_eq!(view.open(3), !0b1001);
    }

    #[test]
    fn reserves_follow_from_the_board() {
        assert_eq!(heights(0), [4, 4, 4]);
        assert_eq!(reserve_tops(0), [false, false, false, true]);
        let layers = bit(4, 0) | bit(4, 1) | bit(3, 2);
        assert_eq!(heights(layers), [4, 3, 2]);
        assert_eq!(reserve_tops(layers), [false, true, true, true]);
        let all = (1..=4).fold(0, |all, size| {
            all | bit(size, 0) | bit(size, 1) | bit(size, 2)
        });
        assert_eq!(heights(all), [0, 0, 0]);
        assert_eq!(reserve_tops(all), [false; 4]);
    }
}
