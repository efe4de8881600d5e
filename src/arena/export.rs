//! The games in forms that other programs read, in files beside the records
//! and made from them alone: `games.sgf` for the disc games, `games.txt` for
//! the others, and `positions.tsv` to learn from.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::record::GameRecord;
use super::replay::Replayer;

mod positions;
mod sgf;
mod text;

/// The names of the files.
const NAMES: [&str; 3] = ["games.sgf", "games.txt", "positions.tsv"];

/// What a record adds to each of the files, in the order of their names.
fn export(record: &GameRecord, replayer: &mut Replayer) -> io::Result<[String; 3]> {
    let replay = replayer
        .replay(record)
        .map_err(|what| io::Error::new(io::ErrorKind::InvalidData, what))?;
    let (sgf, text) = match replay.variant.discs {
        true => (sgf::game(record, &replay), String::new()),
        false => (String::new(), text::game(record, &replay)),
    };
    Ok([sgf, text, positions::lines(record, &replay)])
}

/// The files of a directory.
pub(super) struct Exports {
    folder: PathBuf,
    replayer: Replayer,
}

impl Exports {
    /// Writes the files anew, with the games that are there already.
    ///
    /// # Errors
    /// If they cannot be written, or a record is no game of ours.
    pub(super) fn begin(folder: &Path, records: &[GameRecord]) -> io::Result<Self> {
        let mut replayer = Replayer::default();
        let mut fresh = Fresh {
            folder,
            files: HashMap::new(),
        };
        for record in records {
            for (name, text) in NAMES.into_iter().zip(export(record, &mut replayer)?) {
                fresh.add(name, &text)?;
            }
        }
        fresh.put_in_place()?;
        Ok(Self {
            folder: folder.to_path_buf(),
            replayer,
        })
    }

    /// Adds a game to each file, in one piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        let texts = export(record, &mut self.replayer)?;
        for (name, text) in NAMES.into_iter().zip(texts) {
            if text.is_empty() {
                continue;
            }
            let path = self.folder.join(name);
            let mut file = OpenOptions::new().append(true).create(true).open(&path)?;
            let whole = match file.metadata()?.len() {
                0 => heading(name).to_string() + &text,
                _ => text,
            };
            file.write_all(whole.as_bytes())?;
        }
        Ok(())
    }
}

fn heading(name: &str) -> &'static str {
    match name {
        "positions.tsv" => positions::HEADING,
        _ => "",
    }
}

/// Files being written, under other names until they are whole.
struct Fresh<'a> {
    folder: &'a Path,
    files: HashMap<&'static str, BufWriter<File>>,
}

impl Fresh<'_> {
    fn draft(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.new"))
    }

    fn add(&mut self, name: &'static str, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !self.files.contains_key(name) {
            let mut file = BufWriter::new(File::create(self.draft(name))?);
            file.write_all(heading(name).as_bytes())?;
            self.files.insert(name, file);
        }
        match self.files.get_mut(name) {
            Some(file) => file.write_all(text.as_bytes()),
            None => Ok(()),
        }
    }

    fn put_in_place(mut self) -> io::Result<()> {
        for name in NAMES {
            let file = self.folder.join(name);
            match self.files.remove(name) {
                Some(mut draft) => {
                    draft.flush()?;
                    fs::rename(self.draft(name), file)?;
                }
                None => remove(&file)?,
            }
        }
        Ok(())
    }
}

/// Removes a file that may not exist.
fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
