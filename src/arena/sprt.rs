//! The sequential probability ratio test: whether enough has been played to
//! believe in one strength rather than another.
//!
//! CITE: M. Van den Bergh, The Generalized Maximum Likelihood Ratio for the
//! Expectation Value of a Distribution; Normalized Elo.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::stats::{Counts, NELO_SCALE, score_of_elo};

/// What the Elo of the two hypotheses means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// By the expected score.
    Logistic,
    /// By the expected score in standard deviations of a game.
    #[default]
    Normalized,
}

impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

/// What is tested, and how sure one wants to be.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Elo difference of the hypothesis H0, below `elo1`.
    pub elo0: f64,
    /// Elo difference of the hypothesis H1.
    pub elo1: f64,
    /// Chance to accept H1 although H0 holds, above 0.
    pub alpha: f64,
    /// Chance to accept H0 although H1 holds; `alpha + beta` is below 1.
    pub beta: f64,
    /// What the Elo means.
    pub model: Model,
}

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It goes on.
    Undecided,
    /// The strength is that of H0 rather than H1.
    H0,
    /// The strength is that of H1 rather than H0.
    H1,
}

impl Sprt {
    /// A test.
    ///
    /// # Errors
    /// If its numbers make no test; the text says which.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, String> {
        let elos = -1000.0..=1000.0;
        if !elos.contains(&elo0) || !elos.contains(&elo1) || elo0 >= elo1 {
            return Err("elo0 must be below elo1, both within -1000 to 1000".to_string());
        }
        let chances = 1e-9..0.5;
        if !chances.contains(&alpha) || !chances.contains(&beta) {
            return Err("alpha and beta must be above 0 and below 0.5".to_string());
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// What the counts say.
    pub fn verdict(&self, counts: &Counts) -> Verdict {
        let (lower, upper) = self.bounds();
        let llr = self.llr(counts);
        if llr >= upper {
            Verdict::H1
        } else if llr <= lower {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }

    /// The log-likelihood ratio of H1 to H0, always finite.
    pub fn llr(&self, counts: &Counts) -> f64 {
        let seen = Sample::new(counts.classes());
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => seen.with_mean(score_of_elo(elo)),
            Model::Normalized => {
                seen.with_t_value(elo * counts.games_per_result().sqrt() / NELO_SCALE)
            }
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let ratios = p0.iter().zip(&p1).map(|(p0, p1)| (p1 / p0).ln());
        let mean: f64 = seen.shares.iter().zip(ratios).map(|(p, r)| p * r).sum();
        seen.total * mean
    }
}

/// Stands for a count of 0, whose logarithm would be infinite.
const ALMOST_NONE: f64 = 1e-3;

/// The shares of the classes of results.
struct Sample {
    total: f64,
    scores: Vec<f64>,
    shares: Vec<f64>,
}

impl Sample {
    fn new(counts: &[u64]) -> Self {
        let counts: Vec<f64> = counts
            .iter()
            .map(|&count| {
                if count == 0 {
                    ALMOST_NONE
                } else {
                    count as f64
                }
            })
            .collect();
        let total: f64 = counts.iter().sum();
        let last = (counts.len() - 1) as f64;
        Self {
            total,
            scores: (0..counts.len()).map(|class| class as f64 / last).collect(),
            shares: counts.iter().map(|count| count / total).collect(),
        }
    }

    /// The likeliest distribution with that mean.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        let distances: Vec<f64> = self.scores.iter().map(|x| x - mean).collect();
        self.with_expectation_zero(&distances)
            .unwrap_or_else(|| self.shares.clone())
    }

    /// The likeliest distribution whose mean is `t` standard deviations above
    /// one half.
    fn with_t_value(&self, t: f64) -> Vec<f64> {
        const ROUNDS: usize = 25;
        const CLOSE: f64 = 1e-9;
        let mut shares = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        for _ in 0..ROUNDS {
            let (mean, deviation) = self.moments(&shares);
            let phi: Vec<f64> = self
                .scores
                .iter()
                .map(|x| {
                    let far = (x - mean) / deviation;
                    x - 0.5 - 0.5 * t * deviation * (1.0 + far * far)
                })
                .collect();
            let Some(next) = self.with_expectation_zero(&phi) else {
                break;
            };
            let change = shares.iter().zip(&next).map(|(a, b)| (a - b).abs());
            let change = change.fold(0.0, f64::max);
            shares = next;
            if change < CLOSE {
                break;
            }
        }
        shares
    }

    fn moments(&self, shares: &[f64]) -> (f64, f64) {
        let mean: f64 = self.scores.iter().zip(shares).map(|(x, p)| x * p).sum();
        let squares = self.scores.iter().map(|x| (x - mean) * (x - mean));
        let variance: f64 = squares.zip(shares).map(|(d, p)| d * p).sum();
        (mean, variance.sqrt())
    }

    /// The likeliest distribution under which `values` have the expectation
    /// 0; none if they are not on both sides of it.
    fn with_expectation_zero(&self, values: &[f64]) -> Option<Vec<f64>> {
        // A value nearer to 0 would put the multiplier beyond what a
        // floating-point number resolves.
        const NOTHING: f64 = 1e-9;
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        if most < NOTHING || least > -NOTHING {
            return None;
        }
        // The sum falls from +∞ to -∞ in between.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut theta = 0.0;
        for _ in 0..200 {
            theta = 0.5 * (low + high);
            let terms = values.iter().zip(&self.shares);
            let sum: f64 = terms.map(|(v, p)| p * v / (1.0 + theta * v)).sum();
            if sum > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
        }
        let share = |(v, p): (&f64, &f64)| p / (1.0 + theta * v).max(f64::MIN_POSITIVE);
        Some(values.iter().zip(&self.shares).map(share).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test")
    }

    #[test]
    fn ratios_are_those_of_the_field() {
        for (counts, to_5, to_10) in [
            (
                Counts::Games([96, 111, 136]),
                (0.799005, 0.664488),
                (1.493716, 1.258039),
            ),
            (
                Counts::Games([40, 20, 60]),
                (0.330570, 0.302880),
                (0.631484, 0.580907),
            ),
            (
                Counts::Games([89, 123, 76]),
                (-0.378419, -0.276965),
                (-0.860358, -0.613477),
            ),
            (
                Counts::Pairs([34, 54, 63, 64, 75]),
                (1.337374, 1.301436),
                (2.551067, 2.483695),
            ),
            (
                Counts::Pairs([332, 433, 498, 333, 334]),
                (-1.998664, -1.863815),
                (-4.888119, -4.526652),
            ),
        ] {
            for (elo1, (logistic, normalized)) in [(5.0, to_5), (10.0, to_10)] {
                let found = test(0.0, elo1, Model::Logistic).llr(&counts);
                assert!((found - logistic).abs() < 2e-3, "{counts:?} {elo1} {found}");
                let found = test(0.0, elo1, Model::Normalized).llr(&counts);
                assert!(
                    (found - normalized).abs() < 2e-3,
                    "{counts:?} {elo1} {found}"
                );
            }
        }
    }

    #[test]
    fn bounds_are_those_of_the_chances() {
        let (lower, upper) = test(0.0, 5.0, Model::Logistic).bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 5.0, 0.05, 0.05),
            (5.0, 0.0, 0.05, 0.05),
            (0.0, f64::NAN, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, 0.5),
            (0.0, 5.0, f64::NAN, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
        ] {
            let made = Sprt::new(elo0, elo1, alpha, beta, Model::Logistic);
            assert!(made.is_err(), "{elo0} {elo1} {alpha} {beta}");
        }
    }

    #[test]
    fn one_result_decides_nothing_and_many_decide() {
        for model in [Model::Logistic, Model::Normalized] {
            let test = test(0.0, 10.0, model);
            for class in 0..5 {
                let mut pairs = [0; 5];
                pairs[class] = 1;
                let verdict = test.verdict(&Counts::Pairs(pairs));
                assert_eq!(verdict, Verdict::Undecided, "{pairs:?}");
            }
            let good = Counts::Pairs([200, 300, 500, 600, 500]);
            assert_eq!(test.verdict(&good), Verdict::H1);
            let bad = Counts::Pairs([500, 600, 500, 300, 200]);
            assert_eq!(test.verdict(&bad), Verdict::H0);
        }
    }

    proptest! {
        #[test]
        fn every_count_has_a_finite_ratio(
            games in prop::array::uniform3(prop_oneof![0..3_u64, 0..100_000_u64]),
            pairs in prop::array::uniform5(prop_oneof![0..2_u64, 0..100_000_u64]),
            elo0 in -1000.0..999.0_f64,
            gap in 0.001..500.0_f64,
        ) {
            for model in [Model::Logistic, Model::Normalized] {
                let elo1 = (elo0 + gap).min(1000.0);
                let test = test(elo0, elo1, model);
                for counts in [Counts::Games(games), Counts::Pairs(pairs)] {
                    let llr = test.llr(&counts);
                    prop_assert!(llr.is_finite(), "{counts:?} {test:?}: {llr}");
                }
            }
        }
    }
}
