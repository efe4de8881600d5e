//! Nodes that are left because the side to move stands too well already.
//!
//! What is left so is never called proved: no such score is decisive, and none
//! is given where the window asks for a proof.
//!
//! CITE: C. Donninger, Null move and deep search, ICCA Journal 16(3), 1993
//! (null move); <https://www.chessprogramming.org/Reverse_Futility_Pruning>.

use crate::search::heuristics::{Depth, Heuristics};
use crate::search::score::{Score, Window};
use crate::search::worker::{NOTHING, Node, Plan, Worker};

/// The least depth at which passing is tried.
const PASS_DEPTH: Depth = 3;

/// By how many plies the search after a pass is less deep.
const PASS_REDUCTION: Depth = 2;

impl<H: Heuristics> Worker<'_, H> {
    /// A lower bound that an evaluation far above the window, or a turn passed
    /// without harm, makes likely.
    pub(super) fn prune(&mut self, node: &Node<H>, plan: &Plan) -> Option<Score> {
        let beta = plan.window.beta;
        let allowed = self.shared.switches.reductions
            && plan.window.is_null()
            && !plan.exact
            && !plan.threatened
            && beta.0.abs() <= Score::MAX_EVAL;
        if !allowed {
            return None;
        }
        let margin = H::stand_margin(plan.depth);
        let passed = (plan.depth >= PASS_DEPTH && !self.steps[plan.ply].passed)
            .then(|| node.position.pass_turn())
            .flatten();
        if margin.is_none() && passed.is_none() {
            return None;
        }
        let standing = self.evaluate(node);
        if margin.is_some_and(|margin| standing.0 - margin >= beta.0) {
            return Some(standing);
        }
        let passed = passed.filter(|_| standing >= beta)?;
        self.search_passed(&passed, plan)
    }

    fn search_passed(&mut self, passed: &H, plan: &Plan) -> Option<Score> {
        let ply = plan.ply + 1;
        let child = Node {
            position: *passed,
            accumulator: passed.refresh(self.shared.tables),
        };
        self.enter_passed(passed, ply);
        let window = Window::null(Score(plan.window.beta.0 - 1));
        let depth = plan.depth - 1 - PASS_REDUCTION;
        let score = -self.negamax(&child, -window, depth, ply);
        self.leans_on = NOTHING;
        if self.halted {
            return Some(Score::DRAW);
        }
        (score >= plan.window.beta).then_some(plan.window.beta)
    }
}
