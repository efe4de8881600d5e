//! What makes a tournament the same tournament, and the directory it is kept
//! in.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::args::TournamentArgs;
use super::clock::Limit;
use super::engine::Spec;
use super::opening::Openings;
use super::record::{GameRecord, RecordFile};
use super::schedule::{Format, Schedule};
use super::spec::{make_names_unique, parse_engine, parse_sprt};
use super::sprt::Sprt;
use crate::command::Failure;
use crate::games::Variant;

/// A tournament, with all that the user has chosen checked.
pub(super) struct Plan {
    pub(super) game: &'static Variant,
    pub(super) engines: Vec<Spec>,
    format: Format,
    pub(super) schedule: Schedule,
    rounds: u64,
    games: u64,
    pub(super) margin: Duration,
    pub(super) max_plies: Option<usize>,
    pub(super) sprt: Option<Sprt>,
    seed: u64,
    opening_plies: usize,
    /// The file of openings, word for word.
    opening_file: Option<String>,
}

impl Plan {
    pub(super) fn new(args: &TournamentArgs) -> Result<Self, Failure> {
        let defaults = Limit {
            clock: args.tc,
            per_move: args.st,
            nodes: args.nodes,
            depth: args.depth,
        };
        let engines: Result<Vec<Spec>, String> = args
            .engines
            .0
            .iter()
            .map(|words| parse_engine(words, defaults))
            .collect();
        let mut engines = engines.map_err(|what| Failure::Usage(format!("--engine: {what}")))?;
        make_names_unique(&mut engines);
        let sprt = args.sprt.as_deref().map(parse_sprt).transpose();
        let sprt = sprt.map_err(|what| Failure::Usage(format!("--sprt: {what}")))?;
        if sprt.is_some() && engines.len() != 2 {
            let what = "--sprt is a test of two engines".to_string();
            return Err(Failure::Usage(what));
        }
        let format = args.format.unwrap_or(match engines.len() {
            2 => Format::Match,
            _ => Format::RoundRobin,
        });
        let opening_file = match &args.openings {
            Some(file) => Some(fs::read_to_string(file).map_err(|error| in_file(file, error))?),
            None => None,
        };
        Ok(Self {
            game: args.game,
            schedule: Schedule::new(format, engines.len(), args.rounds, args.games)
                .map_err(Failure::Usage)?,
            engines,
            format,
            rounds: args.rounds,
            games: args.games,
            margin: Duration::from_millis(args.timemargin),
            max_plies: args.maxmoves,
            sprt,
            seed: args.seed,
            opening_plies: args.opening_plies,
            opening_file,
        })
    }

    pub(super) fn openings(&self) -> Result<Openings, Failure> {
        match &self.opening_file {
            Some(text) => Openings::read(text, self.game)
                .map_err(|what| Failure::Usage(format!("--openings: {what}"))),
            None => {
                Openings::random(self.game, self.opening_plies, self.seed).map_err(Failure::Refused)
            }
        }
    }

    /// Everything that the results depend on, as text.
    fn description(&self) -> Result<String, Failure> {
        let engines = self.engines.iter().map(|spec| EngineDescription {
            name: &spec.name,
            cmd: spec.program.file.to_string_lossy().into_owned(),
            args: &spec.program.arguments,
            options: &spec.options,
            limit: &spec.limit,
        });
        let description = Description {
            version: env!("CARGO_PKG_VERSION"),
            game: self.game.info.name,
            format: self.format,
            rounds: self.rounds,
            games: self.games,
            seed: self.seed,
            opening_plies: self.opening_plies,
            openings_crc32: self
                .opening_file
                .as_ref()
                .map(|text| format!("{:08x}", crc32fast::hash(text.as_bytes()))),
            margin: self.margin,
            max_plies: self.max_plies,
            sprt: self.sprt,
            engines: engines.collect(),
        };
        Ok(serde_json::to_string_pretty(&description)? + "\n")
    }
}

#[derive(Serialize)]
struct Description<'a> {
    version: &'static str,
    game: &'static str,
    format: Format,
    rounds: u64,
    games: u64,
    seed: u64,
    opening_plies: usize,
    openings_crc32: Option<String>,
    margin: Duration,
    max_plies: Option<usize>,
    sprt: Option<Sprt>,
    engines: Vec<EngineDescription<'a>>,
}

#[derive(Serialize)]
struct EngineDescription<'a> {
    name: &'a str,
    cmd: String,
    args: &'a [String],
    options: &'a [(String, String)],
    limit: &'a Limit,
}

/// Where a tournament is kept.
pub(super) struct Archive {
    logs: PathBuf,
    pub(super) records: RecordFile,
}

impl Archive {
    /// Begins a directory, or goes on with one; then the games it holds come
    /// too.
    pub(super) fn open(
        dir: &Path,
        plan: &Plan,
        resume: bool,
    ) -> Result<(Self, Vec<GameRecord>), Failure> {
        let (plan_file, game_file) = (dir.join("tournament.json"), dir.join("games.jsonl"));
        let logs = dir.join("logs");
        fs::create_dir_all(&logs).map_err(|error| in_file(&logs, error))?;
        let description = plan.description()?;
        let (records, games) = if resume && plan_file.exists() {
            let earlier = fs::read_to_string(&plan_file);
            if earlier.map_err(|error| in_file(&plan_file, error))? != description {
                return Err(Failure::Refused(format!(
                    "{}: another tournament was begun there; the same arguments go on with it",
                    dir.display()
                )));
            }
            RecordFile::resume(&game_file).map_err(|error| in_file(&game_file, error))?
        } else {
            let file = RecordFile::create(&game_file).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => Failure::Refused(format!(
                    "{}: there are games already; --resume goes on with them",
                    game_file.display()
                )),
                _ => in_file(&game_file, error),
            })?;
            fs::write(&plan_file, description).map_err(|error| in_file(&plan_file, error))?;
            (file, Vec::new())
        };
        Ok((Self { logs, records }, games))
    }

    /// Where the logs of the engines are.
    pub(super) fn logs(&self) -> PathBuf {
        self.logs.clone()
    }
}

/// The log of an engine at one of the boards.
pub(super) fn open_log(logs: &Path, name: &str, board: usize) -> io::Result<File> {
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(plain).collect();
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(logs.join(format!("{name}-{board}.log")))
}

fn in_file(file: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("{}: {what}", file.display()))
}
