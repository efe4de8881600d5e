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
