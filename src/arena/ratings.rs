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
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng as _;
    use rand::rngs::StdRng;

    use super::*;
    use crate::arena::stats::score_of_elo;

    fn games(one: usize, other: usize, counts: [u64; 3]) -> Encounter {
        Encounter {
            players: [one, other],
            counts: Counts::Games(counts),
        }
    }

    /// Everybody plays everybody `pairs` pairs, with some draws.
    fn simulate(elos: &[f64], pairs: u64, seed: u64) -> Vec<Encounter> {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut encounters = Vec::new();
        for one in 0..elos.len() {
            for other in one + 1..elos.len() {
                let p = score_of_elo(elos[one] - elos[other]);
                let draws = 0.8 * p.min(1.0 - p);
                let mut counts = [0; 5];
                let mut game = || {
                    let x: f64 = rng.random();
                    match x {
                        x if x < p - draws / 2.0 => 2,
                        x if x < p + draws / 2.0 => 1,
                        _ => 0,
                    }
                };
                for _ in 0..pairs {
                    counts[game() + game()] += 1;
                }
                encounters.push(Encounter {
                    players: [one, other],
                    counts: Counts::Pairs(counts),
                });
            }
        }
        encounters
    }

    fn all_finite(ratings: &[Rating]) -> bool {
        ratings
            .iter()
            .all(|rating| rating.elo.is_finite() && rating.error.is_finite() && rating.error >= 0.0)
    }

    #[test]
    fn a_match_has_the_difference_and_the_error_of_the_plain_statistics() {
        let counts = Counts::Pairs([340, 540, 630, 640, 750]);
        let summary = counts.summary();
        let encounter = Encounter {
            players: [0, 1],
            counts,
        };
        let centred = fit(2, &[encounter], &[]);
        assert!((centred[0].elo + centred[1].elo).abs() < 1e-6);
        let difference = centred[0].elo - centred[1].elo;
        assert!(
            (difference - summary.elo).abs() < 0.1,
            "{difference} {summary:?}"
        );
        let anchored = fit(2, &[encounter], &[(1, 0.0)]);
        assert!(
            (anchored[0].error / summary.elo_error - 1.0).abs() < 0.01,
            "{anchored:?} {summary:?}"
        );
    }

    #[test]
    fn three_in_a_circle_are_equal_and_wins_put_one_above_the_other() {
        let circle = [
            games(0, 1, [0, 0, 5]),
            games(1, 2, [0, 0, 5]),
            games(2, 0, [0, 0, 5]),
        ];
        assert!(
            fit(3, &circle, &[])
                .iter()
                .all(|rating| rating.elo.abs() < 1e-6)
        );
        let chain = [games(0, 1, [2, 3, 5]), games(1, 2, [2, 3, 5])];
        let ratings = fit(3, &chain, &[]);
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
        // Who has met both is known best.
        assert!(ratings[1].error < ratings[0].error);
    }

    #[test]
    fn more_games_make_smaller_errors_by_the_square_root() {
        let few = fit(3, &simulate(&[0.0, 50.0, -50.0], 100, 1), &[]);
        let many = fit(3, &simulate(&[0.0, 50.0, -50.0], 10_000, 1), &[]);
        let ratio = few[0].error / many[0].error;
        assert!((8.0..12.5).contains(&ratio), "{ratio}");
    }

    #[test]
    fn what_says_nothing_has_finite_ratings() {
        assert!(fit(0, &[], &[]).is_empty());
        let alone = fit(1, &[], &[]);
        assert!(all_finite(&alone) && alone[0].elo == 0.0);
        let unmet = fit(4, &[games(0, 1, [0, 0, 1000])], &[]);
        assert!(all_finite(&unmet) && unmet[0].elo > unmet[2].elo);
        let apart = fit(
            3,
            &[games(0, 1, [7, 0, 0])],
            &[(0, -MOST_ELO), (1, MOST_ELO)],
        );
        assert!(all_finite(&apart), "{apart:?}");
        let all = fit(2, &[games(0, 1, [0, 9, 0])], &[(0, 1.0), (1, 2.0)]);
        assert_eq!((all[0].elo, all[1].elo, all[1].error), (1.0, 2.0, 0.0));
    }

    #[test]
    fn anchors_are_read_with_any_name() {
        let anchor: Anchor = "a=b=-12.5".parse().expect("good");
        assert_eq!((anchor.name.as_str(), anchor.elo), ("a=b", -12.5));
        for wrong in ["", "a", "=5", "a=", "a=x", "a=nan", "a=inf", "a=5001"] {
            assert!(wrong.parse::<Anchor>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn known_strengths_come_back(
            elos in prop::collection::vec(-200.0..200.0_f64, 3..7),
            seed in any::<u64>(),
        ) {
            let ratings = fit(elos.len(), &simulate(&elos, 1000, seed), &[]);
            let mean = elos.iter().sum::<f64>() / elos.len() as f64;
            for (rating, elo) in ratings.iter().zip(&elos) {
                // Three times the 95 % interval: never by chance.
                let off = (rating.elo - (elo - mean)).abs();
                prop_assert!(off < 3.0 * rating.error + 1.0, "{rating:?} {}", elo - mean);
                prop_assert!(rating.error < 25.0);
            }
        }

        #[test]
        fn order_does_not_matter(
            elos in prop::collection::vec(-300.0..300.0_f64, 3..6),
            seed in any::<u64>(),
        ) {
            let encounters = simulate(&elos, 20, seed);
            let (count, last) = (elos.len(), elos.len() - 1);
            let turned: Vec<Encounter> = encounters
                .iter()
                .rev()
                .map(|encounter| {
                    let Counts::Pairs(mut pairs) = encounter.counts else { unreachable!() };
                    pairs.reverse();
                    let [one, other] = encounter.players;
                    Encounter {
                        players: [last - other, last - one],
                        counts: Counts::Pairs(pairs),
                    }
                })
                .collect();
            let (here, there) = (fit(count, &encounters, &[]), fit(count, &turned, &[]));
            for (engine, rating) in here.iter().enumerate() {
                prop_assert!((rating.elo - there[last - engine].elo).abs() < 1e-5);
                prop_assert!((rating.error - there[last - engine].error).abs() < 1e-5);
            }
        }

        #[test]
        fn one_anchor_only_shifts(
            elos in prop::collection::vec(-300.0..300.0_f64, 3..6),
            elo in -3000.0..3000.0_f64,
            seed in any::<u64>(),
        ) {
            let encounters = simulate(&elos, 20, seed);
            let free = fit(elos.len(), &encounters, &[]);
            let anchored = fit(elos.len(), &encounters, &[(1, elo)]);
            prop_assert_eq!(anchored[1], Rating { elo, error: 0.0 });
            let shift = elo - free[1].elo;
            for (free, anchored) in free.iter().zip(&anchored) {
                prop_assert!((free.elo + shift - anchored.elo).abs() < 1e-4);
            }
        }

        #[test]
        fn whatever_the_results_the_ratings_are_finite(
            counts in prop::collection::vec(
                prop::array::uniform3(prop_oneof![Just(0_u64), 0..3_u64, 0..1_000_000_u64]), 6),
            anchors in prop::sample::subsequence(
                vec![(0, -MOST_ELO), (1, 0.0), (2, MOST_ELO), (3, 10.0)], 0..=4),
        ) {
            let players = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let encounters: Vec<Encounter> = players
                .iter()
                .zip(&counts)
                .map(|(&(one, other), &counts)| games(one, other, counts))
                .collect();
            let ratings = fit(4, &encounters, &anchors);
            prop_assert!(all_finite(&ratings), "{ratings:?}");
            for (engine, elo) in anchors {
                prop_assert_eq!(ratings[engine].elo, elo);
            }
        }
    }
}
