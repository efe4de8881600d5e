//! Strengths from counts, with their errors.

use libm::erfc;

/// Half the width of a 95 % interval, in standard deviations.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// 800 / ln 10: a hundredth of it is what normalised Elo has to a standard
/// deviation.
pub(super) const NELO_SCALE: f64 = 347.435_585_522_601_5;

/// Added to every class of counts that show no spread.
const PSEUDO_COUNT: f64 = 0.5;

/// Results of one engine against another, from its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Games lost, drawn and won.
    Games([u64; 3]),
    /// Pairs of games from the same opening with the sides exchanged, by what
    /// they brought: nothing, half a point, one point, one and a half, two.
    Pairs([u64; 5]),
}

impl Counts {
    /// The counts as slices, the worst result first.
    pub fn classes(&self) -> &[u64] {
        match self {
            Self::Games(counts) => counts,
            Self::Pairs(counts) => counts,
        }
    }

    /// Games or pairs.
    pub fn total(&self) -> u64 {
        self.classes()
            .iter()
            .fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The share of the points, 0 to 1; 0.5 before the first game.
    pub fn score(&self) -> f64 {
        if self.total() == 0 {
            return 0.5;
        }
        Distribution::of(self.classes().iter().map(|&count| count as f64)).mean
    }

    /// By how much more the standard deviation of a game exceeds that of half
    /// a pair: normalised Elo is about games.
    pub(super) fn games_per_result(&self) -> f64 {
        match self {
            Self::Games(_) => 1.0,
            Self::Pairs(_) => 2.0,
        }
    }

    /// Everything that follows from the counts, always finite.
    pub fn summary(&self) -> Summary {
        let spread = Distribution::of(self.classes().iter().map(|&count| count as f64));
        // Ten wins out of ten, or no game at all, say nothing of the spread:
        // half a result in each class gives a bound instead of an infinity.
        // CITE: H. Jeffreys, Theory of Probability (1961), on the prior ½.
        let d = if spread.variance > 0.0 {
            spread
        } else {
            Distribution::of(
                self.classes()
                    .iter()
                    .map(|&count| count as f64 + PSEUDO_COUNT),
            )
        };
        let error = (d.variance / d.total).sqrt();
        // Past these the logistic curve has no value worth printing.
        let edge = (0.25 / (d.total + 1.0)).clamp(1e-12, 1e-3);
        let elo = |score: f64| elo_of_score(score.clamp(edge, 1.0 - edge));
        let nelo_unit = NELO_SCALE / self.games_per_result().sqrt();
        Summary {
            score: self.score(),
            elo: elo(d.mean),
            elo_error: (elo(d.mean + Z95 * error) - elo(d.mean - Z95 * error)) / 2.0,
            nelo: (d.mean - 0.5) / d.variance.sqrt() * nelo_unit,
            nelo_error: Z95 / d.total.sqrt() * nelo_unit,
            los: normal_cdf((d.mean - 0.5) / error),
        }
    }
}

/// What counts say about strength. With counts that show no spread, such as
/// ten wins out of ten, everything but the score is a cautious guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Logistic Elo difference.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: f64,
    /// Normalised Elo difference.
    pub nelo: f64,
    /// Half the width of its 95 % interval.
    pub nelo_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

/// Results spread evenly over the scores from 0 to 1.
#[derive(Clone, Copy)]
struct Distribution {
    total: f64,
    mean: f64,
    variance: f64,
}

impl Distribution {
    fn of(counts: impl Clone + ExactSizeIterator<Item = f64>) -> Self {
        let last = (counts.len() - 1) as f64;
        let scores = (0..counts.len()).map(|class| class as f64 / last);
        let total: f64 = counts.clone().sum();
        let weigh = |value: &dyn Fn(f64) -> f64| -> f64 {
            let sum: f64 = counts
                .clone()
                .zip(scores.clone())
                .map(|(n, x)| n * value(x))
                .sum();
            sum / total
        };
        let mean = weigh(&|x| x);
        Self {
            total,
            mean,
            variance: weigh(&|x| (x - mean) * (x - mean)),
        }
    }
}

/// The Elo difference that leads to a score between 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding zero makes -0 of an even score a plain 0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The score that an Elo difference leads to.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn finite(summary: &Summary) -> bool {
        let Summary {
            score,
            elo,
            elo_error,
            nelo,
            nelo_error,
            los,
        } = *summary;
        [elo, elo_error, nelo, nelo_error]
            .iter()
            .all(|x| x.is_finite())
            && elo_error >= 0.0
            && nelo_error > 0.0
            && (0.0..=1.0).contains(&score)
            && (0.0..=1.0).contains(&los)
    }

    /// Score, Elo ±, nElo ±, LOS in per cent, of other programs for the same
    /// counts.
    #[test]
    fn summaries_are_those_of_the_field() {
        for (counts, expected) in [
            (
                Counts::Games([96, 111, 136]),
                [0.558309, 40.7025, 30.4272, 49.7684, 36.7685, 99.601],
            ),
            (
                Counts::Games([40, 20, 60]),
                [0.583333, 58.4512, 57.9637, 64.5172, 62.1630, 97.9034],
            ),
            (
                Counts::Games([89, 123, 76]),
                [0.477431, -15.6935, 30.4580, -20.7564, 40.1260, 15.5326],
            ),
            (
                Counts::Pairs([34, 54, 63, 64, 75]),
                [0.579310, 55.5798, 27.6534, 57.9356, 28.2754, 99.997],
            ),
            (
                Counts::Pairs([332, 433, 498, 333, 334]),
                [0.487565, -8.6427, 10.3342, -9.1729, 10.9605, 5.047],
            ),
        ] {
            let s = counts.summary();
            let found = [s.score, s.elo, s.elo_error, s.nelo, s.nelo_error];
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-4, "{counts:?}: {s:?}");
            }
            assert!((100.0 * s.los - expected[5]).abs() < 1e-3, "{counts:?}");
        }
    }

    #[test]
    fn counts_without_spread_give_a_cautious_bound() {
        let none = Counts::Games([0; 3]).summary();
        assert!(finite(&none) && none.elo == 0.0 && none.los == 0.5 && none.elo_error > 400.0);
        let won = Counts::Games([0, 0, 10]).summary();
        assert!(finite(&won) && won.score == 1.0 && won.elo > 200.0 && won.los > 0.95);
        let lost = Counts::Games([10, 0, 0]).summary();
        assert!((lost.elo + won.elo).abs() < 1e-9 && (lost.los + won.los - 1.0).abs() < 1e-9);
        let drawn = Counts::Pairs([0, 0, 10, 0, 0]).summary();
        assert!(finite(&drawn) && drawn.elo == 0.0 && drawn.elo_error > 10.0);
        let more = Counts::Games([0, 0, 1000]).summary();
        assert!(more.elo > won.elo);
    }

    proptest! {
        #[test]
        fn every_count_has_finite_strengths(
            games in prop::array::uniform3(prop_oneof![0..3_u64, 0..1000_u64, Just(u64::MAX / 8)]),
            pairs in prop::array::uniform5(prop_oneof![0..2_u64, 0..1000_u64]),
        ) {
            for counts in [Counts::Games(games), Counts::Pairs(pairs)] {
                let summary = counts.summary();
                prop_assert!(finite(&summary), "{counts:?}: {summary:?}");
            }
        }

        #[test]
        fn strengths_change_sign_with_the_point_of_view(
            mut pairs in prop::array::uniform5(0..100_u64),
        ) {
            let ours = Counts::Pairs(pairs).summary();
            pairs.reverse();
            let theirs = Counts::Pairs(pairs).summary();
            prop_assert!((ours.elo + theirs.elo).abs() < 1e-6);
            prop_assert!((ours.nelo + theirs.nelo).abs() < 1e-6);
            prop_assert!((ours.los + theirs.los - 1.0).abs() < 1e-9);
        }

        #[test]
        fn elo_and_score_are_each_others_inverse(elo in -1000.0..1000.0) {
            prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }
    }
}
