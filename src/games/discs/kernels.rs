//! Legal moves and flips, the two questions everything else asks millions of
//! times a second.
//!
//! Each kernel has a plain form, compiled and tested on every machine, and one
//! for the processor the program is built for; both give the same answer for
//! any two disjoint sets of discs. The 6x6 board needs no kernels of its own:
//! beyond its edge nobody has discs, so no row of flipped discs crosses it.
#![allow(unsafe_code)]

use super::Bits;

/// All columns but the first and the last: a row of flipped discs never
/// reaches the edge to which it runs, and must not run on around it.
const INNER_COLUMNS: Bits = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares on which `own` flips at least one disc of `opponent`.
#[inline(always)]
pub(super) fn moves(own: Bits, opponent: Bits) -> Bits {
    #[cfg(target_feature = "avx2")]
    {
        avx2::moves(own, opponent)
    }
    #[cfg(not(target_feature = "avx2"))]
    {
        moves_plain(own, opponent)
    }
}

/// The discs of `opponent` that a disc of `own` put on `square` flips.
#[inline(always)]
pub(super) fn flips(square: u8, own: Bits, opponent: Bits) -> Bits {
    #[cfg(target_feature = "avx2")]
    {
        avx2::flips(square, own, opponent)
    }
    #[cfg(not(target_feature = "avx2"))]
    {
        flips_plain(square, own, opponent)
    }
}

/// How many discs `own` flips by filling the last empty square of the board:
/// every other disc is the opponent's.
#[inline(always)]
pub(super) fn last_flips(square: u8, own: Bits) -> u32 {
    #[cfg(target_feature = "bmi2")]
    {
        bmi2::last_flips(square, own)
    }
    #[cfg(not(target_feature = "bmi2"))]
    {
        last_flips_plain(square, own)
    }
}

/// [`moves`] without processor features.
#[cfg_attr(all(target_feature = "avx2", not(test)), allow(dead_code))]
#[inline(always)]
pub(super) fn moves_plain(own: Bits, opponent: Bits) -> Bits {
    let inner = opponent & INNER_COLUMNS;
    let reached = along(own, inner, 1)
        | along(own, inner, 7)
        | along(own, opponent, 8)
        | along(own, inner, 9);
    reached & !(own | opponent)
}

/// The squares behind a row of `between` that begins at a disc of `own`, in
/// both directions of a line whose neighbours are `step` bits apart.
///
/// CITE: <https://www.chessprogramming.org/Kogge-Stone_Algorithm> (occluded
/// fill by doubling).
#[cfg_attr(all(target_feature = "avx2", not(test)), allow(dead_code))]
#[inline(always)]
fn along(own: Bits, between: Bits, step: u32) -> Bits {
    let pairs_up = between & (between << step);
    let pairs_down = between & (between >> step);
    let mut up = between & (own << step);
    let mut down = between & (own >> step);
    up |= between & (up << step);
    down |= between & (down >> step);
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// [`flips`] without processor features.
#[cfg_attr(all(target_feature = "avx2", not(test)), allow(dead_code))]
#[inline(always)]
pub(super) fn flips_plain(square: u8, own: Bits, opponent: Bits) -> Bits {
    let rays = &RAYS[usize::from(square)];
    let mut flipped = 0;
    for &ray in &rays.up {
        // The nearest square that is not the opponent's, if `own` has it.
        let end = ray & !opponent;
        let outflanking = end & end.wrapping_neg() & own;
        if outflanking != 0 {
            flipped |= ray & (outflanking - 1);
        }
    }
    for &ray in &rays.down {
        let end = ray & !opponent;
        if end == 0 {
            continue;
        }
        let outflanking = (1 << (63 - end.leading_zeros())) & own;
        flipped |= ray & (outflanking << 1).wrapping_neg();
    }
    flipped
}

/// [`last_flips`] without processor features.
#[cfg_attr(all(target_feature = "bmi2", not(test)), allow(dead_code))]
#[inline(always)]
pub(super) fn last_flips_plain(square: u8, own: Bits) -> u32 {
    flips_plain(square, own, !(own | 1 << square)).count_ones()
}

/// The squares seen from one square, in four directions of rising and four of
/// falling bits; each pair of entries is one line.
#[repr(C, align(64))]
struct Rays {
    up: [Bits; 4],
    down: [Bits; 4],
}

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    // Columns and rows a step goes, in the order of the steps 1, 7, 8, 9.
    const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut table = [const {
        Rays {
            up: [0; 4],
            down: [0; 4],
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            let (dx, dy) = STEPS[i];
            table[square].up[i] = ray(square as i32, dx, dy);
            table[square].down[i] = ray(square as i32, -dx, -dy);
            i += 1;
        }
        square += 1;
    }
    table
}

const fn ray(from: i32, dx: i32, dy: i32) -> Bits {
    let (mut x, mut y) = (from % 8 + dx, from / 8 + dy);
    let mut set = 0;
    while 0 <= x && x < 8 && 0 <= y && y < 8 {
        set |= 1 << (8 * y + x);
        x += dx;
        y += dy;
    }
    set
}

/// Four lines at a time.
#[cfg(target_feature = "avx2")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Bits, INNER_COLUMNS, RAYS};

    #[inline(always)]
    pub(super) fn moves(own: Bits, opponent: Bits) -> Bits {
        // SAFETY: the module is compiled only for processors with AVX2.
        unsafe { moves4(own, opponent) }
    }

    #[inline(always)]
    pub(super) fn flips(square: u8, own: Bits, opponent: Bits) -> Bits {
        // SAFETY: the module is compiled only for processors with AVX2.
        unsafe { flips4(square, own, opponent) }
    }

    /// [`super::along`] in all eight directions.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn moves4(own: Bits, opponent: Bits) -> Bits {
        let step = steps();
        let step2 = _mm256_add_epi64(step, step);
        let inner = INNER_COLUMNS as i64;
        let own4 = _mm256_set1_epi64x(own as i64);
        let between = _mm256_and_si256(
            _mm256_set1_epi64x(opponent as i64),
            _mm256_set_epi64x(inner, !0, inner, inner),
        );
        let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(own4, step));
        let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(own4, step));
        let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        up = or_and(up, between, _mm256_sllv_epi64(up, step));
        down = or_and(down, between, _mm256_srlv_epi64(down, step));
        up = or_and(up, pairs_up, _mm256_sllv_epi64(up, step2));
        down = or_and(down, pairs_down, _mm256_srlv_epi64(down, step2));
        up = or_and(up, pairs_up, _mm256_sllv_epi64(up, step2));
        down = or_and(down, pairs_down, _mm256_srlv_epi64(down, step2));
        let reached = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
        fold(reached) & !(own | opponent)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn flips4(square: u8, own: Bits, opponent: Bits) -> Bits {
        let rays = &RAYS[usize::from(square)];
        let own4 = _mm256_set1_epi64x(own as i64);
        let opponent4 = _mm256_set1_epi64x(opponent as i64);
        // SAFETY: each array has four 64-bit entries and is 32-byte aligned,
        // because `Rays` is 64-byte aligned and laid out as written.
        let (up, down) = unsafe {
            (
                _mm256_load_si256((&raw const rays.up).cast()),
                _mm256_load_si256((&raw const rays.down).cast()),
            )
        };
        let zero = _mm256_setzero_si256();

        // CITE: https://github.com/abulmo/edax-reversi, flip_avx.c (lowest bit
        // of one half of the rays, shading of the other).
        // The nearest square of a rising ray that is not the opponent's is
        // the lowest bit.
        let end = _mm256_andnot_si256(opponent4, up);
        let lowest = _mm256_and_si256(end, _mm256_sub_epi64(zero, end));
        let outflanking = _mm256_and_si256(lowest, own4);
        let below = _mm256_add_epi64(outflanking, _mm256_set1_epi64x(-1));
        let none = _mm256_cmpeq_epi64(outflanking, zero);
        let flipped_up = _mm256_andnot_si256(none, _mm256_and_si256(below, up));

        // On a falling ray it is the highest, which has no such trick: all
        // that lies behind it is shaded instead.
        let step = steps();
        let step2 = _mm256_add_epi64(step, step);
        let end = _mm256_andnot_si256(opponent4, down);
        let mut shade = _mm256_srlv_epi64(end, step);
        shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step));
        shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step2));
        shade = _mm256_or_si256(
            shade,
            _mm256_srlv_epi64(shade, _mm256_add_epi64(step2, step2)),
        );
        let outflanking = _mm256_andnot_si256(shade, _mm256_and_si256(down, own4));
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(outflanking, outflanking));
        fold(_mm256_or_si256(flipped_up, _mm256_and_si256(above, down)))
    }

    /// How many bits apart neighbours are: in a row, on the two diagonals'
    /// lines and in a column, in the order of [`super::Rays`].
    #[inline]
    #[target_feature(enable = "avx2")]
    fn steps() -> __m256i {
        _mm256_set_epi64x(9, 8, 7, 1)
    }

    /// `a | (b & c)`
    #[inline]
    #[target_feature(enable = "avx2")]
    fn or_and(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        _mm256_or_si256(a, _mm256_and_si256(b, c))
    }

    /// The union of the four lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn fold(lanes: __m256i) -> Bits {
        let two = _mm_or_si128(
            _mm256_castsi256_si128(lanes),
            _mm256_extracti128_si256::<1>(lanes),
        );
        (_mm_extract_epi64::<0>(two) | _mm_extract_epi64::<1>(two)) as Bits
    }
}

/// One line at a time, pressed into a byte.
#[cfg(target_feature = "bmi2")]
mod bmi2 {
    use std::arch::x86_64::_pext_u64;

    use super::{Bits, RAYS};

    #[inline(always)]
    pub(super) fn last_flips(square: u8, own: Bits) -> u32 {
        let lines = &LINES[usize::from(square)];
        let mut count = 0;
        for (line, &place) in lines.set.iter().zip(&lines.place) {
            // SAFETY: the module is compiled only for processors with BMI2.
            let discs = unsafe { _pext_u64(own, *line) };
            count += u32::from(COUNT[usize::from(place & 7)][discs as usize & 0xff]);
        }
        count
    }

    /// The four lines through a square, without the square, and how many
    /// squares of each come before it.
    struct Lines {
        set: [Bits; 4],
        place: [u8; 4],
    }

    static LINES: [Lines; 64] = lines();

    const fn lines() -> [Lines; 64] {
        let mut table = [const {
            Lines {
                set: [0; 4],
                place: [0; 4],
            }
        }; 64];
        let mut square = 0;
        while square < 64 {
            let mut i = 0;
            while i < 4 {
                let (up, down) = (RAYS[square].up[i], RAYS[square].down[i]);
                table[square].set[i] = up | down;
                table[square].place[i] = down.count_ones() as u8;
                i += 1;
            }
            square += 1;
        }
        table
    }

    /// `COUNT[place][own]`: the discs flipped in a line. The squares that a
    /// short line lacks look like the opponent's with nobody behind them.
    static COUNT: [[u8; 256]; 8] = count();

    const fn count() -> [[u8; 256]; 8] {
        let mut table = [[0; 256]; 8];
        let mut place = 0;
        while place < 8 {
            let mut own = 0_u32;
            while own < 256 {
                let before = own & ((1 << place) - 1);
                let after = own >> place;
                let mut flipped = 0;
                if before != 0 {
                    flipped += place as u32 - 1 - before.ilog2();
                }
                if after != 0 {
                    flipped += after.trailing_zeros();
                }
                table[place][own as usize] = flipped as u8;
                own += 1;
            }
            place += 1;
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::discs::{Board, squares};
    use crate::zobrist::splitmix64;

    /// The rule itself: walk from the square until the row of opposing discs
    /// ends.
    fn flips_by_walking(square: u8, own: Bits, opponent: Bits) -> Bits {
        let mut flipped = 0;
        for (dx, dy) in [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ] {
            let (mut x, mut y) = (i32::from(square % 8), i32::from(square / 8));
            let mut row = 0;
            loop {
                (x, y) = (x + dx, y + dy);
                if !(0..8).contains(&x) || !(0..8).contains(&y) {
                    break;
                }
                let bit = 1 << (8 * y + x);
                if own & bit != 0 {
                    flipped |= row;
                }
                if opponent & bit == 0 {
                    break;
                }
                row |= bit;
            }
        }
        flipped
    }

    /// Disjoint sets of discs, from a few to a full board.
    fn random_discs(state: &mut u64) -> (Bits, Bits) {
        let mut random = || {
            let (next, value) = splitmix64(*state);
            *state = next;
            value
        };
        let kind = random();
        let mut taken = random();
        match kind % 4 {
            0 => taken &= random(),
            1 => {}
            2 => taken |= random(),
            _ => taken |= random() | random() | random(),
        }
        if kind & 4 != 0 {
            taken &= Board::Six.mask();
        }
        let mut colour = random();
        if kind & 8 != 0 {
            colour &= random();
        }
        (taken & colour, taken & !colour)
    }

    fn moves_by(flips: impl Fn(u8, Bits, Bits) -> Bits, own: Bits, opponent: Bits) -> Bits {
        squares(!(own | opponent))
            .filter(|&square| flips(square, own, opponent) != 0)
            .fold(0, |set, square| set | 1 << square)
    }

    #[test]
    fn plain_kernels_do_what_the_rule_says() {
        let mut state = 1;
        for _ in 0..100_000 {
            let (own, opponent) = random_discs(&mut state);
            for square in squares(!(own | opponent)) {
                assert_eq!(
                    flips_plain(square, own, opponent),
                    flips_by_walking(square, own, opponent),
                    "{square} {own:016x} {opponent:016x}"
                );
            }
            let moves = moves_plain(own, opponent);
            assert_eq!(moves, moves_by(flips_by_walking, own, opponent));
        }
    }

    #[test]
    fn fast_kernels_equal_the_plain_ones() {
        let mut state = 2;
        for _ in 0..2_000_000 {
            let (own, opponent) = random_discs(&mut state);
            assert_eq!(moves(own, opponent), moves_plain(own, opponent));
            let square = state as u8 % 64;
            let (own, opponent) = (own & !(1 << square), opponent & !(1 << square));
            assert_eq!(
                flips(square, own, opponent),
                flips_plain(square, own, opponent),
                "{square} {own:016x} {opponent:016x}"
            );
            assert_eq!(
                last_flips(square, own),
                last_flips_plain(square, own),
                "{square} {own:016x}"
            );
        }
    }

    #[test]
    fn the_last_square_of_a_6x6_board_needs_no_mask() {
        let mut state = 3;
        for _ in 0..100_000 {
            let (own, _) = random_discs(&mut state);
            let board = Board::Six.mask();
            for square in squares(board) {
                let own = own & board & !(1 << square);
                let opponent = board & !(own | 1 << square);
                let flipped = flips_by_walking(square, own, opponent);
                assert_eq!(last_flips(square, own), flipped.count_ones());
            }
        }
    }
}
