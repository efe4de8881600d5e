//! Negamax with principal-variation windows: what happens at one node.

use arrayvec::ArrayVec;

use crate::game::{MAX_MOVES, MoveList};
use crate::search::heuristics::{Depth, Heuristics, Preview, Tactics};
use crate::search::known::is_kept;
use crate::search::ordering::Ordered;
use crate::search::score::{Score, Window};
use crate::search::table::{Bound, Entry};
use crate::search::team::is_worth_splitting;
use crate::search::worker::{Best, Lean, NOTHING, Node, Plan, Step, Worker};
use crate::search::{MAX_PLY, terminal_score};

/// Moves that look so much worse than the best, in hundredths of the unit, are
/// not told apart.
const ORDER_MARGIN: i32 = 2_500;

impl<H: Heuristics> Worker<'_, H> {
    /// The value of the root within `window`. The best line is in `lines[0]`.
    pub(super) fn search_root(&mut self, root: &Node<H>, window: Window, depth: Depth) -> Score {
        self.steps.clear();
        self.steps.push(Step {
            key: root.position.key(),
            reversible: self.shared.past.len(),
            extended: 0,
            passed: false,
        });
        self.lines[0].clear();
        self.partial = None;
        self.count_node();
        let plan = Plan {
            window,
            depth,
            asked: depth,
            ply: 0,
            exact: sees_end(&root.position, depth),
            threatened: false,
            selectivity: self.selectivity,
        };
        self.search_moves(root, plan, None)
    }

    /// The value of `node` for the side to move: exact inside `window`; an
    /// upper bound at or below alpha; a lower bound at or above beta.
    pub(super) fn negamax(
        &mut self,
        node: &Node<H>,
        window: Window,
        asked: Depth,
        ply: usize,
    ) -> Score {
        self.lines[ply].clear();
        self.leans_on = NOTHING;
        self.count_node();
        if self.halted {
            return Score::DRAW;
        }
        if let Some(score) = self.settled(node, ply) {
            return score;
        }
        let window = if H::HAS_MARGIN {
            window
        } else {
            within_reach(window, ply)
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let mut plan = Plan {
            window,
            depth: asked,
            asked,
            ply,
            exact: false,
            threatened: false,
            selectivity: self.selectivity,
        };
        if let Some(score) = self.look_for_tactics(node, &mut plan) {
            return score;
        }
        plan.exact = sees_end(&node.position, plan.depth);
        if plan.depth <= 0 && !plan.exact {
            return self.evaluate(node);
        }
        let entry = self.probe(node, &plan);
        if let Some(entry) = entry
            && let Some(score) = self.table_cutoff(entry, &plan)
        {
            return score;
        }
        if plan.exact
            && let Some(score) = self.solve(node, &plan)
        {
            return score;
        }
        if let Some(score) = self.probcut(node, &plan, entry) {
            return score;
        }
        if let Some(score) = self.prune(node, &plan) {
            return score;
        }
        self.search_moves(node, plan, entry)
    }

    /// The value of a node whose game is over, repeats, or is too far down.
    fn settled(&mut self, node: &Node<H>, ply: usize) -> Option<Score> {
        if let Some(outcome) = node.position.outcome() {
            return Some(terminal_score(outcome, &node.position, ply));
        }
        if H::CAN_REPEAT
            && let Some(repeated) = self.repeats(ply)
        {
            self.leans_on = repeated;
            return Some(Score::DRAW);
        }
        (ply >= MAX_PLY - 1).then(|| self.evaluate(node))
    }

    /// Takes a win on the spot; extends the line when one is threatened.
    fn look_for_tactics(&mut self, node: &Node<H>, plan: &mut Plan) -> Option<Score> {
        if !self.shared.switches.tactics {
            return None;
        }
        match node.position.tactics() {
            Tactics::Quiet => None,
            Tactics::WinsNow(mv) => {
                self.lines[plan.ply].push(mv);
                Some(Score::win_at(plan.ply + 1))
            }
            Tactics::Threatened => {
                plan.threatened = true;
                let extended = &mut self.steps[plan.ply].extended;
                if *extended < H::MAX_EXTENSION {
                    *extended += 1;
                    plan.depth += 1;
                }
                None
            }
        }
    }

    pub(super) fn evaluate(&self, node: &Node<H>) -> Score {
        let score = node
            .position
            .evaluate(&node.accumulator, self.shared.tables);
        debug_assert!(score.abs() <= Score::MAX_EVAL);
        Score(score)
    }

    fn search_moves(&mut self, node: &Node<H>, mut plan: Plan, entry: Option<Entry>) -> Score {
        let table_move = entry.and_then(|entry| entry.best);
        // Without a move to try first, a shallower search finds one as well.
        if self.shared.switches.reductions
            && !plan.exact
            && plan.ply > 0
            && plan.depth >= 5
            && table_move.is_none()
        {
            plan.depth -= 1;
        }
        if plan.exact
            && H::preview(plan.depth, true).is_some()
            && plan.window.is_null()
            && self.shared.switches.table
            && let Some(score) = self.enhanced_cut(node, &plan)
        {
            return score;
        }
        let mut ordered = Ordered::unranked();
        self.order(node, &plan, table_move, &mut ordered);
        if ordered.remaining() == 0 {
            return Score::loss_at(plan.ply + 2);
        }
        let mut best = Best {
            score: Score(-Score::INFINITE.0),
            alpha: plan.window.alpha,
            mv: None,
            leans_on: NOTHING,
        };
        while ordered.remaining() > 0 {
            if !ordered.tried().is_empty()
                && self.shared.team.has_idle()
                && is_worth_splitting::<H>(plan.depth, ordered.remaining())
                && self.split(node, &plan, &mut ordered, &mut best)
            {
                break;
            }
            let Some((number, mv)) = ordered.next() else {
                break;
            };
            self.prefetch_next(node, &plan, &mut ordered);
            let score = self.search_move(node, &plan, mv, number, best.alpha);
            if self.halted {
                break;
            }
            if best.take(score, mv, self.leans_on, plan.window.beta) {
                self.keep_line(plan.ply, mv);
            }
            if best.score >= plan.window.beta {
                break;
            }
        }
        if self.halted {
            self.partial = (plan.ply == 0 && best.score > plan.window.alpha).then_some(best.score);
            return Score::DRAW;
        }
        self.conclude(node, &plan, &ordered, &best, table_move);
        best.score
    }

    /// A cut-off by what the table knows of the position after a move.
    ///
    /// CITE: J. Schaeffer, A. Plaat, New advances in alpha-beta searching,
    /// ACM Computer Science Conference, 1996 (enhanced transposition cut-off).
    fn enhanced_cut(&self, node: &Node<H>, plan: &Plan) -> Option<Score> {
        // Filled where they are, for they are large.
        let mut moves = MoveList::new();
        node.position.legal_moves(&mut moves);
        let mut keys = ArrayVec::<u64, MAX_MOVES>::new();
        keys.extend(moves.iter().map(|&mv| node.position.play(mv).key()));
        // All are asked for before the first is waited for.
        for &key in &keys {
            self.shared.table.prefetch(key);
        }
        moves.iter().zip(keys).find_map(|(&mv, key)| {
            let asked = plan.depth - Depth::from(!H::is_pass(mv));
            let entry = self.shared.table.probe(key)?;
            let fails = entry.bound != Bound::Lower
                && entry.depth >= asked
                && entry.level >= plan.selectivity.level;
            let score = -entry.score;
            (fails && score >= plan.window.beta).then_some(score)
        })
    }

    /// Adds to what promises a move the value of the position after it, by a
    /// shallow search of the moves that may be the best.
    fn search_for_order(
        &mut self,
        node: &Node<H>,
        ply: usize,
        preview: Preview,
        ordered: &mut Ordered<H::Move>,
    ) {
        let mut most = -Score::INFINITE.0;
        ordered.promise(|mv| {
            let child = self.child(node, ply, mv);
            let score = if preview.depth == 0 {
                let settled = self.settled(&child, ply + 1);
                settled.unwrap_or_else(|| self.evaluate(&child))
            } else {
                let window = Window {
                    alpha: -Score::INFINITE,
                    beta: Score((ORDER_MARGIN - most).min(Score::INFINITE.0)),
                };
                self.negamax(&child, window, preview.depth, ply + 1)
            };
            most = most.max(-score.0);
            -score.0 * preview.percent / 100
        });
    }

    /// Lists the moves, the most promising first.
    fn order(
        &mut self,
        node: &Node<H>,
        plan: &Plan,
        table_move: Option<u16>,
        ordered: &mut Ordered<H::Move>,
    ) {
        if plan.ply == 0 {
            *ordered = Ordered::given(&self.root_moves);
        } else {
            self.order_by_hints(node, plan, table_move, ordered);
        }
        // The iterations give the root's moves their order.
        let is_ordered = plan.ply == 0 && !plan.exact;
        if self.shared.switches.order.hints
            && !is_ordered
            && ordered.remaining() > 1
            && let Some(preview) = H::preview(plan.depth, plan.exact)
        {
            self.search_for_order(node, plan.ply, preview, ordered);
        }
    }

    fn order_by_hints(
        &self,
        node: &Node<H>,
        plan: &Plan,
        table_move: Option<u16>,
        ordered: &mut Ordered<H::Move>,
    ) {
        let moves = ordered.moves_mut();
        node.position.legal_moves(moves);
        if self.shared.switches.tactics {
            node.position.retain_harmless(moves);
        }
        if plan.threatened && !self.shared.past_repeats {
            let all = moves.clone();
            node.position.retain_evasions(moves);
            // A lost principal variation is wanted to its end.
            if moves.is_empty() && !plan.window.is_null() {
                *moves = all;
            }
        }
        ordered.rank(
            &node.position,
            table_move,
            &self.experience,
            self.shared.switches.order,
            plan.ply,
            plan.depth,
        );
    }

    /// Searches one move of a node: the first with the whole window, the
    /// others only to see that they are no better, and less deep at first.
    pub(super) fn search_move(
        &mut self,
        node: &Node<H>,
        plan: &Plan,
        mv: H::Move,
        number: usize,
        alpha: Score,
    ) -> Score {
        let ply = plan.ply + 1;
        let depth = plan.depth - Depth::from(!H::is_pass(mv));
        let first = number == 0 || !self.shared.switches.null_windows;
        let reduction = if first {
            0
        } else {
            self.reduction(plan, number)
        };
        let position = node.position.play(mv);
        if is_kept::<H>(depth - reduction, plan.exact) {
            self.shared.table.prefetch(position.key());
        }
        let child = self.descend(node, position, plan.ply, mv);
        let window = Window {
            alpha,
            beta: plan.window.beta,
        };
        if first {
            return -self.negamax(&child, -window, depth, ply);
        }
        let null = Window::null(alpha);
        let mut score = -self.negamax(&child, -null, depth - reduction, ply);
        if reduction > 0 && score > alpha && !self.halted {
            self.enter(&child.position, node, ply, mv);
            score = -self.negamax(&child, -null, depth, ply);
        }
        if score > alpha && score < window.beta && !self.halted {
            self.enter(&child.position, node, ply, mv);
            score = -self.negamax(&child, -window, depth, ply);
        }
        score
    }

    /// Asks for the table's memory of the move after the one about to be
    /// searched: if it is searched too, the answer is there by then.
    fn prefetch_next(&self, node: &Node<H>, plan: &Plan, ordered: &mut Ordered<H::Move>) {
        if is_kept::<H>(plan.depth - 1, plan.exact)
            && let Some(next) = ordered.peek()
        {
            self.shared.table.prefetch(node.position.play(next).key());
        }
    }

    fn reduction(&self, plan: &Plan, number: usize) -> Depth {
        if !self.shared.switches.reductions || plan.exact || plan.threatened {
            return 0;
        }
        H::reduction(plan.depth, number).min(plan.depth - 1).max(0)
    }

    /// Remembers what was found, in the table and for the ordering.
    fn conclude(
        &mut self,
        node: &Node<H>,
        plan: &Plan,
        ordered: &Ordered<H::Move>,
        best: &Best<H::Move>,
        table_move: Option<u16>,
    ) {
        let cut = best.score >= plan.window.beta;
        if cut && let Some(mv) = best.mv {
            let failed = ordered.tried().split(|&tried| tried == mv).next();
            self.experience.learn(
                &node.position,
                plan.ply,
                plan.depth,
                mv,
                failed.unwrap_or_default(),
            );
        }
        self.leans_on = if best.leans_on < plan.ply as Lean {
            best.leans_on
        } else {
            NOTHING
        };
        if self.leans_on != NOTHING || !self.shared.switches.table {
            return;
        }
        // A root search that leaves moves out says nothing about the position.
        if plan.ply > 0 {
            self.store(
                node,
                plan,
                best.score,
                best.mv.map(H::encode).or(table_move),
            );
        }
    }
}

fn sees_end<H: Heuristics>(position: &H, depth: Depth) -> bool {
    position.depth_to_end().is_some_and(|end| depth >= end)
}

/// A window without what no line from this ply can reach: the soonest win is
/// the next move, the soonest loss the one after.
fn within_reach(window: Window, ply: usize) -> Window {
    Window {
        alpha: window.alpha.max(Score::loss_at(ply)),
        beta: window.beta.min(Score::win_at(ply + 1)),
    }
}
