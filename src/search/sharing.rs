//! A worker's part in a split: opening one, working for one, waiting.
//!
//! [`team`](super::team) says how splits work.

use std::sync::atomic::Ordering;

use crate::search::heuristics::Heuristics;
use crate::search::ordering::Ordered;
use crate::search::team::{Split, pause};
use crate::search::worker::{Best, Node, Plan, Worker};

impl<H: Heuristics> Worker<'_, H> {
    /// Searches the remaining moves of a node together with idle threads.
    /// False if the node could not be laid open.
    pub(super) fn split(
        &mut self,
        node: &Node<H>,
        plan: &Plan,
        ordered: &mut Ordered<H::Move>,
        best: &mut Best<H::Move>,
    ) -> bool {
        let shared = self.shared;
        let line = self.lines[plan.ply].clone();
        let opened = shared.team.open(self.index, &self.chain, |chain| Split {
            node: *node,
            plan: *plan,
            steps: self.steps.iter().copied().take(plan.ply + 1).collect(),
            chain,
            ordered: ordered.clone(),
            best: *best,
            line,
            busy: 1,
        });
        let Some(id) = opened else {
            return false;
        };
        self.chain.push(id);
        self.work_for(id, node, plan);
        self.wait_for_helpers(id);
        self.chain.pop();
        if let Some(split) = shared.team.slot(id).lock().take() {
            *ordered = split.ordered;
            *best = split.best;
            self.lines[plan.ply] = split.line;
        }
        self.halted =
            shared.stopped.load(Ordering::Relaxed) || shared.team.is_cancelled(&self.chain);
        true
    }

    /// Takes moves of a split and searches them until none is left.
    fn work_for(&mut self, id: usize, node: &Node<H>, plan: &Plan) {
        let slot = self.shared.team.slot(id);
        while !self.halted {
            let (number, mv, alpha) = {
                let mut guard = slot.lock();
                let Some(split) = guard.as_mut() else { break };
                if split.best.score >= plan.window.beta {
                    break;
                }
                let Some((number, mv)) = split.ordered.next() else {
                    slot.close();
                    break;
                };
                (number, mv, split.best.alpha)
            };
            let score = self.search_move(node, plan, mv, number, alpha);
            if self.halted {
                break;
            }
            let mut guard = slot.lock();
            let Some(split) = guard.as_mut() else { break };
            if split.best.take(score, mv, self.leans_on, plan.window.beta) {
                self.keep_line(plan.ply, mv);
                split.line.clone_from(&self.lines[plan.ply]);
            }
            if split.best.score >= plan.window.beta {
                slot.cancel();
            }
        }
        if let Some(split) = slot.lock().as_mut() {
            split.busy -= 1;
        }
    }

    /// Until the last helper has left a split of ours, helps the helpers.
    fn wait_for_helpers(&mut self, id: usize) {
        let slot = self.shared.team.slot(id);
        slot.close();
        let mut tries = 0;
        let mut idle = None;
        while slot.lock().as_ref().is_some_and(|split| split.busy > 0) {
            self.halted = self.shared.stopped.load(Ordering::Relaxed);
            if self.halted || self.shared.team.is_cancelled(&self.chain) {
                idle = None;
                pause(&mut tries);
                continue;
            }
            idle.get_or_insert_with(|| self.shared.team.idle());
            if self.help(Some(id), &mut idle) {
                tries = 0;
            } else {
                pause(&mut tries);
            }
        }
    }

    /// Joins an open split, if there is one, and works for it.
    fn help<T>(&mut self, within: Option<usize>, idle: &mut Option<T>) -> bool {
        let joined = self.shared.team.join(within, |split| {
            (
                split.node,
                split.plan,
                split.steps.clone(),
                split.chain.clone(),
            )
        });
        let Some((id, (node, plan, steps, chain))) = joined else {
            return false;
        };
        *idle = None;
        self.steps = steps;
        let own_chain = std::mem::replace(&mut self.chain, chain);
        let own_selectivity = std::mem::replace(&mut self.selectivity, plan.selectivity);
        self.halted = false;
        self.work_for(id, &node, &plan);
        self.selectivity = own_selectivity;
        self.chain = own_chain;
        self.halted = false;
        true
    }

    /// What all threads but the first do: help until the search is finished.
    pub(super) fn serve(&mut self) {
        let team = &self.shared.team;
        let mut tries = 0;
        let mut idle = None;
        while !team.is_finished() {
            idle.get_or_insert_with(|| team.idle());
            if self.help(None, &mut idle) {
                tries = 0;
            } else {
                pause(&mut tries);
            }
        }
        self.flush();
    }
}
