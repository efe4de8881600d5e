//! Discs that nobody can flip any more, and what they say about the result.
//!
//! A disc is stable if on each of the four lines through it one of these
//! holds: the line is full; a neighbour on the line is a stable disc of the
//! same colour, or the edge of the board; on an edge, no sequence of moves on
//! it flips the disc. This is never wrong about a disc it calls stable, but
//! does not find all that are.
//!
//! CITE: B. Rose, Othello: A Minute to Learn ... A Lifetime to Master, 2005
//! (stable discs); the propagation from full lines and edges is that of the
//! endgame solvers since J.-C. Weill's and G. Andersson's.

use std::sync::LazyLock;

use wide::u64x4;

use super::{Bits, Board};

/// The stable discs of `own` that this module can tell, at least.
pub(super) fn stable(own: Bits, opponent: Bits, board: Board) -> Bits {
    let secure = full_lines(own | opponent | !board.mask()) | borders(board);
    let mut stable = stable_on_edges(own, opponent, board);
    loop {
        let four = u64x4::splat(stable);
        let [row, falling, column, rising] = (secure | four << STEPS | four >> STEPS).to_array();
        // A shift may wrap around an edge, but only onto squares that the
        // edge secures anyway.
        let grown = stable | own & row & falling & column & rising;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The least alpha, in discs, at which an upper bound by counting the
/// opponent's stable discs is likely to cut off a node with `count` empty
/// squares.
pub(super) const fn threshold(board: Board, count: u32) -> i32 {
    let threshold = 2 * count as i32 + 2;
    match board {
        Board::Six => threshold / 2,
        Board::Eight => threshold,
    }
}

/// How many bits apart neighbours are, by axis: in a row, on the falling
/// diagonals, in a column, on the rising diagonals.
const STEPS: u64x4 = u64x4::new([1, 7, 8, 9]);

/// By axis: the squares of lines of which every square is in `filled`.
fn full_lines(filled: Bits) -> u64x4 {
    let filled = u64x4::splat(filled);
    let (mut up, mut down) = (filled, filled);
    let mut steps = STEPS;
    for &[above, below] in &BEYOND {
        up &= above | up >> steps;
        down &= below | down << steps;
        steps += steps;
    }
    up & down
}

/// By axis: the squares from which 1, 2 or 4 steps up, or down, lead off the
/// board.
const BEYOND: [[u64x4; 2]; 3] = [beyond(1), beyond(2), beyond(4)];

const fn beyond(steps: i32) -> [u64x4; 2] {
    [
        outside_by_axis(Board::Eight, steps),
        outside_by_axis(Board::Eight, -steps),
    ]
}

/// By axis: the squares from which so many steps up lead off the board.
const fn outside_by_axis(board: Board, steps: i32) -> u64x4 {
    u64x4::new([
        outside(board, steps, 0),
        outside(board, -steps, steps),
        outside(board, 0, steps),
        outside(board, steps, steps),
    ])
}

/// The squares from which a step of `dx` columns and `dy` rows leads off the
/// board.
const fn outside(board: Board, dx: i32, dy: i32) -> Bits {
    let low = board.margin() as i32;
    let high = 8 - low;
    let mut set = 0;
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8 + dx, square / 8 + dy);
        if x < low || x >= high || y < low || y >= high {
            set |= 1 << square;
        }
        square += 1;
    }
    set & board.mask()
}

/// By axis: the squares with a neighbour off the board.
fn borders(board: Board) -> u64x4 {
    const SIX: [u64x4; 2] = [
        outside_by_axis(Board::Six, 1),
        outside_by_axis(Board::Six, -1),
    ];
    const EIGHT: [u64x4; 2] = BEYOND[0];
    let [above, below] = match board {
        Board::Six => SIX,
        Board::Eight => EIGHT,
    };
    above | below
}

/// The discs of `own` on the edges that no sequence of moves on their edge
/// flips.
pub(super) fn stable_on_edges(own: Bits, opponent: Bits, board: Board) -> Bits {
    let table = match board {
        Board::Six => &*EDGES_SIX,
        Board::Eight => &*EDGES_EIGHT,
    };
    let first = board.margin() as u32;
    let last = 7 - first;
    let row = |row: u32| {
        let line = |set: Bits| (set >> (8 * row)) as u8;
        Bits::from(table[index(line(own), line(opponent))]) << (8 * row)
    };
    let column = |column: u32| {
        let line = |set: Bits| pack_column(set >> column);
        SPREAD[usize::from(table[index(line(own), line(opponent))])] << column
    };
    row(first) | row(last) | column(first) | column(last)
}

const COLUMN_A: Bits = 0x0101_0101_0101_0101;

/// The squares of column a in a byte, row 1 lowest.
fn pack_column(set: Bits) -> u8 {
    ((set & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The inverse of [`pack_column`].
static SPREAD: [Bits; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut row = 0;
        while row < 8 {
            if byte >> row & 1 != 0 {
                table[byte] |= 1 << (8 * row);
            }
            row += 1;
        }
        byte += 1;
    }
    table
};

/// By the discs of a line, the stable ones among the first side's.
type EdgeTable = Box<[u8]>;

static EDGES_SIX: LazyLock<EdgeTable> = LazyLock::new(|| edge_table(0x7e));
static EDGES_EIGHT: LazyLock<EdgeTable> = LazyLock::new(|| edge_table(0xff));

fn index(own: u8, opponent: u8) -> usize {
    usize::from(own) << 8 | usize::from(opponent)
}

/// The table for an edge of the squares in `line`.
fn edge_table(line: u8) -> EdgeTable {
    let mut table = vec![0; 1 << 16].into_boxed_slice();
    // A move fills a square, so fuller lines come first.
    for filled in (0..=line).rev().filter(|filled| filled & !line == 0) {
        for own in (0..=filled).filter(|own| own & !filled == 0) {
            let opponent = filled & !own;
            let mut stable = own;
            for square in (0..8).filter(|square| (line & !filled) >> square & 1 != 0) {
                let flipped = line_flips(square, own, opponent);
                let after = index(own | flipped | 1 << square, opponent & !flipped);
                stable &= table[after];
                let flipped = line_flips(square, opponent, own);
                let after = index(own & !flipped, opponent | flipped | 1 << square);
                stable &= table[after];
            }
            table[index(own, opponent)] = stable;
        }
    }
    table
}

/// What `own` flips within a line by a disc on `square`; nothing is possible
/// too, as the move may flip discs elsewhere.
fn line_flips(square: u32, own: u8, opponent: u8) -> u8 {
    // A line is a row of a board that is otherwise empty.
    super::kernels::flips_plain(square as u8, Bits::from(own), Bits::from(opponent)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::discs::{kernels, squares};
    use crate::zobrist::splitmix64;

    #[test]
    fn columns_pack_and_spread() {
        for byte in 0..=255_u8 {
            let column = SPREAD[usize::from(byte)];
            assert_eq!(pack_column(column | column << 3), byte);
        }
    }

    #[test]
    fn full_lines_are_those_without_a_gap() {
        let mut state = 5;
        for _ in 0..100_000 {
            let (next, a) = splitmix64(state);
            let (next, b) = splitmix64(next);
            let (next, c) = splitmix64(next);
            state = next;
            let filled = a | b | c;
            let full = full_lines(filled).to_array();
            for (axis, (dx, dy)) in [(1, 0), (-1, 1), (0, 1), (1, 1)].into_iter().enumerate() {
                for square in 0..64 {
                    let on_line = |k: i32| {
                        let (x, y) = (square % 8 + k * dx, square / 8 + k * dy);
                        ((0..8).contains(&x) && (0..8).contains(&y)).then_some(8 * y + x)
                    };
                    let expected = (-7..8)
                        .filter_map(on_line)
                        .all(|square| filled >> square & 1 != 0);
                    assert_eq!(full[axis] >> square & 1 != 0, expected);
                }
            }
        }
    }

    /// Plays both sides at random from random positions: a stable disc must
    /// never change hands.
    #[test]
    fn a_stable_disc_is_never_flipped() {
        let mut state = 11;
        let mut random = || {
            let (next, value) = splitmix64(state);
            state = next;
            value
        };
        let mut seen = [0_u32; 2];
        for game in 0..40_000_u64 {
            let board = [Board::Six, Board::Eight][(game % 2) as usize];
            let taken = (random() | random() | random()) & board.mask();
            let mut own = taken & random();
            let mut opponent = taken & !own;
            let mut kept = [stable(own, opponent, board), stable(opponent, own, board)];
            seen[(game % 2) as usize] += kept[0].count_ones();
            let mut passes = 0;
            while passes < 2 {
                let moves = kernels::moves(own, opponent) & board.mask();
                if moves == 0 {
                    passes += 1;
                } else {
                    passes = 0;
                    let chosen = random() % u64::from(moves.count_ones());
                    let square = squares(moves).nth(chosen as usize).unwrap_or_default();
                    let flipped = kernels::flips(square, own, opponent);
                    own |= flipped | 1 << square;
                    opponent &= !flipped;
                    assert_eq!(kept[1] & flipped, 0, "{own:016x} {opponent:016x}");
                }
                std::mem::swap(&mut own, &mut opponent);
                kept.swap(0, 1);
                // What was stable stays so in the eyes of the same function.
                let now = stable(own, opponent, board);
                assert_eq!(kept[0] & !now, 0, "{own:016x} {opponent:016x}");
                kept[0] |= now;
            }
        }
        assert!(seen.iter().all(|&discs| discs > 50_000), "{seen:?}");
    }

    #[test]
    fn known_cases() {
        let corner = |board: Board| 1 << board.square(0, 0);
        for board in [Board::Six, Board::Eight] {
            assert_eq!(stable(corner(board), 0, board), corner(board));
            let beside = 1 << board.square(1, 0);
            assert_eq!(stable(beside, corner(board), board), 0);
            assert_eq!(
                stable(beside | corner(board), 0, board),
                beside | corner(board)
            );
            assert_eq!(stable(board.mask(), 0, board), board.mask());
            // Alone in the middle of an edge between two stable discs of the
            // opponent, with no gap: nobody can get at it.
            let edge: Bits = (0..board.size()).map(|x| 1 << board.square(x, 0)).sum();
            let middle = 1 << board.square(2, 0);
            assert_eq!(stable(middle, edge & !middle, board), middle);
            assert_eq!(stable(edge & !middle, middle, board), edge & !middle);
        }
    }
}
