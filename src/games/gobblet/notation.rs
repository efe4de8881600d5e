//! Moves and positions as text.

use std::fmt::Write as _;

use super::board::{self, Board, COPIES};
use super::moves::Move;
use super::position::{Gobblet, top_size};
use crate::game::{Game as _, Side};

const MOVE_FORM: &str = "a move looks like 4@b2 (SIZE@SQUARE) or b2c3 (FROM TO), squares a1 to d4";
const POSITION_FORM: &str = "a position looks like ROW4/ROW3/ROW2/ROW1 WHITE BLACK SIDE, \
     at the start .,.,.,./.,.,.,./.,.,.,./.,.,.,. 444 444 w";

fn square(column: u8, row: u8) -> Option<u8> {
    let column = column.to_ascii_lowercase().wrapping_sub(b'a');
    let row = row.wrapping_sub(b'1');
    (column < 4 && row < 4).then(|| 4 * row + column)
}

fn size(digit: u8) -> Option<u8> {
    (b'1'..=b'4').contains(&digit).then(|| digit - b'0')
}

/// Reads a move, upper or lower case.
pub(super) fn parse_move(text: &str) -> Result<Move, String> {
    let mv = match *text.trim().as_bytes() {
        [digit, b'@', column, row] => size(digit)
            .zip(square(column, row))
            .map(|(size, square)| Move::placement(size, square)),
        [column, row, to_column, to_row] => square(column, row)
            .zip(square(to_column, to_row))
            .filter(|(from, to)| from != to)
            .map(|(from, to)| Move::shift(from, to)),
        _ => None,
    };
    mv.ok_or_else(|| MOVE_FORM.to_string())
}

/// The position as one line.
pub(super) fn print_position(position: &Gobblet) -> String {
    let mut text = String::new();
    for row in (0..4).rev() {
        for column in 0..4 {
            print_stack(position, 4 * row + column, &mut text);
            text.push(match (row, column) {
                (0, 3) => ' ',
                (_, 3) => '/',
                _ => ',',
            });
        }
    }
    for side in [Side::White, Side::Black] {
        for height in board::heights(position.layers(side)) {
            let _ = write!(text, "{height}");
        }
        text.push(' ');
    }
    text.push(letter(position.side_to_move()));
    text
}

fn letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

fn print_stack(position: &Gobblet, square: u8, text: &mut String) {
    if top_size(&position.board().view(), square) == 0 {
        text.push('.');
    }
    for (side, size) in stack(position, square) {
        let _ = write!(text, "{}{size}", letter(side));
    }
}

/// The gobblets on a square from bottom to top, as side and size.
pub(super) fn stack(position: &Gobblet, square: u8) -> impl Iterator<Item = (Side, u8)> {
    let [white, black] = [Side::White, Side::Black].map(|side| position.layers(side));
    (1..=4).filter_map(move |size| {
        let bit = board::bit(size, square);
        if white & bit != 0 {
            Some((Side::White, size))
        } else if black & bit != 0 {
            Some((Side::Black, size))
        } else {
            None
        }
    })
}

/// Reads a position and refuses one that the gobblets of a game cannot form.
pub(super) fn parse_position(text: &str) -> Result<Gobblet, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let &[rows, white_heights, black_heights, side] = words.as_slice() else {
        return Err(format!(
            "{} words instead of 4: {POSITION_FORM}",
            words.len()
        ));
    };
    let (white, black) = parse_board(rows)?;
    check_reserve(white, "white", white_heights)?;
    check_reserve(black, "black", black_heights)?;
    match side {
        "w" | "W" => Ok(Gobblet::new(
            Board {
                mover: white,
                other: black,
            },
            Side::White,
        )),
        "b" | "B" => Ok(Gobblet::new(
            Board {
                mover: black,
                other: white,
            },
            Side::Black,
        )),
        _ => Err(format!("the side to move is w or b, not {side:?}")),
    }
}

/// White's and Black's gobblets.
fn parse_board(text: &str) -> Result<(board::Layers, board::Layers), String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 4 {
        return Err(format!("{} rows instead of 4: {POSITION_FORM}", rows.len()));
    }
    let mut layers = [0, 0];
    for (row, text) in (0..4).rev().zip(rows) {
        let stacks: Vec<&str> = text.split(',').collect();
        if stacks.len() != 4 {
            return Err(format!(
                "row {} has {} squares instead of 4, separated by commas",
                row + 1,
                stacks.len()
            ));
        }
        for (column, stack) in (0..4).zip(stacks) {
            parse_stack(stack, 4 * row + column, &mut layers)?;
        }
    }
    Ok((layers[0], layers[1]))
}

/// Adds a stack to White's (first) and Black's gobblets.
fn parse_stack(text: &str, square: u8, layers: &mut [board::Layers; 2]) -> Result<(), String> {
    if text == "." {
        return Ok(());
    }
    let wrong = || {
        format!(
            "{text:?} is no stack: a square is . or its gobblets from bottom to top, \
             each larger than the one below, like b1w3"
        )
    };
    let mut below = 0;
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        return Err(wrong());
    }
    for &[colour, digit] in pairs {
        let size = size(digit).filter(|&size| size > below).ok_or_else(wrong)?;
        match colour {
            b'w' | b'W' => layers[0] |= board::bit(size, square),
            b'b' | b'B' => layers[1] |= board::bit(size, square),
            _ => return Err(wrong()),
        }
        below = size;
    }
    Ok(())
}

/// Whether the gobblets on the board leave three nested stacks, and these are
/// the stated ones.
fn check_reserve(layers: board::Layers, side: &str, stated: &str) -> Result<(), String> {
    let on_board = board::counts(layers);
    for size in 1..=4u8 {
        let count = on_board[usize::from(size) - 1];
        if count > COPIES {
            return Err(format!(
                "{side} has {count} gobblets of size {size}; there are only {COPIES}"
            ));
        }
        let larger = on_board.get(usize::from(size)).copied().unwrap_or(COPIES);
        if count > larger {
            return Err(format!(
                "{side} has {count} gobblets of size {size} on the board but only {larger} of \
                 size {}: the larger one of a stack is played first",
                size + 1
            ));
        }
    }
    let heights: String = board::heights(layers)
        .iter()
        .map(|&height| char::from(b'0' + height))
        .collect();
    if heights == stated {
        Ok(())
    } else {
        Err(format!(
            "{side}'s stacks beside the board are {heights} by what is on the board \
             (heights, highest first), not {stated:?}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse_position(text).expect_err(text)
    }

    #[test]
    fn moves_are_read_in_either_case() {
        assert_eq!(parse_move("4@B2"), Ok(Move::placement(4, 5)));
        assert_eq!(parse_move(" a1D4 "), Ok(Move::shift(0, 15)));
        for text in [
            "", "5@a1", "0@a1", "4@e1", "4@a5", "a1a1", "a1", "a1b2c3", "4@ä", "pass",
        ] {
            assert_eq!(parse_move(text), Err(MOVE_FORM.to_string()), "{text}");
        }
    }

    #[test]
    fn wrong_positions_say_why() {
        let board = ".,.,.,./.,.,.,./.,.,.,./.,.,.,.";
        assert!(refusal("").contains("0 words"));
        assert!(refusal(&format!("{board} 444 444")).contains("3 words"));
        assert!(refusal(&format!("{board} 444 444 x")).contains("w or b"));
        assert!(refusal(&format!("{board} 443 444 w")).contains("white's stacks"));
        assert!(refusal(&format!("{board} 444 4444 w")).contains("black's stacks"));
        assert!(refusal(&format!("{board}/.,.,.,. 444 444 w")).contains("5 rows"));
        assert!(refusal(".,.,./.,.,.,./.,.,.,./.,.,.,. 444 444 w").contains("row 4 has 3"));
        for stack in ["", "w", "w5", "w0", "x1", "w4b4", "w3b1", "w4w", "..", "ä4"] {
            let text = format!("{stack},.,.,./.,.,.,./.,.,.,./.,.,.,. 444 444 w");
            assert!(refusal(&text).contains("is no stack"), "{text}");
        }
        let four = "w4,w4,w4,w4/.,.,.,./.,.,.,./.,.,.,. 333 444 b";
        assert!(refusal(four).contains("there are only 3"));
        let nested = "w4,w3,w3,./.,.,.,./.,.,.,./.,.,.,. 442 444 b";
        assert!(refusal(nested).contains("only 1 of size 4"));
    }
}
