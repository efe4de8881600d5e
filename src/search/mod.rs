//! The search: one for all games, knows none by name, prints nothing, opens
//! no file. [`Limits`] go in, [`Report`]s come out through a [`Handler`].

pub mod clock;
pub mod heuristics;
pub mod score;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clock::Clock;
use heuristics::{Depth, Heuristics, Knowledge, legal_moves};
use score::{Score, Value};

/// Longest line a search follows, in plies.
pub const MAX_PLY: usize = 128;

/// When a search ends: at the first limit that is reached. Without any it goes
/// on until it is stopped or the result is proved.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Iterations up to this depth.
    pub depth: Option<Depth>,
    /// Positions entered, by all threads together.
    pub nodes: Option<u64>,
    /// Time from `start`.
    pub time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// What is lost on the way to whoever keeps the time: a search with a
    /// clock or a time ends this much earlier.
    pub overhead: Duration,
    /// How many best moves to report, each with its own variation; at least 1.
    pub candidates: usize,
    /// Whether a single legal move ends the search at once.
    pub play_forced: bool,
    /// When the time began to run.
    pub start: Instant,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            time: None,
            clock: None,
            overhead: Duration::ZERO,
            candidates: 1,
            play_forced: false,
            start: Instant::now(),
        }
    }
}

/// What a finished iteration found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The depth of the iteration, in plies.
    pub depth: Depth,
    /// 1 for the best move, 2 for the second best ...
    pub rank: usize,
    /// The score, for the side to move.
    pub score: Score,
    /// The same as people read it.
    pub value: Value,
    /// Whether the value is proved.
    pub exact: bool,
    /// Positions entered so far, by all threads together.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// The principal variation, the best move first; every move is legal.
    pub pv: Vec<M>,
}

/// Who listens to a search and may stop it. Called from the thread that
/// searches.
pub trait Handler<M>: Sync {
    /// An iteration is finished.
    fn progress(&self, report: &Report<M>);
    /// Whether to stop; asked every few hundred nodes by every thread.
    fn stop(&self) -> bool;
}

/// What a user tunes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Size of the table in MiB; 0 for none.
    pub hash: usize,
    /// 0 plays the same move each time; others vary among equal moves.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            hash: 128,
            seed: 0,
        }
    }
}

/// A search with its table, threads and evaluation.
pub struct Engine<H: Heuristics> {
    knowledge: Arc<Knowledge<H>>,
    settings: Settings,
}

impl<H: Heuristics> Engine<H> {
    /// An engine at rest. Memory and threads are taken when first needed.
    pub fn new(knowledge: Arc<Knowledge<H>>, settings: Settings) -> Self {
        Self {
            knowledge,
            settings,
        }
    }

    /// Changes the settings; the table is kept unless its size changes.
    pub fn configure(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Changes the evaluation, and forgets what the old one has found.
    pub fn set_knowledge(&mut self, knowledge: Arc<Knowledge<H>>) {
        self.knowledge = knowledge;
        self.clear();
    }

    /// The evaluation in use.
    pub fn knowledge(&self) -> &Arc<Knowledge<H>> {
        &self.knowledge
    }

    /// Forgets everything: afterwards one thread searches as if just started.
    pub fn clear(&mut self) {}

    /// Searches `root`, which must not be finished. `past` are the keys of
    /// the game's earlier positions that can still come back, oldest first.
    /// The reports of the last finished iteration, best first, at least one.
    pub fn think(
        &mut self,
        root: &H,
        _past: &[u64],
        limits: &Limits,
        handler: &dyn Handler<H::Move>,
    ) -> Vec<Report<H::Move>> {
        let mut best = Vec::new();
        for depth in 1..=limits.depth.unwrap_or(3).min(3) {
            let mut nodes = 0;
            let mut pv = Vec::new();
            let mut top = Score(-Score::INFINITE.0);
            for mv in legal_moves(root) {
                let score = -stub(
                    &root.play(mv),
                    depth - 1,
                    1,
                    &self.knowledge.tables,
                    &mut nodes,
                );
                if score > top {
                    top = score;
                    pv = vec![mv];
                }
            }
            let report = Report {
                depth,
                rank: 1,
                score: top,
                value: Value::Eval(top.0),
                exact: false,
                nodes,
                time: limits.start.elapsed(),
                hashfull: 0,
                pv,
            };
            handler.progress(&report);
            best = vec![report];
            if handler.stop() {
                break;
            }
        }
        best
    }
}

fn stub<H: Heuristics>(
    position: &H,
    depth: Depth,
    ply: usize,
    tables: &H::Tables,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
    if let Some(outcome) = position.outcome() {
        return terminal_score(outcome, position, ply);
    }
    if depth <= 0 {
        return Score(position.evaluate(&position.refresh(tables), tables));
    }
    legal_moves(position)
        .iter()
        .map(|&mv| -stub(&position.play(mv), depth - 1, ply + 1, tables, nodes))
        .max()
        .unwrap_or_default()
}

/// The score of a finished game for the side to move.
pub fn terminal_score<H: Heuristics>(
    outcome: crate::game::Outcome,
    position: &H,
    ply: usize,
) -> Score {
    use crate::game::Outcome;
    match outcome {
        Outcome::Draw => Score::DRAW,
        Outcome::Win { side, margin } => {
            let won = side == position.side_to_move();
            match (H::HAS_MARGIN, won) {
                (true, true) => Score::margin(margin as i32),
                (true, false) => Score::margin(-(margin as i32)),
                (false, true) => Score::win_at(ply),
                (false, false) => Score::loss_at(ply),
            }
        }
    }
}
