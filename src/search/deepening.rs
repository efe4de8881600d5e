//! Iterative deepening: the order of iterations, windows and reports, and
//! when to stop.

use std::sync::atomic::Ordering;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use crate::search::clock::Budget;
use crate::search::heuristics::{Depth, Heuristics, legal_moves};
use crate::search::probcut::{FULL, Selectivity};
use crate::search::score::{Score, Value, Window};
use crate::search::stages::{self, Question, Stage};
use crate::search::threats::Threats;
use crate::search::worker::{Node, Shared, Worker};
use crate::search::{Limits, MAX_PLY, Report};

/// Half the width of the first window of an iteration.
const ASPIRATION: i32 = 80;

/// The same for the iteration that gives an exact margin, which may be further
/// from what the evaluation said.
const EXACT_ASPIRATION: i32 = 200;

/// No iteration goes deeper: extensions need room below.
const MAX_DEPTH: Depth = MAX_PLY as Depth - 28;

/// A search about to begin.
pub(super) struct Deepening<'a, H: Heuristics> {
    root: H,
    limits: &'a Limits,
    budget: Option<Budget>,
    moves: Vec<H::Move>,
}

impl<'a, H: Heuristics> Deepening<'a, H> {
    pub(super) fn new(root: &H, limits: &'a Limits, seed: u64) -> Self {
        Self {
            root: *root,
            limits,
            budget: budget(limits, root.moves_to_go()),
            moves: first_order(root, seed),
        }
    }

    /// What the move may take, with what is kept for trouble.
    pub(super) fn longest(&self) -> Option<Duration> {
        self.budget.map(|budget| budget.hard)
    }

    /// The same without.
    pub(super) fn time(&self) -> Option<Duration> {
        self.budget.map(|budget| budget.soft)
    }

    /// Leaves time for no more than a first iteration.
    pub(super) fn hurry(&mut self) {
        self.budget = Some(Budget {
            soft: Duration::ZERO,
            hard: Duration::ZERO,
            decisive: Duration::ZERO,
        });
    }

    /// Searches deeper and deeper until a limit is reached or everything is
    /// proved. The reports of the last iteration, best first.
    pub(super) fn run(self, shared: &Shared<'_, H>) -> Vec<Report<H::Move>> {
        // Whatever happens here, the other threads must not wait for ever.
        let _release = Release(shared);
        let mut worker = Worker::new(shared, 0);
        let node = Node {
            position: self.root,
            accumulator: self.root.refresh(shared.tables),
        };
        let mut best: Vec<Report<H::Move>> = Vec::new();
        let mut threats = Threats::new();
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let selective = H::SELECTIVE && shared.switches.probcut;
        let mut steady = 0;
        let mut depth = 1;
        let mut stages = self.stages(depth, selective);
        loop {
            let (stage, later) = (stages[0], &stages[1..]);
            worker.selectivity = Selectivity::new(stage.level);
            let reports = match stage.question {
                Question::Value => self.iterate(&mut worker, &node, depth, &best),
                Question::Winner => self.decide(&mut worker, &node, depth, &best),
            };
            let finished = !worker.halted;
            if !reports.is_empty() {
                steady = if best_move(&reports) == best_move(&best) {
                    steady + 1
                } else {
                    0
                };
                best = reports;
            }
            if !finished
                || depth >= last && later.is_empty()
                || self.is_enough(&best)
                || !self.grants(shared, later.first(), steady)
            {
                break;
            }
            shared.may_stop.store(true, Ordering::Relaxed);
            if self.limits.candidates <= 1
                && let Some((moves, line)) = threats.prove(&mut worker, &self.root)
            {
                return vec![self.forced_win(&mut worker, depth, moves, line)];
            }
            if later.is_empty() {
                depth = self.next_depth(depth, last);
                stages = self.stages(depth, selective);
            } else {
                stages = later;
            }
        }
        best
    }

    /// What an iteration of a depth asks, one after the other.
    fn stages(&self, depth: Depth, selective: bool) -> &'static [Stage] {
        match (selective, self.sees_end(depth)) {
            (false, _) => &stages::AT_ONCE,
            (true, false) => &stages::MIDGAME,
            (true, true) if !self.is_limited() => stages::unlimited(depth),
            (true, true) => {
                let ranks = self.limits.candidates > 1;
                let wins_count = self.root.wins_count() && !self.limits.outcome_only;
                stages::limited(depth, wins_count && !ranks)
            }
        }
    }

    /// Whether the search may have to end before everything is proved.
    fn is_limited(&self) -> bool {
        self.budget.is_some() || self.limits.nodes.is_some()
    }

    /// Whether an iteration of this depth sees the end of the game.
    fn sees_end(&self, depth: Depth) -> bool {
        self.root.depth_to_end().is_some_and(|end| depth >= end)
    }

    /// The depth of the iteration after one of `depth`. The last ones before
    /// the end of the game cost more than the exact one, whose leaves need no
    /// evaluation: they are left out.
    fn next_depth(&self, depth: Depth, last: Depth) -> Depth {
        match self.root.depth_to_end() {
            Some(end) if (depth..=last).contains(&end) && self.root.skips_to_end(depth) => end,
            _ => depth + 1,
        }
    }

    /// One iteration: the best move, then the best of the others, as many as
    /// are asked for. Nothing if it was cut short too early to tell.
    fn iterate(
        &self,
        worker: &mut Worker<'_, H>,
        node: &Node<H>,
        depth: Depth,
        before: &[Report<H::Move>],
    ) -> Vec<Report<H::Move>> {
        let mut reports: Vec<Report<H::Move>> = Vec::new();
        let candidates = self.limits.candidates.clamp(1, self.moves.len());
        for rank in 0..candidates {
            worker.root_moves = self.order(&reports, before);
            let guess = before.get(rank).map(|report| report.score);
            let Some(score) = self.aspirate(worker, node, depth, guess) else {
                // The best move may be better than before even so.
                return if rank == 0 { reports } else { before.to_vec() };
            };
            let report = self.report(worker, depth, score);
            if worker.halted && rank > 0 {
                return before.to_vec();
            }
            reports.push(report);
            if worker.halted {
                break;
            }
        }
        reports.sort_by_key(|report| std::cmp::Reverse(report.score));
        for (index, report) in reports.iter_mut().enumerate() {
            report.rank = index + 1;
            worker.shared.handler.progress(report);
        }
        reports
    }

    /// Asks only who wins, and by which move. What is reported is the value
    /// found before, as far as it agrees. Nothing if no move was found: all
    /// lose, or the search was cut short.
    fn decide(
        &self,
        worker: &mut Worker<'_, H>,
        node: &Node<H>,
        depth: Depth,
        before: &[Report<H::Move>],
    ) -> Vec<Report<H::Move>> {
        let mut score = before.first().map_or(Score::DRAW, |report| report.score);
        worker.root_moves = self.order(&[], before);
        let wins = Window::null(Score::DRAW);
        let holds = Window::null(Score(-1));
        let mut line = Vec::new();
        // The likelier answer first: who wins holds, who does not hold does
        // not win.
        let expects_win = score > Score::DRAW;
        for asks_win in [expects_win, !expects_win] {
            let window = if asks_win { wins } else { holds };
            let found = worker.search_root(node, window, depth);
            if worker.halted {
                break;
            }
            let yes = found >= window.beta;
            if yes {
                line = worker.lines[0].to_vec();
                try_first(&mut worker.root_moves, line.first());
            }
            score = match (asks_win, yes) {
                (true, true) => score.max(Score::margin(1)),
                (false, true) => score.max(Score::DRAW),
                (true, false) => score.min(Score::DRAW),
                (false, false) => score.min(Score::margin(-1)),
            };
            if asks_win == yes {
                break;
            }
        }
        if line.is_empty() {
            return Vec::new();
        }
        let report = Report {
            value: value_of::<H>(score, false),
            exact: false,
            pv: line,
            ..self.report(worker, depth, score)
        };
        worker.shared.handler.progress(&report);
        vec![report]
    }

    /// The moves not ranked yet; those ranked in the iteration before come
    /// first.
    fn order(&self, ranked: &[Report<H::Move>], before: &[Report<H::Move>]) -> Vec<H::Move> {
        let first = |report: &Report<H::Move>| report.pv.first().copied();
        let taken: Vec<_> = ranked.iter().filter_map(first).collect();
        let good: Vec<_> = before.iter().filter_map(first).collect();
        let others = self.moves.iter().filter(|mv| !good.contains(mv));
        good.iter()
            .chain(others)
            .filter(|mv| !taken.contains(mv))
            .copied()
            .collect()
    }

    /// Searches the root with a window around `guess` that is widened until
    /// the score lies inside. None if the search was cut short without having
    /// found a better move.
    fn aspirate(
        &self,
        worker: &mut Worker<'_, H>,
        node: &Node<H>,
        depth: Depth,
        guess: Option<Score>,
    ) -> Option<Score> {
        let half = if H::HAS_MARGIN && self.sees_end(depth) {
            EXACT_ASPIRATION
        } else {
            ASPIRATION
        };
        let asks_winner = self.asks_winner(depth);
        let mut window = match guess {
            _ if asks_winner => Window {
                alpha: Score(-1),
                beta: Score(1),
            },
            Some(guess)
                if worker.shared.switches.aspiration && depth >= 3 && !guess.is_decisive() =>
            {
                Window {
                    alpha: Score(guess.0 - half),
                    beta: Score(guess.0 + half),
                }
            }
            _ => Window::FULL,
        };
        let mut step = half;
        loop {
            let score = worker.search_root(node, window, depth);
            if worker.halted {
                // A loss is proved only when every move has been seen.
                return worker.partial.filter(|&score| score.0 >= -Score::MAX_EVAL);
            }
            step *= 4;
            if asks_winner {
                return Some(score);
            }
            if score <= window.alpha {
                window.alpha = widened(score.0 - step);
            } else if score >= window.beta {
                window.beta = widened(score.0 + step);
            } else {
                return Some(score);
            }
        }
    }

    fn report(&self, worker: &mut Worker<'_, H>, depth: Depth, score: Score) -> Report<H::Move> {
        worker.flush();
        // A search cut short has not seen every move.
        let sees_end = !worker.halted && worker.selectivity.level == FULL && self.sees_end(depth);
        let mut pv = worker.lines[0].to_vec();
        if pv.is_empty() && sees_end {
            // Every move loses, so any is as good as the others.
            pv.extend(worker.root_moves.first());
        }
        Report {
            depth,
            rank: 1,
            score,
            value: if sees_end && self.asks_winner(depth) {
                Value::Margin(score.0).winner(depth as u32)
            } else {
                value_of::<H>(score, sees_end)
            },
            exact: sees_end || score.is_decisive(),
            nodes: worker.shared.total_nodes(),
            hits: worker.shared.total_hits(),
            time: self.limits.start.elapsed(),
            hashfull: worker.shared.table.hashfull(),
            pv,
        }
    }

    /// What is reported of a win by threats in so many own moves.
    fn forced_win(
        &self,
        worker: &mut Worker<'_, H>,
        depth: Depth,
        moves: u8,
        line: Vec<H::Move>,
    ) -> Report<H::Move> {
        let score = Score::win_at(2 * usize::from(moves) - 1);
        let mut report = self.report(worker, depth, score);
        report.pv = line;
        worker.shared.handler.progress(&report);
        report
    }

    /// Whether an iteration asks no more than who wins.
    fn asks_winner(&self, depth: Depth) -> bool {
        self.limits.outcome_only && H::HAS_MARGIN && self.sees_end(depth)
    }

    /// Whether nothing more is to be learned.
    fn is_enough(&self, best: &[Report<H::Move>]) -> bool {
        best.iter().all(|report| report.exact) || self.limits.play_forced && self.moves.len() == 1
    }

    /// Whether there is time for a next search, of this stage or of another
    /// depth; if so, when it must end is settled. The best move has been the
    /// same `steady` times.
    fn grants(&self, shared: &Shared<'_, H>, next: Option<&Stage>, steady: u32) -> bool {
        let Some(budget) = self.budget else {
            return true;
        };
        let gone = self.limits.start.elapsed();
        let decides = next.is_some_and(|stage| {
            stage.question == Question::Winner && gone * stage.growth <= budget.decisive
        });
        let deadline = if decides {
            budget.decisive
        } else {
            budget.hard
        };
        shared.deadline.move_to(deadline);
        decides || gone < budget.for_steady(steady)
    }
}

/// Lets the other threads go when the search is over, also by a panic.
struct Release<'a, 'b, H: Heuristics>(&'a Shared<'b, H>);

impl<H: Heuristics> Drop for Release<'_, '_, H> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        self.0.team.finish();
    }
}

fn best_move<M: Copy>(reports: &[Report<M>]) -> Option<M> {
    reports.first()?.pv.first().copied()
}

/// Puts one of the moves before the others.
fn try_first<M: PartialEq>(moves: &mut [M], first: Option<&M>) {
    let place = first.and_then(|first| moves.iter().position(|mv| mv == first));
    if let Some(place) = place {
        moves[..=place].rotate_right(1);
    }
}

fn widened(bound: i32) -> Score {
    // Beyond evaluations and margins there are only proofs.
    if bound.abs() > Score::MAX_EVAL {
        Score(Score::INFINITE.0 * bound.signum())
    } else {
        Score(bound)
    }
}

fn value_of<H: Heuristics>(score: Score, sees_end: bool) -> Value {
    if score.is_decisive() {
        let plies = (Score::WIN - score.0.abs()) as u32;
        if score.0 > 0 {
            Value::Win(plies)
        } else {
            Value::Loss(plies)
        }
    } else if !sees_end {
        Value::Eval(score.0)
    } else if H::HAS_MARGIN {
        Value::Margin(score.0 / Score::UNIT)
    } else {
        Value::Draw
    }
}

/// The legal moves, the most promising first, or shuffled for variety.
fn first_order<H: Heuristics>(root: &H, seed: u64) -> Vec<H::Move> {
    let mut moves = legal_moves(root).to_vec();
    if seed != 0 {
        moves.shuffle(&mut StdRng::seed_from_u64(seed ^ root.key()));
        return moves;
    }
    let mut hints = vec![0; moves.len()];
    root.hint(&moves, &mut hints, MAX_DEPTH);
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(hints[index]));
    order.into_iter().map(|index| moves[index]).collect()
}

/// The budget of a time, a clock, or the stricter of both.
fn budget(limits: &Limits, moves_to_go: u32) -> Option<Budget> {
    let fixed = limits.time.map(|time| {
        // Of a very short time not all is given away.
        let time = time
            .saturating_sub(limits.overhead.min(time / 10))
            .max(Duration::from_micros(500));
        Budget {
            soft: time,
            hard: time,
            decisive: time,
        }
    });
    let clock = limits
        .clock
        .map(|clock| clock.budget(moves_to_go, limits.overhead));
    match (fixed, clock) {
        (Some(a), Some(b)) => Some(Budget {
            soft: a.soft.min(b.soft),
            hard: a.hard.min(b.hard),
            decisive: a.decisive.min(b.decisive),
        }),
        (a, b) => a.or(b),
    }
}
