//! Openings from a file.

use std::collections::HashMap;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::opening::{Opening, rules_of};
use super::spec::{groups, number};
use crate::games::Variant;

/// In which order the openings of a file are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand.
    #[default]
    Sequential,
    /// Shuffled, as the seed says.
    Random,
}

/// What the user says of a file of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The file.
    pub file: String,
    /// The order.
    pub order: Order,
    /// The first one played, from 1, in the order of the file.
    pub start: usize,
}

/// Reads `FILE` or `file=FILE order=random start=3`.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse_source(words: &[String]) -> Result<Source, String> {
    let mut source = Source {
        file: String::new(),
        order: Order::default(),
        start: 1,
    };
    let mut words = words;
    if let [file, rest @ ..] = words
        && !KEYS.iter().any(|key| is_key(file, key))
    {
        source.file.clone_from(file);
        words = rest;
    }
    for (key, value) in groups(words, &KEYS)? {
        match (key.as_str(), value.as_str()) {
            ("file", _) => source.file = value,
            ("order", "sequential") => source.order = Order::Sequential,
            ("order", "random") => source.order = Order::Random,
            ("order", _) => return Err(format!("order is sequential or random, not `{value}`")),
            _ => source.start = number(&key, &value, 1)?,
        }
    }
    if source.file.is_empty() {
        return Err("file= is missing".to_string());
    }
    Ok(source)
}

const KEYS: [&str; 3] = ["file", "order", "start"];

fn is_key(word: &str, key: &str) -> bool {
    word.strip_prefix(key)
        .is_some_and(|rest| rest.starts_with('='))
}

/// Reads openings, one a line: moves, or a position. `#` begins a comment.
/// Also says which are the same as earlier ones, however the board is turned.
///
/// # Errors
/// If there is none, or one is wrong; the line's number is told.
pub fn read(text: &str, game: &'static Variant) -> Result<(Vec<Opening>, Vec<String>), String> {
    let mut session = rules_of(game)?;
    let mut openings = Vec::new();
    let mut lines: HashMap<u64, usize> = HashMap::new();
    let mut notes = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let number = number + 1;
        let opening = Opening::parse(line, session.as_mut(), game.info.discs)
            .map_err(|what| format!("line {number}: {what}"))?;
        let earlier = *lines.entry(session.canonical_key()).or_insert(number);
        if earlier != number {
            notes.push(format!("line {number} leads where line {earlier} leads"));
        }
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err("there is no opening in it".to_string());
    }
    Ok((openings, notes))
}

/// Puts openings into the order in which they are played.
///
/// # Errors
/// If there is none with the number that is to be the first.
pub fn arrange(
    mut openings: Vec<Opening>,
    order: Order,
    start: usize,
    seed: u64,
) -> Result<Vec<Opening>, String> {
    let count = openings.len();
    if order == Order::Random {
        openings.shuffle(&mut StdRng::seed_from_u64(seed));
    }
    match start {
        1.. if start <= count => openings.rotate_left(start - 1),
        _ => {
            return Err(format!(
                "there are {count} openings, and none of number {start}"
            ));
        }
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find;

    fn game(name: &str) -> &'static Variant {
        find(name).expect("a game")
    }

    #[test]
    fn a_file_holds_moves_and_positions() {
        let text = "# a comment\n\nf5d6c3 # in one run\nf5 D6\n\
            ---------------------------OX------XO--------------------------- X\nc4e3\n";
        let (openings, notes) = read(text, game("othello8")).expect("fine");
        assert_eq!(openings[0].moves, ["f5", "d6", "c3"]);
        assert_eq!(openings[1].moves, ["f5", "d6"]);
        assert!(openings[2].position.is_some());
        assert_eq!(notes, ["line 6 leads where line 4 leads"]);
        for (wrong, says) in [
            ("\n#\n", "no opening"),
            ("f5\na1\n", "line 2"),
            ("f5d", "line 1"),
        ] {
            let error = read(wrong, game("othello8")).err();
            assert!(error.is_some_and(|error| error.contains(says)), "{wrong}");
        }
    }

    #[test]
    fn openings_are_taken_in_the_wanted_order() {
        let opening = |number: usize| Opening {
            position: None,
            moves: vec![number.to_string()],
        };
        let all: Vec<Opening> = (1..=20).map(opening).collect();
        let third = arrange(all.clone(), Order::Sequential, 3, 0).expect("fine");
        assert_eq!(third[0], opening(3));
        assert_eq!(third[19], opening(2));
        let mut random = arrange(all.clone(), Order::Random, 1, 5).expect("fine");
        assert_eq!(
            arrange(all.clone(), Order::Random, 1, 5).as_ref(),
            Ok(&random)
        );
        assert_ne!(random, all);
        random.sort_by_key(|opening| opening.moves[0].parse::<u32>().ok());
        assert_eq!(random, all);
        assert!(arrange(all, Order::Random, 21, 5).is_err());
    }

    #[test]
    fn a_source_is_a_file_or_a_group() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_string).collect() };
        let source = parse_source(&words("my=book.txt order=random"));
        let expected = Source {
            file: "my=book.txt".to_string(),
            order: Order::Random,
            start: 1,
        };
        assert_eq!(source.as_ref(), Ok(&expected));
        let source = parse_source(&["file=a start=4".to_string()]).expect("fine");
        assert_eq!((source.file.as_str(), source.start), ("a", 4));
        for wrong in ["a order=upwards", "a start=0", "order=random", "a plies=3"] {
            assert!(parse_source(&words(wrong)).is_err(), "{wrong}");
        }
    }
}
