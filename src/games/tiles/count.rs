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
    fn step(&mut self, light: Squares, from: u8, to: u8) {
        if light & bit(from) != 0 {
            self.light |= bit(from);
        } else {
            self.dark |= bit(from);
        }
        self.light &= !bit(to);
        self.dark &= !bit(to);
    }
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
            count += steps_with_changes(near & empties.light, empties.light, 1);
            0
        } else {
            1
        };
        count += steps_with_changes(near & empties.dark, empties.dark, kept);
    }
    count
}

/// The changes among `tiles` that the steps to the squares `to` allow, with
/// `kept` more for each.
#[inline]
pub(super) fn steps_with_changes(to: Squares, tiles: Squares, kept: u32) -> u32 {
    each(to)
        .map(|to| kept + (neighbours(to) & tiles).count_ones())
        .sum()
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
        2 => u64::from(pairs_of_turns(position)),
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
/// once more for each tile that can be changed only what this adds or takes
/// away.
fn pairs_of_turns(position: &Tiles) -> u32 {
    let before = position.empties();
    let mover = position.side.index();
    let replies = Replies {
        disks: position.disks[1 - mover],
        light: position.light,
    };
    let mut count = 0;
    for from in each(position.disks[mover]) {
        let (to_light, to_dark) = position.steps(from, &before);
        for to in each(to_light | to_dark) {
            let mut after = before;
            after.step(position.light, from, to);
            let near = neighbours(to);
            count += if to_light & bit(to) != 0 {
                replies.after_flips(&after, near & after.light)
            } else {
                replies.after_removals(&after, near & after.dark)
            };
        }
    }
    count
}

/// The disks that answer, and all light tiles, as in [`turns`].
struct Replies {
    disks: Squares,
    light: Squares,
}

impl Replies {
    /// All answers to the flips of one of `changes` each.
    fn after_flips(&self, empties: &Empties, changes: Squares) -> u32 {
        let all = changes.count_ones() * turns(empties, self.disks, self.light);
        all + self.at_dark(empties.dark, changes) - self.at_light(empties.light, changes)
    }

    /// All answers to the removals of one of `changes` each.
    fn after_removals(&self, empties: &Empties, changes: Squares) -> u32 {
        let all = changes.count_ones() * turns(empties, self.disks, self.light);
        all - self.at_dark(empties.dark, changes)
    }

    /// The answers, summed over `changes`, that need this tile dark.
    fn at_dark(&self, dark: Squares, changes: Squares) -> u32 {
        each(self.disks)
            .map(|disk| {
                let kept = u32::from(self.light & bit(disk) == 0);
                answers_at(neighbours(disk), dark, changes, kept)
            })
            .sum()
    }

    /// The answers, summed over `changes`, that need this tile light.
    fn at_light(&self, light: Squares, changes: Squares) -> u32 {
        each(self.disks & self.light)
            .map(|disk| answers_at(neighbours(disk), light, changes, 1))
            .sum()
    }
}

/// Of the turns of a disk with surroundings `near` over `tiles` of one colour,
/// those that step onto one of `changes` or change it, summed over them.
fn answers_at(near: Squares, tiles: Squares, changes: Squares, kept: u32) -> u32 {
    steps_with_changes(near & changes, tiles, kept) + steps_with_changes(near & tiles, changes, 0)
}
