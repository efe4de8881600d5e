//! The standings for people.

use std::fmt::{self, Write as _};

use super::{Row, Standings};
use crate::arena::ratings::Rating;
use crate::arena::sprt::{Sprt, Verdict};

impl Standings {
    /// Several lines.
    pub fn report(&self, sprt: Option<&Sprt>) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match self.rows.len() {
            2 => self.duel(&mut text),
            _ => self.table(&mut text),
        };
        let _ = self.test(&mut text, sprt);
        let _ = self.conduct(&mut text);
        text
    }

    /// The same with all that is worth knowing at the end: the points of each
    /// engine against each, and ratings.
    pub fn full_report(&self, sprt: Option<&Sprt>) -> String {
        let mut text = String::new();
        let _ = match self.rows.len() {
            2 if self.anchors.is_empty() => Ok(()),
            2 => self.table(&mut text),
            _ => self.crosstable(&mut text),
        };
        text + &self.report(sprt)
    }

    /// One line.
    pub fn headline(&self) -> String {
        let scores: Vec<String> = self
            .rows
            .iter()
            .map(|row| format!("{} {}", row.name, row.results.points()))
            .collect();
        scores.join(", ")
    }

    fn duel(&self, text: &mut String) -> fmt::Result {
        let (row, other) = (&self.rows[0], &self.rows[1]);
        let [lost, drawn, won] = row.results.games;
        let summary = row.results.counts().summary();
        writeln!(
            text,
            "{} against {}: games {}, +{won} ={drawn} -{lost}, draws {:.1} %, pairs by points 0 to 2 {:?}",
            row.name,
            other.name,
            self.games,
            100.0 * row.results.draw_ratio(),
            row.results.pairs,
        )?;
        writeln!(
            text,
            "score {:.2} %, elo {:.1} ± {:.1} (logistic), nelo {:.1} ± {:.1} (normalized), los {:.1} %",
            100.0 * row.results.score(),
            summary.elo,
            summary.elo_error,
            summary.nelo,
            summary.nelo_error,
            100.0 * summary.los,
        )
    }

    /// Widest name in characters, and no narrower than the heading.
    fn name_width(&self) -> usize {
        let widths = self.rows.iter().map(|row| row.name.chars().count());
        widths.max().unwrap_or(0).max(6)
    }

    fn table(&self, text: &mut String) -> fmt::Result {
        let width = self.name_width();
        writeln!(
            text,
            "{:width$} {:>16} {:>6} {:>5} {:>5} {:>5} {:>8} {:>7} {:>6} {:>16} {:>7}",
            "engine",
            "rating ±",
            "games",
            "+",
            "=",
            "-",
            "score",
            "draws",
            "pairs",
            "nelo ±",
            "los"
        )?;
        for (engine, rating) in self.ranking() {
            self.table_row(text, &self.rows[engine], rating, width)?;
        }
        let anchors: Vec<&str> = self
            .anchors
            .iter()
            .map(|&(engine, _)| self.rows[engine].name.as_str())
            .collect();
        match anchors[..] {
            [] => writeln!(
                text,
                "ratings: Bradley-Terry, in logistic Elo, 0 on average; nelo (normalized) and los: \
                 against all others"
            ),
            _ => writeln!(
                text,
                "ratings: Bradley-Terry, in logistic Elo, {} given; nelo (normalized) and los: \
                 against all others",
                anchors.join(", ")
            ),
        }
    }

    fn table_row(&self, text: &mut String, row: &Row, rating: Rating, width: usize) -> fmt::Result {
        let [lost, drawn, won] = row.results.games;
        let summary = row.results.counts().summary();
        let with_error = |value: f64, error: f64| format!("{value:.1} ± {error:.1}");
        writeln!(
            text,
            "{:width$} {:>16} {:>6} {won:>5} {drawn:>5} {lost:>5} {:>6.2} % {:>5.1} % {:>6} {:>16} {:>5.1} %",
            row.name,
            with_error(rating.elo, rating.error),
            row.results.total(),
            100.0 * row.results.score(),
            100.0 * row.results.draw_ratio(),
            row.results.pairs.iter().sum::<u64>(),
            with_error(summary.nelo, summary.nelo_error),
            100.0 * summary.los,
        )
    }

    /// Points of each engine against each.
    fn crosstable(&self, text: &mut String) -> fmt::Result {
        let (width, ranking) = (self.name_width(), self.ranking());
        write!(text, "   {:width$}", "points")?;
        for place in 1..=ranking.len() {
            write!(text, " {place:>12}")?;
        }
        writeln!(text)?;
        for (place, &(engine, _)) in (1..).zip(&ranking) {
            write!(text, "{place:>2} {:width$}", self.rows[engine].name)?;
            for (column, &(other, _)) in (1..).zip(&ranking) {
                let cell = match self.encounter(engine, other) {
                    Some(met) => format!("{} / {}", met.points(), met.total()),
                    None if place == column => "-".to_string(),
                    None => String::new(),
                };
                write!(text, " {cell:>12}")?;
            }
            writeln!(text)?;
        }
        Ok(())
    }

    fn test(&self, text: &mut String, sprt: Option<&Sprt>) -> fmt::Result {
        let Some(sprt) = sprt else {
            return Ok(());
        };
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&self.tested());
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
                row.millis_per_move()
            )?;
            if let Some(depth) = row.depth() {
                write!(text, ", depth {depth:.1}")?;
            }
            writeln!(text)?;
        }
        if let Some((median, longest)) = self.overhead() {
            writeln!(
                text,
                "overhead of the arena: {:.2} ms a move (median), {:.2} ms at most",
                median as f64 / 1e3,
                longest as f64 / 1e3
            )?;
        }
        Ok(())
    }
}
