//! What training asks of the game.

use rand::RngExt;
use rand::rngs::StdRng;

use super::board::{self, Board, COPIES, Layers};
use super::features::{PHASE_MIDDLES, PHASES, phase};
use super::position::Gobblet;
use super::weights::{self, PARAMETERS, Tables};
use crate::game::Side;
use crate::train::{Feature, Trainable};

/// All gobblets of both sides.
const GOBBLETS: u32 = 24;

/// Most random moves at the beginning of a game.
const MOST_RANDOM: u32 = 10;

impl Trainable for Gobblet {
    const PACKED: usize = 16;

    const LOGISTIC: Option<f32> = Some(4.0);

    const EXPLORES: Option<u32> = Some(4);

    fn pack(&self, bytes: &mut [u8]) {
        let board = self.board();
        bytes[..8].copy_from_slice(&board.mover.to_le_bytes());
        bytes[8..].copy_from_slice(&board.other.to_le_bytes());
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Self> {
        let (mover, other) = bytes.split_first_chunk::<8>()?;
        let board = Board {
            mover: u64::from_le_bytes(*mover),
            other: u64::from_le_bytes(other.try_into().ok()?),
        };
        let fits = board.mover & board.other == 0
            && from_three_stacks(board.mover)
            && from_three_stacks(board.other);
        fits.then(|| Self::new(board, Side::White))
    }

    /// As many in most games that they are different, and more in some.
    fn random_plies(&self, random: &mut StdRng) -> u32 {
        let mut draw = || random.random_range(2..=MOST_RANDOM);
        let (a, b) = (draw(), draw());
        a.min(b)
    }

    /// There is no solver.
    fn default_reach(&self) -> u32 {
        0
    }

    /// Moves on the board aside, of which nobody knows how many there will be.
    fn moves_left(&self) -> u32 {
        GOBBLETS - self.gobblets()
    }

    fn phases(&self) -> usize {
        PHASES
    }

    fn phase_of(&self, position: &Self) -> usize {
        phase(position.gobblets())
    }

    /// All in the middle of the phase and where there is no other beyond it,
    /// nothing in the middle of the next.
    fn share(&self, phase: usize) -> f32 {
        let gobblets = self.gobblets();
        let middle = PHASE_MIDDLES[phase];
        let next = if gobblets > middle {
            phase.checked_sub(1)
        } else {
            Some(phase + 1)
        };
        match next.and_then(|next| PHASE_MIDDLES.get(next)) {
            Some(next) => 1.0 - gobblets.abs_diff(middle) as f32 / next.abs_diff(middle) as f32,
            None => 1.0,
        }
    }

    fn parameters(&self) -> usize {
        PARAMETERS
    }

    fn tied(&self) -> Vec<u32> {
        (0..PARAMETERS as u32).collect()
    }

    fn features(&self, features: &mut Vec<Feature>) {
        self.terms(&self.patterns(), |place, times| {
            let parameters = Tables::parameters(place);
            features.extend(parameters.iter().map(|&parameter| Feature {
                index: parameter as u32,
                value: times as f32,
            }));
        });
    }

    fn section(&self, phase: usize) -> String {
        weights::section(phase)
    }
}

/// Whether three nested stacks can have given these gobblets.
fn from_three_stacks(layers: Layers) -> bool {
    let counts = board::counts(layers);
    counts[3] <= COPIES && counts.is_sorted()
}
