//! The Smart Game Format, as the disc games are written in it.
//!
//! Squares are SGF's own points, from the top left; the discs of the start
//! are set up and the side to move is told, since readers know one of the
//! starts at most.
//!
//! CITE: A. Hollosi, SGF File Format version FF 4, <https://www.red-bean.com/sgf/>.

use std::fmt::Write as _;

use super::{Move, Record, Tag};
use crate::game::Side;

/// How the tags are called here.
const TAGS: [(&str, Tag); 11] = [
    ("PB", Tag::Black),
    ("PW", Tag::White),
    ("BR", Tag::BlackRating),
    ("WR", Tag::WhiteRating),
    ("EV", Tag::Event),
    ("PC", Tag::Place),
    ("DT", Tag::Date),
    ("RO", Tag::Round),
    ("TM", Tag::Time),
    ("RE", Tag::Result),
    ("GC", Tag::Comment),
];

/// Othello in SGF's list of games.
const GAME: u32 = 2;

/// Moves on a line.
const MOVES_A_LINE: usize = 4;

/// The tag of a property, if it is one.
pub fn tag(property: &str) -> Option<Tag> {
    TAGS.iter()
        .find(|(known, _)| *known == property)
        .map(|(_, tag)| *tag)
}

/// The record of a disc game of that name, with a line feed at its end.
/// `start` is where it begins in our notation, the usual start too.
pub fn write(record: &Record, game: &str, start: &str) -> String {
    let (rows, side) = start.rsplit_once(' ').unwrap_or((start, "X"));
    let rows: Vec<&str> = rows.split('/').collect();
    let mut text = format!(
        "(;FF[4]CA[UTF-8]AP[Quadrille:{}]GM[{GAME}]SZ[{}]GN[{}]\n",
        env!("CARGO_PKG_VERSION"),
        rows.len(),
        escaped(game)
    );
    for (name, known) in TAGS {
        if let Some(value) = record.tag(known) {
            // Writing to a string cannot fail.
            let _ = write!(text, "{name}[{}]", escaped(value));
        }
    }
    for (name, letter) in [("AB", 'X'), ("AW", 'O')] {
        let points = discs(&rows, letter);
        if !points.is_empty() {
            text = text + name + &points;
        }
    }
    let first = if side == "X" { 'B' } else { 'W' };
    let _ = write!(text, "PL[{first}]");
    for (number, mv) in record.moves.iter().enumerate() {
        text.push(if number % MOVES_A_LINE == 0 {
            '\n'
        } else {
            ' '
        });
        text.push_str(&node(mv));
    }
    text.push_str(")\n");
    text
}

fn discs(rows: &[&str], letter: char) -> String {
    let mut points = String::new();
    for (row, squares) in (0..).zip(rows) {
        for (column, _) in (0..).zip(squares.chars()).filter(|(_, c)| *c == letter) {
            let _ = write!(points, "[{}]", point(column, row));
        }
    }
    points
}

fn node(mv: &Move) -> String {
    let letter = match mv.side {
        Side::Black => 'B',
        Side::White => 'W',
    };
    let square = match *mv.text.as_bytes() {
        [column @ b'a'..=b'z', row @ b'1'..=b'9'] => point(column - b'a', row - b'1'),
        _ => String::new(),
    };
    let mut text = format!(";{letter}[{square}]");
    let comment = super::text::comment(mv);
    if !comment.is_empty() {
        let _ = write!(text, "C[{comment}]");
    }
    text
}

/// The point of column and row, which count from 0 at the top left.
pub fn point(column: u8, row: u8) -> String {
    [column, row]
        .map(|index| char::from(b'a' + index))
        .iter()
        .collect()
}

/// A text as SGF wants it, on one line.
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            ']' | '\\' => safe.extend(['\\', c]),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_value_is_escaped() {
        assert_eq!(escaped("a]b\\c\nd;("), "a\\]b\\\\c d;(");
    }

    #[test]
    fn a_game_has_its_start_its_names_and_its_moves() {
        let record = Record {
            tags: vec![(Tag::White, "Bo]b".to_string())],
            position: None,
            moves: vec![
                Move {
                    side: Side::Black,
                    text: "b1".to_string(),
                    value: Some(0.5),
                    seconds: None,
                },
                Move {
                    side: Side::White,
                    text: "pass".to_string(),
                    value: None,
                    seconds: None,
                },
            ],
        };
        let text = write(&record, "othello6", "O-/-X X");
        assert!(
            text.contains("SZ[2]GN[othello6]\nPW[Bo\\]b]AB[bb]AW[aa]PL[B]\n"),
            "{text}"
        );
        assert!(text.ends_with("\n;B[ba]C[0.50] ;W[])\n"), "{text}");
    }
}
