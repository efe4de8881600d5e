//! What a user tunes, by name.

use std::time::Duration;

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frontend::{Call, Frontend, duration, seconds};
use super::line::split_word;
use super::think::positive;
use crate::cli::{MAX_HASH, MAX_THREADS};
use crate::search::Settings;
use crate::search::level::Level;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "list_options",
        "",
        "every option: its name, its value, what it means",
        list_options,
    ),
    Command::new(
        "set_option",
        "NAME VALUE",
        "changes an option; `none` where there may be none",
        set_option,
    ),
];

/// One thing that can be tuned.
pub(super) struct Setting {
    pub(super) name: &'static str,
    /// What it means, with its range.
    help: &'static str,
    pub(super) get: fn(&Frontend) -> String,
    set: fn(&mut Frontend, &str) -> Result<(), Failure>,
}

pub(super) const SETTINGS: [Setting; 11] = [
    Setting {
        name: "threads",
        help: "search threads, 1 to 256",
        get: |f| f.settings.threads.to_string(),
        set: |f, value| {
            let threads = in_range(value, 1, MAX_THREADS)?;
            configure(f, |settings| settings.threads = threads)
        },
    },
    Setting {
        name: "hash",
        help: "transposition table in MiB, 0 to 1048576",
        get: |f| f.settings.hash.to_string(),
        set: |f, value| {
            let hash = in_range(value, 0, MAX_HASH)?;
            configure(f, |settings| settings.hash = hash)
        },
    },
    Setting {
        name: "seed",
        help: "0 plays the same move each time, others vary among equal moves",
        get: |f| f.settings.seed.to_string(),
        set: |f, value| {
            let seed = in_range(value, 0, u64::MAX)?;
            configure(f, |settings| settings.seed = seed)
        },
    },
    Setting {
        name: "depth",
        help: "plies a move is searched at most, or none",
        get: |f| or_none(f.defaults.depth),
        set: |f, value| {
            f.defaults.depth = optional(value, "depth is a whole number from 1", positive)?;
            Ok(())
        },
    },
    Setting {
        name: "nodes",
        help: "positions a move is searched at most, or none",
        get: |f| or_none(f.defaults.nodes),
        set: |f, value| {
            f.defaults.nodes = optional(value, "nodes is a whole number from 1", positive)?;
            Ok(())
        },
    },
    Setting {
        name: "time",
        help: "seconds a move takes at most, or none",
        get: |f| or_none(f.defaults.time.map(|time| time.as_secs_f64())),
        set: |f, value| {
            let read = |word: &str| seconds(word).filter(|&s| s >= 0.0).map(duration);
            f.defaults.time = optional(value, "time is a number of seconds", read)?;
            Ok(())
        },
    },
    Setting {
        name: "overhead",
        help: "milliseconds lost between the referee and us, 0 to 10000",
        get: |f| f.overhead.as_millis().to_string(),
        set: |f, value| {
            let millis: u16 = in_range(value, 0, 10_000)?;
            f.overhead = Duration::from_millis(millis.into());
            Ok(())
        },
    },
    Setting {
        name: "resign",
        help: "genmove resigns so many hundredths behind, or none",
        get: |f| or_none(f.resign),
        set: |f, value| {
            let what = "resign is a whole number of hundredths from 1";
            f.resign = optional(value, what, positive)?;
            Ok(())
        },
    },
    Setting {
        name: "book",
        help: "whether genmove plays known moves without a search: true or false",
        get: |f| f.settings.book.to_string(),
        set: |f, value| {
            let book = boolean(value)?;
            configure(f, |settings| settings.book = book)
        },
    },
    Setting {
        name: "level",
        help: "how strong genmove plays, 1 for beginners to 10",
        get: |f| f.settings.level.to_string(),
        set: |f, value| {
            let level = value.parse::<Level>().map_err(Failure::syntax)?;
            configure(f, |settings| settings.level = level)
        },
    },
    Setting {
        name: "weights",
        help: "the evaluation's weights: embedded, or a file's name",
        get: |f| match &f.weights {
            Some((name, _)) => name.clone(),
            None => EMBEDDED.to_string(),
        },
        set: set_weights,
    },
];

const EMBEDDED: &str = "embedded";

/// No weight file of ours is nearly as large.
const LARGEST_WEIGHTS: u64 = 256 << 20;

fn list_options(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let lines: Vec<String> = SETTINGS
        .iter()
        .map(|s| format!("{} {} ({})", s.name, (s.get)(frontend), s.help))
        .collect();
    Ok(lines.join("\n").into())
}

fn set_option(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (name, value) = split_word(call.rest);
    if name.is_empty() {
        return Err(Failure::syntax("set_option takes a name and a value"));
    }
    set(frontend, name, value)
}

/// Changes one setting.
pub(super) fn set(frontend: &mut Frontend, name: &str, value: &str) -> Answer {
    let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
        let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
        let names = names.join(", ");
        return Err(Failure::new(format!(
            "no option `{name}`; there are {names}"
        )));
    };
    if value.is_empty() {
        return Err(Failure::syntax(format!("{name}: {}", setting.help)));
    }
    (setting.set)(frontend, value)?;
    Reply::empty()
}

fn configure(frontend: &mut Frontend, change: impl FnOnce(&mut Settings)) -> Result<(), Failure> {
    let mut settings = frontend.settings.clone();
    change(&mut settings);
    frontend
        .session
        .configure(&settings)
        .map_err(Failure::new)?;
    frontend.settings = settings;
    Ok(())
}

fn set_weights(frontend: &mut Frontend, name: &str) -> Result<(), Failure> {
    let cannot = |reason: String| Failure::new(format!("cannot load weights: {reason}"));
    if name == EMBEDDED {
        frontend.session.reset_weights();
        frontend.weights = None;
        return Ok(());
    }
    let bytes = read_file(name, LARGEST_WEIGHTS).map_err(cannot)?;
    let loaded = frontend.session.load_weights(&bytes);
    loaded.map_err(|reason| cannot(format!("{name}: {reason}")))?;
    frontend.weights = Some((name.to_string(), bytes));
    Ok(())
}

/// The bytes of a regular file of at most `most` bytes. Anything else, such
/// as a terminal or a pipe, might never end.
pub(super) fn read_file(name: &str, most: u64) -> Result<Vec<u8>, String> {
    let about = std::fs::metadata(name).map_err(|error| format!("{name}: {error}"))?;
    if !about.is_file() {
        return Err(format!("{name} is no file"));
    }
    if about.len() > most {
        return Err(format!("{name} is longer than {most} bytes"));
    }
    std::fs::read(name).map_err(|error| format!("{name}: {error}"))
}

fn in_range<T>(word: &str, least: T, most: T) -> Result<T, Failure>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    word.parse()
        .ok()
        .filter(|value| (&least..=&most).contains(&value))
        .ok_or_else(|| {
            Failure::syntax(format!(
                "`{word}` is no whole number from {least} to {most}"
            ))
        })
}

/// `true` or `false`, or what GUIs send for them.
fn boolean(word: &str) -> Result<bool, Failure> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(Failure::syntax(format!(
            "`{word}` is neither true nor false"
        ))),
    }
}

fn optional<T>(
    word: &str,
    what: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Failure> {
    if word.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    read(word)
        .map(Some)
        .ok_or_else(|| Failure::syntax(format!("{what}, or none")))
}

fn or_none<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_string(), |value| value.to_string())
}
