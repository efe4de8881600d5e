//! What training asks of the disc games.

use rand::RngExt;
use rand::rngs::StdRng;

use super::endgame;
use super::evaluation::{self, DEPTHS, FIRST_DEPTH, PHASE_LENGTH};
use super::patterns::layout;
use super::{Board, Discs};
use crate::game::Side;
use crate::search::heuristics::Depth;
use crate::train::{Feature, Trainable};

impl Trainable for Discs {
    const PACKED: usize = 16;

    fn pack(&self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.own.to_le_bytes());
        bytes[8..].copy_from_slice(&self.opponent.to_le_bytes());
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Self> {
        let (own, opponent) = bytes.split_first_chunk::<8>()?;
        let own = u64::from_le_bytes(*own);
        let opponent = u64::from_le_bytes(opponent.try_into().ok()?);
        let fits = own & opponent == 0 && (own | opponent) & !self.board.mask() == 0;
        fits.then(|| Self::new(self.board, Side::Black, own, opponent))
    }

    /// Few in most games, so that they look like games, and many in some.
    fn random_plies(&self, random: &mut StdRng) -> u32 {
        let most = match self.board {
            Board::Six => 12,
            Board::Eight => 24,
        };
        let (a, b) = (random.random_range(1..=most), random.random_range(1..=most));
        a.min(b)
    }

    fn default_reach(&self) -> u32 {
        endgame::EXACT_EMPTIES
    }

    fn moves_left(&self) -> u32 {
        self.empty().count_ones()
    }

    fn phases(&self) -> usize {
        evaluation::phases(self.board)
    }

    fn phase_of(&self, position: &Self) -> usize {
        evaluation::phase(position.board, position.empty().count_ones())
    }

    /// All in the middle of the phase, nothing a whole phase away from there.
    fn share(&self, phase: usize) -> f32 {
        let length = PHASE_LENGTH as f32;
        let middle = length * phase as f32 + (length + 1.0) / 2.0;
        let distance = (self.empty().count_ones() as f32 - middle).abs();
        1.0 - distance / length
    }

    fn parameters(&self) -> usize {
        evaluation::parameters(layout(self.board))
    }

    fn tied(&self) -> Vec<u32> {
        evaluation::tied(layout(self.board))
    }

    fn features(&self, features: &mut Vec<Feature>) {
        features.extend(self.weights().map(|index| Feature { index, value: 1.0 }));
    }

    fn section(&self, phase: usize) -> String {
        evaluation::section(self.board, phase)
    }

    fn probcut_section(&self, error: &dyn Fn(f64, Depth) -> f64) -> Option<(String, Vec<i16>)> {
        let mut numbers = Vec::new();
        for phase in 0..self.phases() {
            let middle = f64::from(PHASE_LENGTH) * (phase as f64 + 0.5) + 0.5;
            for depth in (FIRST_DEPTH..).take(DEPTHS) {
                numbers.push((100.0 * error(middle, depth)).round() as i16);
            }
        }
        Some((evaluation::probcut_section(self.board), numbers))
    }
}
