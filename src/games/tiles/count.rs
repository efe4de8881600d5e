//! Counting turns without listing them, and without branches: counts come
//! from adding bits in columns of words.

use super::board::{Squares, bit, each, neighbours, spread};
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
        self.light = (self.light | light & bit(from)) & !bit(to);
        self.dark = (self.dark | !light & bit(from)) & !bit(to);
    }

    /// Light tiles in the lower half, dark ones in the upper.
    #[inline]
    fn pair(&self) -> u64 {
        pair(self.light, self.dark)
    }
}

/// Two sets in one word.
#[inline]
const fn pair(low: Squares, high: Squares) -> u64 {
    low as u64 | (high as u64) << 32
}

/// For each square the number of adjacent empty tiles of one colour, for both
/// colours: the bits of the number in four words, light tiles counted in the
/// lower halves and dark ones in the upper.
#[derive(Clone, Copy)]
pub(super) struct Around {
    tiles: u64,
    bits: [u64; 4],
}

impl Around {
    #[inline]
    pub(super) fn new(empties: &Empties) -> Self {
        /// All rows but the last, and all but the first: nothing is shifted
        /// from one half into the other.
        const LOWER: u64 = pair(0x00ff_ffff, 0x00ff_ffff);
        const UPPER: u64 = pair(0x3fff_ffc0, 0x3fff_ffc0);
        let tiles = empties.pair();
        let (left, right) = (tiles << 1, tiles >> 1);
        // Two neighbours beside a square; three squares in a row.
        let beside = [left ^ right, left & right];
        let row = [beside[0] ^ tiles, beside[1] | beside[0] & tiles];
        let above = row.map(|bits| (bits & UPPER) >> 6);
        let below = row.map(|bits| (bits & LOWER) << 6);
        // Three numbers of two bits each are added.
        let odd = above[0] ^ below[0];
        let carry = above[0] & below[0] | odd & beside[0];
        let (two, four) = (above[1] ^ below[1], above[1] & below[1]);
        let (more_two, more_four) = (beside[1] ^ carry, beside[1] & carry);
        let bits = [
            odd ^ beside[0],
            two ^ more_two,
            four ^ more_four | two & more_two,
            four & more_four,
        ];
        Self { tiles, bits }
    }

    /// The numbers of some squares, added.
    #[inline]
    fn sum(&self, squares: u64) -> u32 {
        let [one, two, four, eight] = self.bits.map(|bits| (bits & squares).count_ones());
        one + 2 * (two + 2 * (four + 2 * eight))
    }

    /// The tiles, light in the lower half, from which a tile of the same
    /// colour can be changed.
    #[inline]
    fn with_neighbour(&self) -> u64 {
        let [one, two, four, eight] = self.bits;
        self.tiles & (one | two | four | eight)
    }
}

/// Where a disk can go: light tiles in the lower half, dark ones in the upper.
#[derive(Clone, Copy, Debug, Default)]
struct Mover {
    /// Neighbours of a colour that it may enter.
    near: u64,
    /// Those of its own colour: a step that keeps the colour can change the
    /// tile just left, too. A conversion leaves a light tile, and cannot.
    own: u64,
}

/// The disks of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Movers([Mover; 2]);

impl Movers {
    /// At most two disks, where `light` are all light tiles.
    #[inline]
    pub(super) fn new(disks: Squares, light: Squares) -> Self {
        let mut movers = [Mover::default(); 2];
        for (mover, disk) in movers.iter_mut().zip(each(disks)) {
            let near = neighbours(disk);
            *mover = if light & bit(disk) != 0 {
                Mover {
                    near: pair(near, near),
                    own: pair(near, 0),
                }
            } else {
                Mover {
                    near: pair(0, near),
                    own: pair(0, near),
                }
            };
        }
        Self(movers)
    }

    /// The number of turns.
    #[inline]
    pub(super) fn turns(&self, around: &Around) -> u32 {
        let [first, second] = self.turns_of_each(around);
        first + second
    }

    /// The number of turns of each disk; none for one that is not there.
    #[inline]
    pub(super) fn turns_of_each(&self, around: &Around) -> [u32; 2] {
        self.0.map(|mover| {
            around.sum(mover.near & around.tiles) + (mover.own & around.tiles).count_ones()
        })
    }

    /// The number of steps with which a turn begins.
    #[inline]
    pub(super) fn steps(&self, around: &Around) -> u32 {
        let entered = around.with_neighbour();
        let steps = |mover: &Mover| (mover.own & around.tiles | mover.near & entered).count_ones();
        self.0.iter().map(steps).sum()
    }

    /// How many more turns there are once an empty tile is flipped to dark.
    #[inline]
    pub(super) fn gain_by_flip(&self, empties: &Empties, tile: u8) -> i32 {
        let around = pair(neighbours(tile), neighbours(tile)) & empties.pair();
        let [light, dark] = [around & pair(!0, 0), around & pair(0, !0)];
        let of_one = |mover: &Mover| {
            mover.uses(dark, pair(0, bit(tile))) - mover.uses(light, pair(bit(tile), 0))
        };
        self.0.iter().map(of_one).sum()
    }

    /// How many fewer turns there are once an empty dark tile is removed.
    #[inline]
    pub(super) fn loss_by_removal(&self, empties: &Empties, tile: u8) -> i32 {
        let dark = pair(0, neighbours(tile) & empties.dark);
        let of_one = |mover: &Mover| mover.uses(dark, pair(0, bit(tile)));
        self.0.iter().map(of_one).sum()
    }
}

impl Mover {
    /// The turns that enter or change `tile`, where `around` are the empty
    /// tiles of its colour beside it.
    #[inline]
    fn uses(&self, around: u64, tile: u64) -> i32 {
        let enter = if self.near & tile != 0 {
            around.count_ones()
        } else {
            0
        };
        let from_beside = (self.near & around).count_ones();
        (enter + (self.own & tile).count_ones() + from_beside) as i32
    }
}

/// Whether `disks` have any turn, where `light` are all light tiles.
#[inline]
pub(super) fn has_turn(empties: &Empties, disks: Squares, light: Squares) -> bool {
    let [light_disks, dark_disks] = [disks & light, disks & !light];
    if spread(light_disks) & empties.light | spread(dark_disks) & empties.dark != 0 {
        return true;
    }
    // A conversion needs a second dark tile beside the one entered.
    each(spread(light_disks) & empties.dark).any(|to| neighbours(to) & empties.dark != 0)
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
            count += (changes.count_ones() * other.turns(&Around::new(&after))) as i32;
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
