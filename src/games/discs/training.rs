//! What training asks of the disc games.

use rand::RngExt;
use rand::rngs::StdRng;

use super::endgame::Solver;
use super::{Board, Discs};
use crate::game::Side;
use crate::train::Trainable;

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

    /// Few in most games, so that they look like games, and up to half a
    /// board in some.
    fn random_plies(&self, random: &mut StdRng) -> u32 {
        let most = match self.board {
            Board::Six => 18,
            Board::Eight => 36,
        };
        let (a, b) = (random.random_range(1..=most), random.random_range(1..=most));
        a.min(b)
    }

    fn exact_value(&self, reach: u32) -> Option<i32> {
        if self.empty().count_ones() > reach {
            return None;
        }
        let mut solver = Solver::new(self.board);
        let size = solver.size;
        Some(100 * solver.solve(self.own, self.opponent, -size - 1, size + 1))
    }

    fn default_reach(&self) -> u32 {
        match self.board {
            Board::Six => 14,
            Board::Eight => 13,
        }
    }
}
