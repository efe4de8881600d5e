//! The exact result of a position, with a line of best play.

use super::GameSession;
use crate::depict::Depict;
use crate::search::Limits;
use crate::search::heuristics::{Heuristics, legal_moves};
use crate::search::score::Value;
use crate::session::{Info, Session, Solution, Watcher};

/// No game of ours lasts longer without being drawn by repetition.
const LONGEST_LINE: usize = 1_000;

impl<G: Heuristics + Depict> GameSession<G> {
    /// See [`Session::solve`].
    pub(super) fn solution(
        &mut self,
        all: bool,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Option<Solution> {
        if let Some(outcome) = self.outcome() {
            let value = self.finished_value(outcome);
            return Some(Solution {
                value: if limits.outcome_only {
                    value.winner(0)
                } else {
                    value
                },
                moves: Vec::new(),
                pv: Vec::new(),
                nodes: 0,
                time: limits.start.elapsed(),
            });
        }
        let limits = &Limits {
            proof: true,
            ..limits.clone()
        };
        let report = self.search(limits, watcher).into_iter().next()?;
        if !report.exact {
            return None;
        }
        let line = self.line_to_end(&report.pv, limits, watcher)?;
        let plies = line.len() as u32;
        let value = match report.value {
            Value::Win(_) => Value::Win(plies),
            Value::Loss(_) => Value::Loss(plies),
            value => value,
        };
        let reaching = if all {
            self.moves_reaching(value, limits, watcher)?
        } else {
            line.first().copied().into_iter().collect()
        };
        let mut moves: Vec<String> = reaching
            .iter()
            .map(|&mv| self.position.print_move(mv))
            .collect();
        moves.sort_unstable();
        Some(Solution {
            value,
            moves,
            pv: self.print_line(&line),
            nodes: report.nodes,
            time: limits.start.elapsed(),
        })
    }

    /// Continues a proved line to the end of the game, each time by proving
    /// the position it has reached.
    fn line_to_end(
        &mut self,
        line: &[G::Move],
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Option<Vec<G::Move>> {
        let mut whole = Vec::new();
        let mut next = line.to_vec();
        loop {
            for mv in next.drain(..) {
                self.push(self.position.side_to_move(), Some(mv));
                whole.push(mv);
            }
            if self.outcome().is_some() {
                break;
            }
            let report = self.search(limits, &Silent(watcher)).into_iter().next();
            match report {
                Some(report) if report.exact && whole.len() < LONGEST_LINE => next = report.pv,
                _ => break,
            }
        }
        let finished = self.outcome().is_some();
        self.pop(whole.len());
        finished.then_some(whole)
    }

    /// The moves that reach `value`, by solving what follows each.
    fn moves_reaching(
        &mut self,
        value: Value,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Option<Vec<G::Move>> {
        let mut reaching = Vec::new();
        for mv in legal_moves(&self.position) {
            let side = self.position.side_to_move();
            self.push(side, Some(mv));
            let reply = match self.outcome() {
                Some(outcome) if limits.outcome_only => {
                    Some(self.finished_value(outcome).winner(0))
                }
                Some(outcome) => Some(self.finished_value(outcome)),
                None => self
                    .search(limits, &Silent(watcher))
                    .first()
                    .and_then(|report| report.exact.then_some(report.value)),
            };
            let same_side = self.position.side_to_move() == side;
            self.pop(1);
            let reached = if same_side { reply? } else { negate(reply?) };
            if same_worth(reached, value) {
                reaching.push(mv);
            }
        }
        Some(reaching)
    }
}

fn negate(value: Value) -> Value {
    match value {
        Value::Eval(hundredths) => Value::Eval(-hundredths),
        Value::Margin(units) => Value::Margin(-units),
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Draw => Value::Draw,
    }
}

/// Wins are equally good however long they take, and so are losses.
fn same_worth(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Win(_), Value::Win(_)) | (Value::Loss(_), Value::Loss(_)) => true,
        _ => a == b,
    }
}

/// Lets a watcher stop a search without seeing it.
struct Silent<'a>(&'a dyn Watcher);

impl Watcher for Silent<'_> {
    fn progress(&self, _info: &Info) {}

    fn stop(&self) -> bool {
        self.0.stop()
    }
}
