//! A tournament as a file: the options of the command line under their names,
//! in TOML.
//!
//! A file becomes words of a command line, before those that the user has
//! typed, so that it can say what the command line can and is checked alike.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Args, Command};
use toml::{Table, Value};

use super::args::{Given, TournamentArgs};
use super::spec::{nearest, split};

/// Options of the same kind: those on the command line set aside all of these
/// in the file.
const RIVALS: [&[&str]; 2] = [
    &["st", "tc"],
    &[
        "openings",
        "opening-start",
        "opening-plies",
        "opening-balance",
    ],
];

/// Options that come once for each of several things.
const GROUPS: [&str; 2] = ["engine", "each"];

/// What a file of its own cannot say, since it says where it is used.
const NOT_KEPT: [&str; 4] = ["config", "out", "resume", "shard"];

/// Puts what a tournament's file says into the words of a command line. Also
/// reads long options with one dash, as other tournament programs write them.
///
/// # Errors
/// One line that says what is wrong with the file.
pub fn expand(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    if words.get(1).is_none_or(|word| word != "tournament") {
        return Ok(words);
    }
    let options = Options::new();
    let mut words: Vec<OsString> = words.into_iter().map(|word| options.dashed(word)).collect();
    let Some(file) = take_file(&mut words) else {
        return Ok(words);
    };
    let given: Vec<&str> = words
        .iter()
        .filter_map(|word| options.named(word))
        .collect();
    let from_file = fs::read_to_string(&file)
        .map_err(|error| error.to_string())
        .and_then(|text| options.words_of(&text, &given))
        .map_err(|what| format!("{}: {what}", file.display()))?;
    words.splice(2..2, from_file.into_iter().map(OsString::from));
    Ok(words)
}

/// The file, which may stand alone after the command.
fn take_file(words: &mut Vec<OsString>) -> Option<PathBuf> {
    let first = words.get(2)?;
    if !first.to_string_lossy().starts_with('-') {
        let file = PathBuf::from(first);
        words.insert(2, OsString::from("--config"));
        return Some(file);
    }
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--config" {
            return words.next().map(PathBuf::from);
        }
        if let Some(file) = word
            .to_str()
            .and_then(|word| word.strip_prefix("--config="))
        {
            return Some(PathBuf::from(file));
        }
    }
    None
}

/// The options of a tournament.
struct Options(Vec<Arg>);

impl Options {
    fn new() -> Self {
        let command = TournamentArgs::augment_args(Command::new("tournament"));
        Self(command.get_arguments().cloned().collect())
    }

    fn find(&self, name: &str) -> Option<(&str, &Arg)> {
        let is_it = |option: &&Arg| {
            option.get_long() == Some(name)
                || option
                    .get_all_aliases()
                    .is_some_and(|aliases| aliases.contains(&name))
        };
        let option = self.0.iter().find(is_it)?;
        Some((option.get_long()?, option))
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().filter_map(Arg::get_long).collect()
    }

    /// The option that a word of the command line names.
    fn named(&self, word: &OsString) -> Option<&str> {
        let word = word.to_str()?.strip_prefix("--")?;
        let name = word.split('=').next().unwrap_or_default();
        Some(self.find(name)?.0)
    }

    /// With two dashes, if it is a long option with one.
    fn dashed(&self, word: OsString) -> OsString {
        let name = word.to_str().and_then(|word| word.strip_prefix('-'));
        let long = name.filter(|name| name.len() > 1 && self.find(name).is_some());
        match long {
            Some(name) => OsString::from(format!("--{name}")),
            None => word,
        }
    }

    /// The words that stand for a file, but for what is given already.
    fn words_of(&self, text: &str, given: &[&str]) -> Result<Vec<String>, String> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| one_line(&error.to_string()))?;
        let mut words = Vec::new();
        for (key, value) in &table {
            let name = key.replace('_', "-");
            let Some((name, option)) = self.find(&name).filter(|(name, _)| *name != "config")
            else {
                let hint = nearest(&name, &self.names())
                    .map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
                return Err(format!("unknown key `{key}`{hint}"));
            };
            let rivals = RIVALS.iter().find(|rivals| rivals.contains(&name));
            let set_aside = match rivals {
                Some(rivals) => given.iter().any(|given| rivals.contains(given)),
                None => given.contains(&name),
            };
            if !set_aside {
                push_option(&mut words, name, option, value)
                    .map_err(|what| format!("key `{key}`: {what}"))?;
            }
        }
        Ok(words)
    }
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let telling = lines.filter(|line| !line.is_empty() && !line.starts_with(['|', '^']));
    telling.collect::<Vec<_>>().join(": ")
}

/// One key of a file as words.
fn push_option(
    words: &mut Vec<String>,
    name: &str,
    option: &Arg,
    value: &Value,
) -> Result<(), String> {
    let dashed = format!("--{name}");
    let repeated = GROUPS.contains(&name);
    match (option.get_action(), value) {
        (ArgAction::SetTrue, Value::Boolean(true)) => words.push(dashed),
        (ArgAction::SetTrue, Value::Boolean(false)) => {}
        (ArgAction::SetTrue, _) => return Err("it is true or false".to_string()),
        (_, Value::Array(groups)) if repeated => {
            for group in groups {
                words.push(dashed.clone());
                push_group(words, group)?;
            }
        }
        // One word each time.
        (ArgAction::Append, Value::Array(values)) if takes_one(option) => {
            for value in values {
                words.push(format!("{dashed}={}", scalar(value)?));
            }
        }
        (_, Value::Table(_)) => {
            words.push(dashed);
            push_group(words, value)?;
        }
        (_, Value::Array(values)) => {
            words.push(dashed);
            for value in values {
                words.push(scalar(value)?);
            }
        }
        (_, value) if repeated => {
            words.push(dashed);
            push_group(words, value)?;
        }
        (_, value) => words.push(format!("{dashed}={}", scalar(value)?)),
    }
    Ok(())
}

fn takes_one(option: &Arg) -> bool {
    option
        .get_num_args()
        .is_none_or(|count| count.max_values() == 1)
}

/// A group such as `cmd = "a", option = {hash = 1}`, or its words in a text.
fn push_group(words: &mut Vec<String>, group: &Value) -> Result<(), String> {
    match group {
        Value::String(text) => words.extend(split(std::slice::from_ref(text))?),
        Value::Table(table) => {
            for (key, value) in table {
                match value {
                    Value::Table(options) => {
                        for (name, value) in options {
                            words.push(format!("{key}.{name}={}", scalar(value)?));
                        }
                    }
                    Value::Array(parts) => {
                        let parts: Result<Vec<String>, String> = parts.iter().map(scalar).collect();
                        words.push(format!("{key}={}", shell_words::join(parts?)));
                    }
                    value => words.push(format!("{key}={}", scalar(value)?)),
                }
            }
        }
        _ => return Err("it is a table or a text of KEY=VALUE".to_string()),
    }
    Ok(())
}

fn scalar(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        _ => Err("it is a text, a number, true or false".to_string()),
    }
}

/// The file from which the same tournament can be played again.
pub(super) fn write(given: &Given) -> String {
    let mut table = Table::new();
    for (name, occurrences) in &given.0 {
        if NOT_KEPT.contains(&name.as_str()) {
            continue;
        }
        let value = match (name.as_str(), occurrences.as_slice()) {
            (name, groups) if GROUPS.contains(&name) => {
                Value::Array(groups.iter().map(|words| group(words)).collect())
            }
            (_, occurrences) => match occurrences.concat().as_slice() {
                [] => Value::Boolean(true),
                [word] => plain(word),
                words => Value::Array(words.iter().map(|word| plain(word)).collect()),
            },
        };
        table.insert(name.clone(), value);
    }
    // What we have put together ourselves can be written.
    toml::to_string_pretty(&table).unwrap_or_default()
}

/// The words of an engine as a table.
fn group(words: &[String]) -> Value {
    let mut table = Table::new();
    for word in split(words).unwrap_or_default() {
        let Some((key, value)) = word.split_once('=') else {
            continue;
        };
        match key.strip_prefix("option.") {
            Some(name) => {
                let options = table
                    .entry("option")
                    .or_insert_with(|| Value::Table(Table::new()));
                if let Value::Table(options) = options {
                    options.insert(name.to_string(), plain(value));
                }
            }
            None => {
                table.insert(key.to_string(), plain(value));
            }
        }
    }
    Value::Table(table)
}

/// A number or a truth value as such, if nothing is lost by it.
fn plain(text: &str) -> Value {
    if let Ok(number) = text.parse::<i64>()
        && number.to_string() == text
    {
        return Value::Integer(number);
    }
    match text {
        "true" => Value::Boolean(true),
        "false" => Value::Boolean(false),
        _ => Value::String(text.to_string()),
    }
}

/// Writes it into the directory of a tournament.
///
/// # Errors
/// If it cannot be written.
pub(super) fn keep(given: &Given, dir: &Path) -> std::io::Result<()> {
    fs::write(dir.join("tournament.toml"), write(given))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command as Job};

    fn words(text: &str, given: &[&str]) -> Result<Vec<String>, String> {
        Options::new().words_of(text, given)
    }

    #[test]
    fn keys_become_options() {
        let text = "game = 'tiles'\nrounds = 3\nst = 0.5\nresume = false\n\
            force-concurrency = true\nrecover = false\nresign = {movecount = 3, score = 5}\n\
            sprt = 'elo0=0 elo1=5'\nanchor = ['A=1', 'B=2']\nopenings = ['my book', 'order=random']\n\
            [[engine]]\ncmd = 'a b'\nargs = ['--depth', '3 4']\noption = {hash = 1}\n\
            [[engine]]\ncmd = 'c'\n'option.seed' = 2\n";
        let found = words(text, &[]).expect("fine").join("|");
        for expected in [
            "--game=tiles",
            "--rounds=3",
            "--st=0.5",
            "--force-concurrency",
            "--recover=false",
            "--resign|movecount=3|score=5",
            "--sprt=elo0=0 elo1=5",
            "--openings|my book|order=random",
            "--anchor=A=1|--anchor=B=2",
            "args=--depth '3 4'|cmd=a b|option.hash=1",
            "--engine|cmd=c|option.seed=2",
        ] {
            assert!(found.contains(expected), "{expected} in {found}");
        }
        assert!(!found.contains("resume"), "{found}");
    }

    #[test]
    fn the_command_line_sets_aside_what_it_says_itself() {
        let text = "rounds = 3\ntc = '1+1'\nopenings = 'book'\nopening-start = 2\nseed = 4\n";
        let found = words(text, &["st", "rounds", "opening-plies"]).expect("fine");
        assert_eq!(found, ["--seed=4"]);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_in_one_line() {
        for (text, says) in [
            ("roundz = 3", "unknown key `roundz`; did you mean `rounds`?"),
            ("xyzzy = 3", "unknown key `xyzzy`"),
            ("config = 'x'", "unknown key `config`"),
            ("rounds = ", "line 1"),
            ("engine = [3]", "table or a text"),
            ("resume = 3", "true or false"),
            ("rounds = 2020-01-01", "a text, a number"),
        ] {
            let error = words(text, &[]).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn long_options_may_have_one_dash() {
        let words = [
            "quadrille",
            "tournament",
            "-engine",
            "cmd=a",
            "-h",
            "-st",
            "-5",
        ];
        let words = expand(words.map(OsString::from).to_vec()).expect("fine");
        let expected = [
            "quadrille",
            "tournament",
            "--engine",
            "cmd=a",
            "-h",
            "--st",
            "-5",
        ];
        assert_eq!(words, expected.map(OsString::from));
        let other = ["quadrille", "perft", "-st"].map(OsString::from).to_vec();
        assert_eq!(expand(other.clone()), Ok(other));
    }

    #[test]
    fn what_is_written_says_the_same() {
        let given = [
            "quadrille",
            "tournament",
            "--game",
            "tiles",
            "--engine",
            "cmd='/opt/my engines/a' name=A args='--depth 3 \"a b\"' option.hash=1 tc=1+0.1",
            "--engine",
            "cmd=b",
            "option.seed=3",
            "--each",
            "nodes=5",
            "--rounds",
            "7",
            "--resign",
            "movecount=2",
            "score=30",
            "--out",
            "somewhere",
            "--recover",
            "--force-concurrency",
            "--anchor",
            "A=1500",
            "--anchor=b=1400",
        ];
        let read = |words: Vec<String>| match Cli::try_parse_from(words).expect("fine").command {
            Some(Job::Tournament(args)) => args,
            other => panic!("{other:?}"),
        };
        let first = read(given.iter().map(ToString::to_string).collect());
        let text = write(&first.given);
        assert!(text.contains("rounds = 7"), "{text}\n{:?}", first.given);
        let mut again = vec!["quadrille".to_string(), "tournament".to_string()];
        again.extend(words(&text, &[]).expect("what we wrote"));
        let second = read(again);
        assert_eq!(write(&second.given), text);
        assert_eq!(second.rounds, 7);
        assert!(second.recover && second.force_concurrency);
        assert_eq!(second.out, None);
        assert_eq!(second.ratings.anchors, first.ratings.anchors);
        assert_eq!(second.ratings.anchors.len(), 2);
        let sorted = |args: &TournamentArgs| {
            let mut engines = args.engines.0.clone();
            engines.iter_mut().for_each(|words| words.sort());
            engines
        };
        assert_eq!(sorted(&second), sorted(&first));
    }
}
