//! What training asks of the tile game.

use rand::RngExt;
use rand::rngs::StdRng;

use super::board::each;
use super::network::{self, MOST, ONE, PHASE_WEIGHTS, PHASES, ROWS, SECOND, VIEW, WEIGHT_ONE};
use super::prover::{Bounds, Prover};
use super::rules::Tiles;
use crate::game::{Side, Symmetry};
use crate::search::heuristics::Heuristics;
use crate::search::proof::Kept;
use crate::train::network::{Shape, View};
use crate::train::{Feature, Trainable};
use crate::weights::Packed;

/// MiB of the prover's table, and positions it may enter.
const HASH: usize = 16;
const PATIENCE: u64 = 30_000;

/// Moves left from which on positions are solved: ply 17 of a game on 5x5.
const REACH: u32 = 29;

/// What a won game is worth, in hundredths.
const SURE: i32 = 10_000;

impl Trainable for Tiles {
    const LOGISTIC: Option<f32> = Some(1.0);

    const PACKED: usize = 16;

    fn pack(&self, bytes: &mut [u8]) {
        let mover = self.side.index();
        let words = [
            self.light,
            self.dark,
            self.disks[mover],
            self.disks[1 - mover],
        ];
        for (bytes, word) in bytes.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<4>();
        let [light, dark, own, other] = <[[u8; 4]; 4]>::try_from(words)
            .ok()?
            .map(u32::from_le_bytes);
        let board = self.light | self.dark;
        let fits = rest.is_empty()
            && light & dark == 0
            && (light | dark) & !board == 0
            && own & other == 0
            && (own | other) & !(light | dark) == 0
            && own.count_ones() <= 2
            && other.count_ones() <= 2;
        let size = (self.width, self.height);
        fits.then(|| Self::new(light, dark, [own, other], Side::Black, size))
    }

    fn random_plies(&self, random: &mut StdRng) -> u32 {
        random.random_range(2..=10)
    }

    fn default_reach(&self) -> u32 {
        REACH
    }

    fn moves_left(&self) -> u32 {
        self.depth_to_end().unwrap_or(0) as u32
    }

    /// By the prover: who wins is all there is to know.
    fn exact(&self, _memory: &mut (), kept: &mut Kept) -> Option<i32> {
        let old = kept.take().and_then(|kept| kept.downcast::<Prover>().ok());
        let prover = old.or_else(|| Prover::new(HASH).map(Box::new))?;
        let bounds = Bounds {
            nodes: PATIENCE,
            stop: &|| false,
        };
        let outcome = prover.prove(self, &bounds, 1, &|_| {});
        *kept = Some(prover);
        outcome.wins.map(|wins| if wins { SURE } else { -SURE })
    }

    fn phases(&self) -> usize {
        1
    }

    fn phase_of(&self, _position: &Self) -> usize {
        0
    }

    fn share(&self, _phase: usize) -> f32 {
        1.0
    }

    fn parameters(&self) -> usize {
        ROWS * VIEW + PHASES * PHASE_WEIGHTS
    }

    fn tied(&self) -> Vec<u32> {
        (0..self.parameters() as u32).collect()
    }

    fn features(&self, _features: &mut Vec<Feature>) {}

    fn section(&self, _phase: usize) -> String {
        network::VIEWS_SECTION.to_string()
    }

    fn network(&self) -> Option<Shape> {
        Some(Shape {
            rows: ROWS,
            view: VIEW,
            second: SECOND,
            phases: PHASES,
            most: MOST as f32 / ONE as f32,
        })
    }

    fn views(&self, symmetry: Symmetry, views: &mut Vec<View>) -> usize {
        use crate::game::Game;
        let position = self.image(symmetry);
        let mover = position.side.index();
        for side in [mover, 1 - mover] {
            for disk in each(position.disks[side]) {
                let mut rows = Vec::new();
                network::rows_seen(&position, disk, side, |row| rows.push(row as u32));
                views.push(View {
                    own: side == mover,
                    rows,
                });
            }
        }
        network::phase(position.tile_value())
    }

    fn put_network(&self, weights: &[f32], file: &mut Packed) {
        let round = |weight: &f32, one: i32, most: f32| {
            (weight.clamp(-most, most) * one as f32).round() as i16
        };
        let (views, phases) = weights.split_at(ROWS * VIEW);
        // No sum of a disk's view comes near to what 16 bits hold.
        let views: Vec<i16> = views.iter().map(|w| round(w, ONE, 8.0)).collect();
        let phases: Vec<i16> = phases.iter().map(|w| round(w, WEIGHT_ONE, 100.0)).collect();
        file.set(network::VIEWS_SECTION, &views);
        file.set(network::PHASES_SECTION, &phases);
    }
}

#[cfg(test)]
mod tests {
    use super::super::playouts;
    use super::*;
    use crate::game::Game;

    #[test]
    fn positions_come_back_from_their_bytes() {
        playouts::unfinished(20, |position| {
            let mut bytes = [0; Tiles::PACKED];
            position.pack(&mut bytes);
            let back = Tiles::start().unpack(&bytes).expect("a packed position");
            assert_eq!(back.side_to_move(), Side::Black);
            assert_eq!(
                (back.light, back.dark, back.disks[0]),
                (
                    position.light,
                    position.dark,
                    position.disks[position.side.index()]
                )
            );
        });
        assert_eq!(Tiles::start().unpack(&[0xff; 16]), None);
    }
}
