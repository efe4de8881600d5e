//! The line from the root to the current node, what repeats on it, and the
//! best line from each of its nodes.

use crate::search::MAX_PLY;
use crate::search::heuristics::Heuristics;
use crate::search::worker::{Lean, Node, Step, Worker};

impl<H: Heuristics> Worker<'_, H> {
    /// Whether the current position counts as a draw: it stood on the line
    /// from the root before, or twice in the game. Gives the ply it leans on.
    pub(super) fn repeats(&self, ply: usize) -> Option<Lean> {
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

    pub(super) fn child(&mut self, node: &Node<H>, ply: usize, mv: H::Move) -> Node<H> {
        self.descend(node, node.position.play(mv), ply, mv)
    }

    /// The node of `position`, which `mv` leads to.
    pub(super) fn descend(
        &mut self,
        node: &Node<H>,
        position: H,
        ply: usize,
        mv: H::Move,
    ) -> Node<H> {
        let accumulator =
            position.advance(&node.position, mv, &node.accumulator, self.shared.tables);
        self.enter(&position, node, ply + 1, mv);
        Node {
            position,
            accumulator,
        }
    }

    /// Makes `position` the last of the line.
    pub(super) fn enter(&mut self, position: &H, parent: &Node<H>, ply: usize, mv: H::Move) {
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
            passed: false,
        });
    }

    /// Makes `position`, which a passed turn has led to, the last of the line.
    pub(super) fn enter_passed(&mut self, position: &H, ply: usize) {
        self.steps.truncate(ply);
        let extended = self.steps[ply - 1].extended;
        self.steps.push(Step {
            key: position.key(),
            reversible: 0,
            extended,
            passed: true,
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
}
