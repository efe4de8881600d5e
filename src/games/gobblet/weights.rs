//! The evaluation's weights, from the file to the flat list.

use super::features::{LINE_KINDS, PATTERNS, offset, recoloured, reversed};
use crate::weights::{Weights, WeightsError};

/// Patterns of a line that differ when it may be read from either end.
const DISTINCT: usize = (PATTERNS + 81) / 2;

/// The sections of a file, in order, with the number of weights in each.
///
/// `lines` has the patterns by kind of line as they look with White to move,
/// in ascending order; of a pattern and the same read backwards the smaller
/// number stands for both. With Black to move the colours are exchanged.
pub const SECTIONS: [(&str, usize); 7] = [
    ("lines", LINE_KINDS * DISTINCT),
    ("hidden", offset::RESERVE - offset::HIDDEN),
    ("reserve", offset::MOBILITY - offset::RESERVE),
    ("mobility", offset::FORKS - offset::MOBILITY),
    ("forks", offset::PINNED - offset::FORKS),
    ("pinned", offset::TEMPO - offset::PINNED),
    ("tempo", offset::END - offset::TEMPO),
];

/// By pattern, how many distinct ones come before it or its reverse.
static RANK: [u16; PATTERNS] = {
    let mut rank = [0; PATTERNS];
    let (mut pattern, mut distinct) = (0, 0);
    while pattern < PATTERNS {
        let backwards = reversed(pattern);
        if pattern <= backwards {
            rank[pattern] = distinct;
            rank[backwards] = distinct;
            distinct += 1;
        }
        pattern += 1;
    }
    rank
};

/// The weights in the order of the evaluation's terms.
#[derive(Debug)]
pub struct Tables(Box<[i16]>);

impl Tables {
    /// The weight at a place of the flat list.
    pub(super) fn at(&self, place: usize) -> i32 {
        self.0.get(place).copied().map_or(0, i32::from)
    }

    /// Which number of a file stands at a place of the flat list, counted
    /// through all [`SECTIONS`].
    pub fn parameter(place: usize) -> usize {
        let Some(rest) = place.checked_sub(offset::HIDDEN) else {
            let (line, pattern) = (place / PATTERNS, place % PATTERNS);
            let black_to_move = line < LINE_KINDS;
            let pattern = if black_to_move {
                recoloured(pattern)
            } else {
                pattern
            };
            return line % LINE_KINDS * DISTINCT + usize::from(RANK[pattern]);
        };
        LINE_KINDS * DISTINCT + rest
    }

    /// Reads the sections of a file.
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let mut numbers = Vec::new();
        for (name, count) in SECTIONS {
            numbers.extend_from_slice(weights.section(name, count)?);
        }
        let flat = (0..offset::END).map(|place| numbers[Self::parameter(place)]);
        Ok(Self(flat.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_file_is_used() {
        let mut used: Vec<usize> = (0..offset::END).map(Tables::parameter).collect();
        used.sort_unstable();
        used.dedup();
        let numbers = SECTIONS.iter().map(|(_, count)| count).sum();
        assert_eq!(used, (0..numbers).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_must_have_every_section_in_full() {
        let file = crate::weights::seal(b"quadrille-weights 1\ngame gobblet\nversion none\n");
        let weights = Weights::parse(&file).expect("a sealed file");
        assert!(matches!(
            Tables::decode(&weights),
            Err(WeightsError::Section { found: 0, .. })
        ));
    }
}
