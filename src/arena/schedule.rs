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

/// One of several shares of a schedule, each for a machine of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl Shard {
    /// Whether a game is in this share. Shares consist of whole pairs, and
    /// differ by one pair at most.
    pub fn holds(&self, fixture: &Fixture) -> bool {
        // Each `of` pairs in a row are one for every share. Who is served
        // first changes, so that no share has always the same engines.
        let (block, place) = (fixture.pair / self.of, fixture.pair % self.of);
        (place + block) % self.of == self.number - 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some((number.parse().ok()?, of.parse().ok()?))
        };
        match read() {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("a share is I/N, from 1/N to N/N".to_string()),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
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
    fn shares_are_whole_pairs_and_make_up_the_schedule() {
        for (engines, rounds, games) in [(2, 7, 2), (3, 5, 2), (4, 4, 1), (3, 1, 3)] {
            let schedule = Schedule::new(Format::RoundRobin, engines, rounds, games);
            let schedule = schedule.expect("fine");
            for of in 1..=8 {
                let shares: Vec<Vec<Fixture>> = (1..=of)
                    .map(|number| {
                        let shard = Shard { number, of };
                        let mut share = all(&schedule);
                        share.retain(|fixture| shard.holds(fixture));
                        share
                    })
                    .collect();
                let mut ids: Vec<u64> = shares.iter().flatten().map(|f| f.id).collect();
                ids.sort_unstable();
                assert!(ids.into_iter().eq(0..schedule.total()), "{of}");
                let pairs = |share: &Vec<Fixture>| {
                    let pairs = share.iter().map(|fixture| fixture.pair);
                    pairs.collect::<std::collections::HashSet<u64>>()
                };
                let pairs: Vec<_> = shares.iter().map(pairs).collect();
                let counts = pairs.iter().map(std::collections::HashSet::len);
                let (least, most) = (counts.clone().min(), counts.max());
                assert!(most <= least.map(|least| least + 1), "{of}");
                for (number, one) in pairs.iter().enumerate() {
                    assert!(pairs[..number].iter().all(|other| one.is_disjoint(other)));
                }
            }
        }
    }

    #[test]
    fn no_share_has_always_the_same_engines() {
        let schedule = Schedule::new(Format::RoundRobin, 3, 6, 2).expect("fine");
        let shard = Shard { number: 1, of: 3 };
        let mut pairings: Vec<[usize; 2]> = all(&schedule)
            .iter()
            .filter(|fixture| shard.holds(fixture))
            .map(|fixture| fixture.pairing)
            .collect();
        pairings.sort_unstable();
        pairings.dedup();
        assert_eq!(pairings.len(), 3);
    }

    #[test]
    fn a_share_is_one_of_several() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
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
