//! Gobblet.

use std::collections::{BTreeMap, BTreeSet};

use super::{Referee, opponent};

/// Owner and size.
type Piece = (&'static str, u8);

/// Column and row from 0.
type Square = (usize, usize);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    /// Each from bottom to top.
    stacks: BTreeMap<Square, Vec<Piece>>,
    /// The heights of the three stacks beside the board: the top of a stack
    /// is as large as it is high.
    reserves: BTreeMap<&'static str, [u8; 3]>,
    side: &'static str,
}

pub(super) struct Gobblet {
    position: Position,
    seen: BTreeMap<Position, u32>,
}

fn squares() -> impl Iterator<Item = Square> {
    (0..4).flat_map(|column| (0..4).map(move |row| (column, row)))
}

fn lines() -> Vec<Vec<Square>> {
    let mut lines = Vec::new();
    for i in 0..4 {
        lines.push((0..4).map(|j| (i, j)).collect());
        lines.push((0..4).map(|j| (j, i)).collect());
    }
    lines.push((0..4).map(|j| (j, j)).collect());
    lines.push((0..4).map(|j| (j, 3 - j)).collect());
    lines
}

fn name((column, row): Square) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

fn square(text: &str) -> Square {
    let bytes = text.as_bytes();
    (usize::from(bytes[0] - b'a'), usize::from(bytes[1] - b'1'))
}

impl Position {
    fn top(&self, square: Square) -> Option<Piece> {
        self.stacks.get(&square)?.last().copied()
    }

    fn shown(&self, line: &[Square], side: &str) -> Vec<Square> {
        let own = |square: &&Square| self.top(**square).is_some_and(|(owner, _)| owner == side);
        line.iter().filter(own).copied().collect()
    }

    fn has_four(&self, side: &str) -> bool {
        lines().iter().any(|line| self.shown(line, side).len() == 4)
    }

    fn is_smaller(&self, square: Square, size: u8) -> bool {
        self.top(square).is_none_or(|(_, under)| under < size)
    }

    /// The opponent's gobblets in lines that show exactly three of them.
    fn threatening(&self) -> BTreeSet<Square> {
        lines()
            .iter()
            .map(|line| self.shown(line, opponent(self.side)))
            .filter(|shown| shown.len() == 3)
            .flatten()
            .collect()
    }

    fn placements(&self) -> BTreeSet<String> {
        let threatening = self.threatening();
        let mut moves = BTreeSet::new();
        for size in self.reserves[self.side]
            .into_iter()
            .filter(|&size| size > 0)
        {
            for square in squares() {
                let may = match self.top(square) {
                    None => true,
                    Some((_, under)) => under < size && threatening.contains(&square),
                };
                if may {
                    moves.insert(format!("{size}@{}", name(square)));
                }
            }
        }
        moves
    }

    fn board_moves(&self) -> BTreeSet<String> {
        let mut moves = BTreeSet::new();
        for from in squares() {
            let Some((owner, size)) = self.top(from) else {
                continue;
            };
            if owner != self.side {
                continue;
            }
            for to in squares().filter(|&to| to != from && self.is_smaller(to, size)) {
                moves.insert(name(from) + &name(to));
            }
        }
        moves
    }

    fn winner(&self) -> Option<&'static str> {
        // The side to move has not moved last: its line counts first.
        [self.side, opponent(self.side)]
            .into_iter()
            .find(|side| self.has_four(side))
    }
}

impl Gobblet {
    pub(super) fn new() -> Self {
        let position = Position {
            stacks: BTreeMap::new(),
            reserves: [("black", [4; 3]), ("white", [4; 3])].into(),
            side: "white",
        };
        Self {
            seen: [(position.clone(), 1)].into(),
            position,
        }
    }
}

impl Referee for Gobblet {
    fn side(&self) -> &'static str {
        self.position.side
    }

    fn legal(&self) -> BTreeSet<String> {
        if self.result() != "unfinished" {
            return BTreeSet::new();
        }
        let mut moves = self.position.placements();
        moves.append(&mut self.position.board_moves());
        moves
    }

    fn play(&mut self, mv: &str) {
        let position = &mut self.position;
        let (piece, to) = match mv.split_once('@') {
            Some((size, to)) => {
                let size: u8 = size.parse().unwrap();
                let reserve = position.reserves.get_mut(position.side).unwrap();
                *reserve.iter_mut().find(|height| **height == size).unwrap() -= 1;
                ((position.side, size), square(to))
            }
            None => {
                let stack = position.stacks.get_mut(&square(&mv[..2])).unwrap();
                (stack.pop().unwrap(), square(&mv[2..]))
            }
        };
        position.stacks.entry(to).or_default().push(piece);
        position.stacks.retain(|_, stack| !stack.is_empty());
        // Which of the equal stacks a gobblet came from makes no difference.
        position
            .reserves
            .get_mut(position.side)
            .unwrap()
            .sort_unstable();
        position.side = opponent(position.side);
        *self.seen.entry(position.clone()).or_default() += 1;
    }

    fn result(&self) -> String {
        match self.position.winner() {
            Some(side) => format!("{side}+1"),
            None if self.seen[&self.position] >= 3 => "draw".to_string(),
            None => "unfinished".to_string(),
        }
    }
}
