//! Keys that all images of a state share, turned, reflected or moved.
//!
//! A state in the corner of the board has a frame, the columns and rows that
//! it takes up. Turning or reflecting the frame gives eight images, whose
//! Zobrist keys are kept side by side: a move changes all of them by a few
//! exclusive ors. The least of them is the key of all.

use super::super::board::{Squares, each, square};
use super::state::State;
use crate::game::Symmetry;
use crate::zobrist::splitmix64;

/// Kinds of what is on a square.
pub(super) const LIGHT: usize = 0;
pub(super) const DARK: usize = 1;
pub(super) const OWN: usize = 2;
pub(super) const OTHER: usize = 3;

/// The keys of all images.
pub(super) type Images = [u64; 8];

/// The numbers of one frame, by kind and square.
pub(super) type Frame = [[Images; 32]; 4];

/// The numbers of all frames.
pub(super) struct Keys(Box<[Frame]>);

impl Keys {
    pub(super) fn new() -> Self {
        let mut numbers = [[0; 32]; 4];
        let mut random = (0x7469_6c65, 0);
        for number in numbers.as_flattened_mut() {
            random = splitmix64(random.0);
            *number = random.1;
        }
        let sizes = (1..=5).flat_map(|height| (1..=5).map(move |width| (width, height)));
        let frames = sizes.map(|(width, height)| {
            let mut frame = [[[0; 8]; 32]; 4];
            for (column, row) in (0..height).flat_map(|row| (0..width).map(move |c| (c, row))) {
                for (index, symmetry) in Symmetry::ALL.into_iter().enumerate() {
                    let (c, r) = symmetry.apply(column, row, width, height);
                    for kind in 0..4 {
                        frame[kind][usize::from(square(column, row))][index] =
                            numbers[kind][usize::from(square(c, r))];
                    }
                }
            }
            frame
        });
        Self(frames.collect())
    }

    /// The frame of a state that stands in the corner.
    #[inline]
    pub(super) fn frame(&self, state: &State) -> &Frame {
        let tiles = state.light | state.dark;
        let width = columns(tiles).ilog2();
        let height = tiles.ilog2() / 6;
        &self.0[(height * 5 + width) as usize]
    }

    /// The key of a state that stands in the corner and has a tile.
    #[inline]
    pub(super) fn key(&self, state: &State) -> u64 {
        let frame = self.frame(state);
        let mut images = [0; 8];
        add(&mut images, &frame[LIGHT], state.light);
        add(&mut images, &frame[DARK], state.dark);
        add(&mut images, &frame[OWN], state.own);
        add(&mut images, &frame[OTHER], state.other);
        least(&images, state.spare)
    }
}

/// The columns that a set takes up.
#[inline]
pub(super) const fn columns(set: Squares) -> u32 {
    (set | set >> 6 | set >> 12 | set >> 18 | set >> 24) & 0x1f
}

#[inline]
pub(super) fn add(images: &mut Images, numbers: &[Images; 32], set: Squares) {
    for square in each(set) {
        change(images, &numbers[usize::from(square & 31)]);
    }
}

#[inline]
pub(super) fn change(images: &mut Images, numbers: &Images) {
    for (image, number) in images.iter_mut().zip(numbers) {
        *image ^= number;
    }
}

/// The key of the state with these images: the least, stirred, since small
/// numbers crowd together.
#[inline]
pub(super) fn least(images: &Images, spare: i32) -> u64 {
    let least = images
        .iter()
        .fold(u64::MAX, |least, &image| least.min(image));
    let spare = (spare as u64).wrapping_mul(0xa076_1d64_78bd_642f);
    let product =
        u128::from(least ^ 0x2d35_8dcc_aa6c_78a5) * u128::from(spare ^ 0x8bb8_4b93_962e_acc9);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::super::super::playouts;
    use super::super::super::rules::Tiles;
    use super::*;
    use crate::game::{Game, Side};

    #[test]
    fn images_share_a_key_and_others_do_not() {
        let keys = Keys::new();
        let mut seen = std::collections::HashMap::new();
        playouts::unfinished(100, |position| {
            let key = |position: &Tiles| keys.key(&State::new(position).in_corner());
            let own = key(position);
            for symmetry in Symmetry::ALL {
                assert_eq!(key(&position.image(symmetry)), own, "{position:?}");
            }
            let colours = position.side_to_move() == Side::Black;
            let canonical = (position.canonical_key(), colours);
            assert_eq!(*seen.entry((own, colours)).or_insert(canonical), canonical);
        });
    }
}
