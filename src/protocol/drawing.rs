//! A board as text, drawn from its [`Picture`] alone.

use std::fmt::Write as _;

use crate::depict::{Cell, Picture, Piece, Tile};
use crate::game::Side;

/// The board with its coordinates, then what stands beside it; every line
/// ends in a line feed, and none is empty.
///
/// Black's pieces are `X`, White's `O`. Where pieces have sizes a square shows
/// its stack from bottom to top (`b1w3`). Light tiles are `-`, dark ones `+`,
/// missing ones a blank; disks on light tiles are `x` and `o`.
pub fn board(picture: &Picture) -> String {
    let cells: Vec<String> = picture.cells.iter().map(cell).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(1);
    let columns = columns(picture, width);
    let mut text = columns.clone();
    let height = usize::from(picture.height);
    for line in 0..height {
        let row = if picture.row_one_on_top {
            line
        } else {
            height - 1 - line
        };
        let _ = write!(text, "{:>2}", row + 1);
        let start = row * usize::from(picture.width);
        for square in &cells[start..start + usize::from(picture.width)] {
            let _ = write!(text, " {square:<width$}");
        }
        let _ = writeln!(text, " {}", row + 1);
    }
    text.push_str(&columns);
    text.push_str(&beside(picture));
    text
}

fn columns(picture: &Picture, width: usize) -> String {
    let mut line = String::from("  ");
    for column in 0..picture.width {
        let _ = write!(line, " {:<width$}", char::from(b'a' + column));
    }
    let mut line = line.trim_end().to_string();
    line.push('\n');
    line
}

/// A square, as [`board`] writes it.
pub(super) fn cell(cell: &Cell) -> String {
    if cell.stack.is_empty() {
        let empty = match cell.tile {
            Tile::Plain => ".",
            Tile::Light => "-",
            Tile::Dark => "+",
            Tile::Gone => " ",
        };
        return empty.to_string();
    }
    cell.stack.iter().map(|&p| piece(p, cell.tile)).collect()
}

/// `b` or `w`.
pub(super) fn letter(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}

fn piece(piece: Piece, tile: Tile) -> String {
    if piece.size > 0 {
        return format!("{}{}", letter(piece.side), piece.size);
    }
    let has_faces = tile != Tile::Plain;
    let letter = match (piece.side, has_faces && !piece.dark) {
        (Side::Black, false) => "X",
        (Side::White, false) => "O",
        (Side::Black, true) => "x",
        (Side::White, true) => "o",
    };
    letter.to_string()
}

fn beside(picture: &Picture) -> String {
    let mut text = String::new();
    for side in [Side::Black, Side::White] {
        let stacks = &picture.reserves[side.index()];
        if stacks.is_empty() {
            continue;
        }
        let _ = write!(text, "{side} in reserve:");
        for stack in stacks {
            let sizes: String = stack.iter().map(|piece| piece.size.to_string()).collect();
            let _ = write!(text, " {}", if sizes.is_empty() { "-" } else { &sizes });
        }
        text.push('\n');
    }
    for note in picture.notes.iter().filter(|note| !note.is_empty()) {
        text.push_str(note);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(tile: Tile, row_one_on_top: bool) -> Picture {
        Picture {
            width: 2,
            height: 2,
            row_one_on_top,
            cells: vec![
                Cell {
                    tile,
                    stack: Vec::new(),
                };
                4
            ],
            reserves: [Vec::new(), Vec::new()],
            notes: Vec::new(),
        }
    }

    fn disc(side: Side, size: u8, dark: bool) -> Piece {
        Piece { side, size, dark }
    }

    #[test]
    fn discs_are_letters_with_row_one_where_the_picture_wants_it() {
        let mut board_ = picture(Tile::Plain, true);
        board_.cells[0].stack.push(disc(Side::Black, 0, false));
        board_.cells[3].stack.push(disc(Side::White, 0, false));
        assert_eq!(board(&board_), "   a b\n 1 X . 1\n 2 . O 2\n   a b\n");
        board_.row_one_on_top = false;
        assert_eq!(board(&board_), "   a b\n 2 . O 2\n 1 X . 1\n   a b\n");
    }

    #[test]
    fn stacks_are_as_wide_as_the_tallest_and_reserves_follow() {
        let mut board_ = picture(Tile::Plain, false);
        board_.cells[0].stack = vec![disc(Side::Black, 1, false), disc(Side::White, 3, false)];
        board_.reserves[1] = vec![
            vec![disc(Side::White, 1, false), disc(Side::White, 2, false)],
            Vec::new(),
        ];
        board_.notes.push("a note".to_string());
        assert_eq!(
            board(&board_),
            "   a    b\n 2 .    .    2\n 1 b1w3 .    1\n   a    b\nwhite in reserve: 12 -\na note\n"
        );
    }

    #[test]
    fn tiles_show_their_state_and_disks_their_face() {
        let mut board_ = picture(Tile::Light, false);
        board_.cells[0].stack.push(disc(Side::Black, 0, false));
        board_.cells[1].tile = Tile::Dark;
        board_.cells[2].tile = Tile::Gone;
        board_.cells[3].tile = Tile::Dark;
        board_.cells[3].stack.push(disc(Side::White, 0, true));
        assert_eq!(board(&board_), "   a b\n 2   O 2\n 1 x + 1\n   a b\n");
    }
}
