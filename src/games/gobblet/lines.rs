//! The ten lines of four, on sets of squares: bit `4 * row + column` is the
//! square, so that a row is a nibble and a column every fourth bit.

/// A set of squares.
pub(super) type Squares = u16;

/// The four rows, the four columns, the two long diagonals.
pub(super) const LINES: [Squares; 10] = [
    0x000f, 0x00f0, 0x0f00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, RISING, FALLING,
];

/// a1, b2, c3, d4.
pub(super) const RISING: Squares = 0x8421;

/// a4, b3, c2, d1.
pub(super) const FALLING: Squares = 0x1248;

/// The lines through each square: its row, its column, and the diagonal that
/// it lies on or, again, its row.
pub(super) const THROUGH: [[Squares; 3]; 16] = {
    let mut through = [[0; 3]; 16];
    let mut square = 0;
    while square < 16 {
        let (row, column) = (LINES[square / 4], LINES[4 + square % 4]);
        let diagonal = if RISING >> square & 1 != 0 {
            RISING
        } else if FALLING >> square & 1 != 0 {
            FALLING
        } else {
            row
        };
        through[square] = [row, column, diagonal];
        square += 1;
    }
    through
};

/// Whether `set` contains a line.
pub(super) const fn has_line(set: Squares) -> bool {
    let columns = set & (set >> 4);
    let rows = set & (set >> 1);
    (columns & (columns >> 8) & 0x000f) | (rows & (rows >> 2) & 0x1111) != 0
        || set & RISING == RISING
        || set & FALLING == FALLING
}

/// All squares of the lines of which at least three squares are in `set`.
///
/// Where no line is full, what of it lies in `set` are the gobblets that stand
/// three in a line, and the rest are the squares that complete a line.
pub(super) const fn three_lines(set: Squares) -> Squares {
    // Three of four: both of one pair and at least one of the other.
    let (both, one) = (set & (set >> 1), set | (set >> 1));
    let rows = ((both & (one >> 2)) | ((both >> 2) & one)) & 0x1111;
    let (both, one) = (set & (set >> 4), set | (set >> 4));
    let columns = ((both & (one >> 8)) | ((both >> 8) & one)) & 0x000f;
    let rising = if (set & RISING).count_ones() >= 3 {
        RISING
    } else {
        0
    };
    let falling = if (set & FALLING).count_ones() >= 3 {
        FALLING
    } else {
        0
    };
    (rows * 15) | (columns * 0x1111) | rising | falling
}

/// The squares where two or more of the lines cross that hold exactly two
/// squares of `set` and none of `blocked`.
pub(super) const fn crossing_twos(set: Squares, blocked: Squares) -> Squares {
    // Two of four: one of each pair, or both of one and none of the other.
    let pairs = [set, set >> 1, set >> 4];
    let (one, both, none) = (set ^ pairs[1], set & pairs[1], !(set | pairs[1]));
    let twos = (one & (one >> 2)) | (both & (none >> 2)) | (none & (both >> 2));
    let free = !(blocked | blocked >> 1);
    let rows = (twos & free & (free >> 2) & 0x1111) * 15;
    let (one, both, none) = (set ^ pairs[2], set & pairs[2], !(set | pairs[2]));
    let twos = (one & (one >> 8)) | (both & (none >> 8)) | (none & (both >> 8));
    let free = !(blocked | blocked >> 4);
    let columns = (twos & free & (free >> 8) & 0x000f) * 0x1111;
    let rising = open_two(RISING, set, blocked);
    let falling = open_two(FALLING, set, blocked);
    (rows & columns) | ((rows | columns) & (rising | falling))
}

const fn open_two(line: Squares, set: Squares, blocked: Squares) -> Squares {
    if (set & line).count_ones() == 2 && blocked & line == 0 {
        line
    } else {
        0
    }
}

/// The squares of `set`, lowest first.
pub(super) fn squares(mut set: Squares) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (square < 16).then_some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_tricks_agree_with_the_list_of_lines() {
        for set in 0..=Squares::MAX {
            assert_eq!(has_line(set), LINES.iter().any(|&line| line & !set == 0));
            let threes = LINES
                .iter()
                .filter(|&&line| (set & line).count_ones() >= 3)
                .fold(0, |all, line| all | line);
            assert_eq!(three_lines(set), threes, "{set:04x}");
        }
    }

    #[test]
    fn twos_cross_where_the_list_of_lines_says() {
        for set in 0..=Squares::MAX {
            for blocked in [0, 0x0001, 0x0140, 0x8020, 0x1248, set, !set] {
                let open =
                    |line: &&Squares| (*line & set).count_ones() == 2 && *line & blocked == 0;
                let (mut once, mut twice) = (0, 0);
                for line in LINES.iter().filter(open) {
                    twice |= once & line;
                    once |= line;
                }
                assert_eq!(
                    crossing_twos(set, blocked),
                    twice,
                    "{set:04x} {blocked:04x}"
                );
            }
        }
    }

    #[test]
    fn the_lines_through_a_square_are_all_that_hold_it() {
        for (square, lines) in THROUGH.into_iter().enumerate() {
            for line in LINES {
                assert_eq!(lines.contains(&line), line >> square & 1 != 0);
            }
        }
    }

    #[test]
    fn squares_come_in_order() {
        assert_eq!(squares(0x8005).collect::<Vec<_>>(), [0, 2, 15]);
        assert_eq!(squares(0).count(), 0);
    }
}
