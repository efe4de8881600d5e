//! The Generic Game Format, in which Othello servers and GUIs keep games.
//!
//! A game is `(;GM[Othello]…B[f5/0.50/1.2]W[…]…;)`: properties with one value
//! each, moves with the mover's value and the seconds they took.
//!
//! CITE: M. Buro, The Generic Game Format, <https://skatgame.net/mburo/ggsa/ggf>.

use std::fmt::Write as _;

use super::{Move, Record, Tag, add_property, is_plain_name};
use crate::game::Side;

/// How the tags are called here.
const TAGS: [(&str, Tag); 11] = [
    ("PB", Tag::Black),
    ("PW", Tag::White),
    ("RB", Tag::BlackRating),
    ("RW", Tag::WhiteRating),
    ("EV", Tag::Event),
    ("PC", Tag::Place),
    ("DT", Tag::Date),
    ("RO", Tag::Round),
    ("TI", Tag::Time),
    ("RE", Tag::Result),
    ("CO", Tag::Comment),
];

/// Names that are no tags and have a meaning of their own.
const RESERVED: [&str; 5] = ["GM", "TY", "BO", "B", "W"];

/// Reads the first game of a text. Squares are put in lower case, and a pass
/// becomes `pass`.
///
/// # Errors
/// One line, if it is no game of Othello in this format.
pub fn parse(text: &str) -> Result<Record, String> {
    let begin = text
        .find("(;")
        .ok_or("a game in GGF begins with `(;`, as (;GM[Othello]…;)")?;
    let mut rest = &text[begin + 2..];
    let mut record = Record::default();
    let mut is_othello = false;
    loop {
        rest = rest.trim_start();
        if rest.starts_with(";)") {
            break;
        }
        let (name, value, after) = property(rest)?;
        rest = after;
        match name {
            "GM" if value.eq_ignore_ascii_case("othello") => is_othello = true,
            "GM" => return Err(format!("it is a game of {value}, not of Othello")),
            "TY" if !value.starts_with('8') => {
                return Err(format!("it is of type {value}, not on the board of 8x8"));
            }
            "BO" => record.position = Some(position(value)?),
            "B" => record.moves.push(read_move(Side::Black, value)?),
            "W" => record.moves.push(read_move(Side::White, value)?),
            "TY" => {}
            _ => match TAGS.iter().find(|(known, _)| *known == name) {
                Some((_, tag)) => record.tags.push((*tag, value.to_string())),
                None => add_property(&mut record.extra, name, value.to_string()),
            },
        }
    }
    if is_othello {
        Ok(record)
    } else {
        Err("it does not say GM[Othello]".to_string())
    }
}

/// The first property: its name, its value, and what follows.
fn property(text: &str) -> Result<(&str, &str, &str), String> {
    let cut = || "it ends in the middle: a game in GGF ends with `;)`".to_string();
    let (name, rest) = text.split_once('[').ok_or_else(cut)?;
    let name = name.trim();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        let shown: String = name.chars().take(20).collect();
        return Err(format!("`{}` is no property", shown.escape_default()));
    }
    let (value, rest) = rest.split_once(']').ok_or_else(cut)?;
    Ok((name, value.trim(), rest))
}

/// `8 ---…--- *`: the size, the squares from a1 to h8, the side to move.
fn position(value: &str) -> Result<String, String> {
    let what = || {
        "a board is BO[8 SQUARES SIDE] with 64 squares of `*`, `O` and `-` and the side `*` or `O`"
            .to_string()
    };
    let board = value.strip_prefix('8').ok_or_else(what)?;
    let mut squares: Vec<char> = Vec::new();
    for c in board.chars() {
        match c {
            '*' | 'X' | 'x' => squares.push('X'),
            'O' | 'o' => squares.push('O'),
            '-' | '.' => squares.push('-'),
            c if c.is_whitespace() => {}
            _ => return Err(what()),
        }
    }
    let side = squares.pop().filter(|&side| side != '-');
    let (Some(side), 64) = (side, squares.len()) else {
        return Err(what());
    };
    let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
    Ok(format!("{} {side}", rows.join("/")))
}

/// `F5/VALUE/SECONDS`, of which the last two may be missing.
///
/// # Errors
/// If it has no move.
pub fn read_move(side: Side, value: &str) -> Result<Move, String> {
    let mut parts = value.split('/').map(str::trim);
    let text = parts.next().unwrap_or_default().to_ascii_lowercase();
    let text = match text.as_str() {
        "pa" | "pass" => "pass".to_string(),
        "" => return Err("a move is F5, F5/VALUE or F5/VALUE/SECONDS, a pass PA".to_string()),
        _ => text,
    };
    let mut number = || {
        let number = parts.next()?.parse::<f64>().ok()?;
        number.is_finite().then_some(number)
    };
    Ok(Move {
        value: number(),
        seconds: number(),
        ..Move::new(side, text)
    })
}

/// The game, on one line without its end. `start` is where it begins in our
/// notation, the usual start too; the format wants it told.
pub fn write(record: &Record, start: &str) -> String {
    let mut text = String::from("(;GM[Othello]");
    for (name, tag) in TAGS {
        if let Some(value) = record.tag(tag) {
            let value = match tag {
                Tag::Result => result(value),
                _ => value.to_string(),
            };
            // Writing to a string cannot fail.
            let _ = write!(text, "{name}[{}]", plain(&value));
        }
    }
    for (name, values) in record.extra.iter().filter(|(name, _)| can_be_written(name)) {
        for value in values {
            let _ = write!(text, "{name}[{}]", plain(value));
        }
    }
    let _ = write!(text, "TY[8]BO[8 {}]", board(start));
    for mv in &record.moves {
        let side = match mv.side {
            Side::Black => 'B',
            Side::White => 'W',
        };
        let _ = write!(text, "{side}[{}]", written(mv));
    }
    text.push_str(";)");
    text
}

/// Whether a property of another form means nothing else here.
fn can_be_written(name: &str) -> bool {
    is_plain_name(name) && !RESERVED.contains(&name) && TAGS.iter().all(|(known, _)| *known != name)
}

/// A result of ours in the format's words: Black's margin. Others stay.
fn result(value: &str) -> String {
    let margin = |side: &str| value.strip_prefix(side)?.parse::<u32>().ok();
    match (margin("black+"), margin("white+")) {
        (Some(margin), _) => format!("+{margin}.000"),
        (_, Some(margin)) => format!("-{margin}.000"),
        _ if value == "draw" => "0.000".to_string(),
        _ => value.to_string(),
    }
}

/// A move as the format has it: `F5`, `F5/0.50`, `F5//1.20`, `PA`.
pub fn written(mv: &Move) -> String {
    let mut text = square(&mv.text);
    match (mv.value, mv.seconds) {
        (None, None) => {}
        (value, seconds) => {
            let value = value.map_or(String::new(), |value| format!("{value:.2}"));
            let _ = write!(text, "/{value}");
            if let Some(seconds) = seconds {
                let _ = write!(text, "/{seconds:.2}");
            }
        }
    }
    text
}

/// A move of ours in capitals, or `PA`.
pub fn square(mv: &str) -> String {
    match mv {
        "pass" => "PA".to_string(),
        mv => mv.to_ascii_uppercase(),
    }
}

/// A position of ours as `SQUARES SIDE`.
pub fn board(position: &str) -> String {
    position
        .chars()
        .filter(|&c| c != '/')
        .map(|c| if c == 'X' { '*' } else { c })
        .collect()
}

/// A value without what would end it.
fn plain(value: &str) -> String {
    value.replace([']', '['], "|").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "--------/--------/--------/---OX---/---XO---/--------/--------/-------- X";

    fn game(rest: &str) -> String {
        format!("(;GM[Othello]{rest};)")
    }

    #[test]
    fn a_game_is_read_with_its_names_times_and_passes() {
        let text = "(;GM[Othello]PC[NBoard]PB[Ann]PW[Bob]RE[?]TI[5:00]TY[8]\
            BO[8 ---------------------------O*------*O--------------------------- *]\
            B[F5//0.01]W[f6/-1.5/2]B[PA];)";
        let record = parse(text).expect("a game");
        assert_eq!(record.position.as_deref(), Some(START));
        assert_eq!(record.tag(Tag::White), Some("Bob"));
        assert_eq!(record.tag(Tag::Time), Some("5:00"));
        let moves: Vec<_> = record
            .moves
            .iter()
            .map(|mv| (mv.side, mv.text.as_str(), mv.value, mv.seconds))
            .collect();
        assert_eq!(
            moves,
            [
                (Side::Black, "f5", None, Some(0.01)),
                (Side::White, "f6", Some(-1.5), Some(2.0)),
                (Side::Black, "pass", None, None),
            ]
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        let record = Record {
            tags: vec![
                (Tag::Black, "Ann".to_string()),
                (Tag::Place, "here".to_string()),
                (Tag::Result, "+12".to_string()),
                (Tag::Comment, "a good one".to_string()),
            ],
            extra: vec![("KB".to_string(), vec!["2".to_string()])],
            position: Some(START.to_string()),
            moves: vec![
                read_move(Side::Black, "f5/0.25/1.5").expect("a move"),
                read_move(Side::White, "d6//2").expect("a move"),
                read_move(Side::Black, "PA").expect("a move"),
            ],
        };
        let text = write(&record, START);
        assert_eq!(parse(&text), Ok(record), "{text}");
    }

    #[test]
    fn our_results_are_blacks_margin() {
        for (ours, theirs) in [
            ("black+12", "+12.000"),
            ("white+64", "-64.000"),
            ("draw", "0.000"),
            ("black+soon", "black+soon"),
        ] {
            assert_eq!(result(ours), theirs);
        }
    }

    #[test]
    fn what_is_no_game_is_refused_in_one_line() {
        for (text, expected) in [
            ("".to_string(), "begins with"),
            ("(;GM[Othello]PB[x".to_string(), "ends in the middle"),
            ("(;GM[Othello]".to_string(), "ends in the middle"),
            ("(;GM[Go];)".to_string(), "of Go"),
            ("(;PB[x];)".to_string(), "GM[Othello]"),
            (game("TY[10]"), "8x8"),
            (game("BO[8 --- *]"), "64 squares"),
            (game("BO[10 --- *]"), "64 squares"),
            (game("B[]"), "a move is"),
            (game("? [x]"), "no property"),
        ] {
            let error = parse(&text).expect_err(&text);
            assert!(error.contains(expected), "{text}: {error}");
            assert_eq!(error.lines().count(), 1);
        }
        let other = START.replace(" X", " O");
        assert!(parse(&game(&format!("BO[8 {}]", board(&other)))).is_ok());
    }
}
