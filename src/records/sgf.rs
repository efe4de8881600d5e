//! The Smart Game Format, as the disc games are written in it.
//!
//! Squares are SGF's own points, from the top left; the discs of the start
//! are set up and the side to move is told, since readers know one of the
//! starts at most.
//!
//! CITE: A. Hollosi, SGF File Format version FF 4, <https://www.red-bean.com/sgf/>.

use std::fmt::Write as _;

use super::{Move, Property, Record, Tag, is_plain_name};
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

/// What a game tree without variations is made of.
pub struct Tree {
    /// Squares in a row.
    pub size: usize,
    /// Properties of the root besides these, as they are to be written.
    pub properties: String,
    /// The points of the discs of Black and White at the start.
    pub discs: [Vec<String>; 2],
    /// Who begins.
    pub first: Side,
    /// The moves.
    pub nodes: Vec<Node>,
}

/// A move of a [`Tree`].
pub struct Node {
    /// Whose it is.
    pub side: Side,
    /// Where, or nothing for a pass.
    pub point: String,
    /// What is said about it, if anything; not yet escaped.
    pub comment: String,
    /// Other properties, as they are to be written.
    pub properties: String,
}

/// The tree as text, with a line feed at its end.
pub fn tree(tree: &Tree) -> String {
    let mut text = format!(
        "(;FF[4]CA[UTF-8]AP[Quadrille:{}]GM[{GAME}]SZ[{}]{}",
        env!("CARGO_PKG_VERSION"),
        tree.size,
        tree.properties
    );
    for (name, points) in ["AB", "AW"].iter().zip(&tree.discs) {
        if !points.is_empty() {
            text = text + name + "[" + &points.join("][") + "]";
        }
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "PL[{}]", letter(tree.first));
    for (number, node) in tree.nodes.iter().enumerate() {
        let begin = if number % MOVES_A_LINE == 0 {
            '\n'
        } else {
            ' '
        };
        let _ = write!(text, "{begin};{}[{}]", letter(node.side), node.point);
        if !node.comment.is_empty() {
            let _ = write!(text, "C[{}]", escaped_lines(&node.comment));
        }
        text += &node.properties;
    }
    text + ")\n"
}

/// The record of a disc game of that name, with a line feed at its end.
/// `start` is where it begins in our notation, the usual start too.
pub fn write(record: &Record, game: &str, start: &str) -> String {
    let (rows, side) = start.rsplit_once(' ').unwrap_or((start, "X"));
    let rows: Vec<&str> = rows.split('/').collect();
    // A name that the game has got elsewhere says more than ours.
    let mut properties = if record.extra.iter().any(|(name, _)| name == "GN") {
        String::from("\n")
    } else {
        format!("GN[{}]\n", escaped(game))
    };
    for (name, known) in TAGS {
        if let Some(value) = record.tag(known) {
            let value = match known {
                Tag::Result => result(value),
                _ => value.to_string(),
            };
            let _ = write!(properties, "{name}[{}]", escaped_lines(&value));
        }
    }
    properties += &others(&record.extra);
    tree(&Tree {
        size: rows.len(),
        properties,
        discs: ['X', 'O'].map(|letter| discs(&rows, letter)),
        first: if side == "X" {
            Side::Black
        } else {
            Side::White
        },
        nodes: record.moves.iter().map(node).collect(),
    })
}

fn discs(rows: &[&str], letter: char) -> Vec<String> {
    let mut points = Vec::new();
    for (row, squares) in (0..).zip(rows) {
        for (column, _) in (0..).zip(squares.chars()).filter(|(_, c)| *c == letter) {
            points.push(point(column, row));
        }
    }
    points
}

fn node(mv: &Move) -> Node {
    Node {
        side: mv.side,
        point: match *mv.text.as_bytes() {
            [column @ b'a'..=b'z', row @ b'1'..=b'9'] => point(column - b'a', row - b'1'),
            _ => String::new(),
        },
        comment: super::text::comment(mv),
        properties: others(&mv.extra),
    }
}

/// Properties of the root that are made anew, and those of nodes.
const OURS: [&str; 13] = [
    "FF", "CA", "AP", "GM", "SZ", "PL", "AB", "AW", "AE", "B", "W", "KO", "MN",
];

/// Properties that speak of points: in a record that is turned over they would
/// lie.
const POINTS: [&str; 13] = [
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW", "FG",
];

/// Whether a property says something that is kept as it is.
pub fn is_kept(name: &str) -> bool {
    is_plain_name(name) && !OURS.contains(&name) && tag(name).is_none()
}

/// Whether a property speaks of points of the board.
pub fn names_points(name: &str) -> bool {
    POINTS.contains(&name)
}

/// Properties that are kept, as they are written.
fn others(extra: &[Property]) -> String {
    let mut text = String::new();
    for (name, values) in extra.iter().filter(|(name, _)| is_kept(name)) {
        text.push_str(name);
        for value in values {
            text = text + "[" + &escaped_lines(value) + "]";
        }
    }
    text
}

/// A result of ours in SGF's words. Others stay.
fn result(value: &str) -> String {
    match value.split_once('+') {
        Some(("black", margin)) => format!("B+{margin}"),
        Some(("white", margin)) => format!("W+{margin}"),
        _ if value == "draw" => "0".to_string(),
        _ => value.to_string(),
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::Black => 'B',
        Side::White => 'W',
    }
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
    escaped_lines(&text.replace('\n', " "))
}

/// A text as SGF wants it, with its line breaks. No line is left empty, since
/// that would end the answer of a protocol.
fn escaped_lines(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            ']' | '\\' => safe.extend(['\\', c]),
            '\n' if safe.ends_with('\n') => safe.push_str(" \n"),
            '\n' => safe.push(c),
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
        assert_eq!(escaped_lines("a\n\n\n]"), "a\n \n \n\\]");
    }

    #[test]
    fn a_game_has_its_start_its_names_and_its_moves() {
        let record = Record {
            tags: vec![
                (Tag::White, "Bo]b".to_string()),
                (Tag::Result, "white+12".to_string()),
            ],
            extra: vec![
                ("US".to_string(), vec!["Eve".to_string(), "Ann".to_string()]),
                ("Weather".to_string(), vec!["fine".to_string()]),
            ],
            position: None,
            moves: vec![
                Move {
                    value: Some(0.5),
                    extra: vec![("BL".to_string(), vec!["99".to_string()])],
                    ..Move::new(Side::Black, "b1".to_string())
                },
                Move::new(Side::White, "pass".to_string()),
            ],
        };
        let text = write(&record, "othello6", "O-/-X X");
        assert!(
            text.contains("SZ[2]GN[othello6]\nPW[Bo\\]b]RE[W+12]US[Eve][Ann]AB[bb]AW[aa]PL[B]\n"),
            "{text}"
        );
        assert!(text.ends_with("\n;B[ba]C[0.50]BL[99] ;W[])\n"), "{text}");
    }
}
