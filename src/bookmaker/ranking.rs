//! The best moves of a position with values that can be compared.

use std::cmp::Reverse;
use std::sync::Mutex;

use crate::search::Limits;
use crate::search::heuristics::Depth;
use crate::search::score::{Score, Value};
use crate::session::{Info, Session, Watcher};

/// The best `wanted` moves of a session's position, or all if there are fewer,
/// by a search that enters `nodes` positions; the best first, with their values
/// in hundredths for the side to move.
pub(super) fn ranked_moves(
    session: &mut dyn Session,
    wanted: usize,
    nodes: u64,
) -> Vec<(String, i16)> {
    let candidates = wanted.min(session.legal_moves().len());
    let limits = Limits {
        nodes: Some(nodes),
        candidates,
        ..Limits::default()
    };
    let listener = Listener::new(candidates);
    session.think(&limits, &listener);
    listener.ranking()
}

/// The moves of an iteration with their values, the best first.
#[derive(Clone, Default)]
struct Ranking {
    depth: Depth,
    moves: Vec<(String, i16)>,
}

impl Ranking {
    /// With what another iteration found of the same moves, as mean values.
    fn mean(mut self, other: &Self) -> Self {
        for (mv, value) in &mut self.moves {
            let same = other.moves.iter().find(|(other, _)| other == mv);
            if let Some(&(_, other)) = same {
                *value = i16::midpoint(*value, other);
            }
        }
        self.moves.sort_by_key(|&(_, value)| Reverse(value));
        self
    }
}

/// Keeps the rankings of the last two depths at which all wanted moves were
/// ranked. Their mean is what a position is worth: whoever moves last in an
/// iteration looks better for it, by a disc or two, and values of positions
/// with another side to move could not be compared.
struct Listener {
    wanted: usize,
    last: Mutex<[Ranking; 2]>,
    /// Of the iteration that is being told.
    current: Mutex<Ranking>,
}

impl Listener {
    fn new(wanted: usize) -> Self {
        Self {
            wanted,
            last: Mutex::default(),
            current: Mutex::default(),
        }
    }

    fn ranking(self) -> Vec<(String, i16)> {
        let [before, last] = self.last.into_inner().unwrap_or_default();
        if last.moves.is_empty() {
            return self.current.into_inner().unwrap_or_default().moves;
        }
        last.mean(&before).moves
    }
}

impl Watcher for Listener {
    fn progress(&self, info: &Info) {
        let (Some(mv), Ok(mut current)) = (info.pv.first(), self.current.lock()) else {
            return;
        };
        if info.rank == 1 {
            *current = Ranking {
                depth: info.depth,
                moves: Vec::new(),
            };
        }
        current.moves.push((mv.clone(), hundredths(info.value)));
        if current.moves.len() == self.wanted
            && let Ok(mut last) = self.last.lock()
        {
            if last[1].depth < current.depth {
                last.swap(0, 1);
            }
            last[1] = current.clone();
        }
    }

    fn stop(&self) -> bool {
        false
    }
}

pub(super) fn hundredths(value: Value) -> i16 {
    let hundredths = match value {
        Value::Eval(hundredths) => hundredths,
        Value::Margin(units) => units * Score::UNIT,
        Value::Win(_) => i32::from(i16::MAX),
        Value::Loss(_) => -i32::from(i16::MAX),
        Value::Draw => 0,
    };
    let most = i32::from(i16::MAX);
    hundredths.clamp(-most, most) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_means_of_two_depths_with_all_moves_ranked() {
        let listener = Listener::new(2);
        let tell = |depth, ranked: &[(&str, i32)]| {
            for (index, &(mv, value)) in ranked.iter().enumerate() {
                listener.progress(&Info {
                    depth,
                    rank: index + 1,
                    ranked: true,
                    value: Value::Eval(value),
                    exact: false,
                    nodes: 0,
                    hits: 0,
                    time: std::time::Duration::ZERO,
                    hashfull: 0,
                    pv: vec![mv.to_string()],
                });
            }
        };
        tell(4, &[("a1", 900), ("b1", 800)]);
        tell(5, &[("a1", 300), ("b1", 100)]);
        tell(6, &[("b1", 100), ("a1", -200)]);
        // Cut short, it has not seen the other move.
        tell(7, &[("a1", 500)]);
        let expected = [("b1".to_string(), 100), ("a1".to_string(), 50)];
        assert_eq!(listener.ranking(), expected);
    }
}
