//! One thread of the search: what it shares, what it keeps, when it stops.
//!
//! Its methods are where their subject is: `negamax`, `known`, `line`,
//! `sharing`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use crossbeam_utils::CachePadded;

use crate::search::heuristics::{Depth, Heuristics};
use crate::search::ordering::Experience;
use crate::search::probcut::{FULL, Selectivity};
use crate::search::score::{Score, Window};
use crate::search::table::Table;
use crate::search::team::{Chain, Team};
use crate::search::{Handler, MAX_PLY, Switches};

/// A position with what the evaluation keeps along the line.
#[derive(Clone, Copy)]
pub(super) struct Node<H: Heuristics> {
    pub(super) position: H,
    pub(super) accumulator: H::Accumulator,
}

/// What is asked of a node.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) window: Window,
    /// The depth to search to, extensions included.
    pub(super) depth: Depth,
    /// The depth that was asked for, which is what the table keeps.
    pub(super) asked: Depth,
    pub(super) ply: usize,
    /// Whether every line below is searched to the end of the game.
    pub(super) exact: bool,
    /// Whether the side to move must meet a threat.
    pub(super) threatened: bool,
    /// What may be left out.
    pub(super) selectivity: Selectivity,
}

/// What was found at a node so far.
#[derive(Clone, Copy)]
pub(super) struct Best<M> {
    pub(super) score: Score,
    pub(super) alpha: Score,
    pub(super) mv: Option<M>,
    /// The least ply of a position whose repetition the score rests on.
    pub(super) leans_on: Lean,
}

/// The ply of a position that a score rests on, because the line comes back
/// to it; -1 for a position before the root, `NOTHING` for none.
pub(super) type Lean = i32;
pub(super) const NOTHING: Lean = i32::MAX;

/// One position of the line from the root to the current node.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) key: u64,
    /// How many positions before this one, the root's past included, can come
    /// back.
    pub(super) reversible: usize,
    /// Plies by which threats have lengthened the line.
    pub(super) extended: Depth,
    /// Whether the turn was passed to come here, which no game allows.
    pub(super) passed: bool,
}

/// What all threads of a search share.
pub(super) struct Shared<'a, H: Heuristics> {
    pub(super) table: &'a Table,
    pub(super) tables: &'a H::Tables,
    pub(super) switches: Switches,
    pub(super) handler: &'a dyn Handler<H::Move>,
    pub(super) team: Team<H>,
    /// Keys of the game's positions before the root, oldest first.
    pub(super) past: &'a [u64],
    /// Whether a position stands twice in the past: then a move that seems to
    /// lose may end the game in a draw.
    pub(super) past_repeats: bool,
    /// When the time is over; it can be moved.
    pub(super) deadline: Deadline,
    pub(super) node_limit: u64,
    /// Nothing stops the first iteration: there must be a move to play.
    pub(super) may_stop: AtomicBool,
    pub(super) stopped: AtomicBool,
    pub(super) nodes: Box<[CachePadded<AtomicU64>]>,
    /// Positions the table knew, by thread.
    pub(super) hits: Box<[CachePadded<AtomicU64>]>,
}

impl<H: Heuristics> Shared<'_, H> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn total_hits(&self) -> u64 {
        self.hits.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

/// When the time of a search is over.
pub(super) struct Deadline {
    start: Instant,
    /// Nanoseconds from the start; `NEVER` if the time is not limited.
    nanoseconds: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Deadline {
    pub(super) fn new(start: Instant, time: Option<Duration>) -> Self {
        let deadline = Self {
            start,
            nanoseconds: AtomicU64::new(NEVER),
        };
        if let Some(time) = time {
            deadline.move_to(time);
        }
        deadline
    }

    /// From now on it is so long after the start.
    pub(super) fn move_to(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(NEVER);
        self.nanoseconds.store(nanoseconds, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        let nanoseconds = self.nanoseconds.load(Ordering::Relaxed);
        nanoseconds != NEVER && self.start.elapsed() >= Duration::from_nanos(nanoseconds)
    }
}

/// Nodes between two looks at the clock.
const POLL_INTERVAL: u64 = 256;

pub(super) type Line<M> = ArrayVec<M, MAX_PLY>;

pub(super) struct Worker<'a, H: Heuristics> {
    pub(super) shared: &'a Shared<'a, H>,
    pub(super) index: usize,
    pub(super) count: Count,
    /// The value being computed is no longer wanted: everything returns at
    /// once, and what it returns means nothing.
    pub(super) halted: bool,
    /// The root's moves, in the order in which they are to be tried.
    pub(super) root_moves: Vec<H::Move>,
    pub(super) steps: ArrayVec<Step, { MAX_PLY + 1 }>,
    pub(super) chain: Chain,
    pub(super) selectivity: Selectivity,
    pub(super) experience: Experience,
    /// Of the game's own solver.
    pub(super) memory: H::Memory,
    /// The best line from each ply.
    pub(super) lines: Box<[Line<H::Move>]>,
    pub(super) leans_on: Lean,
    /// The best move of a root search that was cut short, if it had found a
    /// better one than the one before.
    pub(super) partial: Option<Score>,
}

impl<'a, H: Heuristics> Worker<'a, H> {
    pub(super) fn new(shared: &'a Shared<'a, H>, index: usize) -> Self {
        Self {
            shared,
            index,
            count: Count::new(index),
            halted: false,
            root_moves: Vec::new(),
            steps: ArrayVec::new(),
            chain: Chain::new(),
            selectivity: Selectivity::new(FULL),
            experience: Experience::new(H::MOVE_CODES),
            memory: H::Memory::default(),
            lines: vec![Line::new(); MAX_PLY + 1].into_boxed_slice(),
            leans_on: NOTHING,
            partial: None,
        }
    }

    pub(super) fn count_node(&mut self) {
        if self.count.add(1, self.shared) {
            self.halted = true;
        }
        if !self.chain.is_empty() && self.shared.team.is_cancelled(&self.chain) {
            self.halted = true;
        }
    }

    /// Makes the next node look at the clock, and the counter exact.
    pub(super) fn flush(&mut self) {
        self.count.publish(self.shared);
        self.count.next_poll = 0;
    }
}

/// What a thread has counted, and when it looks at the clock again.
pub(super) struct Count {
    index: usize,
    nodes: u64,
    /// Positions the table knew.
    pub(super) hits: u64,
    next_poll: u64,
}

impl Count {
    fn new(index: usize) -> Self {
        Self {
            index,
            nodes: 0,
            hits: 0,
            next_poll: 0,
        }
    }

    /// Counts positions entered; whether the search is over.
    #[inline]
    pub(super) fn add<H: Heuristics>(&mut self, entered: u64, shared: &Shared<'_, H>) -> bool {
        self.nodes += entered;
        self.nodes >= self.next_poll && self.poll(shared)
    }

    fn publish<H: Heuristics>(&self, shared: &Shared<'_, H>) {
        shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        shared.hits[self.index].store(self.hits, Ordering::Relaxed);
    }

    /// Reports the nodes; whether the search is over.
    #[cold]
    fn poll<H: Heuristics>(&mut self, shared: &Shared<'_, H>) -> bool {
        self.publish(shared);
        self.next_poll = self.nodes + POLL_INTERVAL;
        if !shared.may_stop.load(Ordering::Relaxed) {
            return false;
        }
        let left = shared.node_limit.saturating_sub(shared.total_nodes());
        self.next_poll = self.nodes + POLL_INTERVAL.min(left).max(1);
        let over = shared.stopped.load(Ordering::Relaxed)
            || left == 0
            || shared.deadline.is_over()
            || shared.handler.stop();
        if over {
            shared.stopped.store(true, Ordering::Relaxed);
        }
        over
    }
}

impl<M: Copy> Best<M> {
    /// Takes in the score of a move; whether it is the best so far and above
    /// alpha.
    pub(super) fn take(&mut self, score: Score, mv: M, leans_on: Lean, beta: Score) -> bool {
        if score >= beta {
            // A cut-off needs no other move than this one.
            self.leans_on = leans_on;
        } else {
            self.leans_on = self.leans_on.min(leans_on);
        }
        if score > self.score {
            self.score = score;
            if score > self.alpha {
                self.alpha = score;
                self.mv = Some(mv);
                return true;
            }
        }
        false
    }
}
