//! Weight files: the numbers of an evaluation, as a value and not a constant.
//!
//! A file is text. A header line `quadrille-weights 1`, then `game NAME`,
//! `version WORD`, then sections: a line `section NAME COUNT` followed by
//! COUNT integers (each an `i16`) on as many lines as one likes; lines that
//! begin with `#` are comments. The last line is `crc32 HEX`, the checksum of
//! all bytes before it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use thiserror::Error;

/// Why a weight file was refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The text does not have the form of a weight file.
    #[error("line {line} of the weight file: {what}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The checksum does not fit.
    #[error(
        "the weight file is damaged: its checksum is {actual:08x}, its last line says {stated}"
    )]
    Checksum {
        /// Of the bytes.
        actual: u32,
        /// What the file says.
        stated: String,
    },
    /// The weights belong to another game.
    #[error("these weights are for {found}, not for {wanted}")]
    Game {
        /// What the file says.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// A section is missing or of the wrong size.
    #[error("section {name} of the weight file has {found} numbers, not {wanted}")]
    Section {
        /// The section.
        name: String,
        /// How many numbers it has, 0 if it is missing.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
}

/// The contents of a weight file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    game: String,
    version: String,
    checksum: u32,
    sections: BTreeMap<String, Vec<i16>>,
}

impl Weights {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no weight file, or damaged.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (body, checksum) = split_checksum(bytes)?;
        let text = std::str::from_utf8(body).map_err(|_| syntax(1, "not UTF-8 text"))?;
        let mut weights = Self {
            game: String::new(),
            version: String::new(),
            checksum,
            sections: BTreeMap::new(),
        };
        let mut current: Option<(String, usize, usize)> = None;
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                _ if index == 0 => {
                    if words != ["quadrille-weights", "1"] {
                        return Err(syntax(1, "expected `quadrille-weights 1`"));
                    }
                }
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                ["game", name] => weights.game = (*name).to_string(),
                ["version", word] => weights.version = (*word).to_string(),
                ["section", name, count] => {
                    weights.check_full(&current)?;
                    let count = count
                        .parse()
                        .map_err(|_| syntax(line_number, "a section's length is a number"))?;
                    weights.sections.insert((*name).to_string(), Vec::new());
                    current = Some(((*name).to_string(), count, line_number));
                }
                numbers => {
                    let Some((name, ..)) = &current else {
                        return Err(syntax(line_number, "numbers outside a section"));
                    };
                    let section = weights.sections.entry(name.clone()).or_default();
                    for number in numbers {
                        section.push(number.parse().map_err(|_| {
                            syntax(line_number, &format!("`{number}` is no 16-bit integer"))
                        })?);
                    }
                }
            }
        }
        weights.check_full(&current)?;
        Ok(weights)
    }

    fn check_full(&self, current: &Option<(String, usize, usize)>) -> Result<(), WeightsError> {
        match current {
            Some((name, count, _)) => self.section(name, *count).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The numbers of a section.
    ///
    /// # Errors
    /// If there are not exactly `count`.
    pub fn section(&self, name: &str, count: usize) -> Result<&[i16], WeightsError> {
        let numbers = self.sections.get(name).map_or(&[][..], Vec::as_slice);
        if numbers.len() == count {
            Ok(numbers)
        } else {
            Err(WeightsError::Section {
                name: name.to_string(),
                found: numbers.len(),
                wanted: count,
            })
        }
    }

    /// Refuses the weights of another game.
    ///
    /// # Errors
    /// If they are for another game than `name`.
    pub fn expect_game(&self, name: &str) -> Result<(), WeightsError> {
        if self.game == name {
            Ok(())
        } else {
            Err(WeightsError::Game {
                found: self.game.clone(),
                wanted: name.to_string(),
            })
        }
    }

    /// The game they are for, as [`Weights::expect_game`] compares it.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The version the file gives itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The checksum of the file.
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// `VERSION CHECKSUM`, which tells two evaluations apart.
    pub fn identity(&self) -> String {
        format!("{} {:08x}", self.version, self.checksum)
    }
}

/// Appends the checksum line to the text of a weight file, replacing one that
/// is there.
///
/// ```
/// use quadrille::weights::{Weights, seal};
/// let text = seal("quadrille-weights 1\ngame x\nversion v1\nsection a 2\n1 -2\n");
/// assert_eq!(Weights::parse(text.as_bytes()).unwrap().section("a", 2).unwrap(), [1, -2]);
/// ```
pub fn seal(text: &str) -> String {
    let mut body = String::new();
    for line in text.lines().filter(|line| !line.starts_with("crc32 ")) {
        body.push_str(line);
        body.push('\n');
    }
    let checksum = crc32fast::hash(body.as_bytes());
    let _ = writeln!(body, "crc32 {checksum:08x}");
    body
}

fn split_checksum(bytes: &[u8]) -> Result<(&[u8], u32), WeightsError> {
    let missing = || syntax(1, "no weight file: its last line is not `crc32 HEX`");
    let trimmed = bytes.trim_ascii_end();
    let start = trimmed
        .iter()
        .rposition(|&b| b == b'\n')
        .ok_or_else(missing)?
        + 1;
    let stated = std::str::from_utf8(&trimmed[start..])
        .ok()
        .and_then(|line| line.strip_prefix("crc32 "))
        .ok_or_else(missing)?;
    let actual = crc32fast::hash(&bytes[..start]);
    if u32::from_str_radix(stated, 16) == Ok(actual) {
        Ok((&bytes[..start], actual))
    } else {
        Err(WeightsError::Checksum {
            actual,
            stated: stated.to_string(),
        })
    }
}

fn syntax(line: usize, what: &str) -> WeightsError {
    WeightsError::Syntax {
        line,
        what: what.to_string(),
    }
}
