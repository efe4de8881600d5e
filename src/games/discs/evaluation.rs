//! What a position seems to be worth.

use super::{Bits, Discs};
use crate::weights::{Weights, WeightsError};

/// The decoded weights.
#[derive(Debug)]
pub struct Tables {
    mobility: i32,
    corner: i32,
}

impl Tables {
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let simple = weights.section("simple", 2)?;
        Ok(Self {
            mobility: i32::from(simple[0]),
            corner: i32::from(simple[1]),
        })
    }

    pub(super) fn evaluate(&self, position: &Discs) -> i32 {
        let corners = position.board.corners();
        self.mobility * difference(position.moves(), position.opponent_moves())
            + self.corner * difference(position.own & corners, position.opponent & corners)
    }
}

/// By how many squares one set is larger than another.
fn difference(a: Bits, b: Bits) -> i32 {
    a.count_ones() as i32 - b.count_ones() as i32
}
