//! Legal moves and flips, the two questions everything else asks millions of
//! times a second.

use super::Bits;

/// All columns but the first and the last: a row of flipped discs never
/// reaches the edge to which it runs, and must not run on around it.
const INNER_COLUMNS: Bits = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares on which `own` flips at least one disc of `opponent`.
#[inline(always)]
pub(super) fn moves(own: Bits, opponent: Bits) -> Bits {
    moves_plain(own, opponent)
}

/// The discs of `opponent` that a disc of `own` put on `square` flips.
#[inline(always)]
pub(super) fn flips(square: u8, own: Bits, opponent: Bits) -> Bits {
    flips_plain(square, own, opponent)
}

/// [`moves`] without processor features.
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
/// CITE: https://www.chessprogramming.org/Kogge-Stone_Algorithm (occluded
/// fill by doubling).
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
#[inline(always)]
pub(super) fn flips_plain(square: u8, own: Bits, opponent: Bits) -> Bits {
    let rays = &RAYS[usize::from(square)];
    let mut flipped = 0;
    for &ray in &rays.up {
        // The nearest square of the ray that is not the opponent's.
        let end = ray & !opponent;
        let outflanking = end & end.wrapping_neg() & own;
        // Without one this subtracts 1 from 0 at most, so test for it.
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

/// The squares seen from one square, in four directions of rising and four of
/// falling bits; each pair of entries is one line.
#[repr(align(64))]
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
