//! `quadrille train data`: games of the engine against itself.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::Trainable;
use super::args::DataArgs;
use super::data::{Chunk, Kind, chunk_path, keep_settings};
use super::progress::Progress;
use crate::command::{Failure, read};
use crate::game::Outcome;
use crate::search::heuristics::{Depth, Knowledge, legal_moves};
use crate::search::proof::Kept;
use crate::search::{Engine, Handler, Limits, Report, Settings};
use crate::zobrist::splitmix64;

/// Games of one chunk.
pub const CHUNK_GAMES: u64 = 256;

/// MiB of the table of one game: its searches are shallow.
const HASH: usize = 2;

/// One in so many moves is random where every position is solved: those
/// after mistakes want weights too.
const MISTAKES: u32 = 3;

/// Plays the games that the directory does not have yet.
///
/// # Errors
/// If the weights cannot be read, or a chunk cannot be written.
pub fn run<G: Trainable>(start: G, args: &DataArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let knowledge = knowledge::<G>(args.weights.as_deref())?;
    let reach = args.reach.unwrap_or_else(|| start.default_reach());
    let settings = format!(
        "data {} seed {} depth {} reach {reach} weights {}\n",
        args.game.info.name, args.seed, args.depth, knowledge.identity
    );
    keep_settings(&args.directory, &settings)?;
    let all = args.games.div_ceil(CHUNK_GAMES);
    let missing: Vec<u64> = (0..all)
        .filter(|&number| !chunk_path(&args.directory, number).exists())
        .collect();
    let progress = Progress::new("games", missing.len() as u64 * CHUNK_GAMES);
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|error| Failure::Refused(format!("cannot start threads: {error}")))?;
    pool.install(|| {
        missing.par_iter().try_for_each(|&number| {
            let mut chunk = Chunk::new(G::PACKED);
            let mut player = Player::new(&knowledge, args.depth)?;
            for index in number * CHUNK_GAMES..(number + 1) * CHUNK_GAMES {
                let random = seeded(args.seed, index);
                match G::EXPLORES {
                    None => player.play(start, reach, random, &mut chunk),
                    Some(every) => player.explore(start, every, random, &mut chunk),
                }
                progress.advance(1);
            }
            chunk.save(&args.directory, number, args.game.info.name)
        })
    })?;
    writeln!(out, "{all} chunks in {}", args.directory.display())?;
    Ok(())
}

/// The random numbers of one of the games of a seed.
pub(super) fn seeded(seed: u64, index: u64) -> StdRng {
    StdRng::seed_from_u64(splitmix64(seed.wrapping_add(splitmix64(index).1)).1)
}

/// The weights of a file, or the embedded ones.
pub(super) fn knowledge<G: Trainable>(
    file: Option<&std::path::Path>,
) -> Result<Arc<Knowledge<G>>, Failure> {
    match file {
        None => Ok(Knowledge::embedded()),
        Some(file) => Knowledge::read(&read(file)?)
            .map_err(|error| Failure::Refused(format!("{}: {error}", file.display()))),
    }
}

/// One thread's engine.
pub(super) struct Player<G: Trainable> {
    engine: Engine<G>,
    depth: Depth,
    memory: G::Memory,
    kept: Kept,
}

impl<G: Trainable> Player<G> {
    pub(super) fn new(knowledge: &Arc<Knowledge<G>>, depth: Depth) -> Result<Self, Failure> {
        let settings = Settings {
            hash: HASH,
            ..Settings::default()
        };
        let engine = Engine::new(Arc::clone(knowledge), settings).map_err(Failure::Refused)?;
        Ok(Self {
            engine,
            depth,
            memory: G::Memory::default(),
            kept: None,
        })
    }

    /// What the engine thinks of a position that is not finished. `past` are
    /// the keys of earlier ones that can still come back.
    pub(super) fn think(&mut self, position: &G, past: &[u64]) -> Report<G::Move> {
        let limits = Limits {
            depth: Some(self.depth),
            ..Limits::default()
        };
        self.engine.think(position, past, &limits, &Quiet).remove(0)
    }

    /// What the position is found to be worth, in hundredths of the unit: the
    /// mean of the two deepest iterations, or the last if it is exact.
    ///
    /// Each search is in favour of the side that chooses last, because it
    /// chooses among errors too. From one iteration to the next that is the
    /// other side; labels of one depth alone would hand the favour down from
    /// fit to fit.
    pub(super) fn judge(&mut self, position: &G) -> i32 {
        let limits = Limits {
            depth: Some(self.depth),
            ..Limits::default()
        };
        let before = Before {
            under: self.depth,
            score: AtomicI32::new(NO_SCORE),
        };
        let report = self.engine.think(position, &[], &limits, &before).remove(0);
        let last = report.score.0;
        match before.score.into_inner() {
            before if report.exact || before == NO_SCORE => last,
            before => i32::midpoint(before, last),
        }
    }

    /// The exact value in hundredths of the unit, near the end.
    fn solve(&mut self, position: &G, reach: u32) -> Option<i32> {
        if position.moves_left() > reach {
            return None;
        }
        position.exact(&mut self.memory, &mut self.kept)
    }

    /// Forgets the last game.
    pub(super) fn clear(&mut self) {
        self.engine.clear();
    }

    /// One game: a random beginning, then the engine's moves until the end
    /// can be solved, then moves of both kinds with every position solved.
    fn play(&mut self, start: G, reach: u32, mut random: StdRng, chunk: &mut Chunk) {
        self.clear();
        let Some(mut position) = random_beginning(start, &mut random) else {
            return;
        };
        let mut waiting: Vec<G> = Vec::new();
        loop {
            if let Some(outcome) = position.outcome() {
                let value = outcome_value(outcome, &position);
                settle(&mut waiting, &position, value, chunk);
                return;
            }
            let moves = legal_moves(&position);
            let forced = moves.len() == 1;
            let mut mistake = false;
            if let Some(value) = self.solve(&position, reach) {
                settle(&mut waiting, &position, value, chunk);
                if !forced && position.is_judged() {
                    chunk.push(|bytes| position.pack(bytes), value, Kind::Exact);
                }
                mistake = random.random_ratio(1, MISTAKES);
            } else if !forced {
                waiting.push(position);
            }
            let mv = if forced {
                moves[0]
            } else if mistake {
                moves[random.random_range(0..moves.len())]
            } else {
                self.think(&position, &[]).pv[0]
            };
            position = position.play(mv);
        }
    }
}

/// The position after the random moves with which a game of the data begins;
/// none if the game ends among them.
pub(super) fn random_beginning<G: Trainable>(start: G, random: &mut StdRng) -> Option<G> {
    (0..start.random_plies(random)).try_fold(start, |position, _| random_move(&position, random))
}

/// The position after a random move, if there is one.
pub(super) fn random_move<G: Trainable>(position: &G, random: &mut StdRng) -> Option<G> {
    let moves = legal_moves(position);
    let chosen = (!moves.is_empty()).then(|| random.random_range(0..moves.len()));
    chosen.map(|index| position.play(moves[index]))
}

/// The positions that led here were worth what this one is.
fn settle<G: Trainable>(waiting: &mut Vec<G>, position: &G, value: i32, chunk: &mut Chunk) {
    for earlier in waiting.drain(..) {
        let same = earlier.side_to_move() == position.side_to_move();
        let label = if same { value } else { -value };
        chunk.push(|bytes| earlier.pack(bytes), label, Kind::Played);
    }
}

/// What a game without a margin is worth, in units.
pub(super) const SURE: i32 = 100;

/// In hundredths of the unit; a game without a margin is worth [`SURE`].
pub(super) fn outcome_value<G: Trainable>(outcome: Outcome, position: &G) -> i32 {
    let Outcome::Win { side, margin } = outcome else {
        return 0;
    };
    let units = if G::HAS_MARGIN { margin as i32 } else { SURE };
    let sign = if side == position.side_to_move() {
        1
    } else {
        -1
    };
    100 * sign * units
}

/// Hears what the last iteration but one found.
struct Before {
    /// The last iteration's depth.
    under: Depth,
    score: AtomicI32,
}

/// None was heard.
const NO_SCORE: i32 = i32::MIN;

impl<M> Handler<M> for Before {
    fn progress(&self, report: &Report<M>) {
        if report.depth < self.under {
            self.score.store(report.score.0, Ordering::Relaxed);
        }
    }

    fn stop(&self) -> bool {
        false
    }
}

/// Nobody listens.
pub(super) struct Quiet;

impl<M> Handler<M> for Quiet {
    fn progress(&self, _report: &Report<M>) {}

    fn stop(&self) -> bool {
        false
    }
}
