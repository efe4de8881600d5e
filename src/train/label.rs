//! `quadrille train label`: better labels than how a game between equals went
//! on.
//!
//! From the last phase to the first: the positions of a phase that are not
//! solved are judged by a search that ends in the phases after it, and on
//! these labels the weights of the phase are fitted, with which the phase
//! before it is judged. So no label rests on a guess about the game's course,
//! and the first ones on exact values.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::Trainable;
use super::args::LabelArgs;
use super::data::{Chunk, Kind, chunks, keep_settings};
use super::export::decoded;
use super::fit::{Example, fit_examples, load_phase, save_phase};
use super::progress::Progress;
use super::selfplay::Player;
use crate::command::Failure;
use crate::search::heuristics::Knowledge;
use crate::zobrist::splitmix64;

/// Positions that are judged with one table, one after the other.
const BATCH: usize = 4096;

/// Labels every phase the directory does not have yet, then writes the
/// chunks.
///
/// # Errors
/// If there is no data, or files cannot be read or written.
pub fn run<G: Trainable>(start: G, args: &LabelArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.info.name;
    // Without exact values at the end of the game there is nothing to begin with.
    if start.network().is_some() || G::EXPLORES.is_some() {
        return Err(Failure::Usage(format!(
            "{game} has no labels of this kind: `train fit` takes the games as they are"
        )));
    }
    let mut sources = Vec::new();
    for directory in &args.data {
        sources.extend(chunks(directory)?.into_iter().map(|(_, path)| path));
    }
    let mut ladder = Ladder::load(start, args, &sources)?;
    let settings = format!(
        "label {game} chunks {} keep {} depth {} ridge {} iterations {}\n",
        sources.len(),
        args.keep,
        args.depth,
        args.ridge,
        args.iterations
    );
    keep_settings(&args.directory, &settings)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|error| Failure::Refused(format!("cannot start threads: {error}")))?;
    pool.install(|| ladder.climb())?;
    ladder.save(sources.len())?;
    writeln!(
        out,
        "{} chunks in {}",
        sources.len(),
        args.directory.display()
    )?;
    Ok(())
}

struct Ladder<'a, G: Trainable> {
    start: G,
    args: &'a LabelArgs,
    examples: Vec<Example<G>>,
    /// How many examples each chunk has.
    sizes: Vec<usize>,
}

impl<'a, G: Trainable> Ladder<'a, G> {
    fn load(start: G, args: &'a LabelArgs, sources: &[PathBuf]) -> Result<Self, Failure> {
        let mut ladder = Self {
            start,
            args,
            examples: Vec::new(),
            sizes: Vec::new(),
        };
        let mut state = 0;
        for path in sources {
            let chunk = Chunk::load(path, G::PACKED, args.game.info.name)?;
            let before = ladder.examples.len();
            let some = Example::all(&start, &chunk).filter(|example| {
                let (next, random) = splitmix64(state);
                state = next;
                example.kind == Kind::Exact || random % 100 < args.keep.into()
            });
            ladder.examples.extend(some);
            ladder.sizes.push(ladder.examples.len() - before);
        }
        Ok(ladder)
    }

    fn climb(&mut self) -> Result<(), Failure> {
        let phases = self.start.phases();
        let progress = Progress::new("phases", phases as u64);
        let game = self.args.game.info.name;
        let mut fitted: Vec<Vec<f32>> = Vec::new();
        for phase in 0..phases {
            let chosen: Vec<usize> = (0..self.examples.len())
                .filter(|&index| self.start.phase_of(&self.examples[index].position) == phase)
                .collect();
            self.judge(&chosen, &fitted)?;
            let kept = load_phase(&self.args.directory, game, phase);
            let weights = match kept {
                Ok(weights) if weights.len() == self.start.parameters() => weights,
                _ => {
                    let ready = self
                        .examples
                        .iter()
                        .filter(|example| self.start.phase_of(&example.position) <= phase);
                    let prior = fitted.last().cloned();
                    let weights = fit_examples(
                        &self.start,
                        ready,
                        phase,
                        prior,
                        self.args.ridge,
                        self.args.iterations,
                    );
                    save_phase(&self.args.directory, game, phase, &weights)?;
                    weights
                }
            };
            fitted.push(weights);
            progress.advance(1);
        }
        Ok(())
    }

    /// Searches the chosen examples with the phases fitted so far.
    fn judge(&mut self, chosen: &[usize], fitted: &[Vec<f32>]) -> Result<(), Failure> {
        let open: Vec<usize> = chosen
            .iter()
            .copied()
            .filter(|&index| self.examples[index].kind != Kind::Exact)
            .collect();
        if open.is_empty() || fitted.is_empty() {
            return Ok(());
        }
        let knowledge = Arc::new(Knowledge {
            tables: decoded(&self.start, fitted)?,
            identity: String::new(),
        });
        let progress = Progress::new("positions", open.len() as u64);
        let labels = open
            .par_chunks(BATCH)
            .map(|batch| {
                let mut player = Player::new(&knowledge, self.args.depth)?;
                let judge = |&index: &usize| {
                    player.clear();
                    let report = player.think(&self.examples[index].position, &[]);
                    progress.advance(1);
                    (index, report.score.0 as f32 / 100.0)
                };
                Ok(batch.iter().map(judge).collect::<Vec<_>>())
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        for (index, label) in labels.into_iter().flatten() {
            self.examples[index].label = label;
            self.examples[index].kind = Kind::Searched;
        }
        Ok(())
    }

    fn save(&self, chunks: usize) -> Result<(), Failure> {
        let mut rest = self.examples.as_slice();
        for number in 0..chunks {
            let (examples, others) = rest.split_at(self.sizes[number]);
            rest = others;
            let mut chunk = Chunk::new(G::PACKED);
            for example in examples {
                let label = (example.label * 100.0).round() as i32;
                chunk.push(|bytes| example.position.pack(bytes), label, example.kind);
            }
            chunk.save(
                &self.args.directory,
                number as u64,
                self.args.game.info.name,
            )?;
        }
        Ok(())
    }
}
