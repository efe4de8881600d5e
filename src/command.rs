//! What the subcommands have in common, and the two that need no file of
//! their own.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use thiserror::Error;

use crate::cli::{GamesArgs, StrengthArgs, WeightsArgs};
use crate::games::{VARIANTS, Variant};
use crate::protocol::Options;
use crate::search::Settings;
use crate::search::heuristics::Depth;
use crate::session::Session;
use crate::weights::{Weights, seal};

/// Why a subcommand did not do what was asked.
#[derive(Debug, Error)]
pub enum Failure {
    /// It was called wrongly.
    #[error("{0}")]
    Usage(String),
    /// It cannot be done; the text says why.
    #[error("{0}")]
    Refused(String),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// 2 for wrong use, 1 for what went wrong. A reader who has seen enough
    /// and closed the pipe is no failure.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Refused(_) | Self::Output(_) => ExitCode::FAILURE,
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

/// A game at the start, or at `position` if there is one.
pub(crate) fn open(
    game: &'static Variant,
    settings: &Settings,
    position: Option<&str>,
) -> Result<Box<dyn Session>, Failure> {
    let mut session = game.open(settings).map_err(Failure::Refused)?;
    if let Some(position) = position {
        session
            .set_position(position)
            .map_err(|what| Failure::Usage(format!("--position: {what}")))?;
    }
    Ok(session)
}

/// The position to begin with: one that is given, or the start of a board of
/// another size.
pub(crate) fn first_position(
    game: &'static Variant,
    position: Option<&str>,
    size: Option<(u8, u8)>,
) -> Result<Option<String>, Failure> {
    let Some((width, height)) = size else {
        return Ok(position.map(str::to_string));
    };
    let Some(sized) = game.sized else {
        return Err(Failure::Usage(format!(
            "--size: {} has one size of board; tiles has others",
            game.info.name
        )));
    };
    match sized(width, height) {
        Some(start) => Ok(Some(start)),
        None => Err(Failure::Usage(format!(
            "--size: {width}x{height}: 2 to 5 columns and rows are possible"
        ))),
    }
}

/// Lets a session use the weights of a file, if one is given.
pub(crate) fn load_weights(session: &mut dyn Session, file: Option<&Path>) -> Result<(), Failure> {
    match file {
        Some(file) => session
            .load_weights(&read(file)?)
            .map_err(|what| in_file(file, what)),
        None => Ok(()),
    }
}

/// Writes a value as JSON, for people too.
pub(crate) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// `quadrille` without a subcommand, and those that speak another protocol.
///
/// # Errors
/// If the weights cannot be read or are not for the game.
pub fn speak(
    game: &'static Variant,
    args: &StrengthArgs,
    front_end: impl FnOnce(Options) -> Result<(), String>,
) -> Result<(), Failure> {
    let weights = match &args.weights {
        Some(file) => Some((file.display().to_string(), read(file)?)),
        None => None,
    };
    front_end(Options {
        game: game.info.name.to_string(),
        settings: Settings {
            book: !args.no_book,
            ahead: true,
            level: args.level,
            ..args.search.settings()
        },
        depth: args.depth.map(Depth::unsigned_abs),
        nodes: args.nodes,
        time: args.time,
        weights,
    })
    .map_err(Failure::Refused)
}

#[derive(Serialize)]
struct GameRow {
    name: &'static str,
    aliases: &'static [&'static str],
    title: &'static str,
    size: usize,
}

/// `quadrille games`: one name a line, as the protocol's `list_games`.
///
/// # Errors
/// If the answer cannot be written.
pub fn games(args: &GamesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        let rows: Vec<GameRow> = VARIANTS
            .iter()
            .map(|variant| GameRow {
                name: variant.info.name,
                aliases: variant.info.aliases,
                title: variant.info.title,
                size: variant.info.size,
            })
            .collect();
        return write_json(out, &rows);
    }
    for variant in &VARIANTS {
        writeln!(out, "{}", variant.info.name)?;
    }
    Ok(())
}

/// `quadrille weights`: checks a weight file, after giving it a new checksum
/// if that is asked for.
///
/// # Errors
/// If the file cannot be read, is no weight file of a game of ours or, with
/// `seal`, cannot be written.
pub fn weights(args: &WeightsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let file = args.file.as_path();
    let mut bytes = read(file)?;
    if args.seal {
        bytes = seal(&bytes);
    }
    // Checked before it is written: what is no weight file is left alone.
    let weights = Weights::parse(&bytes).map_err(|error| in_file(file, error))?;
    if args.seal {
        std::fs::write(file, &bytes).map_err(|error| in_file(file, error))?;
    }
    writeln!(out, "game {}", weights.game())?;
    writeln!(out, "version {}", weights.version())?;
    writeln!(out, "crc32 {:08x}", weights.checksum())?;
    Ok(())
}

pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| in_file(file, error))
}

fn in_file(file: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("{}: {what}", file.display()))
}

/// A line on the terminal that shows that something is going on.
pub(crate) fn spinner() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What clap has to say about wrong use, in one line.
pub fn usage_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut line = String::new();
    for part in text.lines().map(str::trim) {
        let part = part.strip_prefix("error: ").unwrap_or(part);
        if part.is_empty() || part.starts_with("For more information") {
            continue;
        }
        match part.strip_prefix("tip: ").or(part.strip_prefix("Usage: ")) {
            Some(rest) if part.starts_with('t') => line += &format!("; {rest}"),
            Some(rest) => line += &format!("; usage: {rest}"),
            None if line.is_empty() => line += part,
            // A second form of the usage.
            None if part.starts_with("quadrille ") => line += &format!(", or {part}"),
            None => line += &format!(" {part}"),
        }
    }
    line + " (--help says more)"
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    fn refusal(args: &[&str]) -> String {
        let error = Cli::try_parse_from(args).expect_err("wrong use");
        usage_line(&error)
    }

    #[test]
    fn wrong_use_is_told_in_one_line_that_helps() {
        for (args, expected) in [
            (&["quadrille", "--thread", "2"][..], "'--threads'"),
            (&["quadrille", "perf"], "'perft'"),
            (&["quadrille", "perft"], "<GAME> <DEPTH>"),
            (&["quadrille", "--game", "chess"], "the games are"),
            (&["quadrille", "--time", "soon"], "number of seconds"),
            (&["quadrille", "--threads", "0"], "1..="),
            (&["quadrille", "bench", "--depth", "3"], "--game"),
            (&["quadrille", "plaz"], "'play'"),
            (&["quadrille", "x"], "[OPTIONS], or quadrille <COMMAND>"),
        ] {
            let line = refusal(args);
            assert_eq!(line.lines().count(), 1, "{line}");
            assert!(line.contains(expected), "{args:?}: {line}");
        }
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let closed = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.exit_code(), ExitCode::SUCCESS);
        let full = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.exit_code(), ExitCode::FAILURE);
    }
}
