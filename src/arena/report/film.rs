//! Games as films: the board before the first move, and what each move
//! changes in it, drawn from neutral pictures alone, so that a page can show
//! any game and knows no rules.
//!
//! A board is a row of fields: the squares as in [`Picture`], then the stacks
//! of Black's reserve, then those of White's. Each content of a field has a
//! number in the code book of its game; numbers are written as letters of
//! [`LETTERS`], one for a field, `width` for a content. A move is the letters
//! of the fields and contents that it changes, in turn; behind a blank the
//! numbers in the notes, if they change, with a point in between; moves are
//! separated by commas. The page's script decodes it.

use std::collections::HashMap;

use serde::Serialize;

use super::evidence::Evidence;
use super::summary::opening_text;
use crate::arena::record::GameRecord;
use crate::arena::replay::{Ply, Replay, Replayer, value_for_people};
use crate::depict::{Cell, Picture, Piece, Point, Tile};
use crate::game::Side;
use crate::session::VariantInfo;

/// What numbers are written in: nothing that JSON or HTML would escape, no
/// blank, comma or point.
const LETTERS: &str =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+-/:;=?@[]^_`{|}~";

/// All games of a report, for the page's script.
#[derive(Debug, Default, Serialize)]
pub(super) struct Films {
    letters: &'static str,
    engines: Vec<String>,
    reasons: Vec<String>,
    openings: Vec<String>,
    variants: Vec<Variant>,
    games: Vec<Film>,
}

/// A game, and what is common to its films.
#[derive(Debug, Serialize)]
struct Variant {
    name: String,
    title: &'static str,
    columns: u8,
    rows: u8,
    row_one_on_top: bool,
    /// Stacks in Black's reserve and in White's.
    reserves: [usize; 2],
    /// Letters for a content.
    width: usize,
    /// The code book: `p`, `l`, `d` or `x` for the square, then its pieces
    /// from bottom to top, as in `b0`, `w3` or, with its dark face, `B0`.
    contents: Vec<String>,
    /// The boards that films begin with: a content for each field.
    starts: Vec<String>,
    /// The notes beside the board, each number replaced by `#`.
    notes: Vec<String>,
}

/// One game. Short names, since they are written for each.
#[derive(Debug, Serialize)]
struct Film {
    /// Its number.
    id: u64,
    /// Its variant.
    v: usize,
    /// The engines with Black and White.
    b: usize,
    w: usize,
    /// The result: 1 if Black has won, -1 if White has, 0 for a draw; and in
    /// words.
    s: i8,
    r: String,
    /// Why it ended, and more about that.
    e: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    d: String,
    /// Its opening, and how many moves that is.
    o: usize,
    k: usize,
    /// The first board, and the numbers in its notes.
    p: usize,
    n: String,
    /// Who made each move: a letter for each.
    c: String,
    /// The moves, separated by blanks.
    m: String,
    /// The points they touch, as letters of fields, separated by commas.
    t: String,
    /// What they change.
    f: String,
    /// What the engines said of them: value for the mover, depth,
    /// milliseconds, each separated by `|`, moves by line feeds.
    i: String,
}

impl Films {
    /// Plays all games again.
    ///
    /// # Errors
    /// If a record is no game of ours.
    pub(super) fn new(evidence: &Evidence) -> Result<Self, String> {
        let mut maker = Maker::default();
        for record in &evidence.records {
            maker.add(record)?;
        }
        Ok(maker.finish(evidence))
    }
}

#[derive(Default)]
struct Maker {
    replayer: Replayer,
    engines: Index,
    reasons: Index,
    openings: Index,
    studios: Vec<Studio>,
    /// Each with its boards as numbers of contents.
    games: Vec<(Film, Vec<Frame>)>,
}

/// Texts, each once.
#[derive(Default)]
struct Index {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Index {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.numbers.insert(text.to_string(), self.texts.len());
        self.texts.push(text.to_string());
        self.texts.len() - 1
    }
}

/// What a move changes: fields with their new contents, and the numbers in
/// the notes, if they are others now.
#[derive(Default)]
struct Frame {
    changes: Vec<(usize, usize)>,
    notes: Option<String>,
}

/// Where the films of one variant are made.
struct Studio {
    info: &'static VariantInfo,
    columns: u8,
    rows: u8,
    row_one_on_top: bool,
    reserves: [usize; 2],
    contents: Index,
    starts: Vec<Vec<usize>>,
    notes: Vec<String>,
}

impl Studio {
    fn new(info: &'static VariantInfo, picture: &Picture) -> Self {
        Self {
            info,
            columns: picture.width,
            rows: picture.height,
            row_one_on_top: picture.row_one_on_top,
            reserves: [0, 1].map(|side: usize| picture.reserves[side].len()),
            contents: Index::default(),
            starts: Vec::new(),
            notes: notes(picture).0,
        }
    }

    fn board(&mut self, picture: &Picture) -> Vec<usize> {
        let squares = picture.cells.iter().map(content);
        let reserves = picture.reserves.iter().flatten();
        let stacks = reserves.map(|stack| pieces(stack));
        let contents: Vec<String> = squares.chain(stacks).collect();
        contents
            .iter()
            .map(|content| self.contents.number(content))
            .collect()
    }

    fn start(&mut self, board: &[usize]) -> usize {
        match self.starts.iter().position(|start| start == board) {
            Some(number) => number,
            None => {
                self.starts.push(board.to_vec());
                self.starts.len() - 1
            }
        }
    }

    /// The letters that a content takes.
    fn width(&self) -> usize {
        let (mut width, mut most) = (1, LETTERS.len());
        while self.contents.texts.len() > most {
            width += 1;
            most *= LETTERS.len();
        }
        width
    }

    fn finish(self) -> Variant {
        let width = self.width();
        let start =
            |board: &Vec<usize>| board.iter().map(|&number| letters(number, width)).collect();
        Variant {
            name: self.info.name.to_string(),
            title: self.info.title,
            columns: self.columns,
            rows: self.rows,
            row_one_on_top: self.row_one_on_top,
            reserves: self.reserves,
            width,
            starts: self.starts.iter().map(start).collect(),
            contents: self.contents.texts,
            notes: self.notes,
        }
    }
}

impl Maker {
    fn add(&mut self, record: &GameRecord) -> Result<(), String> {
        let replay = self.replayer.replay(record)?;
        let known = |studio: &Studio| {
            studio.info.name == replay.variant.name
                && (studio.columns, studio.rows) == (replay.start.width, replay.start.height)
        };
        let v = self.studios.iter().position(known).unwrap_or_else(|| {
            self.studios
                .push(Studio::new(replay.variant, &replay.start));
            self.studios.len() - 1
        });
        let studio = &mut self.studios[v];
        let mut board = studio.board(&replay.start);
        let p = studio.start(&board);
        let n = notes(&replay.start).1;
        let mut numbers = n.clone();
        let mut frames = Vec::new();
        for ply in &replay.plies {
            let next = studio.board(&ply.after);
            let noted = notes(&ply.after).1;
            frames.push(Frame {
                changes: changes(&board, &next),
                notes: (noted != numbers).then(|| noted.clone()),
            });
            (board, numbers) = (next, noted);
        }
        let film = Film {
            id: record.id,
            v,
            b: self.engines.number(&record.black),
            w: self.engines.number(&record.white),
            s: match record.winner.as_deref() {
                None => 0,
                Some("black") => 1,
                Some(_) => -1,
            },
            r: record.result(),
            e: self.reasons.number(&record.reason.to_string()),
            d: record.detail.clone().unwrap_or_default(),
            o: self.openings.number(&opening_text(record)),
            k: replay.plies.len() - record.moves.len(),
            p,
            n,
            c: replay.plies.iter().map(|ply| initial(ply.side)).collect(),
            m: joined(&replay, " ", |ply| ply.mv.clone()),
            t: joined(&replay, ",", |ply| fields(&ply.points, replay.start.width)),
            f: String::new(),
            i: joined(&replay, "\n", info),
        };
        self.games.push((film, frames));
        Ok(())
    }

    /// Only now is known how many letters a content takes.
    fn finish(self, evidence: &Evidence) -> Films {
        let widths: Vec<usize> = self.studios.iter().map(Studio::width).collect();
        let mut games = Vec::new();
        for (mut film, frames) in self.games {
            let moves: Vec<String> = frames
                .iter()
                .map(|frame| frame.text(widths[film.v]))
                .collect();
            film.f = moves.join(",");
            games.push(film);
        }
        games.sort_by_key(|film| film.id);
        debug_assert!(
            self.engines
                .texts
                .iter()
                .all(|name| evidence.engines.contains(name))
        );
        Films {
            letters: LETTERS,
            engines: self.engines.texts,
            reasons: self.reasons.texts,
            openings: self.openings.texts,
            variants: self.studios.into_iter().map(Studio::finish).collect(),
            games,
        }
    }
}

impl Frame {
    fn text(&self, width: usize) -> String {
        let mut text = String::new();
        for &(field, content) in &self.changes {
            text += &letters(field, 1);
            text += &letters(content, width);
        }
        if let Some(numbers) = &self.notes {
            text.push(' ');
            text += numbers;
        }
        text
    }
}

fn changes(before: &[usize], after: &[usize]) -> Vec<(usize, usize)> {
    let fields = before.iter().zip(after).enumerate();
    fields
        .filter(|(_, (before, after))| before != after)
        .map(|(field, (_, &content))| (field, content))
        .collect()
}

/// A number in as many letters, the highest first.
fn letters(number: usize, width: usize) -> String {
    let all = LETTERS.as_bytes();
    let digit = |place: usize| number / all.len().pow(place as u32) % all.len();
    (0..width)
        .rev()
        .map(|place| char::from(all[digit(place)]))
        .collect()
}

fn joined(replay: &Replay<'_>, by: &str, text: impl Fn(&Ply<'_>) -> String) -> String {
    let texts: Vec<String> = replay.plies.iter().map(text).collect();
    texts.join(by)
}

fn fields(points: &[Point], columns: u8) -> String {
    let field =
        |point: &Point| usize::from(point.row) * usize::from(columns) + usize::from(point.column);
    points
        .iter()
        .map(|point| letters(field(point), 1))
        .collect()
}

fn initial(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}

fn info(ply: &Ply<'_>) -> String {
    let Some(record) = ply.record else {
        return String::new();
    };
    let value = record.value.as_deref().map(value_for_people);
    let value = value.unwrap_or_default().replace(['|', '\n'], " ");
    let depth = record.depth.map(|depth| depth.to_string());
    let ms = record.ms.map(|ms| match ms < 10.0 {
        true => format!("{ms:.1}"),
        false => format!("{ms:.0}"),
    });
    format!(
        "{value}|{}|{}",
        depth.unwrap_or_default(),
        ms.unwrap_or_default()
    )
}

fn content(cell: &Cell) -> String {
    let tile = match cell.tile {
        Tile::Plain => 'p',
        Tile::Light => 'l',
        Tile::Dark => 'd',
        Tile::Gone => 'x',
    };
    format!("{tile}{}", pieces(&cell.stack))
}

fn pieces(stack: &[Piece]) -> String {
    let piece = |piece: &Piece| {
        let letter = match (piece.side, piece.dark) {
            (Side::Black, false) => 'b',
            (Side::Black, true) => 'B',
            (Side::White, false) => 'w',
            (Side::White, true) => 'W',
        };
        format!("{letter}{}", piece.size)
    };
    stack.iter().map(piece).collect()
}

/// The notes with `#` for each number, and the numbers with points between.
fn notes(picture: &Picture) -> (Vec<String>, String) {
    let mut numbers: Vec<String> = Vec::new();
    let mut forms = Vec::new();
    for note in &picture.notes {
        let (mut form, mut in_number) = (String::new(), false);
        for c in note.chars() {
            if !c.is_ascii_digit() {
                form.push(c);
            } else if let Some(number) = numbers.last_mut().filter(|_| in_number) {
                number.push(c);
            } else {
                form.push('#');
                numbers.push(c.to_string());
            }
            in_number = c.is_ascii_digit();
        }
        forms.push(form);
    }
    (forms, numbers.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_plain_and_different() {
        let mut all: Vec<char> = LETTERS.chars().collect();
        assert!(
            all.iter()
                .all(|c| c.is_ascii_graphic() && !"\"\\<>&',.".contains(*c))
        );
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), LETTERS.len());
        // A square has a letter, on every board.
        assert!(LETTERS.len() >= 64 + 2 * 3);
        assert_eq!(letters(LETTERS.len() + 1, 2), "11");
    }

    #[test]
    fn numbers_are_taken_out_of_notes() {
        let picture = Picture {
            width: 0,
            height: 0,
            row_one_on_top: false,
            cells: Vec::new(),
            reserves: [Vec::new(), Vec::new()],
            notes: vec!["black 12, white 3".to_string(), "7".to_string()],
        };
        let (forms, numbers) = notes(&picture);
        assert_eq!(forms, ["black #, white #", "#"]);
        assert_eq!(numbers, "12.3.7");
    }
}
