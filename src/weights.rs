//! Weight files: the numbers of an evaluation, as a value and not a constant.
//!
//! A file begins with a line `quadrille-weights 1`, then come `game NAME`,
//! `version WORD`, then sections: a line `section NAME COUNT` followed by
//! COUNT integers (each an `i16`) on as many lines as one likes; lines that
//! begin with `#` are comments. The last line is `crc32 HEX`, the checksum of
//! all bytes before it.
//!
//! Many numbers are kept shorter: a line `packed NAME COUNT BYTES` is followed
//! by BYTES bytes and a line feed: a DEFLATE stream (RFC 1951), in which each
//! number n is `2n`, or `-2n - 1` if it is negative, in groups of seven bits,
//! the low ones first, one a byte; all but a number's last byte have the high
//! bit set.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
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
    packed: BTreeMap<String, PackedSection>,
}

/// Numbers in few bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PackedSection {
    /// How many numbers.
    count: usize,
    bytes: Cow<'static, [u8]>,
}

/// How the bytes of a packed section are kept.
type Keep<'a> = fn(&'a [u8]) -> Cow<'static, [u8]>;

impl Weights {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no weight file, or damaged.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = Self::read(bytes, |packed| Cow::Owned(packed.to_vec()))?;
        for (name, section) in &weights.packed {
            let found = packed_len(&section.bytes, section.count);
            if found != Some(section.count) {
                return Err(WeightsError::Section {
                    name: name.clone(),
                    found: found.unwrap_or(0),
                    wanted: section.count,
                });
            }
        }
        Ok(weights)
    }

    /// Reads a file that is part of the program. Its packed sections stay where
    /// they are, and nobody looks whether they are whole, which takes a while.
    ///
    /// # Errors
    /// If it is no weight file, or its checksum is wrong.
    pub fn trusted(bytes: &'static [u8]) -> Result<Self, WeightsError> {
        Self::read(bytes, Cow::Borrowed)
    }

    fn read<'a>(bytes: &'a [u8], keep: Keep<'a>) -> Result<Self, WeightsError> {
        let (body, checksum) = split_checksum(bytes)?;
        let mut weights = Self {
            game: String::new(),
            version: String::new(),
            checksum,
            sections: BTreeMap::new(),
            packed: BTreeMap::new(),
        };
        let mut lines = Lines {
            rest: body,
            number: 0,
        };
        if lines.next()? != Some("quadrille-weights 1") {
            return Err(syntax(1, "expected `quadrille-weights 1`"));
        }
        let mut current: Option<(String, usize)> = None;
        while let Some(line) = lines.next()? {
            weights.take_line(line, &mut lines, keep, &mut current)?;
        }
        weights.check_full(&current)?;
        Ok(weights)
    }

    fn take_line<'a>(
        &mut self,
        line: &str,
        lines: &mut Lines<'a>,
        keep: Keep<'a>,
        current: &mut Option<(String, usize)>,
    ) -> Result<(), WeightsError> {
        let number = lines.number;
        let length = |text: &str| {
            text.parse::<usize>()
                .map_err(|_| syntax(number, "a section's length is a number"))
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            ["game", name] => self.game = (*name).to_string(),
            ["version", word] => self.version = (*word).to_string(),
            ["section", name, count] => {
                self.check_full(current)?;
                self.sections.insert((*name).to_string(), Vec::new());
                *current = Some(((*name).to_string(), length(count)?));
            }
            ["packed", name, count, bytes] => {
                let (count, bytes) = (length(count)?, length(bytes)?);
                let bytes = keep(lines.bytes(bytes)?);
                let section = PackedSection { count, bytes };
                self.packed.insert((*name).to_string(), section);
            }
            numbers => {
                let Some((name, ..)) = &current else {
                    return Err(syntax(number, "numbers outside a section"));
                };
                let section = self.sections.entry(name.clone()).or_default();
                for text in numbers {
                    section.push(
                        text.parse().map_err(|_| {
                            syntax(number, &format!("`{text}` is no 16-bit integer"))
                        })?,
                    );
                }
            }
        }
        Ok(())
    }

    fn check_full(&self, current: &Option<(String, usize)>) -> Result<(), WeightsError> {
        match current {
            Some((name, count)) => self.section(name, *count).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Whether there is a section for people of this name.
    pub fn has_section(&self, name: &str) -> bool {
        self.sections.contains_key(name)
    }

    /// Whether there is a packed section of this name.
    pub fn has_packed(&self, name: &str) -> bool {
        self.packed.contains_key(name)
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

    /// The bytes of a packed section, for [`unpack`].
    ///
    /// # Errors
    /// If they are not exactly `count` numbers.
    pub fn packed(&self, name: &str, count: usize) -> Result<&Cow<'static, [u8]>, WeightsError> {
        match self.packed.get(name) {
            Some(section) if section.count == count => Ok(&section.bytes),
            other => Err(WeightsError::Section {
                name: name.to_string(),
                found: other.map_or(0, |section| section.count),
                wanted: count,
            }),
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

/// In a section for people.
const NUMBERS_A_LINE: usize = 15;

/// A weight file of packed sections and others, to be written.
#[derive(Clone, Debug)]
pub struct Packed {
    game: String,
    version: String,
    plain: BTreeMap<String, Vec<i16>>,
    sections: BTreeMap<String, PackedSection>,
}

impl Packed {
    /// Nothing yet, for the game of this name.
    pub fn new(game: &str) -> Self {
        Self {
            game: game.to_string(),
            version: "none".to_string(),
            plain: BTreeMap::new(),
            sections: BTreeMap::new(),
        }
    }

    /// Gives the file a version, a single word.
    pub fn set_version(&mut self, version: &str) {
        self.version = version.split_whitespace().collect();
    }

    /// Puts in a section, or replaces it.
    pub fn set(&mut self, name: &str, numbers: &[i16]) {
        let section = PackedSection {
            count: numbers.len(),
            bytes: Cow::Owned(pack(numbers)),
        };
        self.sections.insert(name.to_string(), section);
    }

    /// Whether there is such a section for people.
    pub fn has_plain(&self, name: &str) -> bool {
        self.plain.contains_key(name)
    }

    /// Puts in a section that people can read, or replaces it.
    pub fn set_plain(&mut self, name: &str, numbers: &[i16]) {
        self.plain.insert(name.to_string(), numbers.to_vec());
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (game, version) = (&self.game, &self.version);
        let mut bytes =
            format!("quadrille-weights 1\ngame {game}\nversion {version}\n").into_bytes();
        for (name, numbers) in &self.plain {
            let mut text = format!("section {name} {}\n", numbers.len());
            for line in numbers.chunks(NUMBERS_A_LINE) {
                let words: Vec<String> = line.iter().map(i16::to_string).collect();
                text += &words.join(" ");
                text.push('\n');
            }
            bytes.extend(text.into_bytes());
        }
        for (name, packed) in &self.sections {
            let (count, length) = (packed.count, packed.bytes.len());
            bytes.extend(format!("packed {name} {count} {length}\n").into_bytes());
            bytes.extend(packed.bytes.iter());
            bytes.push(b'\n');
        }
        seal(&bytes)
    }
}

/// What is packed in a file already.
impl From<&Weights> for Packed {
    fn from(weights: &Weights) -> Self {
        Self {
            game: weights.game.clone(),
            version: weights.version.clone(),
            plain: weights.sections.clone(),
            sections: weights.packed.clone(),
        }
    }
}

/// The lines of a file, with the packed bytes between them.
struct Lines<'a> {
    rest: &'a [u8],
    /// Of the last line, from 1.
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<Option<&'a str>, WeightsError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.get(1..).unwrap_or_default();
        std::str::from_utf8(line)
            .map(Some)
            .map_err(|_| syntax(self.number, "not UTF-8 text"))
    }

    /// The packed bytes that follow the last line, and their line feed.
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], WeightsError> {
        let missing = || syntax(self.number, "fewer bytes follow than it says");
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or_else(missing)?;
        self.rest = rest.strip_prefix(b"\n").ok_or_else(missing)?;
        Ok(bytes)
    }
}

/// How many numbers these bytes are, of which it counts few more than `most`;
/// none if they are damaged or the last one is cut short.
fn packed_len(bytes: &[u8], most: usize) -> Option<usize> {
    let mut count = 0;
    let mut last = 0;
    let mut part = [0; 4096];
    let mut inflated = DeflateDecoder::new(bytes);
    loop {
        let length = inflated.read(&mut part).ok()?;
        let Some(&end) = part[..length].last() else {
            return (last < 0x80).then_some(count);
        };
        last = end;
        count += part[..length].iter().filter(|&&byte| byte < 0x80).count();
        if count > most {
            return Some(count);
        }
    }
}

/// The form in which many numbers are kept.
///
/// ```
/// use quadrille::weights::{pack, unpack};
/// let packed = pack(&[0, -1, 63, 64, i16::MIN]);
/// assert!(pack(&[7; 1000]).len() < 100);
/// assert!(unpack(&packed).eq([0, -1, 63, 64, i16::MIN]));
/// ```
///
/// # Panics
/// Never: memory does not refuse to be written.
pub fn pack(numbers: &[i16]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(&in_bytes(numbers));
    written
        .and_then(|()| encoder.finish())
        .expect("memory takes everything")
}

fn in_bytes(numbers: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let mut code = (number << 1 ^ number >> 15) as u16;
        while code >= 0x80 {
            bytes.push(code as u8 | 0x80);
            code >>= 7;
        }
        bytes.push(code as u8);
    }
    bytes
}

/// The numbers that [`pack`] has packed, up to where they are damaged.
pub fn unpack(bytes: &[u8]) -> impl Iterator<Item = i16> {
    let mut bytes = BufReader::new(DeflateDecoder::new(bytes)).bytes();
    std::iter::from_fn(move || {
        let mut code = 0_u32;
        let mut shift = 0;
        loop {
            let byte = bytes.next()?.ok()?;
            code |= u32::from(byte & 0x7f) << (shift & 31);
            if byte < 0x80 {
                let code = code as u16;
                return Some((code >> 1) as i16 ^ -((code & 1) as i16));
            }
            shift += 7;
        }
    })
}

/// A weight file with its checksum line, instead of the one it ends with if
/// it does.
///
/// ```
/// use quadrille::weights::{Weights, seal};
/// let file = seal(b"quadrille-weights 1\ngame x\nversion v1\nsection a 2\n1 -2\n");
/// assert_eq!(Weights::parse(&file).unwrap().section("a", 2).unwrap(), [1, -2]);
/// // Packed bytes that look like white space are kept.
/// let packed = seal(b"quadrille-weights 1\ngame x\nversion v1\npacked a 2 2\n\n \n");
/// let packed: &'static [u8] = packed.leak();
/// assert!(Weights::trusted(packed).unwrap().packed("a", 2).is_ok());
/// assert_eq!(seal(&file), file);
/// ```
pub fn seal(file: &[u8]) -> Vec<u8> {
    // One line feed and no more: packed bytes may look like one.
    let without_end = |text: &'_ [u8]| text.strip_suffix(b"\n").map_or(text.len(), <[u8]>::len);
    let mut body = &file[..without_end(file)];
    let last = body
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    if body[last..].starts_with(b"crc32 ") {
        body = &body[..without_end(&body[..last])];
    }
    let mut bytes = body.to_vec();
    bytes.push(b'\n');
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(format!("crc32 {checksum:08x}\n").into_bytes());
    bytes
}

fn split_checksum(bytes: &[u8]) -> Result<(&[u8], u32), WeightsError> {
    let missing = || {
        syntax(
            1,
            "no weight file, or one cut off: it ends without a line `crc32 HEX`",
        )
    };
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
