//! Game records in SGF: the main line of the first game of a file.

use crate::game::Side;
use crate::records::{self, Move, Property, Tag};

/// A record, with its squares as they are written.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Record {
    /// Squares in a row, if the record says so.
    pub(super) size: Option<usize>,
    /// The discs set up for Black and White, if any.
    pub(super) setup: [Vec<String>; 2],
    /// Who is said to begin.
    pub(super) to_move: Option<Side>,
    /// The moves, with their squares as they are written.
    pub(super) moves: Vec<Move>,
    /// Whether it was written by a program that draws row 1 at the bottom, so
    /// that SGF's first row is the last one of ours.
    pub(super) upside_down: bool,
    /// What is said about the game.
    pub(super) tags: Vec<(Tag, String)>,
    /// What else is said about it.
    pub(super) extra: Vec<Property>,
}

impl Record {
    /// Reads a file.
    ///
    /// # Errors
    /// One line, if it is no SGF, no game of discs, or one that sets up
    /// discs in the middle.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = String::from_utf8_lossy(bytes);
        let mut record = Self::default();
        for mut node in main_line(&text)? {
            // What a node says of its move may stand before it.
            node.sort_by_key(|(name, _)| !matches!(name.as_str(), "B" | "W"));
            for (name, values) in node {
                record.take(&name, values)?;
            }
        }
        Ok(record)
    }

    fn take(&mut self, name: &str, values: Vec<String>) -> Result<(), String> {
        let first = values.first().map_or("", |value| value.trim());
        match name {
            "GM" if !matches!(first, "1" | "2") => {
                return Err(format!(
                    "it is a record of game {first}, not of Othello (2)"
                ));
            }
            "SZ" => {
                let size = first.parse().map_err(|_| format!("board size {first}"))?;
                self.size = Some(size);
            }
            "AP" => {
                let name = first.to_ascii_lowercase();
                self.upside_down = name.starts_with("gogui");
            }
            // Later on it says no more than the moves do.
            "PL" if self.moves.is_empty() => {
                let side = super::frontend::colour(first);
                self.to_move = Some(side.ok_or_else(|| format!("player {first}"))?);
            }
            "AB" | "AW" => {
                if !self.moves.is_empty() {
                    return Err("it sets up discs after the first move".to_string());
                }
                let side = if name == "AB" {
                    Side::Black
                } else {
                    Side::White
                };
                self.setup[side.index()].extend(values);
            }
            "B" => self.moves.push(Move::new(Side::Black, first.to_string())),
            "W" => self.moves.push(Move::new(Side::White, first.to_string())),
            _ => self.note(name, values),
        }
        Ok(())
    }

    /// Keeps what is said about the game, or about its last move so far.
    fn note(&mut self, name: &str, values: Vec<String>) {
        let kept = records::sgf::is_kept(name);
        match (self.moves.last_mut(), records::sgf::tag(name)) {
            (_, Some(tag)) => {
                let value = values.into_iter().next().unwrap_or_default();
                self.tags.push((tag, value.trim().to_string()));
            }
            (Some(last), None) if name == "C" => values
                .iter()
                .for_each(|comment| records::text::take_comment(last, comment)),
            (Some(last), None) if kept => last.extra.push((name.to_string(), values)),
            (None, None) if kept => self.extra.push((name.to_string(), values)),
            _ => {}
        }
    }

    /// Forgets what speaks of points, which are others once the board is
    /// turned over.
    pub(super) fn forget_points(&mut self) {
        let stays = |(name, _): &Property| !records::sgf::names_points(name);
        self.extra.retain(stays);
        self.moves.iter_mut().for_each(|mv| mv.extra.retain(stays));
    }
}

/// A square as its column and row, or a pass, from what a record says: `f5`
/// or the two letters of SGF; nothing, `tt`, `pass` or `pa` for a pass.
///
/// # Errors
/// If it is neither.
pub(super) fn read_move(
    text: &str,
    size: usize,
    upside_down: bool,
) -> Result<Option<(usize, usize)>, String> {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "" | "tt" | "pass" | "pa") {
        return Ok(None);
    }
    let off_board = || format!("`{text}` is no square of the board");
    let letter = |byte: u8| byte.is_ascii_lowercase().then(|| usize::from(byte - b'a'));
    let (column, row) = match *lower.as_bytes() {
        [a, b] if b.is_ascii_digit() => (letter(a), usize::from(b - b'0').checked_sub(1)),
        [a, b] if upside_down => (letter(a), letter(b).and_then(|b| size.checked_sub(b + 1))),
        [a, b] => (letter(a), letter(b)),
        _ => (None, None),
    };
    match (column, row) {
        (Some(column), Some(row)) if column < size && row < size => Ok(Some((column, row))),
        _ => Err(off_board()),
    }
}

/// The nodes of the first game, along the first of all variations.
fn main_line(text: &str) -> Result<Vec<Vec<Property>>, String> {
    let mut parser = Parser {
        rest: text.trim_start_matches('\u{feff}'),
    };
    parser.skip_space();
    if !parser.eat('(') {
        return Err("it does not begin with `(`".to_string());
    }
    let mut nodes = Vec::new();
    loop {
        parser.skip_space();
        if parser.eat(';') {
            nodes.push(parser.node()?);
        } else if parser.eat('(') {
            // The first variation goes on; its siblings come after its end.
        } else if parser.eat(')') {
            return if nodes.is_empty() {
                Err("it holds no game".to_string())
            } else {
                Ok(nodes)
            };
        } else {
            return Err(parser.unexpected());
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn unexpected(&self) -> String {
        match self.rest.chars().next() {
            Some(found) => format!("`{}` where a node was due", found.escape_default()),
            None => "it ends in the middle".to_string(),
        }
    }

    /// The properties of a node, whose `;` is behind us.
    fn node(&mut self) -> Result<Vec<Property>, String> {
        let mut properties = Vec::new();
        loop {
            self.skip_space();
            let end = self
                .rest
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(self.rest.len());
            if end == 0 {
                return Ok(properties);
            }
            // Old files have lower-case letters in between, to be skipped.
            let name = self.rest[..end].chars().filter(char::is_ascii_uppercase);
            let name: String = name.collect();
            self.rest = &self.rest[end..];
            let mut values = Vec::new();
            self.skip_space();
            while self.eat('[') {
                values.push(self.value()?);
                self.skip_space();
            }
            if values.is_empty() {
                return Err(format!("property {name} has no value"));
            }
            properties.push((name, values));
        }
    }

    /// A value, whose `[` is behind us.
    fn value(&mut self) -> Result<String, String> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((index, c)) = chars.next() {
            match c {
                ']' => {
                    self.rest = &self.rest[index + 1..];
                    return Ok(value);
                }
                '\\' => match chars.next() {
                    // A line that goes on in the next.
                    Some((_, '\n')) => {}
                    escaped => value.extend(escaped.map(|(_, escaped)| escaped)),
                },
                '\r' => {}
                _ => value.push(c),
            }
        }
        self.rest = "";
        Err(self.unexpected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<(Side, String)> {
        let record = Record::parse(text.as_bytes()).expect("good");
        let moves = record.moves.into_iter();
        moves.map(|mv| (mv.side, mv.text)).collect()
    }

    fn moves_are(text: &str, expected: &[&str]) {
        let found: Vec<String> = moves(text).into_iter().map(|(_, mv)| mv).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn properties_are_found_wherever_they_stand() {
        let record =
            Record::parse(b"(;FF[4] GM[2]SZ[8]\nPL[W] AB[dd][ee]AW[de][ed]C[a \\] b];W[ef]\n;B[])")
                .expect("good");
        assert_eq!(record.size, Some(8));
        assert_eq!(record.to_move, Some(Side::White));
        assert_eq!(record.setup[0], ["dd", "ee"]);
        assert_eq!(record.setup[1], ["de", "ed"]);
        assert_eq!(
            record.moves,
            [
                Move::new(Side::White, "ef".to_string()),
                Move::new(Side::Black, String::new())
            ]
        );
        assert_eq!(record.extra, [("C".to_string(), vec!["a ] b".to_string()])]);
    }

    #[test]
    fn what_is_said_is_kept_where_it_was_said() {
        let text =
            "(;SZ[8]PB[Ann]US[Eve][Bob]KM[0];C[1.25, 3 s, so\\\n be it]B[f5]TR[ef]BL[9];C[later])";
        let mut record = Record::parse(text.as_bytes()).expect("good");
        assert_eq!(record.tags, [(Tag::Black, "Ann".to_string())]);
        let names = |extra: &[Property]| {
            let names: Vec<&str> = extra.iter().map(|(name, _)| name.as_str()).collect();
            names.join(" ")
        };
        assert_eq!(names(&record.extra), "US KM");
        let mv = record.moves[0].clone();
        assert_eq!((mv.value, mv.seconds), (Some(1.25), Some(3.0)));
        assert_eq!(mv.comment, "so be it\nlater");
        assert_eq!(names(&mv.extra), "TR BL");
        record.forget_points();
        assert_eq!(names(&record.moves[0].extra), "BL");
    }

    #[test]
    fn the_first_variation_is_followed_to_its_end() {
        moves_are(
            "(;B[f5](;W[d6](;B[c3])(;B[c4]))(;W[f4]))",
            &["f5", "d6", "c3"],
        );
        moves_are("(;B[f5])(;B[d3])", &["f5"]);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        for bad in [
            "",
            "x",
            "(",
            "()",
            "(;B[f5]",
            "(;B[f5",
            "(;B)",
            "(;B[f5]]",
            "(;GM[3])",
            "(;SZ[x])",
            "(;PL[z])",
            "(;B[f5];AB[a1])",
            "(;B[f5\\",
        ] {
            assert!(Record::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn squares_are_read_in_both_notations_and_both_ways_up() {
        let read = |text, upside_down| read_move(text, 8, upside_down);
        assert_eq!(read("f5", false), Ok(Some((5, 4))));
        assert_eq!(read("F5", true), Ok(Some((5, 4))));
        assert_eq!(read("fe", false), Ok(Some((5, 4))));
        assert_eq!(read("fd", true), Ok(Some((5, 4))));
        for pass in ["", "tt", "pass", "PA"] {
            assert_eq!(read(pass, false), Ok(None));
        }
        for bad in ["f9", "f0", "i1", "ai", "f", "f10", "5f", "??", "é"] {
            assert!(read(bad, false).is_err(), "{bad}");
        }
    }
}
