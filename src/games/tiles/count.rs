//! Counting turns without listing them.

use super::board::{Squares, bit, each, neighbours};
use super::rules::{Tiles, Turn};
use crate::game::{Game, MoveList};

/// The tiles on which no disk stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Empties {
    pub(super) light: Squares,
    pub(super) dark: Squares,
}

impl Empties {
    /// The empty tiles after a turn, where `light` were all light tiles and
    /// `flips` says that the turn changes a light one.
    #[inline]
    pub(super) fn after(&self, light: Squares, turn: Turn, flips: bool) -> Self {
        let mut next = *self;
        next.step(light, turn.from, turn.to);
        next.dark ^= bit(turn.changed);
        if flips {
            next.light ^= bit(turn.changed);
        }
        next
    }

    /// Once a disk has gone from one square to another.
    #[inline]
    pub(super) fn step(&mut self, light: Squares, from: u8, to: u8) {
        if light & bit(from) != 0 {
            self.light |= bit(from);
        } else {
            self.dark |= bit(from);
        }
        self.light &= !bit(to);
        self.dark &= !bit(to);
    }
}

/// Disks whose turns are counted, where `light` are all light tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Movers {
    pub(super) disks: Squares,
    pub(super) light: Squares,
}

impl Movers {
    /// The number of turns.
    ///
    /// A step that keeps the disk's colour can change the tile just left, too,
    /// hence the 1; a conversion leaves a light tile, and cannot.
    #[inline]
    pub(super) fn turns(&self, empties: &Empties) -> u32 {
        let mut count = 0;
        for from in each(self.disks) {
            let near = neighbours(from);
            let kept = if self.light & bit(from) != 0 {
                count += steps_with_changes(near & empties.light, empties.light, 1);
                0
            } else {
                1
            };
            count += steps_with_changes(near & empties.dark, empties.dark, kept);
        }
        count
    }

    /// How many more turns there are once an empty tile is flipped to dark.
    #[inline]
    pub(super) fn gain_by_flip(&self, empties: &Empties, tile: u8) -> i32 {
        each(self.disks)
            .map(|disk| {
                let near = neighbours(disk);
                if self.light & bit(disk) != 0 {
                    uses(tile, near, empties.dark, 0) - uses(tile, near, empties.light, 1)
                } else {
                    uses(tile, near, empties.dark, 1)
                }
            })
            .sum()
    }

    /// How many fewer turns there are once an empty dark tile is removed.
    #[inline]
    pub(super) fn loss_by_removal(&self, empties: &Empties, tile: u8) -> i32 {
        each(self.disks)
            .map(|disk| {
                let kept = i32::from(self.light & bit(disk) == 0);
                uses(tile, neighbours(disk), empties.dark, kept)
            })
            .sum()
    }
}

/// The changes among `tiles` that the steps to the squares `to` allow, with
/// `kept` more for each.
#[inline]
pub(super) fn steps_with_changes(to: Squares, tiles: Squares, kept: u32) -> u32 {
    each(to)
        .map(|to| kept + (neighbours(to) & tiles).count_ones())
        .sum()
}

/// The turns of a disk with the neighbours `near` that enter or change `tile`,
/// where `tiles` are the other empty tiles of its colour and `kept` says
/// whether the tile just left can be changed.
#[inline]
fn uses(tile: u8, near: Squares, tiles: Squares, kept: i32) -> i32 {
    let around = neighbours(tile) & tiles;
    let enter = if near & bit(tile) != 0 {
        kept + around.count_ones() as i32
    } else {
        0
    };
    enter + (around & near).count_ones() as i32
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
        2 => pairs_of_turns(position),
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

/// The number of turns with an answer to each: perft 2 without playing a turn.
///
/// For each step the answers are counted once, as if nothing were changed, and
/// for each tile that can be changed only what this adds or takes away.
fn pairs_of_turns(position: &Tiles) -> u64 {
    let before = position.empties();
    let mover = position.side.index();
    let other = position.movers(!position.side);
    let mut count = 0;
    for from in each(position.disks[mover]) {
        let (to_light, to_dark) = position.steps(from, &before);
        for to in each(to_light | to_dark) {
            let mut after = before;
            after.step(position.light, from, to);
            let flips = to_light & bit(to) != 0;
            let colour = if flips { after.light } else { after.dark };
            let changes = neighbours(to) & colour;
            count += (changes.count_ones() * other.turns(&after)) as i32;
            for tile in each(changes) {
                count += if flips {
                    other.gain_by_flip(&after, tile)
                } else {
                    -other.loss_by_removal(&after, tile)
                };
            }
        }
    }
    count as u64
}
