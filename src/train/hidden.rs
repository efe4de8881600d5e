//! `quadrille train fit` for games that are judged by a plain sum and by
//! hidden units beside it.
//!
//! Every feature of a position has a row of numbers, and the rows are added
//! up. The last number is the plain sum. Each other one is what a hidden unit
//! sees: clipped to 0 and 1 and squared it counts by a weight of the unit's,
//! which is another one in each step of the phase. So the units see what a sum
//! cannot, that two things matter together.
//!
//! Descent takes one position after the other, in steps of the size that suits
//! each weight. A phase depends on its examples alone and on their order.
//!
//! CITE: J. Duchi, E. Hazan, Y. Singer, Adaptive subgradient methods for online
//! learning and stochastic optimization, JMLR 2011 (the size of steps);
//! <https://github.com/natsutteatsuiyone/neural-reversi> (pattern rows that
//! are added up and clipped).

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::fit::Example;
use super::{Feature, Trainable};

/// Numbers of a row.
pub const WIDTH: usize = 16;

/// Hidden units: all numbers of a row but the last.
const UNITS: usize = WIDTH - 1;

/// The largest number of a unit in a row, and the largest of the plain sum.
const MOST: [f32; 2] = [1.2, 9.0];

type Row = [f32; WIDTH];

/// Seed of the first weights and of the order of the examples.
const SEED: u64 = 1;

/// The first step's size; they fall to a hundredth.
const FIRST_STEP: f32 = 0.5;

/// How much smaller the steps of the units' rows are than those of the plain
/// sum and of what the units count for.
const UNIT_STEP: f32 = 0.03;

/// Errors count up to this, in units of the game: beyond it the position is a
/// freak.
const MOST_ERROR: f32 = 20.0;

/// What a weight's squared slopes begin with, so that its first step is small.
const CAUTION: f32 = 5.0;

/// The same for weights that were fitted before to other positions: what those
/// said still counts.
const CAUTION_AGAIN: f32 = 20_000.0;

/// Features that came up less often have no hidden part, or the one they had
/// before: a new one would be noise.
const RARE: u32 = 8;

/// The weights of a phase, with what descent knows about them.
pub(super) struct Net {
    rows: Vec<Row>,
    /// By step of the phase, what the units count for; the last is not used.
    outputs: Vec<Row>,
    /// By row, the sums of squared slopes.
    row_squares: Vec<Row>,
    output_squares: Vec<Row>,
    seen: Vec<u32>,
}

/// A position on its way through the net.
struct Pass {
    sums: Row,
    clipped: Row,
    value: f32,
}

impl Net {
    /// Small random weights for so many features and steps.
    fn new(features: usize, steps: usize) -> Self {
        let mut random = StdRng::seed_from_u64(SEED);
        let mut row = |_| {
            let mut row: Row = std::array::from_fn(|_| random.random_range(-0.024..0.036));
            row[UNITS] = 0.0;
            row
        };
        let rows = (0..features).map(&mut row).collect();
        let mut output: Row = std::array::from_fn(|unit| if unit % 2 == 0 { 2.0 } else { -2.0 });
        output[UNITS] = 0.0;
        Self {
            rows,
            outputs: vec![output; steps],
            row_squares: vec![[CAUTION; WIDTH]; features],
            output_squares: vec![[CAUTION; WIDTH]; steps],
            seen: vec![0; features],
        }
    }

    /// The net that [`Net::into_weights`] made these weights of.
    pub(super) fn from_weights(weights: &[f32], features: usize) -> Self {
        let (rows, _) = weights.as_chunks::<WIDTH>();
        let (rows, outputs) = rows.split_at(features);
        Self {
            rows: rows.to_vec(),
            outputs: outputs.to_vec(),
            row_squares: vec![[CAUTION_AGAIN; WIDTH]; features],
            output_squares: vec![[CAUTION_AGAIN; WIDTH]; outputs.len()],
            seen: vec![0; features],
        }
    }

    /// All weights, row by row, those of what the units count for last;
    /// `before` is what the net began with.
    fn into_weights(mut self, before: Option<&[f32]>) -> Vec<f32> {
        let before = before.map(|weights| weights.as_chunks::<WIDTH>().0);
        for (index, (row, seen)) in self.rows.iter_mut().zip(&self.seen).enumerate() {
            if *seen < RARE {
                let hidden = before.map_or([0.0; WIDTH], |rows| rows[index]);
                row[..UNITS].copy_from_slice(&hidden[..UNITS]);
            }
        }
        let all = self.rows.iter().chain(&self.outputs);
        all.flatten().copied().collect()
    }

    fn pass(&self, features: &[u32], step: usize) -> Pass {
        let mut sums = [0.0; WIDTH];
        for &feature in features {
            for (sum, number) in sums.iter_mut().zip(&self.rows[feature as usize]) {
                *sum += number;
            }
        }
        let mut clipped = sums.map(|sum| sum.clamp(0.0, 1.0));
        clipped[UNITS] = 0.0;
        let mut value = sums[UNITS];
        for (clipped, weight) in clipped.iter().zip(&self.outputs[step]) {
            value += clipped * clipped * weight;
        }
        Pass {
            sums,
            clipped,
            value,
        }
    }

    /// In units of the game.
    pub(super) fn value(&self, features: &[u32], step: usize) -> f32 {
        self.pass(features, step).value
    }

    /// Brings the value nearer to the target; gives the error before.
    fn learn(&mut self, features: &[u32], step: usize, target: f32, size: f32) -> f32 {
        let pass = self.pass(features, step);
        let error = pass.value - target;
        let slope = error.clamp(-MOST_ERROR, MOST_ERROR);
        let mut slopes = [0.0; WIDTH];
        let outputs = &mut self.outputs[step];
        let squares = &mut self.output_squares[step];
        for unit in 0..UNITS {
            let clipped = pass.clipped[unit];
            let inside = pass.sums[unit] > 0.0 && pass.sums[unit] < 1.0;
            if inside {
                slopes[unit] = slope * outputs[unit] * 2.0 * clipped;
            }
            let of_output = slope * clipped * clipped;
            squares[unit] += of_output * of_output;
            outputs[unit] -= size * of_output / squares[unit].sqrt();
        }
        slopes[UNITS] = slope;
        self.descend(features, &slopes, size);
        error
    }

    fn descend(&mut self, features: &[u32], slopes: &Row, size: f32) {
        let squared = slopes.map(|slope| slope * slope);
        let mut steps = slopes.map(|slope| UNIT_STEP * size * slope);
        steps[UNITS] = size * slopes[UNITS];
        let mut most = [MOST[0]; WIDTH];
        most[UNITS] = MOST[1];
        for &feature in features {
            let row = &mut self.rows[feature as usize];
            let squares = &mut self.row_squares[feature as usize];
            for number in 0..WIDTH {
                squares[number] += squared[number];
                let new = row[number] - steps[number] / squares[number].sqrt();
                row[number] = new.clamp(-most[number], most[number]);
            }
        }
    }
}

/// The features of a position, those that are the same by symmetry under the
/// same number.
pub(super) fn features<G: Trainable>(
    position: &G,
    tied: &[u32],
    spare: &mut Vec<Feature>,
    features: &mut Vec<u32>,
) {
    spare.clear();
    position.features(spare);
    features.clear();
    features.extend(spare.iter().map(|feature| tied[feature.index as usize]));
}

/// The weights under which a phase's values come nearest to the examples'
/// targets, after so many rounds through them all. They begin with those of
/// `before`, and are those if no example is of this phase.
pub(super) fn train<'a, G: Trainable>(
    start: &G,
    examples: impl Iterator<Item = &'a Example<G>>,
    phase: usize,
    before: Option<&[f32]>,
    rounds: u32,
) -> Vec<f32> {
    let tied = start.tied();
    let mut order: Vec<&Example<G>> = examples
        .filter(|example| example.position.share(phase) > 0.0)
        .collect();
    // Positions of the phases beside it alone would bend it.
    let has_own = order
        .iter()
        .any(|example| start.phase_of(&example.position) == phase);
    if let Some(before) = before
        && !has_own
    {
        return before.to_vec();
    }
    let mut net = match before {
        Some(before) => Net::from_weights(before, tied.len()),
        None => Net::new(tied.len(), start.steps()),
    };
    let (mut spare, mut rows) = (Vec::new(), Vec::new());
    let all = order.len() * rounds as usize;
    let mut random = StdRng::seed_from_u64(SEED + 1 + phase as u64);
    let mut done = 0;
    for round in 0..rounds {
        order.shuffle(&mut random);
        let mut squares = 0.0;
        for example in &order {
            let left = 1.0 - done as f32 / all as f32;
            let size = FIRST_STEP * (left * left).max(0.01);
            features(&example.position, &tied, &mut spare, &mut rows);
            if round == 0 {
                for &row in &rows {
                    net.seen[row as usize] += 1;
                }
            }
            let step = example.position.step(phase);
            let error = net.learn(&rows, step, example.target(), size);
            squares += f64::from(error * error);
            done += 1;
        }
        let error = (squares / order.len().max(1) as f64).sqrt();
        log::info!(
            "phase {phase}, round {round}: {} positions, error {error:.3}",
            order.len()
        );
    }
    for (index, &first) in tied.iter().enumerate() {
        if first as usize != index {
            net.rows[index] = net.rows[first as usize];
            net.seen[index] = net.seen[first as usize];
        }
    }
    net.into_weights(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_see_what_a_sum_cannot() {
        // Two features that are worth something only together, or apart.
        let cases = [
            (vec![0], 0.0),
            (vec![0, 1], 4.0),
            (vec![0, 2], 4.0),
            (vec![0, 1, 2], 0.0),
        ];
        let mut net = Net::new(3, 1);
        let mut size = 0.5;
        for _ in 0..20_000 {
            for (features, target) in &cases {
                net.learn(features, 0, *target, size);
            }
            size = (size * 0.9995).max(0.01);
        }
        for (features, target) in &cases {
            let value = net.value(features, 0);
            assert!((value - target).abs() < 0.5, "{features:?}: {value}");
        }
    }

    #[test]
    fn weights_keep_the_value() {
        let mut net = Net::new(4, 2);
        net.seen.fill(RARE);
        let value = net.value(&[1, 3], 1);
        let weights = net.into_weights(None);
        assert_eq!(weights.len(), 6 * WIDTH);
        let again = Net::from_weights(&weights, 4);
        assert!((again.value(&[1, 3], 1) - value).abs() < 1e-6);
    }
}
