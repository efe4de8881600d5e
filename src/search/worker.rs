//! One thread of the search: negamax with principal-variation windows.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use arrayvec::ArrayVec;
use crossbeam_utils::CachePadded;

use crate::search::heuristics::{Depth, Heuristics, Tactics, legal_moves};
use crate::search::ordering::{Experience, Ordered};
use crate::search::score::{Score, Window};
use crate::search::table::{Bound, Entry, Table};
use crate::search::team::{Chain, Team, is_worth_splitting};
use crate::search::{Handler, MAX_PLY, Switches, terminal_score};

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
const NOTHING: Lean = i32::MAX;

/// One position of the line from the root to the current node.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) key: u64,
    /// How many positions before this one, the root's past included, can come
    /// back.
    pub(super) reversible: usize,
    /// Plies by which threats have lengthened the line.
    pub(super) extended: Depth,
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
    pub(super) deadline: Option<Instant>,
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

/// Nodes between two looks at the clock.
const POLL_INTERVAL: u64 = 256;

pub(super) type Line<M> = ArrayVec<M, MAX_PLY>;

pub(super) struct Worker<'a, H: Heuristics> {
    pub(super) shared: &'a Shared<'a, H>,
    pub(super) index: usize,
    nodes: u64,
    hits: u64,
    next_poll: u64,
    /// The value being computed is no longer wanted: everything returns at
    /// once, and what it returns means nothing.
    pub(super) halted: bool,
    /// The root's moves, in the order in which they are to be tried.
    pub(super) root_moves: Vec<H::Move>,
    pub(super) steps: ArrayVec<Step, { MAX_PLY + 1 }>,
    pub(super) chain: Chain,
    experience: Experience,
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
            nodes: 0,
            hits: 0,
            next_poll: 0,
            halted: false,
            root_moves: Vec::new(),
            steps: ArrayVec::new(),
            chain: Chain::new(),
            experience: Experience::new(H::MOVE_CODES),
            lines: vec![Line::new(); MAX_PLY + 1].into_boxed_slice(),
            leans_on: NOTHING,
            partial: None,
        }
    }

    /// The value of the root within `window`. The best line is in `lines[0]`.
    pub(super) fn search_root(&mut self, root: &Node<H>, window: Window, depth: Depth) -> Score {
        self.steps.clear();
        self.steps.push(Step {
            key: root.position.key(),
            reversible: self.shared.past.len(),
            extended: 0,
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
        };
        self.search_moves(root, plan, None)
    }

    /// The value of `node` for the side to move: exact inside `window`; an
    /// upper bound at or below alpha; a lower bound at or above beta.
    fn negamax(&mut self, node: &Node<H>, window: Window, asked: Depth, ply: usize) -> Score {
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
        };
        if let Some(score) = self.look_for_tactics(node, &mut plan) {
            return score;
        }
        plan.exact = sees_end(&node.position, plan.depth);
        if plan.depth <= 0 && !plan.exact {
            return self.evaluate(node);
        }
        let entry = self.probe(node, ply);
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

    /// Whether the current position counts as a draw: it stood on the line
    /// from the root before, or twice in the game. Gives the ply it leans on.
    fn repeats(&self, ply: usize) -> Option<Lean> {
        let here = self.steps[ply];
        let mut before_root = 0;
        // Both sides must have moved away and back: four plies at least.
        for distance in (4..=here.reversible).step_by(2) {
            if let Some(earlier) = ply.checked_sub(distance) {
                if self.steps[earlier].key == here.key {
                    return Some(earlier as Lean);
                }
            } else if self.shared.past[self.shared.past.len() + ply - distance] == here.key {
                before_root += 1;
                if before_root == 2 {
                    return Some(-1);
                }
            }
        }
        None
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

    fn evaluate(&self, node: &Node<H>) -> Score {
        let score = node
            .position
            .evaluate(&node.accumulator, self.shared.tables);
        debug_assert!(score.abs() <= Score::MAX_EVAL);
        Score(score)
    }

    fn probe(&mut self, node: &Node<H>, ply: usize) -> Option<Entry> {
        if !self.shared.switches.table {
            return None;
        }
        let mut entry = self.shared.table.probe(node.position.key())?;
        self.hits += 1;
        entry.score = from_table(entry.score, ply);
        Some(entry)
    }

    /// The score of a table entry, where it answers the question. Inside a
    /// principal variation it never does, so that the line stays whole.
    fn table_cutoff(&self, entry: Entry, plan: &Plan) -> Option<Score> {
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
    fn solve(&mut self, node: &Node<H>, plan: &Plan) -> Option<Score> {
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
        let mut nodes = 0;
        let score = node.position.solve(plan.window, &mut nodes)?;
        self.nodes += nodes;
        if self.shared.switches.table {
            self.store(node, plan, score, None);
        }
        Some(score)
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
        let mut ordered = self.order(node, &plan, table_move);
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

    fn order(&self, node: &Node<H>, plan: &Plan, table_move: Option<u16>) -> Ordered<H::Move> {
        if plan.ply == 0 {
            return Ordered::given(&self.root_moves);
        }
        let mut moves = legal_moves(&node.position);
        if plan.threatened && !self.shared.past_repeats {
            let mut evasions = moves.clone();
            node.position.retain_evasions(&mut evasions);
            // A lost principal variation is wanted to its end.
            if !evasions.is_empty() || plan.window.is_null() {
                moves = evasions;
            }
        }
        Ordered::some(
            moves,
            &node.position,
            table_move,
            &self.experience,
            self.shared.switches.order,
            plan.ply,
            plan.depth,
        )
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
        let child = self.child(node, plan.ply, mv);
        let ply = plan.ply + 1;
        let depth = plan.depth - Depth::from(!H::is_pass(mv));
        let window = Window {
            alpha,
            beta: plan.window.beta,
        };
        if number == 0 || !self.shared.switches.null_windows {
            return -self.negamax(&child, -window, depth, ply);
        }
        let reduction = self.reduction(plan, number);
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

    fn reduction(&self, plan: &Plan, number: usize) -> Depth {
        if !self.shared.switches.reductions || plan.exact || plan.threatened {
            return 0;
        }
        H::reduction(plan.depth, number).min(plan.depth - 1).max(0)
    }

    fn child(&mut self, node: &Node<H>, ply: usize, mv: H::Move) -> Node<H> {
        let position = node.position.play(mv);
        let accumulator =
            position.advance(&node.position, mv, &node.accumulator, self.shared.tables);
        self.enter(&position, node, ply + 1, mv);
        Node {
            position,
            accumulator,
        }
    }

    /// Makes `position` the last of the line.
    fn enter(&mut self, position: &H, parent: &Node<H>, ply: usize, mv: H::Move) {
        self.steps.truncate(ply);
        let before = self.steps[ply - 1];
        let reversible = if H::CAN_REPEAT && !parent.position.is_irreversible(mv) {
            before.reversible + 1
        } else {
            0
        };
        self.steps.push(Step {
            key: position.key(),
            reversible,
            extended: before.extended,
        });
    }

    /// `mv` and what follows it become the best line from `ply`.
    pub(super) fn keep_line(&mut self, ply: usize, mv: H::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(mv);
        if let Some(rest) = tail.first() {
            line.extend(rest.iter().copied().take(MAX_PLY - 1));
        }
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

    fn store(&self, node: &Node<H>, plan: &Plan, score: Score, best: Option<u16>) {
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
        };
        self.shared.table.store(node.position.key(), entry);
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        if !self.chain.is_empty() && self.shared.team.is_cancelled(&self.chain) {
            self.halted = true;
        }
    }

    /// Reports the nodes, and halts if the search is over.
    fn poll(&mut self) {
        let shared = self.shared;
        shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        shared.hits[self.index].store(self.hits, Ordering::Relaxed);
        self.next_poll = self.nodes + POLL_INTERVAL;
        if !shared.may_stop.load(Ordering::Relaxed) {
            return;
        }
        let left = shared.node_limit.saturating_sub(shared.total_nodes());
        self.next_poll = self.nodes + POLL_INTERVAL.min(left).max(1);
        let over = shared.stopped.load(Ordering::Relaxed)
            || left == 0
            || shared
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
            || shared.handler.stop();
        if over {
            shared.stopped.store(true, Ordering::Relaxed);
            self.halted = true;
        }
    }

    /// Makes the next node look at the clock, and the counter exact.
    pub(super) fn flush(&mut self) {
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
        self.shared.hits[self.index].store(self.hits, Ordering::Relaxed);
        self.next_poll = 0;
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
