//! The evaluation's weights, from the file to the flat list.

use arrayvec::ArrayVec;

use super::features::{LINE_KINDS, PATTERNS, PHASES, digit, offset, recoloured, reversed};
use crate::weights::{Weights, WeightsError, unpack};

/// Patterns of a line that differ when it may be read from either end.
const DISTINCT: usize = (PATTERNS + 81) / 2;

/// Weights of one phase in a file: the patterns by kind of line as they look
/// with White to move, in ascending order (of a pattern and the same read
/// backwards the smaller number stands for both; with Black to move the colours
/// are exchanged), then the other weights as the evaluation lists them, then
/// what patterns have in common.
pub(super) const PARAMETERS: usize = COMMON + COMMON_KINDS + COMMON_SIZES;

/// Where the weights begin that are common to many patterns, and are added to
/// those of each: a pattern that the games hardly know is judged like those
/// that look like it. First come those by kind of line and numbers of gobblets,
/// then those by the numbers and the largest gobblet of each side.
const COMMON: usize = LINE_KINDS * DISTINCT + offset::END - offset::HIDDEN;
const COMMON_KINDS: usize = LINE_KINDS * 25;
const COMMON_SIZES: usize = 25 * 25;

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

/// How many gobblets each side shows in a pattern, as one number below 25, and
/// how large the largest of each is, likewise.
fn common(pattern: usize) -> (usize, usize) {
    let (mut counts, mut largest) = ([0; 2], [0; 2]);
    for place in 0..4 {
        let state = digit(pattern, place);
        if state > 0 {
            let side = (state - 1) / 4;
            counts[side] += 1;
            largest[side] = largest[side].max((state - 1) % 4 + 1);
        }
    }
    (counts[0] * 5 + counts[1], largest[0] * 5 + largest[1])
}

/// The weights in the order of the evaluation's terms, phase by phase.
#[derive(Debug)]
pub struct Tables(Box<[i16]>);

impl Tables {
    /// The weights of a phase.
    pub(super) fn of_phase(&self, phase: usize) -> &[i16; offset::END] {
        let (phases, _) = self.0.as_chunks();
        &phases[phase]
    }

    /// The numbers of a phase's section whose sum stands at a place of the
    /// flat list.
    pub(super) fn parameters(place: usize) -> ArrayVec<usize, 3> {
        let Some(rest) = place.checked_sub(offset::HIDDEN) else {
            let (line, pattern) = (place / PATTERNS, place % PATTERNS);
            let (kind, black_to_move) = (line % LINE_KINDS, line < LINE_KINDS);
            let pattern = if black_to_move {
                recoloured(pattern)
            } else {
                pattern
            };
            let (numbers, sizes) = common(pattern);
            return ArrayVec::from([
                kind * DISTINCT + usize::from(RANK[pattern]),
                COMMON + kind * 25 + numbers,
                COMMON + COMMON_KINDS + numbers * 25 + sizes,
            ]);
        };
        std::iter::once(LINE_KINDS * DISTINCT + rest).collect()
    }

    /// Reads the sections of a file.
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        let mut flat = Vec::with_capacity(PHASES * offset::END);
        for phase in 0..PHASES {
            let packed = weights.packed(&section(phase), PARAMETERS)?;
            let numbers: Vec<i16> = unpack(packed).collect();
            let weight = |place| {
                let parameters = Self::parameters(place);
                let sum: i32 = parameters.iter().map(|&at| i32::from(numbers[at])).sum();
                sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
            };
            flat.extend((0..offset::END).map(weight));
        }
        Ok(Self(flat.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_file_is_used() {
        let mut used: Vec<usize> = (0..offset::END).flat_map(Tables::parameters).collect();
        used.sort_unstable();
        used.dedup();
        // Some numbers of gobblets do not fit into a line.
        let specific = used.iter().filter(|&&at| at < COMMON).count();
        assert_eq!(specific, COMMON);
        assert_eq!(used.len() - COMMON, 3 * 15 + 1 + 4 * 8 + 6 * 16);
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
