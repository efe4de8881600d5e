//! `quadrille bench`: how fast the search is, and whether it still does the
//! same.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::BenchArgs;
use crate::command::{Failure, load_weights, open, write_json};
use crate::games;
use crate::perft::per_second;
use crate::search::heuristics::Depth;
use crate::search::{Limits, Settings};
use crate::session::{Info, Session, Thought, Unwatched, Watcher};

/// The fixed positions: a line `GAME DEPTH POSITION` each, the start of a
/// game first.
const POSITIONS: &str = include_str!("bench/positions.txt");

/// Table for the fixed positions, in MiB: enough for their small trees, and
/// not so large that the system spends the time on handing out pages.
const FIXED_HASH: usize = 16;

/// One of the fixed positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exercise {
    /// The game's name.
    pub game: &'static str,
    /// How deep it is searched.
    pub depth: Depth,
    /// Where the search begins.
    pub position: &'static str,
}

/// The fixed positions, game by game.
///
/// # Panics
/// If the list in the source tree is damaged, which a test excludes.
pub fn exercises() -> Vec<Exercise> {
    POSITIONS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let (Some(game), Some(depth), Some(position)) =
                (words.next(), words.next(), words.next())
            else {
                panic!("bench position `{line}`");
            };
            let depth = depth.parse().expect("a depth");
            Exercise {
                game,
                depth,
                position,
            }
        })
        .collect()
}

/// Runs the fixed positions, or the table of one game.
///
/// # Errors
/// If the weights are wrong or the answer cannot be written.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.game.is_some() {
        depth_table(args, out)
    } else {
        fixed_positions(args.json, out)
    }
}

/// What one or more searches took.
#[derive(Clone, Copy, Default)]
struct Effort {
    nodes: u64,
    time: Duration,
}

impl Effort {
    fn add(&mut self, info: &Info) {
        self.nodes += info.nodes;
        self.time += info.time;
    }

    fn nps(self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let millis = self.time.as_millis();
        write!(f, "nodes {} nps {} time {millis}", self.nodes, self.nps())
    }
}

#[derive(Serialize)]
struct BenchReport {
    signature: u32,
    nodes: u64,
    nps: u64,
    seconds: f64,
    games: Vec<GameRow>,
}

#[derive(Serialize)]
struct GameRow {
    game: &'static str,
    nodes: u64,
    nps: u64,
    seconds: f64,
}

fn fixed_positions(json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut signature = Signature::default();
    let mut games: Vec<(&'static str, Effort)> = Vec::new();
    let mut total = Effort::default();
    let mut players = Players::default();
    for exercise in exercises() {
        let thought = players.think(&exercise)?;
        signature.add(&exercise, &thought);
        let Some(info) = thought.info else {
            continue;
        };
        if !json {
            writeln!(out, "{} {info}", exercise.game)?;
        }
        total.add(&info);
        if games.last().is_none_or(|(game, _)| *game != exercise.game) {
            games.push((exercise.game, Effort::default()));
        }
        if let Some((_, effort)) = games.last_mut() {
            effort.add(&info);
        }
    }
    if json {
        return write_json(out, &bench_report(&signature, total, &games));
    }
    for (game, effort) in &games {
        writeln!(out, "{game} {effort}")?;
    }
    writeln!(out, "total {total}")?;
    writeln!(out, "signature {}", signature.value())?;
    Ok(())
}

fn bench_report(
    signature: &Signature,
    total: Effort,
    games: &[(&'static str, Effort)],
) -> BenchReport {
    BenchReport {
        signature: signature.value(),
        nodes: total.nodes,
        nps: total.nps(),
        seconds: total.time.as_secs_f64(),
        games: games
            .iter()
            .map(|&(game, effort)| GameRow {
                game,
                nodes: effort.nodes,
                nps: effort.nps(),
                seconds: effort.time.as_secs_f64(),
            })
            .collect(),
    }
}

/// The signature of the search: the checksum of everything the fixed
/// positions give that does not depend on the machine.
///
/// # Panics
/// If a position in the source tree is wrong, which a test excludes.
pub fn signature() -> u32 {
    let mut signature = Signature::default();
    let mut players = Players::default();
    for exercise in exercises() {
        let thought = players.think(&exercise).expect("the positions are tested");
        signature.add(&exercise, &thought);
    }
    signature.value()
}

/// The session of the game at hand: one for all positions of a game, since
/// what it thought about before must not matter.
#[derive(Default)]
struct Players(Option<Box<dyn Session>>);

impl Players {
    fn think(&mut self, exercise: &Exercise) -> Result<Thought, Failure> {
        let settings = Settings {
            hash: FIXED_HASH,
            ..Settings::default()
        };
        let session = match self.0.take() {
            Some(session) if session.variant().name == exercise.game => session,
            _ => {
                let game = games::find(exercise.game).ok_or_else(|| {
                    Failure::Refused(format!("there is no game {}", exercise.game))
                })?;
                open(game, &settings, None)?
            }
        };
        let session = self.0.insert(session);
        session.reset();
        session
            .set_position(exercise.position)
            .map_err(Failure::Refused)?;
        Ok(think(session.as_mut(), exercise.depth, &Unwatched))
    }
}

/// A checksum over what the searches found and how many nodes they took.
#[derive(Default)]
struct Signature(crc32fast::Hasher);

impl Signature {
    fn add(&mut self, exercise: &Exercise, thought: &Thought) {
        let mut text = format!("{} {}", exercise.game, thought.best);
        if let Some(info) = &thought.info {
            text += &format!(
                " {} {} {} {} {}",
                info.depth,
                info.value,
                info.exact,
                info.nodes,
                info.pv.join(" ")
            );
        }
        text.push('\n');
        self.0.update(text.as_bytes());
    }

    fn value(&self) -> u32 {
        self.0.clone().finalize()
    }
}

fn think(session: &mut dyn Session, depth: Depth, watcher: &dyn Watcher) -> Thought {
    let limits = Limits {
        depth: Some(depth),
        start: Instant::now(),
        ..Limits::default()
    };
    session.think(&limits, watcher)
}

/// Keeps the reports of all iterations.
#[derive(Default)]
struct Iterations(Mutex<Vec<Info>>);

impl Watcher for Iterations {
    fn progress(&self, info: &Info) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(info.clone());
    }

    fn stop(&self) -> bool {
        false
    }
}

/// What one depth took, over all positions of a game.
#[derive(Clone, Copy, Serialize)]
struct DepthRow {
    depth: Depth,
    nodes: u64,
    seconds: f64,
    nps: u64,
    /// Nodes this iteration added, over those the one before added.
    branching: Option<f64>,
    /// The fullest table, in thousandths.
    hashfull: u32,
    /// Positions the table knew.
    hits: u64,
}

#[derive(Serialize)]
struct TableReport {
    game: &'static str,
    threads: usize,
    hash: usize,
    weights: String,
    positions: usize,
    depths: Vec<DepthRow>,
}

fn depth_table(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(game) = args.game else {
        return Ok(());
    };
    let settings = Settings {
        threads: args.threads,
        hash: args.hash,
        ..Settings::default()
    };
    let exercises: Vec<Exercise> = exercises()
        .into_iter()
        .filter(|exercise| exercise.game == game.info.name)
        .collect();
    let first = exercises.first().map_or(1, |exercise| exercise.depth);
    let depth = args.depth.unwrap_or(first);
    let mut session = open(game, &settings, None)?;
    load_weights(session.as_mut(), args.weights.as_deref())?;
    let mut searches = Vec::new();
    for exercise in &exercises {
        session.reset();
        session
            .set_position(exercise.position)
            .map_err(Failure::Refused)?;
        let iterations = Iterations::default();
        think(session.as_mut(), depth, &iterations);
        searches.push(
            iterations
                .0
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
        );
    }
    let rows = rows(&searches, depth);
    if args.json {
        let report = TableReport {
            game: game.info.name,
            threads: args.threads,
            hash: args.hash,
            weights: session.weights_identity(),
            positions: exercises.len(),
            depths: rows,
        };
        return write_json(out, &report);
    }
    write_table(out, &rows)
}

/// Adds up, depth by depth, the state each search was in when it had finished
/// that depth. One that was over sooner counts as it ended.
fn rows(searches: &[Vec<Info>], depth: Depth) -> Vec<DepthRow> {
    let mut rows: Vec<DepthRow> = Vec::new();
    let (mut nodes_before, mut added_before) = (0, 0);
    for depth in 1..=depth {
        let mut effort = Effort::default();
        let mut hashfull = 0;
        let mut hits = 0;
        for infos in searches {
            if let Some(info) = infos.iter().rev().find(|info| info.depth <= depth) {
                effort.add(info);
                hashfull = hashfull.max(info.hashfull);
                hits += info.hits;
            }
        }
        let added = effort.nodes.saturating_sub(nodes_before);
        rows.push(DepthRow {
            depth,
            nodes: effort.nodes,
            seconds: effort.time.as_secs_f64(),
            nps: effort.nps(),
            branching: (added_before > 0).then(|| added as f64 / added_before as f64),
            hashfull,
            hits,
        });
        (nodes_before, added_before) = (effort.nodes, added);
    }
    rows
}

fn write_table(out: &mut dyn Write, rows: &[DepthRow]) -> Result<(), Failure> {
    writeln!(
        out,
        "{:>5} {:>14} {:>10} {:>12} {:>9} {:>8} {:>12}",
        "depth", "nodes", "seconds", "nodes/s", "branching", "hashfull", "hits"
    )?;
    for row in rows {
        let branching = row
            .branching
            .map_or_else(|| "-".to_string(), |factor| format!("{factor:.2}"));
        writeln!(
            out,
            "{:>5} {:>14} {:>10.3} {:>12} {:>9} {:>8} {:>12}",
            row.depth, row.nodes, row.seconds, row.nps, branching, row.hashfull, row.hits
        )?;
    }
    Ok(())
}
