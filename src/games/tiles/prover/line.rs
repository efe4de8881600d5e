//! A whole game that ends as was proved.

use arrayvec::ArrayVec;

use super::super::rules::{Tiles, Turn};
use super::{Bounds, Prover};
use crate::game::{Game, MoveList};

/// Positions entered at most to find again what the table has lost.
const PATIENCE: u64 = 5_000_000;

/// No game lasts longer.
const LONGEST: usize = 50;

impl Prover {
    /// A game from here that ends as was proved: with a turn that wins where
    /// one does, else with the one that was hardest to refute. None if the
    /// proof was lost, and is too long to be made again.
    pub(crate) fn line(
        &self,
        position: &Tiles,
        wins: bool,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Turn>> {
        let mut line = ArrayVec::<Turn, LONGEST>::new();
        let mut position = *position;
        let mut wins = wins;
        let mut left = PATIENCE;
        while position.outcome().is_none() {
            let turn = if wins {
                self.winning(&position, &mut left, stop)?
            } else {
                self.hardest(&position)?
            };
            position = position.play(turn);
            line.try_push(turn).ok()?;
            wins = !wins;
        }
        Some(line.to_vec())
    }

    /// A turn that wins: one that the table knows, or the first that can be
    /// proved.
    fn winning(
        &self,
        position: &Tiles,
        left: &mut u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Turn> {
        let turns = turns(position);
        let known = turns
            .iter()
            .find(|&&turn| self.known(&position.play(turn)) == Some(false));
        if let Some(&turn) = known {
            return Some(turn);
        }
        // Ever more for each, since one that loses may be hard.
        let mut share = 1_000;
        while *left > 0 {
            for &turn in &turns {
                let after = position.play(turn);
                let bounds = Bounds {
                    nodes: share.min(*left),
                    stop,
                };
                let outcome = self.prove(&after, &bounds, 1, &|_| {});
                *left -= outcome.nodes.min(*left);
                if outcome.wins == Some(false) {
                    return Some(turn);
                }
                if stop() {
                    return None;
                }
            }
            share *= 4;
        }
        None
    }

    fn hardest(&self, position: &Tiles) -> Option<Turn> {
        let turns = turns(position);
        turns
            .iter()
            .copied()
            .max_by_key(|&turn| self.effort(&position.play(turn)))
    }
}

fn turns(position: &Tiles) -> MoveList<Turn> {
    let mut turns = MoveList::new();
    position.legal_moves(&mut turns);
    turns
}
