//! What is known of a node without searching its moves: from the table, from
//! the board alone, or from the game's own solver.

use crate::search::heuristics::{Depth, Heuristics};
use crate::search::probcut::{FULL, Selectivity};
use crate::search::score::Score;
use crate::search::table::{Bound, Entry};
use crate::search::worker::{Node, Plan, Worker};

impl<H: Heuristics> Worker<'_, H> {
    pub(super) fn probe(&mut self, node: &Node<H>, plan: &Plan) -> Option<Entry> {
        if !self.shared.switches.table || !is_kept::<H>(plan.depth, plan.exact) {
            return None;
        }
        let mut entry = self.shared.table.probe(node.position.key())?;
        self.count.hits += 1;
        entry.score = from_table(entry.score, plan.ply);
        Some(entry)
    }

    /// The score of a table entry, where it answers the question. Inside a
    /// principal variation it never does, so that the line stays whole.
    pub(super) fn table_cutoff(&self, entry: Entry, plan: &Plan) -> Option<Score> {
        if !plan.window.is_null() {
            return None;
        }
        if self.shared.switches.strict_depth {
            let here = self.steps[plan.ply];
            let may_cycle = H::CAN_REPEAT && here.reversible as Depth + plan.asked >= 4;
            if entry.depth != plan.asked || may_cycle {
                return None;
            }
        } else if entry.depth < plan.asked && !entry.score.is_decisive() {
            return None;
        }
        if entry.level < plan.selectivity.level {
            return None;
        }
        let answers = match entry.bound {
            Bound::Exact => {
                entry.depth >= plan.asked
                    || entry.score >= plan.window.beta
                    || entry.score <= plan.window.alpha
            }
            Bound::Lower => entry.score >= plan.window.beta,
            Bound::Upper => entry.score <= plan.window.alpha,
        };
        answers.then_some(entry.score)
    }

    /// Exact values that need no further moves.
    pub(super) fn solve(&mut self, node: &Node<H>, plan: &Plan) -> Option<Score> {
        if !self.shared.switches.solver {
            return None;
        }
        if let Some((lower, upper)) = node.position.static_bounds(plan.window) {
            if lower >= plan.window.beta {
                return Some(lower);
            }
            if upper <= plan.window.alpha {
                return Some(upper);
            }
        }
        // A principal variation is wanted move by move.
        if !plan.window.is_null() {
            return None;
        }
        let Self {
            memory,
            shared,
            chain,
            count,
            halted,
            ..
        } = self;
        let score = node.position.solve(plan.window, memory, &mut |entered| {
            *halted = *halted || count.add(entered, shared) || shared.team.is_cancelled(chain);
            *halted
        })?;
        if !self.halted && self.shared.switches.table {
            // Whatever was asked for, this value is sure.
            let sure = Plan {
                selectivity: Selectivity::new(FULL),
                ..*plan
            };
            self.store(node, &sure, score, None);
        }
        Some(score)
    }

    pub(super) fn store(&self, node: &Node<H>, plan: &Plan, score: Score, best: Option<u16>) {
        if !is_kept::<H>(plan.depth, plan.exact) {
            return;
        }
        let bound = if score >= plan.window.beta {
            Bound::Lower
        } else if score > plan.window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best,
            score: to_table(score, plan.ply),
            depth: plan.asked,
            bound,
            level: plan.selectivity.level,
        };
        self.shared.table.store(node.position.key(), entry);
    }
}

/// Whether the table is asked about a node of this depth, and told of it.
pub(super) fn is_kept<H: Heuristics>(depth: Depth, exact: bool) -> bool {
    exact || depth >= H::TABLE_DEPTH
}

/// Wins and losses are counted from the root in the search and from the
/// position itself in the table.
fn to_table(score: Score, ply: usize) -> Score {
    shift(score, ply as i32)
}

fn from_table(score: Score, ply: usize) -> Score {
    shift(score, -(ply as i32))
}

fn shift(score: Score, plies: i32) -> Score {
    if !score.is_decisive() {
        score
    } else if score.0 > 0 {
        Score(score.0 + plies)
    } else {
        Score(score.0 - plies)
    }
}
