//! `quadrille train probcut`: how far a shallow search is from a deeper one.
//!
//! Positions of the data are searched to every depth up to a limit, nothing
//! left out. The size of the differences, which grows with the depth and
//! changes in the course of the game, is fitted as `a + b depth + c moves
//! left`.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use rand::RngExt;

use super::Trainable;
use super::args::ProbcutArgs;
use super::data::{Chunk, chunks, refused};
use super::fit::Example;
use super::progress::Progress;
use super::selfplay::{knowledge, seeded};
use crate::command::{Failure, read};
use crate::search::heuristics::Depth;
use crate::search::probcut::probe_depth;
use crate::search::{Engine, Handler, Limits, Report, Settings, Switches};
use crate::weights::{Packed, Weights};

/// The least depth that is foretold.
const FIRST: Depth = 3;

/// MiB of the table.
const HASH: usize = 64;

/// A normal distribution's standard deviation for each unit of its mean
/// absolute deviation.
const DEVIATIONS: f64 = 1.2533;

/// Measures, fits, and writes the model into the weight file.
///
/// # Errors
/// If the game has no such model, there is no data, or files cannot be read
/// or written.
pub fn run<G: Trainable>(start: G, args: &ProbcutArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let refusal = || Failure::Usage(format!("{} is searched in full", args.game.info.name));
    if start.probcut_section(&|_, _| 0.0).is_none() {
        return Err(refusal());
    }
    let samples = measure(&start, args)?;
    let model = Model::fit(&samples)
        .ok_or_else(|| Failure::Usage("too few positions have so many moves left".into()))?;
    writeln!(out, "depth  probe  searches   error   model")?;
    for depth in FIRST..=args.depth {
        let of_depth = samples.iter().filter(|sample| sample.depth == depth);
        let (mut count, mut squared, mut foretold) = (0.0, 0.0, 0.0);
        for sample in of_depth {
            count += 1.0;
            squared += sample.difference * sample.difference;
            foretold += model.error(sample.moves_left, depth);
        }
        writeln!(
            out,
            "{depth:>5}  {:>5}  {count:>8}  {:>6.2}  {:>6.2}",
            probe_depth(depth),
            f64::sqrt(squared / count),
            foretold / count
        )?;
    }
    let [a, b, c] = model.0;
    writeln!(out, "error = {a:.3} + {b:.3} depth + {c:.4} moves left")?;
    let error = |moves_left: f64, depth| model.error(moves_left, depth);
    let (section, numbers) = start.probcut_section(&error).ok_or_else(refusal)?;
    let weights = Weights::parse(&read(&args.file)?).map_err(|error| refused(&args.file, error))?;
    let mut file = Packed::from(&weights);
    file.set_plain(&section, &numbers);
    std::fs::write(&args.file, file.to_bytes()).map_err(|error| refused(&args.file, error))?;
    Ok(())
}

/// A search foretold by a shallow one.
struct Sample {
    depth: Depth,
    moves_left: f64,
    /// In units.
    difference: f64,
}

fn measure<G: Trainable>(start: &G, args: &ProbcutArgs) -> Result<Vec<Sample>, Failure> {
    let switches = Switches {
        probcut: false,
        ..Switches::default()
    };
    let settings = Settings {
        hash: HASH,
        switches,
        ..Settings::default()
    };
    let knowledge = knowledge::<G>(Some(&args.file))?;
    let mut engine = Engine::new(Arc::clone(&knowledge), settings).map_err(Failure::Refused)?;
    let limits = Limits {
        depth: Some(args.depth),
        ..Limits::default()
    };
    let positions = choose(start, args)?;
    let progress = Progress::new("positions", positions.len() as u64);
    let mut samples = Vec::new();
    for position in positions {
        let scores = Scores::default();
        engine.clear();
        engine.think(&position, &[], &limits, &scores);
        let scores = scores
            .0
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        for depth in FIRST..=args.depth {
            let score = |depth: Depth| scores.get(depth as usize - 1).copied();
            if let (Some(shallow), Some(deep)) = (score(probe_depth(depth)), score(depth)) {
                samples.push(Sample {
                    depth,
                    moves_left: position.moves_left().into(),
                    difference: f64::from(deep - shallow) / 100.0,
                });
            }
        }
        progress.advance(1);
    }
    Ok(samples)
}

/// Positions in which so deep a search does not see the end.
fn choose<G: Trainable>(start: &G, args: &ProbcutArgs) -> Result<Vec<G>, Failure> {
    let mut random = seeded(args.seed, 0);
    let sources = chunks(&args.data)?;
    let mut positions = Vec::new();
    for (_, path) in &sources {
        let chunk = Chunk::load(path, G::PACKED, args.game.info.name)?;
        let deep = Example::all(start, &chunk)
            .map(|example| example.position)
            .filter(|position| position.moves_left() > args.depth.unsigned_abs());
        let mut deep: Vec<G> = deep.collect();
        let wanted = (args.positions - positions.len()).min(args.positions / sources.len() + 1);
        for _ in 0..wanted.min(deep.len()) {
            positions.push(deep.swap_remove(random.random_range(0..deep.len())));
        }
    }
    Ok(positions)
}

/// The scores of the iterations.
#[derive(Default)]
struct Scores(Mutex<Vec<i32>>);

impl<M> Handler<M> for Scores {
    fn progress(&self, report: &Report<M>) {
        let mut scores = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if report.depth as usize == scores.len() + 1 {
            scores.push(report.score.0);
        }
    }

    fn stop(&self) -> bool {
        false
    }
}

/// The factors of 1, the depth and the moves that are left.
struct Model([f64; 3]);

impl Model {
    /// By least squares on the absolute differences.
    fn fit(samples: &[Sample]) -> Option<Self> {
        // The normal equations, with what they are to give in the last column.
        let mut rows = [[0.0; 4]; 3];
        for sample in samples {
            let terms = [
                1.0,
                f64::from(sample.depth),
                sample.moves_left,
                sample.difference.abs() * DEVIATIONS,
            ];
            for (row, term) in rows.iter_mut().zip(terms) {
                for (sum, other) in row.iter_mut().zip(terms) {
                    *sum += term * other;
                }
            }
        }
        for pivot in 0..3 {
            let row = rows[pivot];
            if row[pivot].abs() < 1e-6 {
                return None;
            }
            for (index, other) in rows.iter_mut().enumerate() {
                if index != pivot {
                    let factor = other[pivot] / row[pivot];
                    for (value, from) in other.iter_mut().zip(row) {
                        *value -= factor * from;
                    }
                }
            }
        }
        Some(Self(std::array::from_fn(|i| rows[i][3] / rows[i][i])))
    }

    /// The standard deviation in units, never less than a tenth.
    fn error(&self, moves_left: f64, depth: Depth) -> f64 {
        let [a, b, c] = self.0;
        (a + b * f64::from(depth) + c * moves_left).max(0.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_again() {
        let samples: Vec<Sample> = (3..10)
            .flat_map(|depth| (20..40).map(move |moves| (depth, f64::from(moves))))
            .map(|(depth, moves_left)| Sample {
                depth,
                moves_left,
                difference: (1.0 + 0.25 * f64::from(depth) + 0.02 * moves_left) / -DEVIATIONS,
            })
            .collect();
        let model = Model::fit(&samples).expect("enough samples");
        assert!((model.error(30.0, 8) - 3.6).abs() < 1e-6);
        assert!(Model::fit(&samples[..1]).is_none());
    }
}
