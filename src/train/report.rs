//! How far the fitted evaluation is from labels it has never seen, as text,
//! JSON and a plot.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::data::{Kind, refused};
use crate::command::{Failure, write_json};

/// Sums of squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: u64,
    error: f64,
    squared: f64,
    label: f64,
    label_squared: f64,
}

/// Errors by the moves that are left and the kind of the label.
#[derive(Default)]
pub struct Errors {
    by_moves: BTreeMap<(u32, bool), Sums>,
}

impl Errors {
    /// Counts a position.
    pub fn add(&mut self, moves_left: u32, kind: Kind, label: f32, value: f32) {
        let sums = self
            .by_moves
            .entry((moves_left, kind == Kind::Exact))
            .or_default();
        let (label, error) = (f64::from(label), f64::from(value - label));
        sums.count += 1;
        sums.error += error;
        sums.squared += error * error;
        sums.label += label;
        sums.label_squared += label * label;
    }

    /// Takes in others.
    pub fn merge(&mut self, others: &Self) {
        for (&key, sums) in &others.by_moves {
            let own = self.by_moves.entry(key).or_default();
            own.count += sums.count;
            own.error += sums.error;
            own.squared += sums.squared;
            own.label += sums.label;
            own.label_squared += sums.label_squared;
        }
    }
}

/// The errors where so many moves are left.
#[derive(Serialize)]
pub(super) struct Row {
    moves_left: u32,
    /// Whether the labels are exact.
    exact: bool,
    positions: u64,
    /// The root of the mean squared error, in units.
    error: f64,
    /// The mean of what the evaluation says too much.
    bias: f64,
    /// How far the labels are spread.
    spread: f64,
}

/// What is written about a fit.
#[derive(Serialize)]
pub struct Report {
    game: String,
    settings: String,
    positions: usize,
    /// Over all held-out positions.
    error: f64,
    rows: Vec<Row>,
}

impl Report {
    /// From the errors on held-out positions.
    pub fn new(game: &str, settings: &str, positions: usize, errors: &Errors) -> Self {
        let rows = errors.by_moves.iter().map(|(&(moves_left, exact), sums)| {
            let count = sums.count as f64;
            let mean = sums.label / count;
            Row {
                moves_left,
                exact,
                positions: sums.count,
                error: (sums.squared / count).sqrt(),
                bias: sums.error / count,
                spread: (sums.label_squared / count - mean * mean).max(0.0).sqrt(),
            }
        });
        let all = errors.by_moves.values();
        let count: u64 = all.clone().map(|sums| sums.count).sum();
        let squared: f64 = all.map(|sums| sums.squared).sum();
        Self {
            game: game.to_string(),
            settings: settings.to_string(),
            positions,
            error: (squared / count.max(1) as f64).sqrt(),
            rows: rows.collect(),
        }
    }

    /// Writes `report.json` and `error.svg` into the directory and a table to
    /// `out`.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn write(&self, directory: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        let mut json = Vec::new();
        write_json(&mut json, self)?;
        for (name, contents) in [
            ("report.json", json),
            ("error.svg", self.plot().into_bytes()),
        ] {
            let path = directory.join(name);
            std::fs::write(&path, contents).map_err(|error| refused(&path, error))?;
        }
        writeln!(
            out,
            "moves left  labels   positions   error    bias  spread"
        )?;
        for row in &self.rows {
            let labels = if row.exact { "exact" } else { "others" };
            writeln!(
                out,
                "{:>10}  {labels:<6}  {:>10}  {:>6.2}  {:>6.2}  {:>6.2}",
                row.moves_left, row.positions, row.error, row.bias, row.spread
            )?;
        }
        writeln!(out, "all: {:.3}", self.error)?;
        Ok(())
    }

    /// The error by moves left, one line for exact labels and one for others.
    fn plot(&self) -> String {
        const WIDTH: f64 = 640.0;
        const HEIGHT: f64 = 360.0;
        const MARGIN: f64 = 40.0;
        let last = self
            .rows
            .iter()
            .map(|row| row.moves_left)
            .max()
            .unwrap_or(1);
        let most = self
            .rows
            .iter()
            .map(|row| row.error)
            .fold(1.0, f64::max)
            .ceil();
        let x = |moves: u32| MARGIN + f64::from(moves) / f64::from(last) * (WIDTH - 2.0 * MARGIN);
        let y = |error: f64| HEIGHT - MARGIN - error / most * (HEIGHT - 2.0 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{MARGIN}\" y=\"20\">{}: held-out error by moves left</text>\n",
            self.game
        );
        for tick in 0..=most as u32 {
            let y = y(tick.into());
            let _ = writeln!(
                svg,
                "<path d=\"M{MARGIN} {y:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"12\" \
                 y=\"{:.1}\">{tick}</text>",
                WIDTH - MARGIN,
                y + 4.0
            );
        }
        for tick in (0..=last).step_by(5) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
                x(tick),
                HEIGHT - MARGIN + 16.0
            );
        }
        for (exact, colour, name) in [(true, "#06c", "exact labels"), (false, "#c60", "others")] {
            let points: Vec<String> = self
                .rows
                .iter()
                .filter(|row| row.exact == exact)
                .map(|row| format!("{:.1},{:.1}", x(row.moves_left), y(row.error)))
                .collect();
            let row = if exact { 36.0 } else { 50.0 };
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
                 <text x=\"{:.1}\" y=\"{row}\" fill=\"{colour}\">{name}</text>",
                points.join(" "),
                WIDTH - 120.0
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_counted_by_hand() {
        let mut errors = Errors::default();
        errors.add(10, Kind::Exact, 2.0, 5.0);
        errors.add(10, Kind::Exact, 6.0, 2.0);
        let mut others = Errors::default();
        others.add(20, Kind::Played, 0.0, 1.0);
        errors.merge(&others);
        let report = Report::new("x", "y", 3, &errors);
        assert_eq!(report.rows.len(), 2);
        assert_eq!(report.rows[0].positions, 2);
        assert!((report.rows[0].error - 12.5_f64.sqrt()).abs() < 1e-9);
        assert!((report.rows[0].bias + 0.5).abs() < 1e-9);
        assert!((report.rows[0].spread - 2.0).abs() < 1e-9);
        assert!((report.error - (26.0_f64 / 3.0).sqrt()).abs() < 1e-9);
        let plot = report.plot();
        assert_eq!(plot.matches("<polyline").count(), 2);
        assert!(!plot.contains("NaN"));
    }
}
