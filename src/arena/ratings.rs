//! Ratings of several engines from the games between them.
//!
//! The model is that of Bradley and Terry: the expected score of an engine
//! that is `d` Elo stronger than another is `1 / (1 + 10^(-d / 400))`, and a
//! draw is half a win and half a loss. The ratings are those that make the
//! results likeliest, found by Newton's method.
//!
//! So that all wins, all losses or no game at all still have a rating, each
//! engine has, beside its games, drawn one game against an engine that does
//! not exist; the rating of that one is free too, so that it pulls everybody
//! together and nobody anywhere.
//!
//! An error is half the width of a 95 % interval, from the inverse of the
//! likelihood's second derivative. That would be right if every game were won
//! or lost independently; draws spread less than that, and games from one
//! opening depend on each other. So the variances are multiplied by the
//! observed spread of the results of pairs over the one expected.
//!
//! CITE: R. Bradley and M. Terry, Rank Analysis of Incomplete Block Designs
//! (1952); P. McCullagh and J. Nelder, Generalized Linear Models (1989),
//! chapter 9, on the dispersion of quasi-likelihoods.

use std::str::FromStr;

use super::stats::{Counts, Z95};

/// Elo of one unit of the logistic curve's own scale: 400 / ln 10.
const ELO_PER_LOGIT: f64 = 173.717_792_761_300_73;

/// Games that each engine has drawn with the engine that does not exist.
const PRIOR_GAMES: f64 = 1.0;

/// A rating that is given and not found: `NAME=ELO` on the command line.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    /// The engine.
    pub name: String,
    /// Its rating, within ±[`MOST_ELO`].
    pub elo: f64,
}

/// The highest rating one may give; the lowest is its negative.
pub const MOST_ELO: f64 = 5000.0;

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("an anchor is NAME=ELO, with an Elo within ±{MOST_ELO}");
        let (name, elo) = text.rsplit_once('=').ok_or_else(wrong)?;
        let elo: f64 = elo.trim().parse().map_err(|_| wrong())?;
        if name.is_empty() || !(-MOST_ELO..=MOST_ELO).contains(&elo) {
            return Err(wrong());
        }
        Ok(Self {
            name: name.to_string(),
            elo,
        })
    }
}

/// The results between two engines, from the side of the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// Their numbers, which differ.
    pub players: [usize; 2],
    /// What came of it.
    pub counts: Counts,
}

/// The strength of an engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The mean of all is 0 if there is no anchor.
    pub elo: f64,
    /// Half the width of its 95 % interval; 0 for an anchor.
    pub error: f64,
}

/// The ratings of `engines` engines. `anchors` holds the engines whose ratings
/// are given. The ratings and errors are always finite.
///
/// # Panics
/// If an encounter or an anchor is of no engine.
pub fn fit(engines: usize, encounters: &[Encounter], anchors: &[(usize, f64)]) -> Vec<Rating> {
    let mut strengths = vec![0.0; engines + 1];
    let mut is_free = vec![true; engines + 1];
    for &(engine, elo) in anchors {
        strengths[engine] = elo / ELO_PER_LOGIT;
        is_free[engine] = false;
    }
    if anchors.is_empty() {
        is_free[engines] = false;
    } else {
        let sum: f64 = anchors.iter().map(|(_, elo)| elo / ELO_PER_LOGIT).sum();
        let middle = sum / anchors.len() as f64;
        for (strength, _) in strengths
            .iter_mut()
            .zip(&is_free)
            .filter(|(_, free)| **free)
        {
            *strength = middle;
        }
    }
    let mut model = Likelihood {
        results: encounters.iter().map(Results::of).collect(),
        free: (0..=engines).filter(|&node| is_free[node]).collect(),
        strengths,
    };
    model.results.extend((0..engines).map(|engine| Results {
        players: [engine, engines],
        games: PRIOR_GAMES,
        points: PRIOR_GAMES / 2.0,
    }));
    model.maximise();
    let scale = dispersion(encounters, &model.strengths).sqrt() * Z95 * ELO_PER_LOGIT;
    let variances = model.variances(engines, anchors.is_empty());
    let mean = if anchors.is_empty() {
        model.strengths[..engines].iter().sum::<f64>() / engines.max(1) as f64
    } else {
        0.0
    };
    let rating = |engine: usize| Rating {
        elo: (model.strengths[engine] - mean) * ELO_PER_LOGIT,
        error: variances[engine].max(0.0).sqrt() * scale,
    };
    let mut ratings: Vec<Rating> = (0..engines).map(rating).collect();
    for &(engine, elo) in anchors {
        ratings[engine] = Rating { elo, error: 0.0 };
    }
    ratings
}

/// What the likelihood needs of an encounter.
struct Results {
    players: [usize; 2],
    games: f64,
    /// Of the first.
    points: f64,
}

impl Results {
    fn of(encounter: &Encounter) -> Self {
        let (classes, size) = (encounter.counts.classes(), size(&encounter.counts));
        let last = (classes.len() - 1) as f64;
        let points = classes.iter().zip(0..);
        let points: f64 = points.map(|(&n, class)| n as f64 * f64::from(class)).sum();
        Self {
            players: encounter.players,
            games: size * classes.iter().map(|&n| n as f64).sum::<f64>(),
            points: size * points / last,
        }
    }
}

/// Games in one result.
fn size(counts: &Counts) -> f64 {
    match counts {
        Counts::Games(_) => 1.0,
        Counts::Pairs(_) => 2.0,
    }
}

/// The observed over the expected spread of results, with one pair of even
/// engines that spread as expected.
fn dispersion(encounters: &[Encounter], strengths: &[f64]) -> f64 {
    const USUAL: f64 = 0.5;
    let (mut observed, mut expected) = (USUAL, USUAL);
    for Encounter { players, counts } in encounters {
        let p = logistic(strengths[players[0]] - strengths[players[1]]);
        let (size, last) = (size(counts), (counts.classes().len() - 1) as f64);
        for (class, &n) in counts.classes().iter().enumerate() {
            let surprise = size * (class as f64 / last - p);
            observed += n as f64 * surprise * surprise;
            expected += n as f64 * size * p * (1.0 - p);
        }
    }
    observed / expected
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(logistic(x))`, also where that is too small for a number.
fn ln_logistic(x: f64) -> f64 {
    if x > 0.0 {
        -(-x).exp().ln_1p()
    } else {
        x - x.exp().ln_1p()
    }
}

struct Likelihood {
    results: Vec<Results>,
    /// The strengths to be found, by index.
    free: Vec<usize>,
    strengths: Vec<f64>,
}

impl Likelihood {
    /// Newton's method, with steps that stay short and never lead down: the
    /// logarithm of the likelihood is concave.
    fn maximise(&mut self) {
        const ROUNDS: usize = 500;
        const LONGEST: f64 = 2.0;
        const CLOSE: f64 = 1e-11;
        for _ in 0..ROUNDS {
            let mut step = Cholesky::new(self.information()).solve(&self.gradient());
            let longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
            let mut factor = if longest > LONGEST {
                LONGEST / longest
            } else {
                1.0
            };
            let (before, old) = (self.logarithm(), self.strengths.clone());
            loop {
                for (&node, part) in self.free.iter().zip(&step) {
                    self.strengths[node] = old[node] + factor * part;
                }
                if self.logarithm() >= before || factor < 1e-6 {
                    break;
                }
                factor /= 2.0;
            }
            step.iter_mut().for_each(|part| *part *= factor);
            if step.iter().all(|part| part.abs() < CLOSE) {
                break;
            }
        }
    }

    fn lead(&self, results: &Results) -> f64 {
        let [one, other] = results.players;
        self.strengths[one] - self.strengths[other]
    }

    fn logarithm(&self) -> f64 {
        let term = |results: &Results| {
            let lead = self.lead(results);
            results.points * ln_logistic(lead)
                + (results.games - results.points) * ln_logistic(-lead)
        };
        self.results.iter().map(term).sum()
    }

    fn gradient(&self) -> Vec<f64> {
        let mut whole = vec![0.0; self.strengths.len()];
        for results in &self.results {
            let [one, other] = results.players;
            let excess = results.points - results.games * logistic(self.lead(results));
            whole[one] += excess;
            whole[other] -= excess;
        }
        self.free.iter().map(|&node| whole[node]).collect()
    }

    /// The negative second derivative by the free strengths.
    fn information(&self) -> Vec<Vec<f64>> {
        let mut place = vec![None; self.strengths.len()];
        for (index, &node) in self.free.iter().enumerate() {
            place[node] = Some(index);
        }
        let mut matrix = vec![vec![0.0; self.free.len()]; self.free.len()];
        for results in &self.results {
            let p = logistic(self.lead(results));
            let weight = results.games * p * (1.0 - p);
            let [one, other] = results.players.map(|player| place[player]);
            for player in [one, other].into_iter().flatten() {
                matrix[player][player] += weight;
            }
            if let (Some(one), Some(other)) = (one, other) {
                matrix[one][other] -= weight;
                matrix[other][one] -= weight;
            }
        }
        matrix
    }

    /// Of the first `engines` strengths; if `centred`, of what they are above
    /// their mean.
    fn variances(&self, engines: usize, centred: bool) -> Vec<f64> {
        let inverse = Cholesky::new(self.information()).inverse();
        let mut whole = vec![vec![0.0; engines + 1]; engines + 1];
        for (row, &a) in inverse.iter().zip(&self.free) {
            for (&value, &b) in row.iter().zip(&self.free) {
                whole[a][b] = value;
            }
        }
        let count = engines.max(1) as f64;
        let means: Vec<f64> = whole[..engines]
            .iter()
            .map(|row| row[..engines].iter().sum::<f64>() / count)
            .collect();
        let mean = means.iter().sum::<f64>() / count;
        (0..engines)
            .map(|engine| match centred {
                true => whole[engine][engine] - 2.0 * means[engine] + mean,
                false => whole[engine][engine],
            })
            .collect()
    }
}

/// A positive definite matrix as the product of a triangular one with its
/// transpose.
struct Cholesky {
    lower: Vec<Vec<f64>>,
}

impl Cholesky {
    fn new(mut matrix: Vec<Vec<f64>>) -> Self {
        // Anchors at opposite ends of the scale leave almost nothing.
        const SMALLEST_PIVOT: f64 = 1e-12;
        for row in 0..matrix.len() {
            for column in 0..=row {
                let known: f64 = (0..column)
                    .map(|k| matrix[row][k] * matrix[column][k])
                    .sum();
                let rest = matrix[row][column] - known;
                matrix[row][column] = if row == column {
                    rest.max(SMALLEST_PIVOT).sqrt()
                } else {
                    rest / matrix[column][column]
                };
            }
        }
        Self { lower: matrix }
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let known: f64 = (0..row).map(|k| self.lower[row][k] * x[k]).sum();
            x[row] = (x[row] - known) / self.lower[row][row];
        }
        for row in (0..x.len()).rev() {
            let known: f64 = (row + 1..x.len()).map(|k| self.lower[k][row] * x[k]).sum();
            x[row] = (x[row] - known) / self.lower[row][row];
        }
        x
    }

    fn inverse(&self) -> Vec<Vec<f64>> {
        (0..self.lower.len())
            .map(|index| {
                let mut unit = vec![0.0; self.lower.len()];
                unit[index] = 1.0;
                self.solve(&unit)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
