//! The search: one for all games, knows none by name, prints nothing, opens
//! no file. [`Limits`] go in, [`Report`]s come out through a [`Handler`].

pub mod clock;
mod deepening;
pub mod heuristics;
mod known;
pub mod level;
mod line;
mod negamax;
pub mod ordering;
pub(crate) mod prefetch;
pub mod probcut;
pub mod proof;
mod pruning;
pub mod score;
mod sharing;
mod stages;
pub mod table;
mod team;
mod threats;
mod worker;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::game::Outcome;
use crate::zobrist::splitmix64;
use clock::Clock;
use deepening::Deepening;
use heuristics::{Depth, Heuristics, Knowledge, legal_moves};
use level::Level;
use ordering::OrderSwitches;
use proof::{Proof, Task};
use score::{Score, Value};
use table::Table;
use team::Team;
use worker::{Deadline, Shared, Worker};

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
    /// Whether only the winner is asked for once the end of the game is in
    /// sight, and not by how much he wins.
    pub outcome_only: bool,
    /// Whether nothing but a proof of the value is wanted.
    pub proof: bool,
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
            outcome_only: false,
            proof: false,
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
    /// Positions among them that the table knew.
    pub hits: u64,
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

/// Parts of the search that can be turned off, to test that what they save is
/// only time. All are on by default but the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// Begins each iteration with a small window around the last score.
    pub aspiration: bool,
    /// Searches all but the first move with a null window at first.
    pub null_windows: bool,
    /// Reads and writes the transposition table.
    pub table: bool,
    /// Sources of move order.
    pub order: OrderSwitches,
    /// Looks at some moves less deep than at others. Changes what is found,
    /// but never what is called exact.
    pub reductions: bool,
    /// Leaves out what a shallow search makes unlikely to matter. Changes what
    /// is found, but never what is called exact.
    pub probcut: bool,
    /// Takes wins on the spot and extends threatened lines.
    pub tactics: bool,
    /// Uses the game's static bounds and its solver near the end.
    pub solver: bool,
    /// Believes a table entry only when plain minimax would have found the
    /// very same: at equal depth, and where no line can come back.
    pub strict_depth: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            aspiration: true,
            null_windows: true,
            table: true,
            order: OrderSwitches {
                hints: true,
                killers: true,
                history: true,
            },
            reductions: true,
            probcut: true,
            tactics: true,
            solver: true,
            strict_depth: false,
        }
    }
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
    /// Whether moves that are known beforehand are played without a search.
    pub book: bool,
    /// Whether all that searches will need is made ready as soon as a game is
    /// under way, not when it is first needed.
    pub ahead: bool,
    /// How strong moves are chosen; analysis is always at full strength.
    pub level: Level,
    /// For tests of the search itself.
    pub switches: Switches,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            hash: 128,
            seed: 0,
            book: true,
            ahead: false,
            level: Level::FULL,
            switches: Switches::default(),
        }
    }
}

/// A search that may take so long can wait some hundredths of a second for
/// memory; one with less time would overstep it.
const UNHURRIED: Duration = Duration::from_millis(500);

/// The size in MiB of a table whose memory is there at once, for a while in
/// the place of one more than [`SOON`].
const INTERIM: usize = 1;

/// Nobody need do without a table of so many MiB: it is there in no time.
const SOON: usize = 16;

/// Stack of a search thread: at most [`MAX_PLY`] frames of a few KiB.
const STACK: usize = 4 << 20;

/// A search with its table, threads and evaluation.
pub struct Engine<H: Heuristics> {
    knowledge: Arc<Knowledge<H>>,
    settings: Settings,
    table: Table,
    /// None for one thread, which is the caller's.
    pool: Option<ThreadPool>,
    /// Of the game's own prover.
    kept: proof::Kept,
    /// Whether what searches need has been made ready, or soon will be.
    is_ready: bool,
    /// Takes the table's place in searches that cannot wait for its memory.
    interim: Option<Table>,
}

impl<H: Heuristics> Engine<H> {
    /// An engine at rest. The table's memory is taken when it is written, or
    /// by [`Engine::get_ready`].
    ///
    /// # Errors
    /// If there is no memory for the table, or the threads cannot be started.
    pub fn new(knowledge: Arc<Knowledge<H>>, settings: Settings) -> Result<Self, String> {
        Ok(Self {
            knowledge,
            table: Table::new(settings.hash)?,
            pool: start_threads(settings.threads)?,
            settings,
            kept: None,
            is_ready: false,
            interim: None,
        })
    }

    /// Changes the settings; the table is kept unless its size changes.
    ///
    /// # Errors
    /// As [`Engine::new`]; the old settings stay.
    pub fn configure(&mut self, settings: Settings) -> Result<(), String> {
        let pool = if settings.threads == self.settings.threads {
            None
        } else {
            Some(start_threads(settings.threads)?)
        };
        if settings.hash != self.settings.hash {
            self.kept = None;
            self.table = Table::new(settings.hash)?;
            self.is_ready = false;
        }
        if let Some(pool) = pool {
            self.pool = pool;
        }
        self.settings = settings;
        Ok(())
    }

    /// Uses a table of so many buckets instead, for tests of tiny tables.
    pub fn set_table(&mut self, table: Table) {
        self.table = table;
    }

    /// The transposition table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Changes the evaluation, and forgets what the old one has found.
    pub fn set_knowledge(&mut self, knowledge: Arc<Knowledge<H>>) {
        self.knowledge = knowledge;
        self.is_ready = false;
        self.clear();
    }

    /// A game is under way and has come to this position. If the settings say
    /// so, and unless it has been done, all that searches will need is made
    /// ready in a thread of its own: the table's memory and the evaluation. A
    /// first move on a short clock would wait for them else.
    pub fn get_ready(&mut self, position: &H) {
        if !self.settings.ahead || self.is_ready {
            return;
        }
        self.is_ready = true;
        let (position, knowledge) = (*position, Arc::clone(&self.knowledge));
        let memory = self.table.ahead();
        let make_ready = move || {
            memory.take();
            drop(memory);
            position.prepare(&knowledge.tables);
        };
        let spawned = std::thread::Builder::new()
            .name("get ready".to_string())
            .spawn(make_ready);
        if let Err(error) = spawned {
            log::warn!("nothing is made ready: {error}");
        }
    }

    /// The evaluation in use.
    pub fn knowledge(&self) -> &Arc<Knowledge<H>> {
        &self.knowledge
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets everything: afterwards one thread searches as if just started.
    pub fn clear(&mut self) {
        self.table.clear();
        self.interim = None;
        self.kept = None;
    }

    /// Searches `root`, which must not be finished. `past` are the keys of
    /// the game's earlier positions that can still come back, oldest first.
    /// Gives the reports of the last iteration, best first; at least one.
    pub fn think(
        &mut self,
        root: &H,
        past: &[u64],
        limits: &Limits,
        handler: &dyn Handler<H::Move>,
    ) -> Vec<Report<H::Move>> {
        let mut deepening = Deepening::new(root, limits, self.settings.seed);
        let proof = self.prove(root, &deepening, limits, handler);
        if let Some((wins, line)) = proof.proved
            && (wins || limits.proof)
        {
            let report = proof::report::<H>(limits, wins, line, proof.nodes, proof.full);
            handler.progress(&report);
            return vec![report];
        }
        if limits.proof && H::proof_effort(root).is_some() {
            // It has had all there was: there must be a move to report even so.
            deepening.hurry();
        }
        self.choose_table(deepening.longest());
        let table = self.interim.as_mut().unwrap_or(&mut self.table);
        table.begin_search();
        let threads = self.settings.threads;
        let shared = Shared {
            table,
            tables: &self.knowledge.tables,
            switches: self.settings.switches,
            handler,
            team: Team::new(threads),
            past,
            past_repeats: past
                .iter()
                .enumerate()
                .any(|(i, key)| past[..i].contains(key)),
            deadline: Deadline::new(limits.start, deepening.longest()),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            may_stop: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            // The prover counts as one more.
            nodes: (0..threads)
                .map(|_| CachePadded::default())
                .chain([CachePadded::new(proof.nodes.into())])
                .collect(),
            hits: (0..threads).map(|_| CachePadded::default()).collect(),
        };
        let mut reports = match &self.pool {
            None => deepening.run(&shared),
            Some(pool) => {
                let deepening = Mutex::new(Some(deepening));
                let results = pool.broadcast(|context| {
                    let mine = (context.index() == 0)
                        .then(|| deepening.lock().ok()?.take())
                        .flatten();
                    match mine {
                        Some(deepening) => deepening.run(&shared),
                        None => {
                            Worker::new(&shared, context.index()).serve();
                            Vec::new()
                        }
                    }
                });
                results.into_iter().flatten().collect()
            }
        };
        self.vary(root, &mut reports);
        reports
    }
}

impl<H: Heuristics> Engine<H> {
    /// A search with little time does without the table as long as its memory
    /// is still being taken.
    fn choose_table(&mut self, longest: Option<Duration>) {
        let hurried = longest.is_some_and(|longest| longest < UNHURRIED);
        if !hurried {
            self.table.use_large_pages();
        }
        if hurried && self.table.is_coming() && self.settings.hash > SOON {
            self.interim = self.interim.take().or_else(|| Table::new(INTERIM).ok());
        } else {
            self.interim = None;
        }
    }

    /// With a seed, takes any of the moves that differ from the best only by
    /// how the board is turned: an evaluation need not see that they are equal.
    fn vary(&self, root: &H, reports: &mut [Report<H::Move>]) {
        let seed = self.settings.seed;
        let [report] = reports else { return };
        let Some(&best) = report.pv.first().filter(|_| seed != 0) else {
            return;
        };
        let key = root.play(best).canonical_key();
        let equal: Vec<H::Move> = legal_moves(root)
            .into_iter()
            .filter(|&mv| root.play(mv).canonical_key() == key)
            .collect();
        let chosen = equal[(splitmix64(seed ^ root.key()).1 % equal.len() as u64) as usize];
        if chosen != best {
            report.pv = vec![chosen];
        }
    }

    /// Asks the game's prover first, where it may be expected to answer.
    fn prove(
        &mut self,
        root: &H,
        deepening: &Deepening<'_, H>,
        limits: &Limits,
        handler: &dyn Handler<H::Move>,
    ) -> Proof<H::Move> {
        let nothing = Proof {
            proved: None,
            nodes: 0,
            full: 0,
        };
        if !self.settings.switches.solver {
            return nothing;
        }
        let time = deepening.time();
        let milliseconds = time.map(|time| time.as_millis() as u64);
        let Some(leave) = proof::Leave::new(root, limits, milliseconds) else {
            return nothing;
        };
        let until = time.map(|time| limits.start + time / leave.share.unwrap_or(1));
        let stop = || until.is_some_and(|until| Instant::now() >= until) || handler.stop();
        let pool = &self.pool;
        let together = |work: &(dyn Fn() + Sync)| match pool {
            None => work(),
            Some(pool) => {
                pool.broadcast(|_| work());
            }
        };
        // Beside the search it gets a part more of the memory, alone all.
        let hash = if limits.proof {
            self.settings.hash
        } else {
            self.settings.hash / 8
        };
        let task = Task {
            threads: self.settings.threads,
            hash,
            nodes: leave.nodes,
            stop: &stop,
            together: &together,
        };
        root.prove(&mut self.kept, &task)
    }
}

fn start_threads(threads: usize) -> Result<Option<ThreadPool>, String> {
    if threads <= 1 {
        return Ok(None);
    }
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|index| format!("search {index}"))
        .build()
        .map(Some)
        .map_err(|error| format!("cannot start {threads} threads: {error}"))
}

/// The score of a finished game for the side to move.
pub fn terminal_score<H: Heuristics>(outcome: Outcome, position: &H, ply: usize) -> Score {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::discs::Discs;

    struct Patient;

    impl<M> Handler<M> for Patient {
        fn progress(&self, _: &Report<M>) {}
        fn stop(&self) -> bool {
            false
        }
    }

    #[test]
    fn only_a_hurried_search_does_without_memory_that_is_coming() {
        let settings = Settings {
            hash: SOON + 1,
            ..Settings::default()
        };
        let mut engine = Engine::new(Knowledge::embedded(), settings).expect("memory");
        let position = Discs::othello6();
        let think = |engine: &mut Engine<Discs>, time, depth| {
            let limits = Limits {
                time: Some(time),
                depth,
                ..Limits::default()
            };
            assert!(!engine.think(&position, &[], &limits, &Patient).is_empty());
            engine.interim.is_some()
        };
        let (short, long) = (Duration::from_millis(20), Duration::from_secs(60));
        let ahead = engine.table.ahead();
        assert!(think(&mut engine, short, None));
        assert!(engine.table.hashfull() == 0, "nobody has waited for it");
        assert!(!think(&mut engine, long, Some(6)));
        drop(ahead);
        assert!(!think(&mut engine, short, None));
        assert!(engine.table.hashfull() > 0);
    }
}
