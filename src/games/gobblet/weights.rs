//! The evaluation's weights, from the file to the flat list.

use super::features::{LINE_KINDS, PATTERNS, offset, recoloured, reversed};
use crate::weights::{Weights, WeightsError};

/// Patterns of a line that differ when it may be read from either end.
const DISTINCT: usize = (PATTERNS + 81) / 2;

/// The weights in the order of [`offset`].
#[derive(Debug)]
pub struct Tables(Box<[i16]>);

impl Tables {
    /// The weight at a place of the flat list.
    pub(super) fn at(&self, place: usize) -> i32 {
        self.0.get(place).copied().map_or(0, i32::from)
    }

    /// Reads the sections of a file.
    ///
    /// Section `lines` has the weights of the patterns by kind of line, each
    /// pattern as it looks with White to move; of a pattern and the same read
    /// backwards the smaller number stands for both, and they come in order.
    /// With Black to move the colours are exchanged.
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let mut flat = vec![0; offset::HIDDEN];
        let lines = weights.section("lines", LINE_KINDS * DISTINCT)?;
        for (kind, lines) in lines.chunks_exact(DISTINCT).enumerate() {
            let distinct = (0..PATTERNS).filter(|&pattern| pattern <= reversed(pattern));
            for (pattern, &weight) in distinct.zip(lines) {
                for pattern in [pattern, reversed(pattern)] {
                    // Black's half of the list comes first.
                    flat[kind * PATTERNS + recoloured(pattern)] = weight;
                    flat[(LINE_KINDS + kind) * PATTERNS + pattern] = weight;
                }
            }
        }
        for (name, start, end) in [
            ("hidden", offset::HIDDEN, offset::RESERVE),
            ("reserve", offset::RESERVE, offset::MOBILITY),
            ("mobility", offset::MOBILITY, offset::FORKS),
            ("forks", offset::FORKS, offset::PINNED),
            ("pinned", offset::PINNED, offset::TEMPO),
            ("tempo", offset::TEMPO, offset::END),
        ] {
            flat.extend_from_slice(weights.section(name, end - start)?);
        }
        Ok(Self(flat.into_boxed_slice()))
    }
}
