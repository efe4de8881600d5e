//! What makes a tournament the same tournament, and the directory it is kept
//! in.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::adjudication::{Adjudication, parse_draw, parse_resign};
use super::args::{Given, TournamentArgs};
use super::clock::Limit;
use super::config;
use super::engine::Spec;
use super::identity::{EngineIdentity, Identity, OpeningsIdentity};
use super::opening::{Opening, Openings};
use super::opening_draw::{Balance, Draw, parse_balance};
use super::opening_file::{self, parse_source};
use super::record::{GameRecord, RecordFile};
use super::schedule::{Fixture, Format, Schedule, Shard};
use super::spec::{make_names_unique, parse_engine, parse_sprt};
use super::sprt::Sprt;
use crate::command::Failure;
use crate::games::Variant;

/// A tournament, with all that the user has chosen checked.
pub(super) struct Plan {
    pub(super) game: &'static Variant,
    pub(super) engines: Vec<Spec>,
    pub(super) schedule: Schedule,
    pub(super) margin: Duration,
    pub(super) max_plies: Option<usize>,
    pub(super) adjudication: Adjudication,
    pub(super) sprt: Option<Sprt>,
    pub(super) shard: Option<Shard>,
    identity: Identity,
    openings: Source,
}

/// Where openings come from.
enum Source {
    /// Those of a file, in the order in which they are played.
    Fixed(Vec<Opening>),
    Random {
        plies: usize,
        balance: Option<Balance>,
        seed: u64,
    },
}

/// What is wrong with an option.
fn wrong(option: &str) -> impl Fn(String) -> Failure {
    move |what| Failure::Usage(format!("--{option}: {what}"))
}

impl Plan {
    pub(super) fn new(args: &TournamentArgs) -> Result<Self, Failure> {
        let engines = engines(args)?;
        let sprt = args.sprt.as_deref().map(parse_sprt).transpose();
        let sprt = sprt.map_err(wrong("sprt"))?;
        if sprt.is_some() && engines.len() != 2 {
            let what = "--sprt is a test of two engines".to_string();
            return Err(Failure::Usage(what));
        }
        let format = args.format.unwrap_or(match engines.len() {
            2 => Format::Match,
            _ => Format::RoundRobin,
        });
        let adjudication = adjudication(args)?;
        let (openings, openings_identity) = openings(args)?;
        let schedule = Schedule::new(format, engines.len(), args.rounds, args.games)
            .map_err(Failure::Usage)?;
        let identity = Identity {
            version: env!("CARGO_PKG_VERSION").to_string(),
            game: args.game.info.name.to_string(),
            format,
            rounds: args.rounds,
            games: args.games,
            seed: args.seed,
            openings: openings_identity,
            margin: Duration::from_millis(args.timemargin),
            max_plies: args.maxmoves,
            adjudication,
            sprt,
            engines: engines.iter().map(EngineIdentity::from).collect(),
            shard: args.shard,
        };
        Ok(Self {
            game: args.game,
            engines,
            schedule,
            margin: identity.margin,
            max_plies: args.maxmoves,
            adjudication,
            sprt,
            shard: args.shard,
            identity,
            openings,
        })
    }

    /// Whether a game is to be played here.
    pub(super) fn holds(&self, fixture: &Fixture) -> bool {
        self.shard.is_none_or(|shard| shard.holds(fixture))
    }

    /// How many games are to be played here.
    pub(super) fn total(&self) -> u64 {
        let all = self.schedule.total();
        if self.shard.is_none() {
            return all;
        }
        let fixtures = (0..all).filter_map(|id| self.schedule.get(id));
        fixtures.filter(|fixture| self.holds(fixture)).count() as u64
    }

    pub(super) fn openings(&self) -> Result<Openings, Failure> {
        match &self.openings {
            Source::Fixed(openings) => Ok(Openings::fixed(openings.clone())),
            &Source::Random {
                plies,
                balance,
                seed,
            } => Draw::new(self.game, plies, balance, seed)
                .and_then(Openings::drawn)
                .map_err(Failure::Refused),
        }
    }
}

fn engines(args: &TournamentArgs) -> Result<Vec<Spec>, Failure> {
    let defaults = Limit {
        clock: args.tc,
        per_move: args.st,
        nodes: args.nodes,
        depth: args.depth,
    };
    let groups = args.engines.0.iter();
    let engines: Result<Vec<Spec>, String> =
        groups.map(|words| parse_engine(words, defaults)).collect();
    let mut engines = engines.map_err(wrong("engine"))?;
    make_names_unique(&mut engines);
    Ok(engines)
}

fn adjudication(args: &TournamentArgs) -> Result<Adjudication, Failure> {
    let resign = args.resign.as_deref().map(parse_resign).transpose();
    let draw = args.draw.as_deref().map(parse_draw).transpose();
    Ok(Adjudication {
        resign: resign.map_err(wrong("resign"))?,
        draw: draw.map_err(wrong("draw"))?,
    })
}

fn openings(args: &TournamentArgs) -> Result<(Source, OpeningsIdentity), Failure> {
    let Some(words) = &args.openings else {
        let plies = args.opening_plies;
        let usual = Some(Balance::usual(&args.game.info));
        let balance = match &args.opening_balance {
            Some(words) => {
                parse_balance(words, &args.game.info).map_err(wrong("opening-balance"))?
            }
            None => usual,
        };
        let source = Source::Random {
            plies,
            balance,
            seed: args.seed,
        };
        return Ok((source, OpeningsIdentity::Random { plies, balance }));
    };
    let source = parse_source(words).map_err(wrong("openings"))?;
    let start = args.opening_start.unwrap_or(source.start);
    let file = Path::new(&source.file);
    let text = fs::read_to_string(file).map_err(|error| in_file(file, error))?;
    let in_openings = |what| Failure::Usage(format!("--openings: {}: {what}", file.display()));
    let (all, notes) = opening_file::read(&text, args.game).map_err(in_openings)?;
    for note in &notes {
        log::warn!("{}: {note}", file.display());
    }
    let arranged = opening_file::arrange(all, source.order, start, args.seed);
    let identity = OpeningsIdentity::File {
        crc32: format!("{:08x}", crc32fast::hash(text.as_bytes())),
        order: source.order,
        start,
    };
    Ok((Source::Fixed(arranged.map_err(in_openings)?), identity))
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
        given: &Given,
        resume: bool,
    ) -> Result<(Self, Vec<GameRecord>), Failure> {
        let game_file = dir.join("games.jsonl");
        let logs = dir.join("logs");
        fs::create_dir_all(&logs).map_err(|error| in_file(&logs, error))?;
        let (records, games) = if resume && Identity::is_in(dir) {
            if Identity::read(dir).map_err(Failure::Refused)? != plan.identity {
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
            let written = plan.identity.write(dir);
            written
                .and_then(|()| config::keep(given, dir))
                .map_err(|error| in_file(dir, error))?;
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

pub(super) fn in_file(file: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("{}: {what}", file.display()))
}
