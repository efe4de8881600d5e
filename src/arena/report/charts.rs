//! Where the lines and bars of the page's charts run. The template draws
//! them, so that it escapes every text.

use serde::Serialize;

use super::evidence::Evidence;
use super::summary::{Summary, Test};

/// Lines drawn in one chart; more cannot be told apart.
const LINES: usize = 6;

/// A mark on an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Tick {
    /// Where, in the chart's units.
    pub(super) at: f64,
    pub(super) label: String,
}

/// A chart of lines, 640 wide and 240 high.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LineChart {
    pub(super) title: String,
    pub(super) x_label: &'static str,
    pub(super) lines: Vec<Line>,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// Horizontal lines that mean something.
    pub(super) bounds: Vec<Tick>,
}

/// A line, in the form of SVG's `points`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: String,
}

/// The drawn part of a chart of lines.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 628.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 208.0;

/// A stretch of numbers, and where it lies on the page.
#[derive(Clone, Copy)]
struct Scale {
    numbers: [f64; 2],
    places: [f64; 2],
}

impl Scale {
    /// Numbers that are all the same get some room.
    fn new(least: f64, most: f64, places: [f64; 2]) -> Self {
        let most = if most > least { most } else { least + 1.0 };
        Self {
            numbers: [least, most],
            places,
        }
    }

    fn place(&self, number: f64) -> f64 {
        let [least, most] = self.numbers;
        let [from, to] = self.places;
        let place = from + (number - least) / (most - least) * (to - from);
        (place * 10.0).round() / 10.0
    }

    /// About `count` round numbers within.
    fn ticks(&self, count: f64) -> Vec<Tick> {
        let [least, most] = self.numbers;
        let rough = (most - least) / count;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|&step| step >= rough * 0.999)
            .unwrap_or(rough);
        let digits = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
        // A bound that should be a tick may miss it by a rounding.
        let first = (least / step - 1e-9).ceil() as i64;
        let last = (most / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|number| number as f64 * step)
            .map(|value| Tick {
                at: self.place(value),
                // Adding zero makes -0 a plain 0.
                label: format!("{:.digits$}", value + 0.0),
            })
            .collect()
    }
}

type Points = Vec<(f64, f64)>;

fn line_chart(
    title: String,
    x_label: &'static str,
    lines: Vec<(String, Points)>,
    bounds: &[(f64, String)],
) -> LineChart {
    let all = || lines.iter().flat_map(|(_, points)| points);
    let heights = || all().map(|&(_, y)| y).chain(bounds.iter().map(|&(y, _)| y));
    let x_most = all().map(|&(x, _)| x).fold(1.0, f64::max);
    let x = Scale::new(0.0, x_most, [LEFT, RIGHT]);
    let room = |y: f64| 1.08 * y;
    let y = Scale::new(
        room(heights().fold(0.0, f64::min)),
        room(heights().fold(0.0, f64::max)),
        [BOTTOM, TOP],
    );
    let drawn = |points: &Points| -> String {
        let points: Vec<String> = points
            .iter()
            .map(|&(a, b)| format!("{},{}", x.place(a), y.place(b)))
            .collect();
        points.join(" ")
    };
    LineChart {
        title,
        x_label,
        x_ticks: x.ticks(7.0),
        y_ticks: y.ticks(5.0),
        bounds: bounds
            .iter()
            .map(|(at, label)| Tick {
                at: y.place(*at),
                label: label.clone(),
            })
            .collect(),
        lines: lines
            .iter()
            .map(|(name, points)| Line {
                name: name.clone(),
                points: drawn(points),
            })
            .collect(),
    }
}

/// The ratio of a sequential test, with the bounds at which it ends.
pub(super) fn test(test: &Test) -> LineChart {
    let points = test.curve.iter().map(|&(pairs, llr)| (pairs as f64, llr));
    line_chart(
        "Log-likelihood ratio after each pair".to_string(),
        "pairs",
        vec![("LLR".to_string(), points.collect())],
        &[
            (test.upper, format!("H1 {:.2}", test.upper)),
            (test.lower, format!("H0 {:.2}", test.lower)),
        ],
    )
}

/// Time and depth by ply, of the strongest engines.
pub(super) fn paces(evidence: &Evidence, summary: &Summary) -> Vec<LineChart> {
    let mut millis = vec![Means::default(); summary.engines.len()];
    let mut depths = millis.clone();
    let place = |name: &str| {
        summary
            .engines
            .iter()
            .position(|engine| engine.name == name)
    };
    for record in &evidence.records {
        let seats = [place(&record.black), place(&record.white)];
        let first = record.opening.moves.len();
        for (ply, mv) in record.moves.iter().enumerate() {
            let Some(engine) = seats[usize::from(mv.side != "black")] else {
                continue;
            };
            let ply = first + ply + 1;
            if let Some(ms) = mv.ms {
                millis[engine].add(ply, ms);
            }
            if let Some(depth) = mv.depth {
                depths[engine].add(ply, f64::from(depth));
            }
        }
    }
    let chart = |title: &str, means: Vec<Means>| {
        let lines = means.iter().zip(&summary.engines);
        let lines: Vec<(String, Points)> = lines
            .map(|(means, engine)| (engine.name.clone(), means.points()))
            .filter(|(_, points)| points.len() > 1)
            .take(LINES)
            .collect();
        (!lines.is_empty()).then(|| line_chart(title.to_string(), "ply", lines, &[]))
    };
    let millis = chart("Milliseconds a move, by ply", millis);
    let depths = chart("Search depth in plies, by ply", depths);
    millis.into_iter().chain(depths).collect()
}

/// Means by ply.
#[derive(Clone, Default)]
struct Means {
    sums: Vec<(f64, f64)>,
}

impl Means {
    fn add(&mut self, ply: usize, value: f64) {
        if self.sums.len() <= ply {
            self.sums.resize(ply + 1, (0.0, 0.0));
        }
        self.sums[ply].0 += value;
        self.sums[ply].1 += 1.0;
    }

    /// Each over two plies, since an engine moves in every second one.
    fn points(&self) -> Points {
        let pairs = self.sums.chunks(2).enumerate();
        pairs
            .filter_map(|(index, plies)| {
                let sum: f64 = plies.iter().map(|(sum, _)| sum).sum();
                let count: f64 = plies.iter().map(|(_, count)| count).sum();
                (count > 0.0).then(|| (2.0 * index as f64 + 0.5, sum / count))
            })
            .collect()
    }
}

/// Ratings as bars with their errors, 640 wide.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RatingChart {
    pub(super) height: f64,
    pub(super) bars: Vec<Bar>,
    pub(super) ticks: Vec<Tick>,
}

/// One engine's.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) y: f64,
    pub(super) at: f64,
    /// Where its interval begins and ends.
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where the bar begins and how long it is.
    pub(super) from: f64,
    pub(super) length: f64,
    pub(super) label: String,
}

/// The ratings of all engines.
pub(super) fn ratings(summary: &Summary) -> RatingChart {
    const ROW: f64 = 34.0;
    let ends = |sign: f64| {
        summary
            .engines
            .iter()
            .map(move |engine| engine.rating + sign * engine.rating_error)
    };
    // Ratings around zero grow from it; those anchored elsewhere from the
    // left edge.
    let least = ends(-1.0).fold(f64::INFINITY, f64::min).min(f64::MAX);
    let most = ends(1.0).fold(f64::NEG_INFINITY, f64::max).max(f64::MIN);
    let room = 0.06 * (most - least).max(1.0);
    let x = Scale::new(least - room, most + room, [170.0, 540.0]);
    let base = x.place(0.0_f64.clamp(x.numbers[0], x.numbers[1]));
    let bars = summary.engines.iter().enumerate().map(|(index, engine)| {
        let at = x.place(engine.rating);
        Bar {
            name: engine.name.clone(),
            y: 8.0 + ROW * index as f64,
            at,
            low: x.place(engine.rating - engine.rating_error),
            high: x.place(engine.rating + engine.rating_error),
            from: at.min(base),
            length: (at - base).abs(),
            label: match engine.anchor {
                true => format!("{:.0} given", engine.rating),
                false => format!("{:+.0} ± {:.0}", engine.rating, engine.rating_error),
            },
        }
    });
    RatingChart {
        height: ROW * summary.engines.len() as f64 + 34.0,
        bars: bars.collect(),
        ticks: x.ticks(6.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(least: f64, most: f64) -> Vec<String> {
        let ticks = Scale::new(least, most, [0.0, 100.0]).ticks(5.0);
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within() {
        assert_eq!(labels(0.0, 10.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(-3.1, 3.1), ["-2", "0", "2"]);
        assert_eq!(labels(0.0, 0.3), ["0.0", "0.1", "0.2", "0.3"]);
        assert!(!labels(7.0, 7.0).is_empty());
    }

    #[test]
    fn a_line_stays_within_its_chart() {
        let points = vec![(0.0, 0.0), (10.0, -5.0), (20.0, 9.0)];
        let chart = line_chart(
            String::new(),
            "",
            vec![(String::new(), points)],
            &[(12.0, String::new())],
        );
        for point in chart.lines[0].points.split(' ') {
            let (x, y) = point.split_once(',').expect("a pair");
            let [x, y]: [f64; 2] = [x, y].map(|n| n.parse().expect("a number"));
            assert!(
                (LEFT..=RIGHT).contains(&x) && (TOP..=BOTTOM).contains(&y),
                "{point}"
            );
        }
        assert!(chart.bounds[0].at >= TOP);
    }
}
