//! The board as a person at a terminal likes to see it, drawn from its
//! [`Picture`] alone.

use std::fmt::Write as _;

use crate::depict::{Cell, Picture, Piece, Point, Tile};
use crate::game::Side;
use crate::protocol::drawing;

/// What the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Look {
    /// More than ASCII.
    pub(super) unicode: bool,
    /// Colours, as ECMA-48 has them.
    pub(super) colour: bool,
}

impl Look {
    /// What the environment says of the terminal, if it is one.
    pub(super) fn of(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_none_or(|term| term == "dumb");
        if !is_terminal || dumb {
            return Self::default();
        }
        let locale = set("LC_ALL").or(set("LC_CTYPE")).or(set("LANG"));
        let locale = locale.unwrap_or_default().to_ascii_uppercase();
        Self {
            unicode: locale.contains("UTF-8") || locale.contains("UTF8"),
            colour: set("NO_COLOR").is_none(),
        }
    }

    /// Text in an attribute of ECMA-48, or as it is.
    pub(super) fn paint(self, attributes: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{attributes}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// The board with what lies beside it; the points of the last move are marked
/// where there are colours.
pub(super) fn board(picture: &Picture, marked: &[Point], look: Look) -> String {
    if look == Look::default() {
        return drawing::board(picture);
    }
    let sheet = Sheet {
        picture,
        marked,
        look,
        sized: has_sizes(picture),
    };
    sheet.draw()
}

fn has_sizes(picture: &Picture) -> bool {
    let stacks = picture.cells.iter().map(|cell| &cell.stack);
    stacks
        .chain(picture.reserves.iter().flatten())
        .flatten()
        .any(|piece| piece.size > 0)
}

struct Sheet<'a> {
    picture: &'a Picture,
    marked: &'a [Point],
    look: Look,
    /// Whether squares hold stacks of pieces of different sizes.
    sized: bool,
}

impl Sheet<'_> {
    fn draw(&self) -> String {
        let mut text = self.columns();
        let height = self.picture.height;
        for line in 0..height {
            let row = if self.picture.row_one_on_top {
                line
            } else {
                height - 1 - line
            };
            text += &self.row(row);
        }
        text += &self.columns();
        text + &self.beside()
    }

    /// Letters that one square takes.
    fn width(&self) -> usize {
        if self.sized { 9 } else { 3 }
    }

    fn columns(&self) -> String {
        let width = self.width();
        let mut line = String::from("   ");
        for column in 0..self.picture.width {
            let _ = write!(line, "{:^width$}", char::from(b'a' + column));
        }
        let line = line.trim_end();
        self.look.paint("2", line) + "\n"
    }

    fn row(&self, row: u8) -> String {
        let mut text = String::new();
        // Stacks have a line for what is on top and one for what is below.
        for part in 0..if self.sized { 2 } else { 1 } {
            let number = if part == 0 {
                format!("{:>2}", row + 1)
            } else {
                "  ".to_string()
            };
            text += &(self.look.paint("2", &number) + " ");
            for column in 0..self.picture.width {
                let at = Point { column, row };
                text += &self.square(at, part);
            }
            if part == 0 {
                text += &self.look.paint("2", &format!(" {}", row + 1));
            }
            text.push('\n');
        }
        text
    }

    fn square(&self, at: Point, part: usize) -> String {
        let cell = self.picture.cell(at);
        let back = self.background(cell, at);
        let content = match (self.sized, part) {
            (false, _) => self.disc(cell),
            (true, 0) => self.top(cell),
            (true, _) => self.below(cell),
        };
        self.fill(&content, &back)
    }

    /// A square's content in its middle. Content is text with attributes.
    fn fill(&self, content: &[(String, String)], back: &str) -> String {
        let used: usize = content.iter().map(|(text, _)| text.chars().count()).sum();
        let free = self.width().saturating_sub(used);
        let blank = |count: usize| self.styled(&" ".repeat(count), "", back);
        let inside: String = content
            .iter()
            .map(|(text, attributes)| self.styled(text, attributes, back))
            .collect();
        blank(free / 2) + &inside + &blank(free - free / 2)
    }

    fn styled(&self, text: &str, attributes: &str, back: &str) -> String {
        let both = [back, attributes]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(";");
        if both.is_empty() {
            text.to_string()
        } else {
            self.look.paint(&both, text)
        }
    }

    fn background(&self, cell: &Cell, at: Point) -> String {
        let marked = self.marked.contains(&at);
        // Neighbouring squares differ a little, so that lines can be followed.
        let even = (at.column + at.row).is_multiple_of(2);
        match (cell.tile, marked) {
            (Tile::Gone, _) => "",
            (Tile::Plain, true) => "48;5;178",
            (Tile::Plain, false) if self.sized => {
                if even {
                    "48;5;180"
                } else {
                    "48;5;137"
                }
            }
            (Tile::Plain, false) => {
                if even {
                    "48;5;35"
                } else {
                    "48;5;29"
                }
            }
            (Tile::Light, true) => "48;5;222",
            (Tile::Light, false) => {
                if even {
                    "48;5;253"
                } else {
                    "48;5;251"
                }
            }
            (Tile::Dark, true) => "48;5;130",
            (Tile::Dark, false) => {
                if even {
                    "48;5;240"
                } else {
                    "48;5;239"
                }
            }
        }
        .to_string()
    }

    fn disc(&self, cell: &Cell) -> Vec<(String, String)> {
        let ascii = || drawing::cell(cell);
        let Some(piece) = cell.stack.last() else {
            let mark = match cell.tile {
                _ if !self.look.unicode => ascii(),
                Tile::Plain => "·".to_string(),
                Tile::Light if self.look.colour => " ".to_string(),
                Tile::Dark if self.look.colour => " ".to_string(),
                Tile::Light => "░".to_string(),
                Tile::Dark => "▓".to_string(),
                Tile::Gone => " ".to_string(),
            };
            return vec![(mark, "38;5;22".to_string())];
        };
        if !self.look.unicode {
            return vec![(ascii(), "1;".to_string() + self.ink(*piece, cell.tile))];
        }
        let shape = match (piece.side, self.look.colour) {
            (_, true) | (Side::Black, false) => "●",
            (Side::White, false) => "○",
        };
        let mut text = shape.to_string();
        // Without colours the face of a tile shows beside its disk.
        if !self.look.colour && cell.tile != Tile::Plain {
            text.push(if piece.dark { '▓' } else { '░' });
        }
        vec![(text, self.ink(*piece, cell.tile).to_string())]
    }

    /// The colour of a piece: red and blue on tiles, whose faces are light and
    /// dark themselves.
    fn ink(&self, piece: Piece, tile: Tile) -> &'static str {
        match (piece.side, tile) {
            (Side::Black, Tile::Plain) => "38;5;16",
            (Side::White, Tile::Plain) => "38;5;231",
            (Side::Black, Tile::Dark) => "38;5;210",
            (Side::White, Tile::Dark) => "38;5;117",
            (Side::Black, _) => "38;5;160",
            (Side::White, _) => "38;5;26",
        }
    }

    fn top(&self, cell: &Cell) -> Vec<(String, String)> {
        match cell.stack.last() {
            None if self.look.unicode => vec![("·".to_string(), "38;5;94".to_string())],
            None => vec![(".".to_string(), "38;5;94".to_string())],
            Some(piece) => vec![self.gobblet(*piece)],
        }
    }

    /// The larger, the wider.
    fn gobblet(&self, piece: Piece) -> (String, String) {
        let name = format!("{}{}", drawing::letter(piece.side), piece.size);
        let pad = usize::from(piece.size.saturating_sub(1)).min(3);
        if self.look.colour {
            let name = format!("{0}{1}{0}", " ".repeat(pad), piece.size);
            let ink = match piece.side {
                Side::Black => "48;5;16;38;5;231;1",
                Side::White => "48;5;231;38;5;16;1",
            };
            (name, ink.to_string())
        } else {
            let (left, right) = if self.look.unicode {
                ("❲", "❳")
            } else {
                ("(", ")")
            };
            (format!("{left}{name}{right}"), String::new())
        }
    }

    /// What is hidden, from the top down.
    fn below(&self, cell: &Cell) -> Vec<(String, String)> {
        let hidden = cell.stack.iter().rev().skip(1);
        let mut parts = Vec::new();
        for piece in hidden {
            let ink = match piece.side {
                Side::Black => "38;5;16",
                Side::White => "38;5;231",
            };
            let name = format!("{}{}", drawing::letter(piece.side), piece.size);
            parts.push((name, ink.to_string()));
        }
        if !parts.is_empty() {
            let mark = if self.look.unicode { "▾" } else { "v" };
            parts.insert(0, (mark.to_string(), "38;5;238".to_string()));
        }
        parts
    }

    fn beside(&self) -> String {
        let mut text = String::new();
        for side in [Side::Black, Side::White] {
            let stacks = &self.picture.reserves[side.index()];
            if stacks.is_empty() {
                continue;
            }
            let _ = write!(text, "{side} in reserve:");
            for stack in stacks {
                // The one that can be played stands first.
                let sizes: Vec<String> = stack
                    .iter()
                    .rev()
                    .map(|piece| piece.size.to_string())
                    .collect();
                let shown = match sizes.split_first() {
                    None => "-".to_string(),
                    Some((top, below)) => {
                        let below = self.look.paint("2", &below.concat());
                        self.look.paint("1", top) + &below
                    }
                };
                let _ = write!(text, " {shown}");
            }
            text.push('\n');
        }
        for note in self.picture.notes.iter().filter(|note| !note.is_empty()) {
            let _ = writeln!(text, "{note}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::VARIANTS;
    use crate::search::Settings;

    fn environment(pairs: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        |name| {
            pairs
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_string())
        }
    }

    #[test]
    fn the_terminal_is_believed() {
        let look = |is_terminal, pairs| Look::of(is_terminal, environment(pairs));
        let both = Look {
            unicode: true,
            colour: true,
        };
        let utf8 = &[("TERM", "xterm"), ("LANG", "en_US.UTF-8")];
        assert_eq!(look(true, utf8), both);
        assert_eq!(look(false, utf8), Look::default());
        assert_eq!(
            look(true, &[("TERM", "dumb"), ("LANG", "C.utf8")]),
            Look::default()
        );
        assert_eq!(look(true, &[("LANG", "C.utf8")]), Look::default());
        let plain = look(
            true,
            &[("TERM", "xterm"), ("NO_COLOR", "1"), ("LANG", "C.utf8")],
        );
        assert!(plain.unicode && !plain.colour);
        // The first of the three counts.
        let ascii = look(
            true,
            &[("TERM", "xterm"), ("LC_ALL", "C"), ("LANG", "C.UTF-8")],
        );
        assert!(!ascii.unicode && ascii.colour);
    }

    /// What is left when the colours are taken away.
    fn bare(text: &str) -> String {
        let mut bare = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\x1b') {
            bare.push_str(before);
            rest = after.split_once('m').map_or("", |(_, after)| after);
        }
        bare + rest
    }

    #[test]
    fn every_board_fits_a_terminal_of_80_by_24() {
        let settings = Settings {
            hash: 0,
            ..Settings::default()
        };
        let position = "b1w2b3w4,w3,b4,b2/.,.,.,./.,.,.,./.,.,.,. 441 440 w";
        for variant in &VARIANTS {
            let mut session = variant.open(&settings).expect("a game");
            if variant.info.name == "gobblet" {
                session.set_position(position).expect("a position");
            }
            for (unicode, colour) in [(false, false), (true, false), (false, true), (true, true)] {
                let look = Look { unicode, colour };
                let text = board(&session.picture(), &[], look);
                assert!(look.unicode || text.is_ascii());
                assert!(look.colour || !text.contains('\x1b'));
                let bare = bare(&text);
                assert!(bare.lines().count() <= 20, "{bare}");
                assert!(
                    bare.lines().all(|line| line.chars().count() <= 80),
                    "{bare}"
                );
                // Each column stands under its letter.
                let widths: Vec<usize> = bare
                    .lines()
                    .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
                    .map(|line| line.chars().count())
                    .collect();
                assert!(widths.iter().all(|&width| width == widths[0]), "{bare}");
                if variant.info.name == "gobblet" && look != Look::default() {
                    assert!(bare.contains("b3w2b1"), "hidden gobblets: {bare}");
                }
            }
        }
    }
}
