//! The disc games.

use std::collections::BTreeSet;

use super::{Referee, opponent};

const DIRECTIONS: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

pub(super) struct Discs {
    size: i32,
    /// By row and column from 0; the owner of a disc.
    board: Vec<Vec<Option<&'static str>>>,
    side: &'static str,
}

impl Discs {
    /// The second player has the discs of the falling diagonal.
    pub(super) fn new(size: i32, first: &'static str) -> Self {
        let mut board = vec![vec![None; size as usize]; size as usize];
        let (low, high) = (size as usize / 2 - 1, size as usize / 2);
        for (row, column) in [(low, low), (high, high)] {
            board[row][column] = Some(opponent(first));
        }
        for (row, column) in [(low, high), (high, low)] {
            board[row][column] = Some(first);
        }
        Self {
            size,
            board,
            side: first,
        }
    }

    fn at(&self, row: i32, column: i32) -> Option<&'static str> {
        let inside = (0..self.size).contains(&row) && (0..self.size).contains(&column);
        inside.then(|| self.board[row as usize][column as usize])?
    }

    /// What a disc of `side` turns over there; none if it may not be put.
    fn turned(&self, side: &'static str, row: i32, column: i32) -> Vec<(i32, i32)> {
        let mut turned = Vec::new();
        if self.at(row, column).is_some() {
            return turned;
        }
        for (down, right) in DIRECTIONS {
            let mut line = Vec::new();
            let (mut r, mut c) = (row + down, column + right);
            while self.at(r, c) == Some(opponent(side)) {
                line.push((r, c));
                (r, c) = (r + down, c + right);
            }
            if self.at(r, c) == Some(side) {
                turned.append(&mut line);
            }
        }
        turned
    }

    fn squares(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)))
    }

    fn placements(&self, side: &'static str) -> BTreeSet<String> {
        self.squares()
            .filter(|&(row, column)| !self.turned(side, row, column).is_empty())
            .map(|(row, column)| format!("{}{}", char::from(b'a' + column as u8), row + 1))
            .collect()
    }

    fn count(&self, side: &str) -> i32 {
        self.squares()
            .filter(|&(row, column)| self.at(row, column) == Some(side))
            .count() as i32
    }
}

impl Referee for Discs {
    fn side(&self) -> &'static str {
        self.side
    }

    fn legal(&self) -> BTreeSet<String> {
        let own = self.placements(self.side);
        if own.is_empty() && !self.placements(opponent(self.side)).is_empty() {
            return ["pass".to_string()].into();
        }
        own
    }

    fn play(&mut self, mv: &str) {
        if let [column, row] = mv.as_bytes() {
            let (row, column) = (i32::from(row - b'1'), i32::from(column - b'a'));
            for (r, c) in self.turned(self.side, row, column) {
                self.board[r as usize][c as usize] = Some(self.side);
            }
            self.board[row as usize][column as usize] = Some(self.side);
        }
        self.side = opponent(self.side);
    }

    fn result(&self) -> String {
        if !self.legal().is_empty() {
            return "unfinished".to_string();
        }
        let (black, white) = (self.count("black"), self.count("white"));
        // Empty squares go to the winner.
        let empty = self.size * self.size - black - white;
        match black - white {
            0 => "draw".to_string(),
            margin if margin > 0 => format!("black+{}", margin + empty),
            margin => format!("white+{}", empty - margin),
        }
    }
}
