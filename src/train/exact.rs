//! `quadrille train exact`: positions of the middle game with their exact
//! values, to measure evaluations on. They come from games that the engine
//! plays well after a short random beginning that leaves both sides a chance,
//! as good players meet them; all are different, however the board is turned.
//! They are of no use for fitting.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use rand::RngExt;

use super::Trainable;
use super::args::ExactArgs;
use super::data::{Chunk, Kind, chunk_path, keep_settings, refused};
use super::progress::Progress;
use super::selfplay::{Player, Quiet, SURE, random_move, seeded};
use crate::command::Failure;
use crate::search::heuristics::{Knowledge, legal_moves};
use crate::search::score::Score;
use crate::search::{Engine, Limits, Settings};

/// Positions of one file.
const CHUNK_POSITIONS: u64 = 10;

/// MiB of the solver's table.
const HASH: usize = 256;

/// Random moves at the beginning of a game, at most.
const RANDOM_PLIES: u32 = 10;

/// So many games without a new position mean that there are no more.
const ATTEMPTS: u32 = 500;

/// Solves the positions that the directory does not have yet.
///
/// # Errors
/// If the game has no solver or too few such positions, or files cannot be
/// read or written.
pub fn run<G: Trainable>(start: G, args: &ExactArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.info.name;
    if G::EXPLORES.is_some() {
        return Err(Failure::Usage(format!("{game} cannot be solved")));
    }
    if args.from > args.to {
        return Err(Failure::Usage("--from is at most --to".into()));
    }
    let mut source = Source::new(start, args)?;
    let settings = format!(
        "exact {game} seed {} depth {} moves {} to {} balanced {} weights {}\n",
        args.seed, args.depth, args.from, args.to, source.balanced, source.knowledge.identity
    );
    keep_settings(&args.directory, &settings)?;
    let chunks = args.positions.div_ceil(CHUNK_POSITIONS);
    let progress = Progress::new("positions", chunks * CHUNK_POSITIONS);
    for number in 0..chunks {
        let path = chunk_path(&args.directory, number);
        if path.exists() {
            // What comes later is to be different from these.
            source.remember(&Chunk::load(&path, G::PACKED, game)?);
        } else {
            let chunk = source.chunk(number, args)?;
            chunk.save(&args.directory, number, game)?;
        }
        progress.advance(CHUNK_POSITIONS);
    }
    writeln!(
        out,
        "{} positions in {}",
        chunks * CHUNK_POSITIONS,
        args.directory.display()
    )?;
    Ok(())
}

/// An exact score in hundredths of the unit; how soon a game is won does not
/// matter.
fn value_of(score: Score) -> i32 {
    if score.is_decisive() {
        100 * SURE * score.0.signum()
    } else {
        score.0
    }
}

/// Where positions and their values come from.
struct Source<G: Trainable> {
    start: G,
    player: Player<G>,
    solver: Engine<G>,
    knowledge: Arc<Knowledge<G>>,
    /// No value a random beginning may have is further from 0, in hundredths.
    balanced: i32,
    /// What all positions so far share with their images.
    seen: HashSet<u64>,
}

impl<G: Trainable> Source<G> {
    fn new(start: G, args: &ExactArgs) -> Result<Self, Failure> {
        let knowledge = Knowledge::embedded();
        let settings = Settings {
            hash: HASH,
            ..Settings::default()
        };
        Ok(Self {
            start,
            player: Player::new(&knowledge, args.depth)?,
            solver: Engine::new(Arc::clone(&knowledge), settings).map_err(Failure::Refused)?,
            knowledge,
            balanced: args.game.info.balanced,
            seen: HashSet::new(),
        })
    }

    fn remember(&mut self, chunk: &Chunk) {
        let positions = chunk
            .records()
            .filter_map(|record| self.start.unpack(record.position));
        self.seen
            .extend(positions.map(|position| position.canonical_key()));
    }

    /// The chunk with that number, after all those before it.
    fn chunk(&mut self, number: u64, args: &ExactArgs) -> Result<Chunk, Failure> {
        let mut chunk = Chunk::new(G::PACKED);
        for index in number * CHUNK_POSITIONS..(number + 1) * CHUNK_POSITIONS {
            let moves_left = args.from + (index % u64::from(args.to - args.from + 1)) as u32;
            let position = self.reach(moves_left, args.seed, index).ok_or_else(|| {
                refused(
                    &args.directory,
                    format!(
                        "{ATTEMPTS} games came to no other position with {moves_left} moves left \
                         and a choice of them"
                    ),
                )
            })?;
            self.solver.clear();
            let reports = self
                .solver
                .think(&position, &[], &Limits::default(), &Quiet);
            debug_assert!(reports[0].exact);
            let value = value_of(reports[0].score);
            chunk.push(|bytes| position.pack(bytes), value, Kind::Exact);
        }
        Ok(chunk)
    }

    /// A new position of a game with so many moves left, and a choice of them.
    fn reach(&mut self, moves_left: u32, seed: u64, index: u64) -> Option<G> {
        let mut random = seeded(seed, index);
        for _ in 0..ATTEMPTS {
            self.player.clear();
            let plies = random.random_range(1..=RANDOM_PLIES);
            let beginning = (0..plies).try_fold(self.start, |position, _| {
                random_move(&position, &mut random)
            });
            let Some(mut position) = beginning else {
                continue;
            };
            if position.moves_left() < moves_left || !self.is_balanced(&position) {
                continue;
            }
            while position.outcome().is_none() && position.moves_left() > moves_left {
                position = position.play(self.player.think(&position, &[]).pv[0]);
            }
            if position.moves_left() == moves_left
                && legal_moves(&position).len() > 1
                && self.seen.insert(self.key(&position))
            {
                return Some(position);
            }
        }
        None
    }

    /// Whether a search as short as those of the games gives both sides a
    /// chance.
    fn is_balanced(&mut self, position: &G) -> bool {
        position.outcome().is_none()
            && self.player.think(position, &[]).score.0.abs() <= self.balanced
    }

    /// What the position, as it is kept, shares with its images.
    fn key(&self, position: &G) -> u64 {
        let mut bytes = vec![0; G::PACKED];
        position.pack(&mut bytes);
        self.start
            .unpack(&bytes)
            .map_or_else(|| position.canonical_key(), |kept| kept.canonical_key())
    }
}
