//! The game of tiles.

use std::collections::{BTreeMap, BTreeSet};

use super::{Referee, opponent};

/// Column and row from 0.
type Square = (i32, i32);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    Light,
    Dark,
}

#[derive(Clone)]
pub(super) struct Tiles {
    /// Tiles that are gone are not in it.
    tiles: BTreeMap<Square, Colour>,
    /// Owner and colour.
    disks: BTreeMap<Square, (&'static str, Colour)>,
    side: &'static str,
}

fn name((column, row): Square) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

fn square(text: &str) -> Square {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn neighbours((column, row): Square) -> impl Iterator<Item = Square> {
    (-1..=1)
        .flat_map(move |right| (-1..=1).map(move |up| (column + right, row + up)))
        .filter(move |&square| square != (column, row))
}

impl Tiles {
    pub(super) fn new() -> Self {
        let tiles = (0..5).flat_map(|column| (0..5).map(move |row| ((column, row), Colour::Light)));
        Self {
            tiles: tiles.collect(),
            disks: [
                ((0, 0), ("black", Colour::Light)),
                ((4, 4), ("black", Colour::Light)),
                ((0, 4), ("white", Colour::Light)),
                ((4, 0), ("white", Colour::Light)),
            ]
            .into(),
            side: "black",
        }
    }

    /// The empty tiles beside a square.
    fn empty_beside(&self, square: Square) -> impl Iterator<Item = (Square, Colour)> {
        neighbours(square)
            .filter(|square| !self.disks.contains_key(square))
            .filter_map(|square| Some((square, *self.tiles.get(&square)?)))
    }

    /// The first half of a turn; false if the disk may not go there.
    fn step(&mut self, from: Square, to: Square) -> bool {
        let Some(&(owner, colour)) = self.disks.get(&from) else {
            return false;
        };
        let target = self.empty_beside(from).find(|&(square, _)| square == to);
        let Some((_, tile)) = target else {
            return false;
        };
        if owner != self.side || colour == Colour::Dark && tile == Colour::Light {
            return false;
        }
        self.disks.remove(&from);
        // A light disk that enters a dark tile is dark from now on.
        self.disks.insert(to, (owner, tile));
        true
    }

    /// The tiles the disk there can change.
    fn changeable(&self, at: Square) -> Vec<Square> {
        let (_, colour) = self.disks[&at];
        self.empty_beside(at)
            .filter(|&(_, tile)| tile == colour)
            .map(|(square, _)| square)
            .collect()
    }
}

impl Referee for Tiles {
    fn side(&self) -> &'static str {
        self.side
    }

    fn legal(&self) -> BTreeSet<String> {
        let mut turns = BTreeSet::new();
        for &from in self.disks.keys() {
            for to in neighbours(from) {
                let mut after = self.clone();
                if after.step(from, to) {
                    for changed in after.changeable(to) {
                        turns.insert(format!("{}{}:{}", name(from), name(to), name(changed)));
                    }
                }
            }
        }
        turns
    }

    fn play(&mut self, mv: &str) {
        let (from, to, changed) = (square(&mv[..2]), square(&mv[2..4]), square(&mv[5..]));
        assert!(self.step(from, to));
        match self.tiles[&changed] {
            Colour::Light => self.tiles.insert(changed, Colour::Dark),
            Colour::Dark => self.tiles.remove(&changed),
        };
        self.side = opponent(self.side);
    }

    fn result(&self) -> String {
        if self.legal().is_empty() {
            format!("{}+1", opponent(self.side))
        } else {
            "unfinished".to_string()
        }
    }
}
