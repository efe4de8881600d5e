//! A text file that grows by whole lines and survives a kill.
//!
//! Long jobs keep in it what they have found, one finding a line, and go on
//! from it when they are begun again. A line that was being written when the
//! job was killed has no end: it is not read, and cut away before the next one
//! is written. Only one job at a time writes to such a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Such a file, open to be gone on with.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    /// Bytes of its whole lines.
    whole: u64,
    /// Whether something else may follow them.
    torn: bool,
}

impl Journal {
    /// Opens a file to be gone on with, or begins one. With its whole lines,
    /// each with its end.
    ///
    /// # Errors
    /// If it cannot be read and written, is no file of lines, or is being
    /// written by another job; then it stays as it is.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, String)> {
        expect_regular(path)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        // Where files cannot be locked, nobody else is expected.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let what = "is being written by another process";
            return Err(io::Error::new(ErrorKind::WouldBlock, what));
        }
        let (lines, torn) = whole_lines(&mut file)?;
        let journal = Self {
            file,
            whole: lines.len() as u64,
            torn,
        };
        Ok((journal, lines))
    }

    /// The whole lines of a file that is only read, each with its end.
    ///
    /// # Errors
    /// If it cannot be read, or is no file of lines.
    pub(crate) fn read(path: &Path) -> io::Result<String> {
        expect_regular(path)?;
        Ok(whole_lines(&mut File::open(path)?)?.0)
    }

    /// Writes a line, which is given without its end and has none inside.
    ///
    /// # Errors
    /// If it cannot be written; what has been written of it is cut away before
    /// the next one.
    pub(crate) fn push(&mut self, line: &str) -> io::Result<()> {
        debug_assert!(!line.contains('\n'), "{line}");
        if self.torn {
            self.file.set_len(self.whole)?;
        }
        self.torn = true;
        self.file.seek(SeekFrom::Start(self.whole))?;
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.whole += line.len() as u64 + 1;
        self.torn = false;
        Ok(())
    }
}

/// Refuses what never ends or cannot grow. A file need not exist.
fn expect_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(invalid("is no regular file".to_string())),
        _ => Ok(()),
    }
}

/// The whole lines, and whether something is left after them.
fn whole_lines(file: &mut File) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let all = bytes.len();
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    if whole == 0 && all > 0 {
        return Err(invalid(format!(
            "holds {all} bytes and not one whole line: something else, or nothing to go on with"
        )));
    }
    bytes.truncate(whole);
    let lines = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let before = good.iter().filter(|&&byte| byte == b'\n').count();
        invalid(format!("line {} is no text", before + 1))
    })?;
    Ok((lines, whole < all))
}

fn invalid(what: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A path of a test, without a file.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let name = format!("quadrille-journal-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let _ = fs::remove_file(&path);
            Self(path)
        }

        fn text(&self) -> String {
            fs::read_to_string(&self.0).expect("the file")
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn lines_come_back() {
        let place = Place::new("new");
        let (mut journal, lines) = Journal::open(&place.0).expect("a new file");
        assert_eq!(lines, "");
        for line in ["one", "", "drei ä"] {
            journal.push(line).expect("room");
        }
        drop(journal);
        assert_eq!(Journal::read(&place.0).expect("lines"), "one\n\ndrei ä\n");
        let (mut journal, lines) = Journal::open(&place.0).expect("the same file");
        assert_eq!(lines, "one\n\ndrei ä\n");
        journal.push("four").expect("room");
        assert_eq!(place.text(), "one\n\ndrei ä\nfour\n");
    }

    #[test]
    fn half_a_line_is_cut_away_by_the_next_and_not_before() {
        let place = Place::new("torn");
        // Cut within a character.
        let torn = b"one\ntwo\nthr\xc3";
        fs::write(&place.0, torn).expect("room");
        assert_eq!(Journal::read(&place.0).expect("lines"), "one\ntwo\n");
        let (mut journal, lines) = Journal::open(&place.0).expect("lines");
        assert_eq!(lines, "one\ntwo\n");
        assert_eq!(fs::read(&place.0).expect("the file"), torn);
        journal.push("3").expect("room");
        assert_eq!(place.text(), "one\ntwo\n3\n");
        journal.push("4").expect("room");
        assert_eq!(place.text(), "one\ntwo\n3\n4\n");
    }

    #[test]
    fn what_is_no_journal_stays_as_it_is() {
        let place = Place::new("other");
        for (bytes, expected) in [
            (&b"a picture"[..], "holds 9 bytes and not one whole line"),
            (b"one\nt\xffo\nthree\n", "line 2 is no text"),
        ] {
            fs::write(&place.0, bytes).expect("room");
            for error in [Journal::open(&place.0).err(), Journal::read(&place.0).err()] {
                let what = error.expect("refused").to_string();
                assert!(what.contains(expected), "{what}");
            }
            assert_eq!(fs::read(&place.0).expect("the file"), bytes);
        }
        let missing = Place::new("missing");
        assert!(Journal::read(&missing.0).is_err());
        assert!(!missing.0.exists());
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = std::env::temp_dir();
        let error = Journal::open(&folder).expect_err("a folder");
        assert!(error.to_string().contains("no regular file"), "{error}");
        #[cfg(target_os = "linux")]
        for device in ["/dev/full", "/dev/zero", "/dev/null"] {
            let error = Journal::read(Path::new(device)).expect_err("a device");
            assert!(error.to_string().contains("no regular file"), "{error}");
            assert!(Journal::open(Path::new(device)).is_err());
        }
    }

    #[test]
    fn only_one_at_a_time_writes() {
        let place = Place::new("locked");
        let (first, _) = Journal::open(&place.0).expect("a new file");
        let error = Journal::open(&place.0).expect_err("it is being written");
        assert!(error.to_string().contains("another process"), "{error}");
        assert!(Journal::read(&place.0).is_ok());
        drop(first);
        assert!(Journal::open(&place.0).is_ok());
    }
}
