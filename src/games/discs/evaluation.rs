//! What a position seems to be worth.

use super::{Bits, Discs, Move};
use crate::search::heuristics::{Depth, Heuristics};
use crate::weights::{Weights, WeightsError};

/// The decoded weights.
#[derive(Debug)]
pub struct Tables {
    mobility: i32,
    corner: i32,
}

impl Heuristics for Discs {
    type Tables = Tables;
    type Accumulator = ();

    const WEIGHTS_NAME: &'static str = "discs";

    fn embedded_weights() -> &'static [u8] {
        include_bytes!("discs.weights")
    }

    fn decode_weights(weights: &Weights) -> Result<Tables, WeightsError> {
        let simple = weights.section("simple", 2)?;
        Ok(Tables {
            mobility: i32::from(simple[0]),
            corner: i32::from(simple[1]),
        })
    }

    fn refresh(&self, _tables: &Tables) {}

    fn advance(&self, _before: &Self, _mv: Move, _accumulator: &(), _tables: &Tables) {}

    fn evaluate(&self, _accumulator: &(), tables: &Tables) -> i32 {
        let corners = self.corners();
        tables.mobility * difference(self.moves(), self.opponent_moves())
            + tables.corner * difference(self.own & corners, self.opponent & corners)
    }

    fn depth_to_end(&self) -> Option<Depth> {
        Some(self.empty().count_ones() as Depth)
    }

    fn moves_to_go(&self) -> u32 {
        self.empty().count_ones() / 2 + 1
    }
}

impl Discs {
    fn corners(&self) -> Bits {
        let last = self.board.size() - 1;
        [(0, 0), (last, 0), (0, last), (last, last)]
            .into_iter()
            .fold(0, |set, (column, row)| {
                set | 1 << self.board.square(column, row)
            })
    }
}

/// By how many squares one set is larger than another.
fn difference(a: Bits, b: Bits) -> i32 {
    a.count_ones() as i32 - b.count_ones() as i32
}
