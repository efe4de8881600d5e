//! A position as the prover sees it: who is to move instead of who is who, and
//! nothing on the board that can no longer matter.

use super::super::board::{Squares, bit, each, neighbours, spread};
use super::super::count::{Around, Empties, Movers};
use super::super::rules::{Tiles, Turn};
use super::keys::{self, Keys};
use super::solo::Solo;

/// A sum of games: what is on the board, and moves that do nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// Tiles light side up, those under disks included.
    pub(super) light: Squares,
    /// Tiles dark side up, those under disks included.
    pub(super) dark: Squares,
    /// Disks of the side to move.
    pub(super) own: Squares,
    /// Disks of the other side.
    pub(super) other: Squares,
    /// Moves the side to move has in parts of the board where the other has no
    /// disk, less the moves the other has in such parts. Each is as good as
    /// any move there: such a part is worth an integer.
    pub(super) spare: i32,
}

/// A state after a move, with what its searcher wants to know at first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// None for a spare move.
    pub(super) turn: Option<Turn>,
    pub(super) key: u64,
    /// Moves of the side then to move.
    pub(super) own_moves: u32,
    /// Moves the side that has just moved would have.
    pub(super) other_moves: u32,
}

/// What is left once everything dead is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Normal {
    /// The side to move wins, or loses.
    Decided(bool),
    Open(State),
}

impl State {
    pub(super) fn new(position: &Tiles) -> Self {
        let mover = position.side.index();
        Self {
            light: position.light,
            dark: position.dark,
            own: position.disks[mover],
            other: position.disks[1 - mover],
            spare: 0,
        }
    }

    pub(super) fn empties(&self) -> Empties {
        let free = !(self.own | self.other);
        Empties {
            light: self.light & free,
            dark: self.dark & free,
        }
    }

    /// After a turn of the side to move.
    #[inline]
    pub(super) fn after(&self, turn: Turn) -> Self {
        let flips = self.light & bit(turn.to) != 0;
        Self {
            light: if flips {
                self.light ^ bit(turn.changed)
            } else {
                self.light
            },
            dark: self.dark ^ bit(turn.changed),
            own: self.other,
            other: self.own ^ bit(turn.from) ^ bit(turn.to),
            spare: -self.spare,
        }
    }

    /// After a spare move.
    pub(super) fn after_spare(&self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            spare: 1 - self.spare,
            ..*self
        }
    }

    /// Calls `take` with every move, until it says that it has enough. The
    /// state is normal.
    #[inline]
    pub(super) fn children(&self, keys: &Keys, mut take: impl FnMut(Child) -> bool) {
        let empties = self.empties();
        let frame = keys.frame(self);
        // Of the same disks once the other side is to move.
        let mut images = [0; 8];
        keys::add(&mut images, &frame[keys::LIGHT], self.light);
        keys::add(&mut images, &frame[keys::DARK], self.dark);
        keys::add(&mut images, &frame[keys::OTHER], self.own);
        keys::add(&mut images, &frame[keys::OWN], self.other);
        let spare = (-self.spare).max(0) as u32;
        let other_spare = self.spare.max(0) as u32;
        for from in each(self.own) {
            let near = neighbours(from);
            let from_light = self.light & bit(from) != 0;
            let to_light = if from_light { near & empties.light } else { 0 };
            let to_dark = near & empties.dark;
            for to in each(to_light | to_dark) {
                let flips = to_light & bit(to) != 0;
                let mut after = empties;
                after.step(self.light, from, to);
                let around = Around::new(&after);
                // The side to move has moved: the other one is then to move.
                let mine = Movers::new(self.own ^ bit(from) ^ bit(to), self.light);
                let other = Movers::new(self.other, self.light);
                let (my_turns, other_turns) = (mine.turns(&around), other.turns(&around));
                let colour = if flips { after.light } else { after.dark };
                let mut images = images;
                keys::change(&mut images, &frame[keys::OTHER][usize::from(from & 31)]);
                keys::change(&mut images, &frame[keys::OTHER][usize::from(to & 31)]);
                for changed in each(neighbours(to) & colour) {
                    let mut images = images;
                    keys::change(&mut images, &frame[keys::DARK][usize::from(changed & 31)]);
                    if flips {
                        keys::change(&mut images, &frame[keys::LIGHT][usize::from(changed & 31)]);
                    }
                    let gain = |movers: &Movers| {
                        if flips {
                            movers.gain_by_flip(&after, changed)
                        } else {
                            -movers.loss_by_removal(&after, changed)
                        }
                    };
                    let turn = Turn { from, to, changed };
                    let child = Child {
                        turn: Some(turn),
                        key: keys::least(&images, -self.spare),
                        own_moves: (other_turns as i32 + gain(&other)) as u32 + spare,
                        other_moves: (my_turns as i32 + gain(&mine)) as u32 + other_spare,
                    };
                    if take(child) {
                        return;
                    }
                }
            }
        }
        if self.spare > 0 {
            let around = Around::new(&empties);
            let turns = |disks| Movers::new(disks, self.light).turns(&around);
            take(Child {
                turn: None,
                key: keys::least(&images, 1 - self.spare),
                own_moves: turns(self.other),
                other_moves: turns(self.own) + other_spare - 1,
            });
        }
    }

    /// The same game without tiles that nobody can ever enter or change, with
    /// parts where only one side has disks as a number of moves.
    pub(super) fn normal(&self, solo: &mut Solo) -> Normal {
        let live = self.live();
        let mut kept = 0;
        let mut spare = self.spare;
        let mut rest = live;
        while rest != 0 {
            let part = connected(rest & rest.wrapping_neg(), rest);
            rest &= !part;
            let (own, other) = (self.own & part, self.other & part);
            let moves = match (own != 0, other != 0) {
                (true, true) => None,
                _ => solo.moves(self.light & part, self.dark & part, own | other),
            };
            match moves {
                None => kept |= part,
                Some(moves) if own != 0 => spare += moves as i32,
                Some(moves) => spare -= moves as i32,
            }
        }
        if kept == 0 {
            return Normal::Decided(spare > 0);
        }
        Normal::Open(
            Self {
                light: self.light & kept,
                dark: self.dark & kept,
                own: self.own & kept,
                other: self.other & kept,
                spare,
            }
            .in_corner(),
        )
    }

    /// The tiles that can be entered or changed some day, and those under
    /// disks.
    ///
    /// A light tile can be flipped only from a light tile beside it, and that
    /// is entered only by a light disk, from a light tile beside it in turn.
    fn live(&self) -> Squares {
        let disks = self.own | self.other;
        let light = connected(disks & self.light, self.light);
        connected(disks | light, disks | light | self.dark)
    }

    /// Moved to the first row and column: only what is beside what matters.
    pub(super) fn in_corner(self) -> Self {
        let tiles = self.light | self.dark;
        let down = tiles.trailing_zeros() / 6 * 6;
        let shift = down + keys::columns(tiles).trailing_zeros();
        Self {
            light: self.light >> shift,
            dark: self.dark >> shift,
            own: self.own >> shift,
            other: self.other >> shift,
            ..self
        }
    }
}

/// The squares of `set` and those of `tiles` that lead to them.
#[inline]
pub(super) fn connected(set: Squares, tiles: Squares) -> Squares {
    let mut set = set;
    loop {
        let next = set | spread(set) & tiles;
        if next == set {
            return set;
        }
        set = next;
    }
}
