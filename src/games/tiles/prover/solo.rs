//! Parts of the board in which only one side has disks: how many moves it can
//! make there, one after the other.

use super::super::board::{Squares, bit, each, neighbours};
use super::state::connected;

/// Parts that are larger are not counted through.
const LARGEST: u32 = 14;

/// Positions looked at for one part, at most.
const PATIENCE: u32 = 2_000;

/// A part whose moves have been counted.
#[derive(Clone, Copy, Default)]
struct Part {
    tiles: u64,
    disks: Squares,
    moves: u8,
}

/// Counts the moves of parts, and remembers some.
pub(super) struct Solo {
    known: Box<[Part]>,
    left: u32,
}

impl Solo {
    pub(super) fn new() -> Self {
        Self::with_places(1 << 12)
    }

    /// For a question or two.
    pub(super) fn small() -> Self {
        Self::with_places(1 << 4)
    }

    fn with_places(places: usize) -> Self {
        Self {
            known: vec![Part::default(); places].into_boxed_slice(),
            left: 0,
        }
    }
}

/// Remembered for parts that could not be counted.
const UNKNOWN: u8 = u8::MAX;

impl Solo {
    /// The most moves that `disks` can make on these tiles, their own
    /// included; none if that is too hard to tell.
    pub(super) fn moves(&mut self, light: Squares, dark: Squares, disks: Squares) -> Option<u32> {
        let most = bound(light, dark, disks);
        if most == 0 {
            return Some(0);
        }
        if most > LARGEST {
            return None;
        }
        let tiles = u64::from(light) | u64::from(dark) << 32;
        let stirred =
            (tiles ^ u64::from(disks).rotate_left(29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = (stirred >> 48) as usize % self.known.len();
        let known = self.known[place];
        if (known.tiles, known.disks) == (tiles, disks) {
            return (known.moves != UNKNOWN).then_some(known.moves.into());
        }
        self.left = PATIENCE;
        let found = self.longest(light, dark, disks);
        let moves = found.map_or(UNKNOWN, |moves| moves as u8);
        self.known[place] = Part {
            tiles,
            disks,
            moves,
        };
        found
    }

    fn longest(&mut self, light: Squares, dark: Squares, disks: Squares) -> Option<u32> {
        let most = bound(light, dark, disks);
        if most == 0 {
            return Some(0);
        }
        self.left = self.left.checked_sub(1)?;
        let mut best = 0;
        for from in each(disks) {
            let free = !disks;
            let from_light = light & bit(from) != 0;
            let to_light = if from_light {
                light & free & neighbours(from)
            } else {
                0
            };
            let to_dark = dark & free & neighbours(from);
            for to in each(to_light | to_dark) {
                let flips = to_light & bit(to) != 0;
                let after = disks ^ bit(from) ^ bit(to);
                let colour = if flips { light } else { dark };
                for changed in each(neighbours(to) & colour & !after) {
                    let (light, dark) = if flips {
                        (light ^ bit(changed), dark ^ bit(changed))
                    } else {
                        (light, dark ^ bit(changed))
                    };
                    best = best.max(1 + self.longest(light, dark, after)?);
                    if best == most {
                        return Some(best);
                    }
                }
            }
        }
        Some(best)
    }
}

/// No more moves than this: each uses up half a tile that the disks can come
/// to, and one below each disk stays.
fn bound(light: Squares, dark: Squares, disks: Squares) -> u32 {
    let light = connected(disks & light, light);
    let dark = connected(disks | light, disks | light | dark) & dark;
    let value = 2 * light.count_ones() + dark.count_ones();
    value.saturating_sub(disks.count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Side};
    use crate::games::tiles::playouts;
    use crate::games::tiles::rules::Tiles;
    use crate::search::heuristics::legal_moves;

    /// The most turns of Black, if White never moves.
    fn alone(position: &Tiles) -> u32 {
        let turns = legal_moves(position);
        let after = turns.iter().map(|&turn| {
            let next = position.play(turn);
            let again = Tiles::new(next.light, next.dark, next.disks, Side::Black, (5, 5));
            1 + alone(&again)
        });
        after.max().unwrap_or(0)
    }

    #[test]
    fn moves_alone_are_what_trying_everything_finds() {
        // One that hardly remembers, and one that remembers what it may not.
        let (mut large, mut small) = (Solo::new(), Solo::small());
        let mut counted = 0;
        playouts::unfinished(400, |position| {
            for disks in position.disks {
                let part = connected(disks, position.light | position.dark)
                    & !(position.disks[0] | position.disks[1]);
                let (light, dark) = (
                    position.light & (part | disks),
                    position.dark & (part | disks),
                );
                if bound(light, dark, disks) > 8 {
                    continue;
                }
                let black = Tiles::new(light, dark, [disks, 0], Side::Black, (5, 5));
                let expected = alone(&black);
                // Some are too hard to tell.
                for solo in [&mut large, &mut small] {
                    if let Some(moves) = solo.moves(light, dark, disks) {
                        assert_eq!(moves, expected, "{black:?}");
                        counted += 1;
                    }
                }
            }
        });
        assert!(counted > 1_000, "{counted}");
    }
}
