//! Files of labelled positions.
//!
//! A chunk is one file: a line `quadrille-positions 1 GAME BYTES COUNT CRC`,
//! then COUNT records of BYTES bytes: the packed position, the label (`i16`,
//! little-endian, hundredths of the unit for the side to move) and what kind
//! of label it is. A chunk appears in its directory only when it is complete.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::command::Failure;

/// Where a label comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The exact value.
    Exact,
    /// How the game went on from here.
    Played,
    /// A search.
    Searched,
}

impl Kind {
    const fn code(self) -> u8 {
        match self {
            Self::Exact => 0,
            Self::Played => 1,
            Self::Searched => 2,
        }
    }

    const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Exact),
            1 => Some(Self::Played),
            2 => Some(Self::Searched),
            _ => None,
        }
    }
}

/// Bytes of a record beyond the position.
const LABEL_BYTES: usize = 3;

/// A position and its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// As the game packs it.
    pub position: &'a [u8],
    /// In hundredths of the unit, for the side to move.
    pub label: i16,
    /// Where the label comes from.
    pub kind: Kind,
}

/// Some records in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    packed: usize,
    bytes: Vec<u8>,
}

impl Chunk {
    /// Nothing yet, for positions of so many bytes.
    pub fn new(packed: usize) -> Self {
        Self {
            packed,
            bytes: Vec::new(),
        }
    }

    const fn record_bytes(&self) -> usize {
        self.packed + LABEL_BYTES
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.record_bytes()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds a record; `label` is clamped to what fits.
    pub fn push(&mut self, pack: impl FnOnce(&mut [u8]), label: i32, kind: Kind) {
        let start = self.bytes.len();
        self.bytes.resize(start + self.packed, 0);
        pack(&mut self.bytes[start..]);
        let label = label.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        self.bytes.extend(label.to_le_bytes());
        self.bytes.push(kind.code());
    }

    /// The records in order.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.bytes
            .chunks_exact(self.record_bytes())
            .filter_map(|bytes| {
                let (position, rest) = bytes.split_at(self.packed);
                Some(Record {
                    position,
                    label: i16::from_le_bytes([rest[0], rest[1]]),
                    kind: Kind::from_code(rest[2])?,
                })
            })
    }

    /// Writes the chunk as the file `number` of a directory, all at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, directory: &Path, number: u64, game: &str) -> Result<(), Failure> {
        let path = chunk_path(directory, number);
        let temporary = path.with_extension("part");
        let header = format!(
            "quadrille-positions 1 {game} {} {} {:08x}\n",
            self.record_bytes(),
            self.len(),
            crc32fast::hash(&self.bytes)
        );
        let mut bytes = header.into_bytes();
        bytes.extend(&self.bytes);
        fs::write(&temporary, bytes)
            .and_then(|()| fs::rename(&temporary, &path))
            .map_err(|error| refused(&path, error))
    }

    /// Reads a chunk of this game.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or of another game.
    pub fn load(path: &Path, packed: usize, game: &str) -> Result<Self, Failure> {
        let bytes = fs::read(path).map_err(|error| refused(path, error))?;
        Self::parse(&bytes, packed, game).map_err(|what| refused(path, what))
    }

    fn parse(bytes: &[u8], packed: usize, game: &str) -> Result<Self, String> {
        let end = bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or("no file of positions")?;
        let (header, body) = (&bytes[..end], &bytes[end + 1..]);
        let header = String::from_utf8_lossy(header);
        let chunk = Self {
            packed,
            bytes: body.to_vec(),
        };
        let expected = format!(
            "quadrille-positions 1 {game} {} {} {:08x}",
            chunk.record_bytes(),
            chunk.len(),
            crc32fast::hash(body)
        );
        let words: Vec<&str> = header.split(' ').collect();
        match words[..] {
            _ if header == expected => Ok(chunk),
            ["quadrille-positions", "1", other, ..] if other != game => {
                Err(format!("these are positions of {other}, not of {game}"))
            }
            _ => Err(format!(
                "no file of positions, or a damaged one: it begins with `{}`, its contents ask for \
                 `{expected}`",
                header.escape_debug().take(80).collect::<String>()
            )),
        }
    }
}

/// The file of a chunk.
pub fn chunk_path(directory: &Path, number: u64) -> PathBuf {
    directory.join(format!("{number:06}.positions"))
}

/// The chunks of a directory, with their numbers, in order; at least one.
///
/// # Errors
/// If the directory cannot be read, or there is none.
pub fn chunks(directory: &Path) -> Result<Vec<(u64, PathBuf)>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(|error| refused(directory, error))? {
        let path = entry.map_err(|error| refused(directory, error))?.path();
        if path.extension().is_some_and(|e| e == "positions")
            && let Some(number) = path.file_stem().and_then(|s| s.to_str()?.parse().ok())
        {
            found.push((number, path));
        }
    }
    if found.is_empty() {
        return Err(refused(directory, "there are no positions in it"));
    }
    found.sort();
    Ok(found)
}

/// Refuses to mix data made with other settings: the directory keeps the
/// settings it was begun with.
///
/// # Errors
/// If it cannot be written, or was begun with others.
pub fn keep_settings(directory: &Path, settings: &str) -> Result<(), Failure> {
    if directory.exists() && !directory.is_dir() {
        return Err(refused(directory, "is no directory"));
    }
    fs::create_dir_all(directory).map_err(|error| refused(directory, error))?;
    let path = directory.join("settings");
    match fs::read_to_string(&path) {
        Ok(kept) if kept == settings => Ok(()),
        Ok(kept) => Err(Failure::Usage(format!(
            "{} was begun with `{}`, this is `{}`: choose another directory",
            directory.display(),
            kept.trim_end(),
            settings.trim_end()
        ))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::write(&path, settings).map_err(|error| refused(&path, error))
        }
        Err(error) => Err(refused(&path, error)),
    }
}

pub(super) fn refused(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("{}: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk() -> Chunk {
        let mut chunk = Chunk::new(2);
        chunk.push(|bytes| bytes.copy_from_slice(b"ab"), -200, Kind::Exact);
        chunk.push(|bytes| bytes.copy_from_slice(b"cd"), 99_999, Kind::Searched);
        chunk
    }

    #[test]
    fn a_chunk_comes_back_from_its_file() {
        let directory = std::env::temp_dir().join(format!("quadrille-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        chunk().save(&directory, 7, "x").expect("saved");
        let found = chunks(&directory).expect("readable");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, 7);
        let loaded = Chunk::load(&found[0].1, 2, "x").expect("loaded");
        assert_eq!(loaded, chunk());
        let records: Vec<_> = loaded.records().collect();
        assert_eq!(records[0].label, -200);
        assert_eq!(records[1].label, i16::MAX);
        assert_eq!(records[1].position, b"cd");
        assert_eq!(records[1].kind, Kind::Searched);
        fs::remove_dir_all(&directory).expect("removed");
    }

    #[test]
    fn damage_is_told() {
        let directory = std::env::temp_dir().join(format!("quadrille-d{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        chunk().save(&directory, 1, "x").expect("saved");
        let path = chunk_path(&directory, 1);
        let mut bytes = fs::read(&path).expect("readable");
        assert!(Chunk::parse(&bytes, 2, "y").is_err());
        assert!(Chunk::parse(&bytes, 3, "x").is_err());
        *bytes.last_mut().expect("bytes") ^= 1;
        assert!(Chunk::parse(&bytes, 2, "x").is_err());
        assert!(Chunk::parse(b"", 2, "x").is_err());
        fs::remove_dir_all(&directory).expect("removed");
    }
}
