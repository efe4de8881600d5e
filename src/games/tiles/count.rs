//! Counting turns without listing them.

use super::board::{Squares, bit, each, neighbours};
use super::rules::Tiles;
use crate::game::{Game, MoveList};

/// The tiles on which no disk stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Empties {
    pub(super) light: Squares,
    pub(super) dark: Squares,
}

/// The number of turns of the disks `own`, where `light` are all light tiles.
///
/// A step that keeps the disk's colour can change the tile just left, too,
/// hence the 1; a conversion leaves a light tile, and cannot.
#[inline]
pub(super) fn turns(empties: &Empties, own: Squares, light: Squares) -> u32 {
    let mut count = 0;
    for from in each(own) {
        let near = neighbours(from);
        let kept = if light & bit(from) != 0 {
            for to in each(near & empties.light) {
                count += 1 + (neighbours(to) & empties.light).count_ones();
            }
            0
        } else {
            1
        };
        for to in each(near & empties.dark) {
            count += kept + (neighbours(to) & empties.dark).count_ones();
        }
    }
    count
}

/// Whether the disks `own` have any turn.
#[inline]
pub(super) fn has_turn(empties: &Empties, own: Squares, light: Squares) -> bool {
    each(own).any(|from| {
        let near = neighbours(from);
        if light & bit(from) != 0 {
            near & empties.light != 0
                || each(near & empties.dark).any(|to| neighbours(to) & empties.dark != 0)
        } else {
            near & empties.dark != 0
        }
    })
}

/// The number of sequences of exactly `depth` turns.
pub(super) fn perft(position: &Tiles, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.turns_of(position.side)),
        _ => {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            moves
                .iter()
                .map(|&turn| perft(&position.play(turn), depth - 1))
                .sum()
        }
    }
}
