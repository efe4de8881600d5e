//! The eight ways to turn and mirror a board, under which a position stays
//! worth the same.

use super::{Bits, DISC_KEYS, Discs, Move, key_of};
use crate::game::Symmetry;

/// The images of a set of squares, in the order of [`Symmetry`]: bit 0 is
/// rows upside down, bit 1 columns mirrored, bit 2 rows and columns exchanged
/// after that.
fn image(set: Bits, symmetry: Symmetry) -> Bits {
    let mut set = set;
    if symmetry & 1 != 0 {
        set = set.swap_bytes();
    }
    if symmetry & 2 != 0 {
        set = set.reverse_bits().swap_bytes();
    }
    if symmetry & 4 != 0 {
        set = transpose(set);
    }
    set
}

/// Exchanges rows and columns, by exchanging ever larger blocks.
///
/// CITE: H. S. Warren, Hacker's Delight, 2nd edition, section 7-3.
const fn transpose(set: Bits) -> Bits {
    let mut set = set;
    let mut swap = 0x00aa_00aa_00aa_00aa & (set ^ (set >> 7));
    set ^= swap ^ (swap << 7);
    swap = 0x0000_cccc_0000_cccc & (set ^ (set >> 14));
    set ^= swap ^ (swap << 14);
    swap = 0x0000_0000_f0f0_f0f0 & (set ^ (set >> 28));
    set ^ swap ^ (swap << 28)
}

impl Discs {
    /// The least image of the board for whoever is to move, and the symmetry
    /// that leads to it.
    pub(super) fn least_image(&self) -> (Bits, Bits, Symmetry) {
        (0..8)
            .map(|symmetry| {
                let own = image(self.own, symmetry);
                (own, image(self.opponent, symmetry), symmetry)
            })
            .min()
            .unwrap_or((self.own, self.opponent, 0))
    }

    /// See [`crate::game::Game::canonical`]. Who is called Black makes no
    /// difference to the disc games, so it makes none to the key.
    pub(super) fn canonical_key(&self) -> (u64, Symmetry) {
        let (own, opponent, symmetry) = self.least_image();
        let key = key_of(&DISC_KEYS[0], own) ^ key_of(&DISC_KEYS[1], opponent);
        (key, symmetry)
    }
}

/// A move as seen after `symmetry`.
pub(super) fn move_image(mv: Move, symmetry: Symmetry) -> Move {
    if mv == Move::PASS {
        return mv;
    }
    Move(image(1 << mv.0, symmetry).trailing_zeros() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_go_where_they_should() {
        // b1 upside down is b8, mirrored g1, exchanged a2.
        let b1 = 1 << 1;
        assert_eq!(image(b1, 0), b1);
        assert_eq!(image(b1, 1), 1 << 57);
        assert_eq!(image(b1, 2), 1 << 6);
        assert_eq!(image(b1, 4), 1 << 8);
        assert_eq!(
            transpose(transpose(0x0123_4567_89ab_cdef)),
            0x0123_4567_89ab_cdef
        );
        for square in 0..64 {
            assert_eq!(transpose(1 << square), 1 << (square % 8 * 8 + square / 8));
        }
    }

    #[test]
    fn whoever_begins_the_canonical_start_is_the_same() {
        let key = |position: Discs| position.canonical_key().0;
        assert_eq!(key(Discs::othello8()), key(Discs::reversi8()));
    }
}
