//! Turns and positions as text.

use super::board::{SIZE, Squares, bit, column, row, square};
use super::rules::{Tiles, Turn};
use crate::game::Side;

const TURN_FORM: &str = "a turn is FROM TO:CHANGED without spaces, as in a1b2:a1";
const POSITION_FORM: &str = "a position is the rows from the top, joined by `/`, then the side \
     to move, as in o---x/-----/-----/-----/x---o x";

fn print_square(square: u8) -> String {
    format!("{}{}", char::from(b'a' + column(square)), row(square) + 1)
}

/// The turn in lower case.
pub(super) fn print_turn(turn: Turn) -> String {
    let [from, to, changed] = [turn.from, turn.to, turn.changed].map(print_square);
    format!("{from}{to}:{changed}")
}

/// Reads three squares, in upper or lower case.
pub(super) fn parse_turn(text: &str) -> Result<Turn, String> {
    let bytes = text.trim().as_bytes();
    let &[f0, f1, t0, t1, b':', c0, c1] = bytes else {
        return Err(TURN_FORM.to_string());
    };
    Ok(Turn {
        from: parse_square(f0, f1)?,
        to: parse_square(t0, t1)?,
        changed: parse_square(c0, c1)?,
    })
}

fn parse_square(letter: u8, digit: u8) -> Result<u8, String> {
    let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
    let row = digit.wrapping_sub(b'1');
    if column < SIZE && row < SIZE {
        Ok(square(column, row))
    } else {
        Err(format!("{TURN_FORM}; squares are a1 to e5"))
    }
}

/// The rows from the top, and the side to move.
pub(super) fn print_position(position: &Tiles) -> String {
    let rows: Vec<String> = (0..position.height)
        .rev()
        .map(|row| {
            (0..position.width)
                .map(|column| print_tile(position, bit(square(column, row))))
                .collect()
        })
        .collect();
    let side = match position.side {
        Side::Black => 'x',
        Side::White => 'o',
    };
    format!("{} {side}", rows.join("/"))
}

fn print_tile(position: &Tiles, tile: Squares) -> char {
    let [black, white] = position.disks.map(|disks| disks & tile != 0);
    let light = position.light & tile != 0;
    match (black, white, light) {
        (true, _, true) => 'x',
        (true, _, false) => 'X',
        (_, true, true) => 'o',
        (_, true, false) => 'O',
        (_, _, true) => '-',
        _ if position.dark & tile != 0 => '+',
        _ => '.',
    }
}

/// Reads a position on a board of any size up to 5x5.
pub(super) fn parse_position(text: &str) -> Result<Tiles, String> {
    let mut words = text.split_whitespace();
    let (Some(board), Some(side), None) = (words.next(), words.next(), words.next()) else {
        return Err(POSITION_FORM.to_string());
    };
    let side = match side {
        "x" | "X" => Side::Black,
        "o" | "O" => Side::White,
        _ => return Err("the side to move is `x` (black) or `o` (white)".to_string()),
    };
    let rows: Vec<&str> = board.split('/').rev().collect();
    let width = rows[0].chars().count();
    check_size(width, rows.len())?;
    let mut sets = Sets::default();
    for (row, &line) in rows.iter().enumerate() {
        let found = line.chars().count();
        if found != width {
            return Err(format!(
                "row {} has {found} squares, row 1 has {width}: all rows are of one length",
                row + 1
            ));
        }
        for (column, letter) in line.chars().enumerate() {
            sets.add(bit(square(column as u8, row as u8)), letter)?;
        }
    }
    for (disks, name) in sets.disks.iter().zip(["black (x, X)", "white (o, O)"]) {
        let found = disks.count_ones();
        if found > 2 {
            return Err(format!("{name} has {found} disks: a side has at most 2"));
        }
    }
    let size = (width as u8, rows.len() as u8);
    Ok(Tiles::new(sets.light, sets.dark, sets.disks, side, size))
}

fn check_size(width: usize, height: usize) -> Result<(), String> {
    let sizes = 2..=usize::from(SIZE);
    if sizes.contains(&width) && sizes.contains(&height) {
        Ok(())
    } else {
        Err(format!(
            "the board is {width} wide and {height} high: 2 to 5 columns and rows are possible; \
             {POSITION_FORM}"
        ))
    }
}

#[derive(Default)]
struct Sets {
    light: Squares,
    dark: Squares,
    disks: [Squares; 2],
}

impl Sets {
    fn add(&mut self, tile: Squares, letter: char) -> Result<(), String> {
        match letter {
            '-' | 'x' | 'o' => self.light |= tile,
            '+' | 'X' | 'O' => self.dark |= tile,
            '.' => {}
            _ => {
                return Err(format!(
                    "`{}` is no square: `-` is a light tile, `+` a dark one, `.` none, \
                     x X o O are disks on light and dark tiles",
                    letter.escape_debug()
                ));
            }
        }
        match letter {
            'x' | 'X' => self.disks[Side::Black.index()] |= tile,
            'o' | 'O' => self.disks[Side::White.index()] |= tile,
            _ => {}
        }
        Ok(())
    }
}
