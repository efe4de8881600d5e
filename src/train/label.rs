//! `quadrille train label`: better labels than how a game between equals went
//! on.
//!
//! Positions that are not solved get the score of a search, the mean of its last
//! two iterations. What the search
//! sees at its end is judged by weights that were fitted before; each round of
//! fitting and labelling carries what is known about the end of the game some
//! plies back.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand::RngExt;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::Trainable;
use super::args::LabelArgs;
use super::data::{Chunk, Kind, chunk_path, chunks, keep_settings};
use super::fit::Example;
use super::progress::Progress;
use super::selfplay::{Player, knowledge, seeded};
use crate::command::Failure;
use crate::search::heuristics::Knowledge;

/// Labels every chunk the directory does not have yet.
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
    if args.from > args.to {
        return Err(Failure::Usage("--from is at most --to".into()));
    }
    let mut sources = Vec::new();
    for directory in &args.data {
        sources.extend(chunks(directory)?.into_iter().map(|(_, path)| path));
    }
    // A file that cannot be used is told before anything is begun.
    for path in &sources {
        Chunk::load(path, G::PACKED, game)?;
    }
    let knowledge = knowledge::<G>(args.weights.as_deref())?;
    let settings = format!(
        "label {game} chunks {} moves {} to {} keep {} depth {} seed {} weights {}\n",
        sources.len(),
        args.from,
        args.to,
        args.keep,
        args.depth,
        args.seed,
        knowledge.identity
    );
    keep_settings(&args.directory, &settings)?;
    let missing: Vec<(u64, &PathBuf)> = (0..)
        .zip(&sources)
        .filter(|&(number, _)| !chunk_path(&args.directory, number).exists())
        .collect();
    let progress = Progress::new("chunks", missing.len() as u64);
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|error| Failure::Refused(format!("cannot start threads: {error}")))?;
    pool.install(|| {
        missing.par_iter().try_for_each(|&(number, path)| {
            let chunk = judged(&start, args, &knowledge, number, path)?;
            progress.advance(1);
            chunk.save(&args.directory, number, game)
        })
    })?;
    let all = sources.len();
    writeln!(out, "{all} chunks in {}", args.directory.display())?;
    Ok(())
}

/// The positions of a chunk that are kept, with their new labels.
fn judged<G: Trainable>(
    start: &G,
    args: &LabelArgs,
    knowledge: &Arc<Knowledge<G>>,
    number: u64,
    path: &Path,
) -> Result<Chunk, Failure> {
    let source = Chunk::load(path, G::PACKED, args.game.info.name)?;
    let mut random = seeded(args.seed, number);
    let mut player = Player::new(knowledge, args.depth)?;
    let mut chunk = Chunk::new(G::PACKED);
    for example in Example::all(start, &source) {
        if !(args.from..=args.to).contains(&example.position.moves_left()) {
            continue;
        }
        let solved = example.kind == Kind::Exact;
        if !solved && random.random_range(0..100) >= args.keep {
            continue;
        }
        let (label, kind) = if solved {
            ((example.label * 100.0).round() as i32, Kind::Exact)
        } else {
            player.clear();
            (player.judge(&example.position), Kind::Searched)
        };
        chunk.push(|bytes| example.position.pack(bytes), label, kind);
    }
    Ok(chunk)
}
