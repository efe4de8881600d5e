//! `quadrille merge`: the shares of a tournament become one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::MergeArgs;
use super::identity::Identity;
use super::plan::in_file;
use super::record::{self, GameRecord, RecordFile};
use super::report;
use super::schedule::{Fixture, Schedule, Shard};
use super::standings::Standings;
use crate::command::Failure;

/// What one machine has played.
struct Part {
    dir: PathBuf,
    shard: Shard,
    /// Of the whole.
    identity: Identity,
    games: Vec<GameRecord>,
}

/// Joins shares, writes the whole and prints its standings.
///
/// # Errors
/// If they are not the shares of one tournament, each once and complete, or
/// the whole cannot be written.
pub fn run(args: &MergeArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let parts: Result<Vec<Part>, Failure> = args.dirs.iter().map(|dir| read(dir)).collect();
    let parts = parts?;
    check_kinship(&parts)?;
    // There is one: the command line demands it.
    let Some(Part { identity, .. }) = parts.first() else {
        return Ok(());
    };
    let schedule = identity.schedule().map_err(Failure::Refused)?;
    let games = join(&parts, &schedule)?;
    let missing = schedule.total() - games.len() as u64;
    if missing > 0 {
        let what = tell_missing(&parts, &schedule);
        if !args.partial {
            return Err(Failure::Refused(format!(
                "{what}; --partial merges what is there"
            )));
        }
        log::warn!("{what}");
    }
    let mut standings = Standings::new(identity.engines.iter().map(|engine| engine.name.clone()));
    standings
        .anchor(&args.ratings.anchors)
        .map_err(|what| Failure::Usage(format!("--anchor: {what}")))?;
    write(&args.out, identity, games.values())?;
    writeln!(
        out,
        "{} of {} games from {} shares, in {}",
        games.len(),
        schedule.total(),
        parts.len(),
        args.out.display()
    )?;
    for record in games.values() {
        standings.add(record);
    }
    writeln!(
        out,
        "{}",
        standings.full_report(identity.sprt.as_ref()).trim_end()
    )?;
    report::keep_summary(&args.out, &args.ratings.anchors)
}

fn read(dir: &Path) -> Result<Part, Failure> {
    let mut identity = Identity::read(dir).map_err(Failure::Refused)?;
    let file = dir.join("games.jsonl");
    Ok(Part {
        dir: dir.to_path_buf(),
        shard: identity.shard.take().unwrap_or(Shard { number: 1, of: 1 }),
        identity,
        games: record::read(&file).map_err(|error| in_file(&file, error))?,
    })
}

/// All must be shares of one tournament, each there once.
fn check_kinship(parts: &[Part]) -> Result<(), Failure> {
    for (number, part) in parts.iter().enumerate() {
        let dir = part.dir.display();
        for earlier in &parts[..number] {
            let other = earlier.dir.display();
            let what = if part.identity != earlier.identity {
                format!("{dir}: not the tournament of {other}")
            } else if part.shard.of != earlier.shard.of {
                format!(
                    "{dir}: share {}, but {other} is share {}",
                    part.shard, earlier.shard
                )
            } else if part.shard == earlier.shard {
                format!("{dir}: share {}, which {other} is already", part.shard)
            } else {
                continue;
            };
            return Err(Failure::Refused(what));
        }
    }
    Ok(())
}

/// All games by their numbers.
fn join<'a>(
    parts: &'a [Part],
    schedule: &Schedule,
) -> Result<BTreeMap<u64, &'a GameRecord>, Failure> {
    let mut games = BTreeMap::new();
    for part in parts {
        for game in &part.games {
            let fixture = schedule.get(game.id);
            let fits = |fixture: Fixture| {
                let [one, other] = fixture
                    .pairing
                    .map(|index| part.identity.engines[index].name.as_str());
                let sides = (game.black.as_str(), game.white.as_str());
                part.shard.holds(&fixture) && (sides == (one, other) || sides == (other, one))
            };
            if !fixture.is_some_and(fits) || games.insert(game.id, game).is_some() {
                return Err(Failure::Refused(format!(
                    "{}: game {} is not one of share {}",
                    part.dir.display(),
                    game.id,
                    part.shard
                )));
            }
        }
    }
    Ok(games)
}

/// Which shares are not there, or else which one has not been finished.
fn tell_missing(parts: &[Part], schedule: &Schedule) -> String {
    let of = parts.first().map_or(1, |part| part.shard.of);
    let absent: Vec<String> = (1..=of)
        .filter(|&number| parts.iter().all(|part| part.shard.number != number))
        .map(|number| Shard { number, of }.to_string())
        .collect();
    if let [first, ..] = absent.as_slice() {
        let more = match absent.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        return format!("share {first}{more} is missing");
    }
    let size = |part: &Part| {
        let fixtures = (0..schedule.total()).filter_map(|id| schedule.get(id));
        fixtures.filter(|fixture| part.shard.holds(fixture)).count()
    };
    let short = parts.iter().find(|part| part.games.len() < size(part));
    short.map_or_else(String::new, |part| {
        format!(
            "{}: {} of {} games; --resume finishes it",
            part.dir.display(),
            part.games.len(),
            size(part)
        )
    })
}

/// Writes the whole as if it had been played there.
fn write<'a>(
    dir: &Path,
    identity: &Identity,
    games: impl Iterator<Item = &'a &'a GameRecord>,
) -> Result<(), Failure> {
    let file = dir.join("games.jsonl");
    fs::create_dir_all(dir).map_err(|error| in_file(dir, error))?;
    let mut records = RecordFile::create(&file).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => in_file(&file, "there are games already"),
        _ => in_file(&file, error),
    })?;
    identity.write(dir).map_err(|error| in_file(dir, error))?;
    for game in games {
        records.add(game).map_err(|error| in_file(&file, error))?;
    }
    Ok(())
}
