//! `quadrille train exact`: positions of the middle game with their exact
//! values, to measure evaluations on. They come from games that the engine
//! plays well after a short random beginning, and are of no use for fitting.

use std::io::Write;
use std::sync::Arc;

use rand::RngExt;

use super::Trainable;
use super::args::ExactArgs;
use super::data::{Chunk, Kind, chunk_path, keep_settings};
use super::progress::Progress;
use super::selfplay::{Player, Quiet, random_move, seeded};
use crate::command::Failure;
use crate::search::heuristics::{Knowledge, legal_moves};
use crate::search::{Engine, Limits, Settings};

/// Positions of one file.
const CHUNK_POSITIONS: u64 = 10;

/// MiB of the solver's table.
const HASH: usize = 256;

/// Random moves at the beginning of a game, at most.
const RANDOM_PLIES: u32 = 10;

/// Solves the positions that the directory does not have yet.
///
/// # Errors
/// If files cannot be written.
pub fn run<G: Trainable>(start: G, args: &ExactArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.info.name;
    if args.from > args.to {
        return Err(Failure::Usage("--from is at most --to".into()));
    }
    let settings = format!(
        "exact {game} seed {} depth {} moves {} to {}\n",
        args.seed, args.depth, args.from, args.to
    );
    keep_settings(&args.directory, &settings)?;
    let knowledge = Knowledge::embedded();
    let mut player = Player::new(&knowledge, args.depth)?;
    let settings = Settings {
        hash: HASH,
        ..Settings::default()
    };
    let mut engine = Engine::new(Arc::clone(&knowledge), settings).map_err(Failure::Refused)?;
    let progress = Progress::new("positions", args.positions);
    for number in 0..args.positions.div_ceil(CHUNK_POSITIONS) {
        if !chunk_path(&args.directory, number).exists() {
            let mut chunk = Chunk::new(G::PACKED);
            for index in number * CHUNK_POSITIONS..(number + 1) * CHUNK_POSITIONS {
                let moves_left = args.from + (index % u64::from(args.to - args.from + 1)) as u32;
                let position = reach(start, &mut player, moves_left, args.seed, index);
                let reports = engine.think(&position, &[], &Limits::default(), &Quiet);
                debug_assert!(reports[0].exact);
                chunk.push(
                    |bytes| position.pack(bytes),
                    reports[0].score.0,
                    Kind::Exact,
                );
                engine.clear();
            }
            chunk.save(&args.directory, number, game)?;
        }
        progress.advance(CHUNK_POSITIONS);
    }
    writeln!(
        out,
        "{} positions in {}",
        args.positions,
        args.directory.display()
    )?;
    Ok(())
}

/// The position of a game with so many moves left, and a choice of them.
fn reach<G: Trainable>(
    start: G,
    player: &mut Player<G>,
    moves_left: u32,
    seed: u64,
    index: u64,
) -> G {
    let mut random = seeded(seed, index);
    loop {
        player.clear();
        let mut position = start;
        for _ in 0..random.random_range(1..=RANDOM_PLIES) {
            position = random_move(&position, &mut random).unwrap_or(position);
        }
        while position.outcome().is_none() && position.moves_left() > moves_left {
            position = position.play(player.think(&position, &[]).pv[0]);
        }
        if position.moves_left() == moves_left && legal_moves(&position).len() > 1 {
            return position;
        }
    }
}
