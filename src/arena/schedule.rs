//! Who plays whom, when, and from which opening: fixed before the first game.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Which engines meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two engines.
    Match,
    /// Each engine meets each other one.
    RoundRobin,
    /// The first engine meets each other one.
    Gauntlet,
}

/// One game of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub id: u64,
    /// Its round, from 0.
    pub round: u64,
    /// The two games from the same opening with the sides exchanged have the
    /// same one.
    pub pair: u64,
    /// Number of its opening, from 0.
    pub opening: usize,
    /// The two engines, in the order of the list of engines.
    pub pairing: [usize; 2],
    /// Whether the second of them makes the first move.
    pub exchanged: bool,
}

impl Fixture {
    /// The engine that moves first, then the other.
    pub fn in_order(&self) -> [usize; 2] {
        let [one, other] = self.pairing;
        if self.exchanged {
            [other, one]
        } else {
            [one, other]
        }
    }
}

/// All games of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
    games: u64,
}

impl Schedule {
    /// In each of `rounds` every two engines that meet play `games` games,
    /// at least one, with the sides exchanged after each.
    ///
    /// # Errors
    /// If there are too few or too many engines or games.
    pub fn new(format: Format, engines: usize, rounds: u64, games: u64) -> Result<Self, String> {
        let all = || (0..engines).flat_map(move |a| (a + 1..engines).map(move |b| [a, b]));
        let pairings: Vec<[usize; 2]> = match format {
            _ if engines < 2 => return Err("a tournament needs two engines or more".to_string()),
            Format::Match if engines > 2 => {
                return Err("a match is between two engines".to_string());
            }
            Format::Match | Format::RoundRobin => all().collect(),
            Format::Gauntlet => all().filter(|pairing| pairing[0] == 0).collect(),
        };
        let total = rounds
            .checked_mul(games)
            .and_then(|count| count.checked_mul(pairings.len() as u64));
        if total.is_none_or(|total| total == 0 || total > MOST_GAMES) {
            return Err(format!("a tournament has 1 to {MOST_GAMES} games"));
        }
        Ok(Self {
            pairings,
            rounds,
            games,
        })
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.rounds * self.games * self.pairings.len() as u64
    }

    /// The game with that number, if there is one.
    pub fn get(&self, id: u64) -> Option<Fixture> {
        if id >= self.total() {
            return None;
        }
        let pairings = self.pairings.len() as u64;
        let (encounter, game) = (id / self.games, id % self.games);
        let (round, pairing) = (encounter / pairings, encounter % pairings);
        // Among the games of the two engines; with one game a round, pairs
        // reach over two rounds.
        let number = round * self.games + game;
        Some(Fixture {
            id,
            round,
            pair: number / 2 * pairings + pairing,
            opening: (number / 2) as usize,
            pairing: self.pairings[pairing as usize],
            exchanged: number % 2 == 1,
        })
    }
}

/// More than anyone plays.
const MOST_GAMES: u64 = 10_000_000;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn all(schedule: &Schedule) -> Vec<Fixture> {
        (0..schedule.total())
            .map(|id| schedule.get(id).expect("within"))
            .collect()
    }

    #[test]
    fn everybody_meets_everybody_as_often_from_both_sides() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3, 2).expect("fine");
        assert_eq!(schedule.total(), 36);
        let mut met: HashMap<[usize; 2], u32> = HashMap::new();
        for fixture in all(&schedule) {
            *met.entry(fixture.in_order()).or_default() += 1;
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|&count| count == 3));
        assert_eq!(schedule.get(36), None);
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first_engine() {
        let schedule = Schedule::new(Format::Gauntlet, 4, 1, 2).expect("fine");
        assert_eq!(schedule.total(), 6);
        assert!(all(&schedule).iter().all(|fixture| fixture.pairing[0] == 0));
    }

    #[test]
    fn pairs_share_the_opening_and_exchange_the_sides() {
        for games in [1, 2, 3, 4] {
            let schedule = Schedule::new(Format::RoundRobin, 3, 4, games).expect("fine");
            let mut pairs: HashMap<u64, Vec<Fixture>> = HashMap::new();
            for fixture in all(&schedule) {
                pairs.entry(fixture.pair).or_default().push(fixture);
            }
            for pair in pairs.values() {
                let [one, other] = pair[..] else {
                    panic!("{games} games: {pair:?}");
                };
                assert_eq!(one.pairing, other.pairing);
                assert_eq!(one.opening, other.opening);
                assert!(!one.exchanged && other.exchanged);
            }
        }
    }

    #[test]
    fn impossible_tournaments_are_refused() {
        for (format, engines, rounds, games) in [
            (Format::Match, 1, 1, 2),
            (Format::Match, 3, 1, 2),
            (Format::RoundRobin, 3, 0, 2),
            (Format::Gauntlet, 3, 1, 0),
            (Format::Match, 2, u64::MAX, 2),
        ] {
            let made = Schedule::new(format, engines, rounds, games);
            assert!(made.is_err(), "{format:?} {engines} {rounds} {games}");
        }
    }
}
