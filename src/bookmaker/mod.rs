//! Makes books: `quadrille book`.
//!
//! The makers write what they find into a text of positions and moves
//! (`lines`) that they go on with when they are begun again. `solved`
//! proves the opening lines of a game that can be solved to its end, `grown`
//! searches the openings of one that cannot. `export` makes the file that
//! the engine reads, `check` plays it against every reply, or has its moves
//! searched again (`searched`) where they are not proved.

pub mod args;
mod check;
mod grown;
mod lines;
mod ranking;
mod searched;
mod solved;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use crate::book::{Book, BookError};
use crate::command::Failure;
use crate::games::Variant;
use crate::search::Settings;
use crate::session::Session;
use args::{BookArgs, BookCommand, ExportArgs};
use lines::Lines;

/// Does what the command line asks for.
///
/// # Errors
/// If a file cannot be read or written or holds something else, or a check
/// fails.
pub fn run(args: &BookArgs, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.command {
        BookCommand::Solve(args) => solved::run(args, out),
        BookCommand::Grow(args) => grown::run(args, out),
        BookCommand::Export(args) => export(args, out),
        BookCommand::Check(args) => check::run(args, out),
    }
}

/// Makes the book of the lines.
fn export(args: &ExportArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let lines = Lines::read(&args.lines).map_err(|error| in_file(&args.lines, error))?;
    may_be_written(&args.book)?;
    let mut session = open_without_table(args.game)?;
    let mut entries = Vec::new();
    for line in lines.iter() {
        session
            .set_position(&line.position)
            .map_err(|what| in_file(&args.lines, what))?;
        let best = line.moves.first().map_or(0, |&(_, value)| value);
        for (mv, value) in &line.moves {
            if i32::from(*value) >= i32::from(best) - args.leeway {
                let entry = session.book_entry(mv, *value);
                entries.push(entry.map_err(|what| in_file(&args.lines, what))?);
            }
        }
    }
    let book = Book::write(entries, args.proved);
    std::fs::write(&args.book, &book).map_err(|error| in_file(&args.book, error))?;
    let positions = lines.iter().filter(|line| !line.moves.is_empty()).count();
    writeln!(out, "{positions} positions, {} bytes", book.len())?;
    Ok(())
}

/// Refuses a file that is there and is no book: a slip of the hand must not
/// cost the lines, or anything else. Nor one that cannot be written, which is
/// better known before a long search than after it.
fn may_be_written(path: &Path) -> Result<(), Failure> {
    let is_new = !path.exists();
    if !is_new && !may_be_replaced(path)? {
        return Err(in_file(path, "is there already, and is no book"));
    }
    let mut options = OpenOptions::new();
    options.append(true).create(is_new);
    options.open(path).map_err(|error| in_file(path, error))?;
    if is_new {
        std::fs::remove_file(path).map_err(|error| in_file(path, error))?;
    }
    Ok(())
}

/// Whether what is there is a book, or nothing yet.
fn may_be_replaced(path: &Path) -> Result<bool, Failure> {
    // To read a pipe might never end.
    if !path.is_file() {
        return Ok(false);
    }
    let old = std::fs::read(path).map_err(|error| in_file(path, error))?;
    Ok(old.is_empty() || !matches!(Book::read(&old), Err(BookError::Form)))
}

fn open_lines(path: &Path) -> Result<Lines, Failure> {
    Lines::open(path).map_err(|error| in_file(path, error))
}

fn in_file(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("{}: {what}", path.display()))
}

/// A session for the rules alone.
fn open_without_table(game: &'static Variant) -> Result<Box<dyn Session>, Failure> {
    open_with(game, 1, 0)
}

fn open_with(
    game: &'static Variant,
    threads: usize,
    hash: usize,
) -> Result<Box<dyn Session>, Failure> {
    let settings = Settings {
        threads,
        hash,
        book: false,
        ..Settings::default()
    };
    game.open(&settings).map_err(Failure::Refused)
}

/// Where to begin: at `position`, if there is one, or at the start.
fn start_of(session: &mut dyn Session, position: Option<&str>) -> Result<String, Failure> {
    if let Some(position) = position {
        session
            .set_position(position)
            .map_err(|what| Failure::Usage(format!("--position: {what}")))?;
    }
    Ok(session.position())
}

/// The position after a move of another.
fn after(rules: &mut dyn Session, position: &str, mv: &str) -> Result<String, Failure> {
    rules.set_position(position).map_err(Failure::Refused)?;
    let side = rules.side_to_move();
    let played = rules.play(side, mv);
    played.map_err(|error| Failure::Refused(format!("{position}: {mv}: {error}")))?;
    Ok(rules.position())
}
