//! The text a book is made from: what its makers have found so far.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::journal::Journal;

/// What is known of a position: a line `POSITION ; MOVE VALUE, MOVE VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// In the notation of its game.
    pub(super) position: String,
    /// Moves with their value in hundredths for the side to move, the best
    /// first; none if the search needs no help here.
    pub(super) moves: Vec<(String, i16)>,
}

impl Line {
    fn parse(text: &str) -> Option<Self> {
        let (position, moves) = text.split_once(';')?;
        let one = |text: &str| {
            let (mv, value) = text.trim().split_once(' ')?;
            Some((mv.to_string(), value.trim().parse().ok()?))
        };
        let moves: Option<Vec<_>> = moves
            .split(',')
            .filter(|text| !text.trim().is_empty())
            .map(one)
            .collect();
        Some(Self {
            position: position.trim().to_string(),
            moves: moves?,
        })
    }

    /// The line, without its end.
    pub(super) fn print(&self) -> String {
        let moves: Vec<String> = self
            .moves
            .iter()
            .map(|(mv, value)| format!("{mv} {value}"))
            .collect();
        format!("{} ; {}", self.position, moves.join(", "))
    }
}

/// A file of lines that grows, and outlives whoever writes it: a maker that is
/// begun again goes on where the last one stopped.
pub(super) struct Lines {
    /// None where the file is only read.
    journal: Option<Journal>,
    known: HashMap<String, Line>,
    /// Positions in the order of the file.
    order: Vec<String>,
}

impl Lines {
    /// Opens a file to be gone on with, or begins one.
    ///
    /// # Errors
    /// If the file cannot be read and written, or holds something else; then
    /// it stays as it is.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let (journal, text) = Journal::open(path)?;
        Self::parse(Some(journal), &text)
    }

    /// The lines of a file that is only read.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        Self::parse(None, &Journal::read(path)?)
    }

    fn parse(journal: Option<Journal>, text: &str) -> io::Result<Self> {
        let mut lines = Self {
            journal,
            known: HashMap::new(),
            order: Vec::new(),
        };
        for (index, text) in text.lines().enumerate() {
            lines.insert(Line::parse(text).ok_or_else(|| no_line(index + 1))?);
        }
        Ok(lines)
    }

    /// What is known of a position, by its text.
    pub(super) fn get(&self, position: &str) -> Option<&Line> {
        self.known.get(position)
    }

    /// Writes a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn push(&mut self, line: Line) -> io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.push(&line.print())?;
        }
        self.insert(line);
        Ok(())
    }

    fn insert(&mut self, line: Line) {
        let position = line.position.clone();
        if self.known.insert(position.clone(), line).is_none() {
            self.order.push(position);
        }
    }

    /// Every line, in the order of the file.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Line> {
        self.order
            .iter()
            .filter_map(|position| self.known.get(position))
    }

    /// How many positions are known.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }
}

fn no_line(number: usize) -> io::Error {
    let what = format!("line {number} is no `POSITION ; MOVE VALUE, ...`");
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_a_kill() {
        let path = std::env::temp_dir().join(format!("quadrille-lines-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let line = |position: &str, moves: &[(&str, i16)]| Line {
            position: position.to_string(),
            moves: moves
                .iter()
                .map(|&(mv, value)| (mv.to_string(), value))
                .collect(),
        };
        let mut lines = Lines::open(&path).expect("a new file");
        lines
            .push(line("a/b X", &[("c3", 400), ("c5", -100)]))
            .expect("room");
        lines.push(line("b/b O", &[])).expect("room");
        drop(lines);
        let mut whole = std::fs::read(&path).expect("the file");
        whole.extend(b"c/c X ; d");
        std::fs::write(&path, &whole).expect("room");
        let mut lines = Lines::open(&path).expect("the same file");
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines.get("a/b X"),
            Some(&line("a/b X", &[("c3", 400), ("c5", -100)]))
        );
        lines.push(line("c/c X", &[("d1", 0)])).expect("room");
        drop(lines);
        let lines = Lines::open(&path).expect("the same file");
        assert_eq!(lines.iter().count(), 3);
        let other = "something else\nwithout an end";
        std::fs::write(&path, other).expect("room");
        assert!(Lines::open(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), other);
        std::fs::remove_file(&path).expect("it is there");
        assert!(Lines::read(&path).is_err());
        assert!(!path.exists());
    }
}
