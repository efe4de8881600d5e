//! Our own form of a record, for every game: tags, then numbered moves, as in
//! a chess player's portable game notation.
//!
//! ```text
//! [Game "tiles"]
//! [Black "Ann"]
//!
//! 1. a1b2:a1 {0.50, 1.20 s} a5b4:a5
//! 2. b2c3:b1
//! ```

use std::fmt::Write as _;

use super::{Move, Record, Tag, add_property};
use crate::game::Side;

/// How the tags are called here.
const TAGS: [(&str, Tag); 11] = [
    ("Event", Tag::Event),
    ("Place", Tag::Place),
    ("Date", Tag::Date),
    ("Round", Tag::Round),
    ("Black", Tag::Black),
    ("White", Tag::White),
    ("BlackRating", Tag::BlackRating),
    ("WhiteRating", Tag::WhiteRating),
    ("Time", Tag::Time),
    ("Result", Tag::Result),
    ("Comment", Tag::Comment),
];

/// Moves on a line.
const MOVES_A_LINE: usize = 2;

/// A record and the name of its game.
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    /// The name of the game, as the record has it.
    pub game: String,
    /// The game.
    pub record: Record,
}

/// Reads the first game of a text. `first` says who begins a game of that
/// name at that position.
///
/// # Errors
/// One line, if it is no record of ours.
pub fn parse(
    text: &str,
    first: impl Fn(&str, Option<&str>) -> Result<Side, String>,
) -> Result<Named, String> {
    let mut record = Record::default();
    let mut game = None;
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(after) = rest.strip_prefix('[') {
        let (name, value, after) = tag(after)?;
        match name {
            "Game" => game = Some(value),
            "Position" => record.position = Some(value),
            _ => match TAGS.iter().find(|(known, _)| *known == name) {
                Some((_, tag)) => record.tags.push((*tag, value)),
                None => add_property(&mut record.extra, name, value),
            },
        }
        rest = after.trim_start();
    }
    let game = game.ok_or("it does not name its game, as in [Game \"tiles\"]")?;
    let mut side = first(&game, record.position.as_deref())?;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('{') {
            let (comment, after) = after.split_once('}').ok_or("a comment has no end")?;
            if let Some(last) = record.moves.last_mut() {
                take_comment(last, comment);
            }
            rest = after.trim_start();
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || c == '{' || c == '[')
            .unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() || is_result(word) {
            // The next game of the file begins.
            break;
        }
        rest = rest[end..].trim_start();
        if !is_number(word) {
            let text = word.to_ascii_lowercase();
            record.moves.push(Move::new(side, text));
            side = !side;
        }
    }
    Ok(Named { game, record })
}

/// A tag, whose `[` is behind us: its name, its value, and what follows.
fn tag(text: &str) -> Result<(&str, String, &str), String> {
    let what = "a tag is [NAME \"VALUE\"]";
    let (name, rest) = text.split_once('"').ok_or(what)?;
    let mut value = String::new();
    let mut chars = rest.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '\\' => value.extend(chars.next().map(|(_, escaped)| match escaped {
                'n' => '\n',
                escaped => escaped,
            })),
            '"' => {
                let rest = rest[index + 1..].trim_start();
                let rest = rest.strip_prefix(']').ok_or(what)?;
                return Ok((name.trim(), value, rest));
            }
            c => value.push(c),
        }
    }
    Err(what.to_string())
}

/// `0.50, 1.20 s, in words`, each part of which may be missing.
pub fn take_comment(mv: &mut Move, comment: &str) {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let mut rest = comment.trim();
    loop {
        let (part, after) = rest.split_once(',').unwrap_or((rest, ""));
        let part = part.trim();
        let seconds = part.strip_suffix(" s").and_then(number);
        if let (Some(value), None) = (number(part), mv.value) {
            mv.value = Some(value);
        } else if let (Some(seconds), None) = (seconds, mv.seconds) {
            mv.seconds = Some(seconds);
        } else {
            break;
        }
        rest = after.trim();
    }
    if !rest.is_empty() {
        if !mv.comment.is_empty() {
            mv.comment.push('\n');
        }
        mv.comment.push_str(rest);
    }
}

fn is_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|digits| {
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// The whole record, with a line feed at its end.
pub fn write(named: &Named) -> String {
    let record = &named.record;
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
    };
    tag("Game", &named.game);
    for (name, known) in TAGS {
        if let Some(value) = record.tag(known) {
            tag(name, value);
        }
    }
    for (name, values) in record.extra.iter().filter(|(name, _)| can_be_written(name)) {
        values.iter().for_each(|value| tag(name, value));
    }
    if let Some(position) = &record.position {
        tag("Position", position);
    }
    for (index, mv) in record.moves.iter().enumerate() {
        let first_of_line = index % MOVES_A_LINE == 0;
        text.push(if first_of_line { '\n' } else { ' ' });
        if first_of_line {
            let _ = write!(text, "{}. ", index / MOVES_A_LINE + 1);
        }
        text.push_str(&mv.text);
        let comment = comment(mv);
        if !comment.is_empty() {
            let _ = write!(text, " {{{}}}", comment.replace('}', ")"));
        }
    }
    text.push('\n');
    text
}

/// What is known of a move: `0.50, 1.20 s, in words`, or nothing.
pub fn comment(mv: &Move) -> String {
    let value = mv.value.map(|value| format!("{value:.2}"));
    let seconds = mv.seconds.map(|seconds| format!("{seconds:.2} s"));
    let words = Some(mv.comment.clone()).filter(|words| !words.is_empty());
    let known: Vec<String> = value.into_iter().chain(seconds).chain(words).collect();
    known.join(", ")
}

/// Whether a property of another form means nothing else here.
fn can_be_written(name: &str) -> bool {
    let ours = ["Game", "Position"].contains(&name) || tag_named(name).is_some();
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    !ours && letters && !name.is_empty()
}

/// The tag of that name, in upper or lower case.
pub fn tag_named(name: &str) -> Option<Tag> {
    TAGS.iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, tag)| *tag)
}

/// The names of all tags.
pub fn tag_names() -> Vec<&'static str> {
    TAGS.iter().map(|(name, _)| *name).collect()
}

/// A text as a tag's value has it, on one line.
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => safe.extend(['\\', c]),
            '\n' => safe.push_str("\\n"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn black(_: &str, _: Option<&str>) -> Result<Side, String> {
        Ok(Side::Black)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mv = |side, text: &str, value, seconds| Move {
            value,
            seconds,
            ..Move::new(side, text.to_string())
        };
        let named = Named {
            game: "tiles".to_string(),
            record: Record {
                tags: vec![
                    (Tag::Date, "2026-11-30".to_string()),
                    (Tag::Black, "Ann \"the\\best\"\nof them".to_string()),
                    (Tag::Result, "black+1".to_string()),
                ],
                extra: vec![
                    ("Weather".to_string(), vec!["fine".to_string()]),
                    ("US".to_string(), vec!["Eve".to_string(), "Bob".to_string()]),
                ],
                position: Some("o-x/---/x-o x".to_string()),
                moves: vec![
                    mv(Side::Black, "a1b2:a1", Some(0.5), Some(1.25)),
                    Move {
                        comment: "5 seconds late, and bad".to_string(),
                        ..mv(Side::White, "a3b3:a3", None, Some(4.5))
                    },
                    mv(Side::Black, "b2c2:b1", None, Some(2.0)),
                ],
            },
        };
        let text = write(&named);
        assert_eq!(parse(&text, black), Ok(named), "{text}");
    }

    #[test]
    fn what_is_no_record_is_refused_in_one_line() {
        for text in [
            "",
            "1. e4",
            "[Game tiles]",
            "[Game \"x",
            "[Game \"x\"] 1. a {",
        ] {
            let error = parse(text, black).expect_err(text);
            assert_eq!(error.lines().count(), 1);
        }
    }

    #[test]
    fn the_first_of_several_games_is_read() {
        let text = "[Game \"tiles\"]\n\n1. a1b2:a1\n1-0\n\n[Game \"gobblet\"]\n\n1. 4@b2\n";
        let named = parse(text, black).expect("a game");
        assert_eq!(
            (named.game.as_str(), named.record.moves.len()),
            ("tiles", 1)
        );
    }
}
