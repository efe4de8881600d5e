//! The board as bits, and the neighbours of a square.
//!
//! Bit `6 * row + column` is the square of that row and column, so that a1 is
//! bit 0 and e5 is bit 28. The sixth column does not exist: no set of tiles
//! holds it, and a shift to the left or right that leaves the board ends there
//! or beyond the last row, where intersecting with a set of tiles drops it.
//!
//! ```text
//!   24 25 26 27 28 | 29
//!   18 19 20 21 22 | 23
//!   12 13 14 15 16 | 17
//!    6  7  8  9 10 | 11
//!    0  1  2  3  4 |  5
//! ```

/// The longest row and column.
pub(super) const SIZE: u8 = 5;

/// How far a square is from the one above it.
pub(super) const STRIDE: u8 = SIZE + 1;

/// A set of squares.
pub(super) type Squares = u32;

/// The number of a square; columns and rows count from 0.
pub(super) const fn square(column: u8, row: u8) -> u8 {
    row * STRIDE + column
}

/// The column of a square.
pub(super) const fn column(square: u8) -> u8 {
    square % STRIDE
}

/// The row of a square.
pub(super) const fn row(square: u8) -> u8 {
    square / STRIDE
}

/// The set of one square.
pub(super) const fn bit(square: u8) -> Squares {
    1 << square
}

/// The squares of a board, whose corner is a1.
pub(super) const fn rectangle(width: u8, height: u8) -> Squares {
    let mut set = 0;
    let mut row = 0;
    while row < height {
        set |= ((1 << width) - 1) << (row * STRIDE);
        row += 1;
    }
    set
}

/// The eight neighbours of each square, fewer at the edge; of numbers that are
/// no squares, none. The length lets an index be masked, not checked.
const NEIGHBOURS: [Squares; 32] = {
    let mut table = [0; 32];
    let mut s = 0;
    while s < 25 {
        let number = square(s % SIZE, s / SIZE);
        table[number as usize] = spread(bit(number)) & rectangle(SIZE, SIZE) & !bit(number);
        s += 1;
    }
    table
};

/// The neighbours of a square.
#[inline]
pub(super) const fn neighbours(square: u8) -> Squares {
    NEIGHBOURS[(square & 31) as usize]
}

/// The squares of `set` and all their neighbours, and squares off the board:
/// to be cut to a set of tiles.
#[inline]
pub(super) const fn spread(set: Squares) -> Squares {
    let rows = set | set << 1 | set >> 1;
    rows | rows << STRIDE | rows >> STRIDE
}

/// The squares of a set, from a1 on.
#[inline]
pub(super) fn each(mut set: Squares) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_step_away() {
        for from in each(rectangle(5, 5)) {
            for to in each(rectangle(5, 5)) {
                let distance = column(from)
                    .abs_diff(column(to))
                    .max(row(from).abs_diff(row(to)));
                assert_eq!(neighbours(from) & bit(to) != 0, distance == 1);
            }
        }
    }

    #[test]
    fn spreading_stays_on_the_board_once_cut() {
        for from in each(rectangle(5, 5)) {
            let set = bit(from) | neighbours(from);
            assert_eq!(spread(bit(from)) & rectangle(5, 5), set);
        }
    }
}
