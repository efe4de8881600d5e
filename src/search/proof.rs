//! Proofs beside the search: a game may have a solver of its own that finds
//! out who wins, by another way than negamax and from any position.

use std::any::Any;

use crate::search::heuristics::{Depth, Heuristics};
use crate::search::score::Value;
use crate::search::{Limits, Report};

/// What a game's prover keeps from call to call: a table, mostly.
pub type Kept = Option<Box<dyn Any + Send>>;

/// A question to a game's prover, and what it may use to answer it.
pub struct Task<'a> {
    /// Threads that are to work.
    pub threads: usize,
    /// Size of its table in MiB.
    pub hash: usize,
    /// Positions it may enter, by all threads together.
    pub nodes: u64,
    /// Whether to give up. Asked at least once in some thousand positions by
    /// every thread.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Calls what it is given once on each of the threads, and returns when
    /// all have returned.
    pub together: &'a dyn Fn(&(dyn Fn() + Sync)),
}

/// What a prover has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof<M> {
    /// Whether the side to move wins, and a whole game that ends so, if that
    /// was found out.
    pub proved: Option<(bool, Vec<M>)>,
    /// Positions entered.
    pub nodes: u64,
    /// How full its table is, in thousandths.
    pub full: u32,
}

/// Positions a prover enters in a millisecond, at least: it is asked only
/// where it may be expected to be done in time.
const NODES_A_MILLISECOND: u64 = 200;

/// A prover gets one part in so many of what a move may take.
const SHARE: u32 = 3;

/// It is asked if it may be expected to need no more than so many times that.
const HOPE: u64 = 2;

/// What a prover gets where nothing limits the search.
const UNLIMITED: u64 = 300_000;

/// How far a prover may go before the search of a move begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leave {
    pub(super) nodes: u64,
    /// Of the time for the move, in so many parts; none for all of it.
    pub(super) share: Option<u32>,
}

impl Leave {
    /// None if the prover is not to be asked at all.
    pub(super) fn new<H: Heuristics>(
        root: &H,
        limits: &Limits,
        milliseconds: Option<u64>,
    ) -> Option<Self> {
        let effort = root.proof_effort()?;
        if limits.proof {
            return Some(Self {
                nodes: limits.nodes.unwrap_or(u64::MAX),
                share: None,
            });
        }
        if limits.depth.is_some() || limits.candidates > 1 {
            return None;
        }
        let timed = milliseconds.map(|time| time * NODES_A_MILLISECOND);
        let least = [limits.nodes, timed].into_iter().flatten().min();
        let share = u64::from(SHARE);
        let hoped = least.map_or(UNLIMITED, |nodes| nodes / share);
        (effort <= hoped.saturating_mul(HOPE)).then(|| Self {
            nodes: limits
                .nodes
                .map_or(UNLIMITED.max(hoped), |nodes| nodes / share),
            share: timed.map(|_| SHARE),
        })
    }
}

/// The report of a proof.
pub(super) fn report<H: Heuristics>(
    limits: &Limits,
    wins: bool,
    line: Vec<H::Move>,
    nodes: u64,
    full: u32,
) -> Report<H::Move> {
    let plies = line.len();
    let score = crate::search::score::Score::win_at(plies);
    Report {
        depth: plies as Depth,
        rank: 1,
        score: if wins { score } else { -score },
        value: if wins {
            Value::Win(plies as u32)
        } else {
            Value::Loss(plies as u32)
        },
        exact: true,
        nodes,
        hits: 0,
        time: limits.start.elapsed(),
        hashfull: full,
        pv: line,
    }
}
