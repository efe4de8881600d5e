//! Moves known beforehand: solved opening lines and opening books.
//!
//! A file is `QUADBOOK`, a `u32` that is 1 if every value is proved and else
//! 0, a `u32` of how many entries there are, their CRC-32 as a `u32`, and the
//! entries, sorted: the [canonical key](Game::canonical_key) of a position as
//! a `u64`, half that of the position a move leads to as a `u32`, and what the
//! move is worth to whoever makes it, in hundredths, as an `i16`. All numbers
//! are little-endian.

use std::borrow::Cow;

use thiserror::Error;

use crate::game::{Game, MoveList};

const MAGIC: &[u8; 8] = b"QUADBOOK";
const HEADER: usize = 20;
const ENTRY: usize = 14;

/// Why a book was refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BookError {
    /// It does not begin as a book does, or has not the size it claims.
    #[error("no book, or only a part of one")]
    Form,
    /// The checksum does not fit.
    #[error("the book is damaged: its checksum is {actual:08x}, it says {stated:08x}")]
    Checksum {
        /// Of the entries.
        actual: u32,
        /// What the header says.
        stated: u32,
    },
}

/// One move of one position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The position's canonical key.
    pub key: u64,
    /// What the move is worth, in hundredths, for the side that makes it.
    pub value: i16,
    /// The lower half of the canonical key of the position after the move.
    pub next: u32,
}

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known<M> {
    /// The move, legal in the position it was asked for.
    pub mv: M,
    /// What it is worth, in hundredths, for the side that makes it.
    pub value: i32,
}

/// Sorted entries.
#[derive(Clone, Debug)]
pub struct Book {
    proved: bool,
    entries: Cow<'static, [u8]>,
}

impl Book {
    /// A book that is part of the program, whose wholeness a test has seen:
    /// nothing is read before it is asked.
    pub const fn embedded(bytes: &'static [u8]) -> Self {
        let (header, entries) = bytes.split_at(HEADER);
        Self {
            proved: header[8] == 1,
            entries: Cow::Borrowed(entries),
        }
    }

    /// Reads a book.
    ///
    /// # Errors
    /// If it is none, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let (header, entries) = bytes.split_at_checked(HEADER).ok_or(BookError::Form)?;
        let number = |at: usize| {
            let word = [header[at], header[at + 1], header[at + 2], header[at + 3]];
            u32::from_le_bytes(word)
        };
        let (proved, count) = (number(8), number(12) as usize);
        if !header.starts_with(MAGIC) || proved > 1 || entries.len() != count * ENTRY {
            return Err(BookError::Form);
        }
        let (actual, stated) = (crc32fast::hash(entries), number(16));
        if actual != stated {
            return Err(BookError::Checksum { actual, stated });
        }
        Ok(Self {
            proved: proved == 1,
            entries: Cow::Owned(entries.to_vec()),
        })
    }

    /// The file of these entries; of a move that is there twice the better
    /// value is kept.
    pub fn write(mut entries: Vec<Entry>, proved: bool) -> Vec<u8> {
        entries.sort_unstable_by_key(|entry| (entry.key, entry.next, -i32::from(entry.value)));
        entries.dedup_by_key(|entry| (entry.key, entry.next));
        // The best move of a position first.
        entries.sort_unstable_by_key(|entry| (entry.key, -i32::from(entry.value), entry.next));
        let mut body = Vec::with_capacity(entries.len() * ENTRY);
        for entry in &entries {
            body.extend(entry.key.to_le_bytes());
            body.extend(entry.next.to_le_bytes());
            body.extend(entry.value.to_le_bytes());
        }
        let mut file = MAGIC.to_vec();
        file.extend(u32::from(proved).to_le_bytes());
        file.extend((entries.len() as u32).to_le_bytes());
        file.extend(crc32fast::hash(&body).to_le_bytes());
        file.extend(body);
        file
    }

    /// Whether the values are proved, and the moves with them.
    pub const fn is_proved(&self) -> bool {
        self.proved
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len() / ENTRY
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves the book knows of a position, the best first.
    pub fn moves<G: Game>(&self, position: &G) -> Vec<Known<G::Move>> {
        let key = position.canonical_key();
        let first = self.first_of(key);
        let entries: Vec<Entry> = (first..self.len())
            .map(|index| self.entry(index))
            .take_while(|entry| entry.key == key)
            .collect();
        if entries.is_empty() {
            return Vec::new();
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let next: Vec<u32> = moves.iter().map(|&mv| next_key(position, mv)).collect();
        // Another position with the same key would hardly have such a move.
        let known = entries.iter().filter_map(|entry| {
            let index = next.iter().position(|&next| next == entry.next)?;
            Some(Known {
                mv: moves[index],
                value: entry.value.into(),
            })
        });
        known.collect()
    }

    /// The index of the first entry whose key is not below `key`.
    fn first_of(&self, key: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle).key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn entry(&self, index: usize) -> Entry {
        let bytes = &self.entries[index * ENTRY..][..ENTRY];
        let mut key = [0; 8];
        key.copy_from_slice(&bytes[..8]);
        Entry {
            key: u64::from_le_bytes(key),
            next: u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]),
            value: i16::from_le_bytes([bytes[12], bytes[13]]),
        }
    }
}

/// By what a book tells the moves of a position apart.
fn next_key<G: Game>(position: &G, mv: G::Move) -> u32 {
    position.play(mv).canonical_key() as u32
}

/// The entry of a move of a position, worth `value` hundredths.
pub fn entry_of<G: Game>(position: &G, mv: G::Move, value: i16) -> Entry {
    Entry {
        key: position.canonical_key(),
        next: next_key(position, mv),
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::discs::Discs;

    fn after(start: Discs, moves: &[&str]) -> Discs {
        moves.iter().fold(start, |position, text| {
            position.play(position.parse_move(text).expect("a move"))
        })
    }

    fn small_book() -> Vec<u8> {
        let start = Discs::othello8();
        let second = after(start, &["d3"]);
        let mv = |position: &Discs, text: &str| position.parse_move(text).expect("a move");
        Book::write(
            vec![
                entry_of(&second, mv(&second, "c5"), -100),
                entry_of(&start, mv(&start, "d3"), 0),
                entry_of(&second, mv(&second, "c3"), 50),
                entry_of(&second, mv(&second, "c3"), 50),
            ],
            false,
        )
    }

    #[test]
    fn finds_the_moves_of_every_image_best_first() {
        let book = Book::read(&small_book()).expect("a book");
        assert_eq!(book.len(), 3);
        for first in ["d3", "c4", "f5", "e6"] {
            let position = after(Discs::othello8(), &[first]);
            let known = book.moves(&position);
            let values: Vec<i32> = known.iter().map(|known| known.value).collect();
            assert_eq!(values, [50, -100], "{first}");
            assert!(known.iter().all(|known| position.is_legal(known.mv)));
        }
        let reply = |position: &Discs| position.print_move(book.moves(position)[0].mv);
        assert_eq!(reply(&after(Discs::othello8(), &["d3"])), "c3");
        assert_eq!(reply(&after(Discs::othello8(), &["e6"])), "f6");
        assert!(
            book.moves(&after(Discs::othello8(), &["d3", "c3"]))
                .is_empty()
        );
        // White-first reversi is the same game with the colours exchanged.
        assert_eq!(book.moves(&Discs::reversi8()).len(), 1);
    }

    #[test]
    fn damage_is_noticed() {
        let good = small_book();
        assert!(Book::read(&good).is_ok());
        assert_eq!(Book::read(&good[..15]).err(), Some(BookError::Form));
        assert_eq!(
            Book::read(&good[..good.len() - 1]).err(),
            Some(BookError::Form)
        );
        let mut bad = good.clone();
        bad[0] = b'q';
        assert_eq!(Book::read(&bad).err(), Some(BookError::Form));
        let mut bad = good;
        bad[20] ^= 1;
        assert!(matches!(Book::read(&bad), Err(BookError::Checksum { .. })));
    }

    #[test]
    fn an_empty_book_knows_nothing() {
        let book = Book::read(&Book::write(Vec::new(), true)).expect("a book");
        assert!(book.is_empty() && book.is_proved());
        assert!(book.moves(&Discs::othello6()).is_empty());
    }
}
