//! Moves and positions as text.

use super::{Board, Discs, Move};
use crate::game::Side;

impl Discs {
    pub(super) fn read_move(&self, text: &str) -> Result<Move, String> {
        let size = self.board.size();
        let error = || {
            let last = self.write_move(Move(self.board.square(size - 1, size - 1)));
            format!(
                "{} is no move: a move is a square, a1 to {last}, or pass",
                quote(text)
            )
        };
        let word = text.trim();
        if word.eq_ignore_ascii_case("pass") {
            return Ok(Move::PASS);
        }
        let &[column, row] = word.as_bytes() else {
            return Err(error());
        };
        let column = usize::from(column.to_ascii_lowercase().wrapping_sub(b'a'));
        let row = usize::from(row.wrapping_sub(b'1'));
        if column < size && row < size {
            Ok(Move(self.board.square(column, row)))
        } else {
            Err(error())
        }
    }

    pub(super) fn write_move(&self, mv: Move) -> String {
        if mv == Move::PASS {
            return "pass".to_string();
        }
        let margin = self.board.margin() as u8;
        let column = char::from(b'a' + mv.0 % 8 - margin);
        format!("{column}{}", mv.0 / 8 + 1 - margin)
    }

    pub(super) fn write_position(&self) -> String {
        let size = self.board.size();
        let rows: Vec<String> = (0..size)
            .map(|row| (0..size).map(|column| self.symbol(column, row)).collect())
            .collect();
        let side = match self.side {
            Side::Black => 'X',
            Side::White => 'O',
        };
        format!("{} {side}", rows.join("/"))
    }

    fn symbol(&self, column: usize, row: usize) -> char {
        let bit = 1 << self.board.square(column, row);
        if self.discs(Side::Black) & bit != 0 {
            'X'
        } else if self.discs(Side::White) & bit != 0 {
            'O'
        } else {
            '-'
        }
    }

    /// Reads `ROW/ROW/... SIDE`, and the form of the field: all squares in one
    /// run, then the side, with or without a space, as in `obf` files.
    pub(super) fn read_position(&self, text: &str) -> Result<Self, String> {
        let (squares, side) = split_side(text, self.board)?;
        let rows = if squares.contains('/') {
            split_rows(squares, self.board)?
        } else {
            vec![squares]
        };
        let size = self.board.size();
        let (mut black, mut white) = (0, 0);
        for (index, symbol) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            let bit = 1 << self.board.square(index % size, index / size);
            match disc(symbol) {
                Some(Some(Side::Black)) => black |= bit,
                Some(Some(Side::White)) => white |= bit,
                Some(None) => {}
                None => {
                    return Err(format!(
                        "{} is no square: X is a black disc, O a white one, - an empty square",
                        quote(&symbol.to_string())
                    ));
                }
            }
        }
        let (own, opponent) = match side {
            Side::Black => (black, white),
            Side::White => (white, black),
        };
        Ok(Self::new(self.board, side, own, opponent))
    }
}

/// What a square's symbol stands for; none if it is no such symbol.
fn disc(symbol: char) -> Option<Option<Side>> {
    match symbol {
        'X' | 'x' | '*' => Some(Some(Side::Black)),
        'O' | 'o' => Some(Some(Side::White)),
        '-' | '.' => Some(None),
        _ => None,
    }
}

/// The squares of a position's text and its side to move. Where the squares
/// come in one run, there are as many as the board has.
fn split_side(text: &str, board: Board) -> Result<(&str, Side), String> {
    let text = text.trim().trim_end_matches(';').trim_end();
    let cells = board.size() * board.size();
    let (squares, side) = match text.split_once(char::is_whitespace) {
        Some((squares, side)) => (squares, side.trim_start()),
        None => {
            // The side may be glued to the squares.
            let last = text.char_indices().last().map_or(0, |(index, _)| index);
            let slashes = text.matches('/').count();
            let squares = text.chars().count() - slashes;
            text.split_at(if squares > cells { last } else { text.len() })
        }
    };
    let count = squares.chars().filter(|&symbol| symbol != '/').count();
    if !squares.contains('/') && count != cells {
        return Err(format!(
            "{count} squares, where the board has {cells}: {}",
            form(board)
        ));
    }
    let mut symbols = side.chars();
    match (symbols.next().and_then(disc), symbols.next()) {
        (Some(Some(side)), None) => Ok((squares, side)),
        _ if side.is_empty() => Err(format!("the side to move is missing: {}", form(board))),
        _ => Err(format!(
            "{} is no side to move: it is X for black or O for white",
            quote(side)
        )),
    }
}

fn split_rows(squares: &str, board: Board) -> Result<Vec<&str>, String> {
    let size = board.size();
    let rows: Vec<&str> = squares.split('/').collect();
    if rows.len() != size {
        return Err(format!(
            "{} rows, where the board has {size}: {}",
            rows.len(),
            form(board)
        ));
    }
    for (index, row) in rows.iter().enumerate() {
        let length = row.chars().count();
        if length != size {
            return Err(format!(
                "row {} has {length} squares, not {size}",
                index + 1
            ));
        }
    }
    Ok(rows)
}

/// What a position looks like.
fn form(board: Board) -> String {
    let start = match board {
        Board::Six => Discs::othello6(),
        Board::Eight => Discs::othello8(),
    };
    format!("a position looks like {}", start.write_position())
}

/// `text` in backquotes, cut short: it may be a megabyte.
fn quote(text: &str) -> String {
    const LONGEST: usize = 20;
    let mut short: String = text.trim().chars().take(LONGEST).collect();
    if short.len() < text.trim().len() {
        short.push_str("...");
    }
    format!("`{short}`")
}
