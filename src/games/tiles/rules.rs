//! Positions and turns.

use std::fmt;

use super::board::{SIZE, Squares, bit, column, each, neighbours, rectangle, row, square};
use super::{count, notation};
use crate::game::{Game, MoveList, Outcome, Side, Symmetry};
use crate::zobrist;

/// A turn: a disk's step, then the tile that is flipped or taken away.
///
/// Any three squares are a turn, so that whatever a user types can be called
/// illegal; only those with a step and a change to adjacent squares are ever
/// legal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) changed: u8,
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::print_turn(*self))
    }
}

/// A position of the tile game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tiles {
    key: u64,
    /// Tiles light side up, those under disks included.
    pub(super) light: Squares,
    /// Tiles dark side up, those under disks included.
    pub(super) dark: Squares,
    /// Black's and White's disks, each on a tile.
    pub(super) disks: [Squares; 2],
    /// The board as it was at the start, for printing: columns from a.
    pub(super) width: u8,
    /// Rows from 1.
    pub(super) height: u8,
    pub(super) side: Side,
}

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tiles({})", notation::print_position(self))
    }
}

/// Keys of light tiles, dark tiles, Black's disks, White's disks; the last one
/// is White's turn.
const KEYS: [[u64; 32]; 5] = [
    zobrist::keys(0x7469_6c65_0000_0001),
    zobrist::keys(0x7469_6c65_0000_0002),
    zobrist::keys(0x7469_6c65_0000_0003),
    zobrist::keys(0x7469_6c65_0000_0004),
    zobrist::keys(0x7469_6c65_0000_0005),
];
const LIGHT: usize = 0;
const DARK: usize = 1;
const DISKS: [usize; 2] = [2, 3];
const WHITE_TO_MOVE: u64 = KEYS[4][0];

#[inline]
fn key_of(kind: usize, square: u8) -> u64 {
    KEYS[kind][usize::from(square & 31)]
}

impl Tiles {
    /// The start on the 5x5 board.
    pub fn start() -> Self {
        Self::at_start(SIZE, SIZE)
    }

    /// The start on a board of 2 to 5 columns and rows; none for another size.
    ///
    /// ```
    /// use quadrille::game::Game;
    /// use quadrille::games::tiles::Tiles;
    /// let start = Tiles::start_of(4, 3).unwrap();
    /// assert_eq!(start.print_position(), "o--x/----/x--o x");
    /// assert_eq!(start.perft(2), 646);
    /// ```
    pub fn start_of(width: u8, height: u8) -> Option<Self> {
        let sizes = 2..=SIZE;
        (sizes.contains(&width) && sizes.contains(&height)).then(|| Self::at_start(width, height))
    }

    fn at_start(width: u8, height: u8) -> Self {
        let (right, top) = (width - 1, height - 1);
        let black = bit(square(0, 0)) | bit(square(right, top));
        let white = bit(square(0, top)) | bit(square(right, 0));
        Self::new(
            rectangle(width, height),
            0,
            [black, white],
            Side::Black,
            (width, height),
        )
    }

    /// A position from its parts, which must be consistent.
    pub(super) fn new(
        light: Squares,
        dark: Squares,
        disks: [Squares; 2],
        side: Side,
        (width, height): (u8, u8),
    ) -> Self {
        let mut position = Self {
            key: 0,
            light,
            dark,
            disks,
            width,
            height,
            side,
        };
        position.key = position.key_from_scratch();
        position
    }

    /// The sum of the tiles' values, light 2 and dark 1: how many more turns
    /// there could be if every tile could be used up.
    pub fn tile_value(&self) -> u32 {
        2 * self.light.count_ones() + self.dark.count_ones()
    }

    /// The number of legal turns `side` has, or would have if it were to move.
    pub fn turns_of(&self, side: Side) -> u32 {
        self.movers(side)
            .turns(&count::Around::new(&self.empties()))
    }

    /// The disks of a side.
    #[inline]
    pub(super) fn movers(&self, side: Side) -> count::Movers {
        count::Movers::new(self.disks[side.index()], self.light)
    }

    /// The tiles without a disk.
    #[inline]
    pub(super) fn empties(&self) -> count::Empties {
        let free = !(self.disks[0] | self.disks[1]);
        count::Empties {
            light: self.light & free,
            dark: self.dark & free,
        }
    }

    /// Where a disk on `from` may step, and what it finds there.
    #[inline]
    pub(super) fn steps(&self, from: u8, empties: &count::Empties) -> (Squares, Squares) {
        let near = neighbours(from);
        let light = if self.light & bit(from) != 0 {
            near & empties.light
        } else {
            0
        };
        (light, near & empties.dark)
    }

    /// The tiles that can be changed once the disk on `from` stands on `to`,
    /// a step that colours allow.
    #[inline]
    pub(super) fn changes(&self, from: u8, to: u8, empties: &count::Empties) -> Squares {
        let colour = if self.light & bit(to) != 0 {
            empties.light | self.light & bit(from)
        } else {
            empties.dark | self.dark & bit(from)
        };
        neighbours(to) & colour
    }
}

impl Game for Tiles {
    type Move = Turn;

    const HAS_MARGIN: bool = false;
    const MOVE_CODES: usize = NEAR_CODES + 25 * 25 * 25;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList<Turn>) {
        let empties = self.empties();
        for from in each(self.disks[self.side.index()]) {
            let (light, dark) = self.steps(from, &empties);
            for to in each(light | dark) {
                for changed in each(self.changes(from, to, &empties)) {
                    moves.push(Turn { from, to, changed });
                }
            }
        }
    }

    fn is_legal(&self, Turn { from, to, changed }: Turn) -> bool {
        let empties = self.empties();
        let (light, dark) = self.steps(from, &empties);
        self.disks[self.side.index()] & bit(from) != 0
            && (light | dark) & bit(to) != 0
            && self.changes(from, to, &empties) & bit(changed) != 0
    }

    fn play(&self, Turn { from, to, changed }: Turn) -> Self {
        let mut next = *self;
        let mover = self.side.index();
        next.disks[mover] ^= bit(from) | bit(to);
        next.side = !self.side;
        next.key ^= key_of(DISKS[mover], from) ^ key_of(DISKS[mover], to) ^ WHITE_TO_MOVE;
        next.dark ^= bit(changed);
        next.key ^= key_of(DARK, changed);
        if self.light & bit(to) != 0 {
            next.light ^= bit(changed);
            next.key ^= key_of(LIGHT, changed);
        }
        next
    }

    fn outcome(&self) -> Option<Outcome> {
        let stuck = !count::has_turn(&self.empties(), self.disks[self.side.index()], self.light);
        stuck.then_some(Outcome::Win {
            side: !self.side,
            margin: 1,
        })
    }

    fn image(&self, symmetry: Symmetry) -> Self {
        let (width, height) = (self.width, self.height);
        let image = |set| {
            each(set).fold(0, |image, from| {
                let (column, row) = symmetry.apply(column(from), row(from), width, height);
                image | bit(square(column, row))
            })
        };
        let shape = if symmetry.transposes() {
            (height, width)
        } else {
            (width, height)
        };
        Self::new(
            image(self.light),
            image(self.dark),
            self.disks.map(image),
            self.side,
            shape,
        )
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let sets = [self.light, self.dark, self.disks[0], self.disks[1]];
        let side = match self.side {
            Side::Black => 0,
            Side::White => WHITE_TO_MOVE,
        };
        sets.iter()
            .enumerate()
            .flat_map(|(kind, &set)| each(set).map(move |square| key_of(kind, square)))
            .fold(side, |key, part| key ^ part)
    }

    fn perft(&self, depth: u32) -> u64 {
        count::perft(self, depth)
    }

    fn encode(turn: Turn) -> u16 {
        encode(turn)
    }

    fn decode(code: u16) -> Option<Turn> {
        decode(code)
    }

    fn parse_move(&self, text: &str) -> Result<Turn, String> {
        notation::parse_turn(text)
    }

    fn print_move(&self, turn: Turn) -> String {
        notation::print_turn(turn)
    }

    fn parse_position(&self, text: &str) -> Result<Self, String> {
        notation::parse_position(text)
    }

    fn print_position(&self) -> String {
        notation::print_position(self)
    }
}

/// Codes of turns whose squares are adjacent: origin and two directions. All
/// turns ever played are here, close together; the others follow.
const NEAR_CODES: usize = 25 * 8 * 8;

/// The eight steps from a square, as differences of square numbers.
const STEPS: [i8; 8] = [-7, -6, -5, -1, 1, 5, 6, 7];

/// The direction of each difference from -7 on; 8 for none.
const DIRECTIONS: [u8; 15] = [0, 1, 2, 8, 8, 8, 3, 8, 4, 8, 8, 8, 5, 6, 7];

/// The direction that leads from a square to an adjacent one.
fn direction(from: u8, to: u8) -> Option<u16> {
    let difference = usize::from(7 + to).checked_sub(usize::from(from))?;
    let direction = *DIRECTIONS.get(difference)?;
    (direction < 8).then_some(u16::from(direction))
}

fn step(from: u8, direction: u16) -> Option<u8> {
    let to = from as i8 + STEPS[usize::from(direction & 7)];
    (0..32)
        .contains(&to)
        .then_some(to as u8)
        .filter(|&to| neighbours(from) & bit(to) != 0)
}

/// Squares without the gaps, 0 to 24.
fn ordinal(square: u8) -> u16 {
    u16::from(row(square) * SIZE + column(square))
}

fn from_ordinal(ordinal: u16) -> u8 {
    let ordinal = ordinal as u8;
    square(ordinal % SIZE, ordinal / SIZE)
}

fn encode(Turn { from, to, changed }: Turn) -> u16 {
    match (direction(from, to), direction(to, changed)) {
        (Some(first), Some(second)) => ordinal(from) * 64 + first * 8 + second,
        _ => NEAR_CODES as u16 + (ordinal(from) * 25 + ordinal(to)) * 25 + ordinal(changed),
    }
}

fn decode(code: u16) -> Option<Turn> {
    let turn = match code.checked_sub(NEAR_CODES as u16) {
        None => {
            let from = from_ordinal(code / 64);
            let to = step(from, code / 8 % 8)?;
            let changed = step(to, code % 8)?;
            Turn { from, to, changed }
        }
        Some(far) if far < 25 * 25 * 25 => Turn {
            from: from_ordinal(far / 625),
            to: from_ordinal(far / 25 % 25),
            changed: from_ordinal(far % 25),
        },
        Some(_) => return None,
    };
    // A turn of adjacent squares has one code only.
    (encode(turn) == code).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert!(size_of::<Tiles>() <= 40);
        assert_eq!(size_of::<Turn>(), 3);
    }

    #[test]
    fn codes_are_one_to_one() {
        let squares = || each(rectangle(5, 5));
        let mut seen = vec![false; Tiles::MOVE_CODES];
        for from in squares() {
            for to in squares() {
                for changed in squares() {
                    let turn = Turn { from, to, changed };
                    let code = encode(turn);
                    assert_eq!(decode(code), Some(turn));
                    assert!(!std::mem::replace(&mut seen[usize::from(code)], true));
                }
            }
        }
        for code in 0..=u16::MAX {
            let used = seen.get(usize::from(code)).copied().unwrap_or(false);
            assert_eq!(decode(code).is_some(), used, "code {code}");
        }
    }
}
