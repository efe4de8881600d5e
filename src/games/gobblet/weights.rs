//! The evaluation's weights, from the file to the flat list.

use super::features::{LINE_KINDS, PATTERNS, PHASES, offset, recoloured, reversed};
use crate::weights::{Weights, WeightsError, unpack};

/// Patterns of a line that differ when it may be read from either end.
const DISTINCT: usize = (PATTERNS + 81) / 2;

/// Weights of one phase in a file: the patterns by kind of line as they look
/// with White to move, in ascending order (of a pattern and the same read
/// backwards the smaller number stands for both; with Black to move the colours
/// are exchanged), then the other weights as the evaluation lists them.
pub(super) const PARAMETERS: usize = LINE_KINDS * DISTINCT + offset::END - offset::HIDDEN;

/// The name of a phase's section in a file.
pub(super) fn section(phase: usize) -> String {
    format!("phase-{phase}")
}

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

/// The weights in the order of the evaluation's terms, phase by phase.
#[derive(Debug)]
pub struct Tables(Box<[i16]>);

impl Tables {
    /// The weights of a phase.
    pub(super) fn of_phase(&self, phase: usize) -> &[i16; offset::END] {
        let (phases, _) = self.0.as_chunks();
        &phases[phase]
    }

    /// Which number of a phase's section stands at a place of the flat list.
    pub(super) fn parameter(place: usize) -> usize {
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
        let mut flat = Vec::with_capacity(PHASES * offset::END);
        for phase in 0..PHASES {
            let packed = weights.packed(&section(phase), PARAMETERS)?;
            let numbers: Vec<i16> = unpack(packed).collect();
            flat.extend((0..offset::END).map(|place| numbers[Self::parameter(place)]));
        }
        Ok(Self(flat.into()))
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
        assert_eq!(used, (0..PARAMETERS).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_must_have_every_phase() {
        let file = crate::weights::seal(b"quadrille-weights 1\ngame gobblet\nversion none\n");
        let weights = Weights::parse(&file).expect("a sealed file");
        assert!(matches!(
            Tables::decode(&weights),
            Err(WeightsError::Section { found: 0, .. })
        ));
    }
}
