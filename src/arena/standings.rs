//! Where a tournament stands. Everything here follows from the records alone,
//! so that a resumed tournament ends with the same totals.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use super::record::{GameRecord, Reason};
use super::schedule::Fixture;
use super::sprt::{Sprt, Verdict};
use super::stats::Counts;

/// What an engine has done so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Games lost, drawn and won.
    pub games: [u64; 3],
    /// Whole pairs, by points.
    pub pairs: [u64; 5],
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
    /// The counts that statistics are made from: pairs as soon as there is
    /// one, since the games of a pair depend on each other.
    pub fn counts(&self) -> Counts {
        if self.pairs.iter().any(|&count| count > 0) {
            Counts::Pairs(self.pairs)
        } else {
            Counts::Games(self.games)
        }
    }

    fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }
}

/// The state of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// The engines, in the user's order.
    pub rows: Vec<Row>,
    /// Games that count.
    pub games: u64,
    /// Half points of the first engine in pairs of which one game is missing.
    half_pairs: HashMap<u64, usize>,
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

    /// Counts a game.
    pub fn add(&mut self, fixture: &Fixture, record: &GameRecord) {
        self.games += 1;
        let [one, other] = fixture.pairing;
        let winner = match record.winner.as_deref() {
            Some("black") => Some(&record.black),
            Some(_) => Some(&record.white),
            None => None,
        };
        let halves = match winner {
            None => 1,
            Some(name) if *name == self.rows[one].name => 2,
            Some(_) => 0,
        };
        self.rows[one].games[halves] += 1;
        self.rows[other].games[2 - halves] += 1;
        if record.reason.is_fault() {
            let loser = &mut self.rows[if halves == 0 { one } else { other }];
            match record.reason {
                Reason::Time => loser.time_losses += 1,
                _ => loser.faults += 1,
            }
        }
        match self.half_pairs.remove(&fixture.pair) {
            Some(earlier) => {
                self.rows[one].pairs[earlier + halves] += 1;
                self.rows[other].pairs[4 - earlier - halves] += 1;
            }
            None => {
                self.half_pairs.insert(fixture.pair, halves);
            }
        }
        self.add_moves(fixture, record);
    }

    fn add_moves(&mut self, fixture: &Fixture, record: &GameRecord) {
        let [one, other] = fixture.pairing;
        let black = if record.black == self.rows[one].name {
            one
        } else {
            other
        };
        let white = if black == one { other } else { one };
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

    /// What a sequential test of the first engine against the second says.
    /// Games alone say nothing yet: it is a test of pairs.
    pub fn verdict(&self, sprt: &Sprt) -> Verdict {
        sprt.verdict(&Counts::Pairs(self.rows[0].pairs))
    }

    /// Several lines for people.
    pub fn report(&self, sprt: Option<&Sprt>) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = if self.rows.len() == 2 {
            self.duel(&mut text)
        } else {
            self.table(&mut text)
        };
        let _ = self.test(&mut text, sprt);
        let _ = self.conduct(&mut text);
        text
    }

    /// One line for people.
    pub fn headline(&self) -> String {
        let scores: Vec<String> = self
            .rows
            .iter()
            .map(|row| format!("{} {}", row.name, row.points()))
            .collect();
        scores.join(", ")
    }

    fn duel(&self, text: &mut String) -> fmt::Result {
        let row = &self.rows[0];
        let [lost, drawn, won] = row.games;
        let summary = row.counts().summary();
        writeln!(
            text,
            "{} against {}: games {}, +{won} ={drawn} -{lost}, draws {:.1} %, pairs by points 0 to 2 {:?}",
            row.name,
            self.rows[1].name,
            self.games,
            100.0 * drawn as f64 / self.games.max(1) as f64,
            row.pairs,
        )?;
        writeln!(
            text,
            "score {:.2} %, elo {:.1} ± {:.1} (logistic), nelo {:.1} ± {:.1} (normalized), los {:.1} %",
            100.0 * Counts::Games(row.games).score(),
            summary.elo,
            summary.elo_error,
            summary.nelo,
            summary.nelo_error,
            100.0 * summary.los,
        )
    }

    fn table(&self, text: &mut String) -> fmt::Result {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        let score = |row: &Row| Counts::Games(row.games).score();
        rows.sort_by(|a, b| score(b).total_cmp(&score(a)));
        let width = rows.iter().map(|row| row.name.chars().count()).max();
        let width = width.unwrap_or(0).max(6);
        writeln!(
            text,
            "{:width$} {:>6} {:>5} {:>5} {:>5} {:>8}  elo against the others (logistic)",
            "engine", "games", "+", "=", "-", "score"
        )?;
        for row in rows {
            let [lost, drawn, won] = row.games;
            let summary = row.counts().summary();
            writeln!(
                text,
                "{:width$} {:>6} {won:>5} {drawn:>5} {lost:>5} {:>6.2} %  {:.1} ± {:.1}",
                row.name,
                lost + drawn + won,
                100.0 * score(row),
                summary.elo,
                summary.elo_error
            )?;
        }
        Ok(())
    }

    fn test(&self, text: &mut String, sprt: Option<&Sprt>) -> fmt::Result {
        let Some(sprt) = sprt else {
            return Ok(());
        };
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&Counts::Pairs(self.rows[0].pairs));
        write!(
            text,
            "llr {llr:.3} [{lower:.3}, {upper:.3}] of elo0 {} against elo1 {} ({} model, pairs)",
            sprt.elo0, sprt.elo1, sprt.model
        )?;
        match self.verdict(sprt) {
            Verdict::Undecided => writeln!(text),
            Verdict::H0 => writeln!(text, ": H0 is accepted"),
            Verdict::H1 => writeln!(text, ": H1 is accepted"),
        }
    }

    fn conduct(&self, text: &mut String) -> fmt::Result {
        for row in &self.rows {
            write!(
                text,
                "{}: time losses {}, other faults {}, {:.1} ms a move",
                row.name,
                row.time_losses,
                row.faults,
                row.millis / row.moves.max(1) as f64
            )?;
            if row.searches > 0 {
                write!(
                    text,
                    ", depth {:.1}",
                    row.depths as f64 / row.searches as f64
                )?;
            }
            writeln!(text)?;
        }
        if let Some(micros) = self.overhead.median() {
            let millis = micros as f64 / 1e3;
            writeln!(
                text,
                "overhead of the arena: {millis:.2} ms a move (median)"
            )?;
        }
        Ok(())
    }
}

/// Counts of times by ten microseconds; the last class holds all longer ones.
#[derive(Clone, Debug)]
struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    const STEP: u64 = 10;

    fn add(&mut self, micros: u64) {
        let class = (micros / Self::STEP).min(self.counts.len() as u64 - 1);
        self.counts[class as usize] += 1;
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
        }
    }
}
