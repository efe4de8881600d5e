//! Where a tournament stands. Everything here follows from the records alone,
//! so that a resumed tournament ends with the same totals.

use std::collections::{BTreeMap, HashMap};

use super::ratings::{self, Anchor, Rating};
use super::record::{GameRecord, Reason};
use super::sprt::{Sprt, Verdict};
use super::stats::Counts;

mod text;

/// What an engine has done so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its results against everybody.
    pub results: Tally,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by any other fault.
    pub faults: u64,
    moves: u64,
    millis: f64,
    searches: u64,
    depths: u64,
}

impl Row {
    /// Mean time of a move in milliseconds; 0 before the first.
    pub fn millis_per_move(&self) -> f64 {
        self.millis / self.moves.max(1) as f64
    }

    /// Mean depth of the searches in plies, if it tells depths.
    pub fn depth(&self) -> Option<f64> {
        (self.searches > 0).then(|| self.depths as f64 / self.searches as f64)
    }
}

/// Results from one side.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Whole pairs, by points.
    pub pairs: [u64; 5],
}

impl Tally {
    /// The counts that statistics are made from: pairs as soon as there is
    /// one, since the games of a pair depend on each other.
    pub fn counts(&self) -> Counts {
        if self.pairs.iter().any(|&count| count > 0) {
            Counts::Pairs(self.pairs)
        } else {
            Counts::Games(self.games)
        }
    }

    /// Games played.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points: a win is one, a draw half of one.
    pub fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }

    /// The share of the points, 0 to 1; 0.5 before the first game.
    pub fn score(&self) -> f64 {
        Counts::Games(self.games).score()
    }

    /// The share of draws, 0 to 1.
    pub fn draw_ratio(&self) -> f64 {
        self.games[1] as f64 / self.total().max(1) as f64
    }

    /// The same from the other side.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }
}

/// The state of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// The engines, in the user's order.
    pub rows: Vec<Row>,
    /// Games that count.
    pub games: u64,
    /// By pairing, the engine that comes first in the list of engines first.
    encounters: BTreeMap<[usize; 2], Tally>,
    /// Half points of the first engine in pairs of which one game is missing.
    half_pairs: HashMap<u64, usize>,
    anchors: Vec<(usize, f64)>,
    overhead: Histogram,
}

impl Standings {
    /// Before the first game.
    pub fn new(names: impl Iterator<Item = String>) -> Self {
        let row = |name| Row {
            name,
            ..Row::default()
        };
        Self {
            rows: names.map(row).collect(),
            ..Self::default()
        }
    }

    /// Fixes the ratings of some engines; the last word on an engine counts.
    ///
    /// # Errors
    /// If there is no engine of such a name; the text says which.
    pub fn anchor(&mut self, anchors: &[Anchor]) -> Result<(), String> {
        let mut fixed = BTreeMap::new();
        for Anchor { name, elo } in anchors {
            let engine = self.engine(name).ok_or_else(|| {
                let names: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
                format!(
                    "no engine is called `{name}`; there are {}",
                    names.join(", ")
                )
            })?;
            fixed.insert(engine, *elo);
        }
        self.anchors = fixed.into_iter().collect();
        Ok(())
    }

    /// The number of the engine of that name.
    pub fn engine(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.name == name)
    }

    /// Counts a game. One whose engines are not both in the list does not
    /// count.
    pub fn add(&mut self, record: &GameRecord) {
        let seats = [&record.black, &record.white].map(|name| self.engine(name));
        let [Some(black), Some(white)] = seats else {
            return;
        };
        self.games += 1;
        let black_halves = match record.winner.as_deref() {
            None => 1,
            Some("black") => 2,
            Some(_) => 0,
        };
        let (pairing, halves) = if black < white {
            ([black, white], black_halves)
        } else {
            ([white, black], 2 - black_halves)
        };
        let [one, other] = pairing;
        self.rows[one].results.games[halves] += 1;
        self.rows[other].results.games[2 - halves] += 1;
        let encounter = self.encounters.entry(pairing).or_default();
        encounter.games[halves] += 1;
        match self.half_pairs.remove(&record.pair) {
            Some(earlier) => {
                let halves = earlier + halves;
                encounter.pairs[halves] += 1;
                self.rows[one].results.pairs[halves] += 1;
                self.rows[other].results.pairs[4 - halves] += 1;
            }
            None => {
                self.half_pairs.insert(record.pair, halves);
            }
        }
        self.add_fault(record, if black_halves == 0 { black } else { white });
        self.add_moves(record, black, white);
    }

    fn add_fault(&mut self, record: &GameRecord, loser: usize) {
        match record.reason {
            reason if !reason.is_fault() => {}
            Reason::Time => self.rows[loser].time_losses += 1,
            _ => self.rows[loser].faults += 1,
        }
    }

    fn add_moves(&mut self, record: &GameRecord, black: usize, white: usize) {
        for mv in &record.moves {
            let row = &mut self.rows[if mv.side == "black" { black } else { white }];
            if let Some(ms) = mv.ms {
                row.moves += 1;
                row.millis += ms;
            }
            if let Some(depth) = mv.depth {
                row.searches += 1;
                row.depths += u64::from(depth);
            }
            if let Some(micros) = mv.overhead_us {
                self.overhead.add(micros);
            }
        }
    }

    /// The results of one engine against another, from its side; none if they
    /// have not met.
    pub fn encounter(&self, one: usize, other: usize) -> Option<Tally> {
        if one < other {
            self.encounters.get(&[one, other]).copied()
        } else {
            self.encounters.get(&[other, one]).map(|met| met.reversed())
        }
    }

    /// The ratings of the engines, in their order.
    pub fn ratings(&self) -> Vec<Rating> {
        let encounters: Vec<ratings::Encounter> = self
            .encounters
            .iter()
            .map(|(&players, tally)| ratings::Encounter {
                players,
                counts: tally.counts(),
            })
            .collect();
        ratings::fit(self.rows.len(), &encounters, &self.anchors)
    }

    /// Whether the rating of an engine is given and not found.
    pub fn is_anchor(&self, engine: usize) -> bool {
        self.anchors.iter().any(|&(anchor, _)| anchor == engine)
    }

    /// The engines by rating, the strongest first, with what they are rated.
    pub fn ranking(&self) -> Vec<(usize, Rating)> {
        let mut ranking: Vec<(usize, Rating)> = self.ratings().into_iter().enumerate().collect();
        ranking.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
        ranking
    }

    /// What the arena, and other commands to the engines, took a move:
    /// median and longest, in microseconds.
    pub fn overhead(&self) -> Option<(u64, u64)> {
        Some((self.overhead.median()?, self.overhead.longest))
    }

    /// Whole pairs of the first engine, which a sequential test is about.
    pub fn tested(&self) -> Counts {
        Counts::Pairs(self.rows.first().map_or([0; 5], |row| row.results.pairs))
    }

    /// What a sequential test of the first engine against the second says.
    /// Games alone say nothing yet: it is a test of pairs.
    pub fn verdict(&self, sprt: &Sprt) -> Verdict {
        sprt.verdict(&self.tested())
    }
}

/// Counts of times by ten microseconds; the last class holds all longer ones.
#[derive(Clone, Debug)]
struct Histogram {
    counts: Vec<u64>,
    longest: u64,
}

impl Histogram {
    const STEP: u64 = 10;

    fn add(&mut self, micros: u64) {
        let class = (micros / Self::STEP).min(self.counts.len() as u64 - 1);
        self.counts[class as usize] += 1;
        self.longest = self.longest.max(micros);
    }

    fn median(&self) -> Option<u64> {
        let total: u64 = self.counts.iter().sum();
        let mut below = 0;
        let class = self.counts.iter().position(|&count| {
            below += count;
            count > 0 && 2 * below >= total
        })?;
        Some(class as u64 * Self::STEP)
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            counts: vec![0; 10_000],
            longest: 0,
        }
    }
}
