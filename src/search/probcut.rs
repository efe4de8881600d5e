//! Multi-ProbCut: a node is left when a much shallower search makes it likely
//! enough that the full one would be outside the window.
//!
//! How likely is the [`Level`] of an iteration. What was found at one level
//! never answers a question asked at a higher one, and at [`FULL`] nothing is
//! left out.
//!
//! CITE: M. Buro, Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello, 1997.

use crate::search::heuristics::{Heuristics, Probe};
use crate::search::score::{Score, Window};
use crate::search::table::Entry;
use crate::search::worker::{Node, Plan, Worker};

/// How sure a search is of what it leaves out: an index of `CONFIDENCE`, or
/// [`FULL`].
pub type Level = u8;

/// Leaves nothing out.
pub const FULL: Level = CONFIDENCE.len() as Level;

/// By level, how many hundredths of the error's standard deviation a shallow
/// search must be beyond the window: 86, 93, 98, 99.5 and 99.95 % on one
/// side.
const CONFIDENCE: [i32; 5] = [110, 150, 200, 260, 330];

/// A shallow search that may itself leave out more is not nested deeper.
const MOST_NESTED: u8 = 2;

/// What a search leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selectivity {
    pub(super) level: Level,
    /// How many shallow searches this one is inside of.
    nested: u8,
}

impl Selectivity {
    pub(super) const fn new(level: Level) -> Self {
        Self { level, nested: 0 }
    }
}

impl<H: Heuristics> Worker<'_, H> {
    /// The bound that a shallow search makes likely, if it is outside the
    /// window.
    pub(super) fn probcut(
        &mut self,
        node: &Node<H>,
        plan: &Plan,
        entry: Option<Entry>,
    ) -> Option<Score> {
        let outer = self.selectivity;
        if outer.nested >= MOST_NESTED || !plan.window.is_null() || plan.threatened {
            return None;
        }
        // There is none for a level that leaves nothing out.
        let confidence = CONFIDENCE.get(usize::from(outer.level))?;
        let probe = node.position.probcut(plan.depth, self.shared.tables)?;
        let margin = confidence * probe.error / 100;
        // Only the side is tried for which the evaluation speaks, and as
        // clearly: other shallow searches seldom say what they are asked for.
        let standing = self.evaluate(node).0;
        let high = standing >= plan.window.beta.0 + margin;
        if !high && standing > plan.window.alpha.0 - margin {
            return None;
        }
        let bound = if high {
            plan.window.beta.0 + margin
        } else {
            plan.window.alpha.0 - margin
        };
        if bound.abs() >= H::MOST_EVAL {
            return None;
        }
        self.selectivity.nested += 1;
        let window = Window::null(Score(if high { bound - 1 } else { bound }));
        let found = self.negamax(node, window, probe.depth, plan.ply);
        self.selectivity = outer;
        let score = match (high, found.0 >= bound, found.0 <= bound) {
            (true, true, _) => plan.window.beta,
            (false, _, true) => plan.window.alpha,
            _ => return None,
        };
        if self.halted {
            return Some(Score::DRAW);
        }
        self.lines[plan.ply].clear();
        if self.shared.switches.table {
            self.store(node, plan, score, entry.and_then(|entry| entry.best));
        }
        Some(score)
    }
}

/// The depth of the shallow search for one of `depth`, of the same parity.
pub fn probe_depth(depth: i32) -> i32 {
    depth / 4 * 2 + (depth & 1)
}

impl Probe {
    /// A search of [`probe_depth`] with this error against one of `depth`.
    pub fn new(depth: i32, error: i32) -> Self {
        Self {
            depth: probe_depth(depth),
            error,
        }
    }
}
