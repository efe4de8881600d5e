//! Weights under which the results of games are likeliest.
//!
//! A value foretells a win with the chance `1 / (1 + exp(-value / unit))`. The
//! likeliest weights are found by least squares on what the model's slope at
//! the weights so far asks of each row, again and again.
//!
//! CITE: P. McCullagh, J. Nelder, Generalized Linear Models, 2nd ed., 1989,
//! section 2.5 (iteratively reweighted least squares); M. Buro, Statistical
//! feature combination for the evaluation of game positions, Journal of
//! Artificial Intelligence Research 3, 1995 (logistic regression on results).

use super::Trainable;
use super::fit::System;

/// Rounds of least squares.
const ROUNDS: u32 = 8;

/// No row counts less than this part of what an undecided one counts: what is
/// foretold with certainty and wrong must still be heard.
const LEAST: f32 = 0.05;

/// The chance of a win.
fn chance(value: f32, unit: f32) -> f32 {
    1.0 / (1.0 + (-value / unit).exp())
}

/// How a game is expected to end, in units (100 is a sure win in a game
/// without a margin), by a value.
pub(super) fn foretold<G: Trainable>(value: f32) -> f32 {
    match G::LOGISTIC {
        None => value,
        Some(unit) => 200.0 * chance(value, unit) - 100.0,
    }
}

impl System {
    /// The likeliest weights, held back to `prior` as in least squares.
    pub(super) fn solve_logistic(
        mut self,
        prior: &[f32],
        ridge: f32,
        iterations: u32,
        unit: f32,
    ) -> Vec<f32> {
        let shares = self.scales.clone();
        let wins: Vec<f32> = self
            .targets
            .iter()
            .zip(&shares)
            .map(|(target, share)| target / share / 200.0 + 0.5)
            .collect();
        let mut weights = prior.to_vec();
        let mut values = vec![0.0; wins.len()];
        for _ in 0..ROUNDS {
            self.apply(&weights, &mut values);
            for row in 0..wins.len() {
                let value = values[row] / self.scales[row];
                let chance = chance(value, unit);
                // 1 for an undecided row.
                let slope = (4.0 * chance * (1.0 - chance)).max(LEAST);
                let scale = shares[row] * slope.sqrt();
                self.rescale(row, scale);
                let wanted = value + 4.0 * unit * (wins[row] - chance) / slope;
                self.targets[row] = wanted * scale;
            }
            weights = self.solve(weights, prior, ridge, iterations.div_ceil(4));
        }
        weights
    }

    /// Gives a row another scale.
    fn rescale(&mut self, row: usize, scale: f32) {
        let factor = scale / self.scales[row];
        for entry in &mut self.entries[self.starts[row]..self.starts[row + 1]] {
            entry.value *= factor;
        }
        self.scales[row] = scale;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Feature;
    use super::*;

    #[test]
    fn a_weight_foretells_the_frequency_of_wins() {
        // Three of four games are won with the feature: the value is unit * ln 3.
        let results = [100.0, 100.0, 100.0, -100.0];
        let one = Feature {
            index: 0,
            value: 1.0,
        };
        let system = System {
            starts: vec![0, 1, 2, 3, 4],
            entries: vec![one; 4],
            targets: results.to_vec(),
            scales: vec![1.0; 4],
            columns: 1,
        };
        let weights = system.solve_logistic(&[0.0], 0.0, 8, 50.0);
        assert!(
            (weights[0] - 50.0 * 3.0_f32.ln()).abs() < 0.01,
            "{weights:?}"
        );
    }
}
