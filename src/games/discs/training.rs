//! What training asks of the disc games.

use rand::RngExt;
use rand::rngs::StdRng;

use super::endgame::{MOST_EMPTIES, Memory};
use super::evaluation::{
    self, DEPTHS, FIRST_DEPTH, PHASE_LENGTH, STAGE_LENGTH, SUM_SCALE, UNIT_SCALE, UNITS, WIDTH,
};
use super::patterns::layout;
use super::{Board, Discs};
use crate::game::Side;
use crate::search::heuristics::Depth;
use crate::search::proof::Kept;
use crate::search::score::Window;
use crate::train::{Feature, Trainable, hidden};
use crate::weights::Packed;

/// What is trained has as many numbers as what is read.
const _: () = assert!(hidden::WIDTH == WIDTH);

/// Empty squares before and after a phase from which it learns too.
const BESIDE: u32 = 2;

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
        MOST_EMPTIES
    }

    fn exact(&self, memory: &mut Memory, _kept: &mut Kept) -> Option<i32> {
        let near = self.moves_left() <= MOST_EMPTIES;
        near.then(|| self.solved(Window::FULL, memory, &mut |_| false).0)
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

    /// All of the phase and of what is near it, so that values change little
    /// from phase to phase.
    fn share(&self, phase: usize) -> f32 {
        let first = PHASE_LENGTH * phase as u32 + 1;
        let empties = self.empty().count_ones();
        let near = empties + BESIDE >= first && empties < first + PHASE_LENGTH + BESIDE;
        f32::from(u8::from(near))
    }

    fn steps(&self) -> usize {
        PHASE_LENGTH as usize
    }

    fn step(&self, phase: usize) -> usize {
        evaluation::step(phase, self.empty().count_ones())
    }

    fn put_hidden(&self, phase: usize, weights: &[f32], file: &mut Packed) {
        let tied = self.tied();
        let (rows, _) = weights.as_chunks::<WIDTH>();
        let (rows, outputs) = rows.split_at(tied.len());
        let mut numbers = Vec::new();
        for lane in 0..WIDTH {
            let scale = if lane < UNITS { UNIT_SCALE } else { SUM_SCALE };
            let own = (0..).zip(&tied).zip(rows);
            let own = own.filter(|((index, first), _)| index == *first);
            numbers.extend(own.map(|(_, row)| (row[lane] * scale as f32).round() as i16));
        }
        let outputs: Vec<i16> = outputs
            .iter()
            .flatten()
            .map(|weight| (weight * 100.0).round() as i16)
            .collect();
        file.set(&self.section(phase), &numbers);
        file.set_plain(&evaluation::outputs_section(self.board, phase), &outputs);
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
        for stage in 0..evaluation::stages(self.board) {
            let middle = f64::from(STAGE_LENGTH) * (stage as f64 + 0.5) + 0.5;
            for depth in (FIRST_DEPTH..).take(DEPTHS) {
                numbers.push((100.0 * error(middle, depth)).round() as i16);
            }
        }
        Some((evaluation::probcut_section(self.board), numbers))
    }
}
