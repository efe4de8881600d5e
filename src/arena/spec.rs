//! Reads what the user writes about engines and tests: groups of `KEY=VALUE`.

use std::path::PathBuf;
use std::time::Duration;

use super::clock::{Limit, parse_fischer};
use super::engine::{Spec, Tongue};
use super::player::Program;
use super::sprt::{Model, Sprt};

/// Reads one engine from its words; of a key that comes twice the later one
/// counts.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse_engine(words: &[String], defaults: Limit) -> Result<Spec, String> {
    let mut file = None;
    let mut dir = None;
    let mut name = None;
    let mut arguments = Vec::new();
    let mut options = Vec::new();
    let mut limit = Limit::default();
    let mut tongue = Tongue::default();
    for word in words {
        let (key, value) = word.split_once('=').ok_or_else(|| {
            format!("`{word}` is not KEY=VALUE; a value with blanks in it needs quotes")
        })?;
        match key {
            "cmd" => file = Some(PathBuf::from(value)),
            "name" => name = Some(value.to_string()),
            "dir" => dir = Some(PathBuf::from(value)),
            "proto" => tongue = Tongue::parse(value)?,
            "args" => {
                arguments =
                    shell_words::split(value).map_err(|error| format!("`{word}`: {error}"))?;
            }
            "tc" => limit.clock = Some(parse_fischer(value)?),
            "st" => limit.per_move = Some(seconds(value)?),
            "nodes" => limit.nodes = Some(positive(key, value)?),
            "depth" => limit.depth = Some(positive(key, value)?),
            _ => match key.strip_prefix("option.") {
                Some(option) if is_word(option) && !value.contains(['\n', '#']) => {
                    options.push((option.to_string(), value.to_string()));
                }
                _ => return Err(format!("`{word}`: {}", keys_are(key, &KEYS))),
            },
        }
    }
    if limit.clock.is_some() && limit.per_move.is_some() {
        return Err("an engine has either tc or st".to_string());
    }
    let file = file.ok_or("an engine needs a cmd")?;
    let limit = limit.or(defaults);
    tongue.check(limit, &options)?;
    let stem = file
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    Ok(Spec {
        name: name.or(stem).unwrap_or_default(),
        program: Program {
            file,
            arguments,
            dir,
        },
        tongue,
        options,
        limit,
    })
}

/// The keys of an engine.
pub(super) const KEYS: [&str; 10] = [
    "cmd",
    "name",
    "args",
    "dir",
    "proto",
    "option.NAME",
    "tc",
    "st",
    "nodes",
    "depth",
];

/// The words of a group: a single one is split as a shell would.
pub(super) fn split(words: &[String]) -> Result<Vec<String>, String> {
    match words {
        [all] => shell_words::split(all).map_err(|error| format!("`{all}`: {error}")),
        several => Ok(several.to_vec()),
    }
}

/// Reads a group of `KEY=VALUE` with keys from a list. A single word is split
/// as a shell would.
///
/// # Errors
/// One line that says what is wrong.
pub(super) fn groups(words: &[String], keys: &[&str]) -> Result<Vec<(String, String)>, String> {
    let read = |word: String| {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is not KEY=VALUE; {}", keys_are(&word, keys)))?;
        if !keys.contains(&key) {
            return Err(format!("`{word}`: {}", keys_are(key, keys)));
        }
        Ok((key.to_string(), value.to_string()))
    };
    split(words)?.into_iter().map(read).collect()
}

/// A whole number, no less than `least`.
///
/// # Errors
/// One line that says so.
pub(super) fn number<T>(key: &str, text: &str, least: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    match text.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(format!(
            "{key} is a whole number from {least}, not `{text}`"
        )),
    }
}

/// What might have been meant, and all that there is.
pub(super) fn keys_are(word: &str, keys: &[&str]) -> String {
    let list = keys.join(", ");
    match nearest(word, keys) {
        Some(key) => format!("did you mean {key}? The keys are {list}"),
        None => format!("the keys are {list}"),
    }
}

/// The key that a word is a misspelling of.
pub(super) fn nearest<'a>(word: &str, keys: &[&'a str]) -> Option<&'a str> {
    let likeness = |key: &str| strsim::jaro_winkler(word, key);
    let best = keys
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.75).then_some(best)
}

/// Gives engines of the same name different ones.
pub fn make_names_unique(specs: &mut [Spec]) {
    for index in 0..specs.len() {
        let base = specs[index].name.clone();
        let mut number = 2;
        while specs[..index]
            .iter()
            .any(|earlier| earlier.name == specs[index].name)
        {
            specs[index].name = format!("{base}-{number}");
            number += 1;
        }
    }
}

/// Reads `elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized`; what is left
/// out has these values.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse_sprt(words: &[String]) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
    let mut model = Model::default();
    for word in words.iter().flat_map(|words| words.split_whitespace()) {
        let what = || {
            format!("`{word}` is none of elo0=, elo1=, alpha=, beta=, model=logistic or normalized")
        };
        let (key, value) = word.split_once('=').ok_or_else(what)?;
        let number = || value.parse::<f64>().map_err(|_| what());
        match (key, value) {
            ("elo0", _) => elo0 = number()?,
            ("elo1", _) => elo1 = number()?,
            ("alpha", _) => alpha = number()?,
            ("beta", _) => beta = number()?,
            ("model", "logistic") => model = Model::Logistic,
            ("model", "normalized" | "normalised") => model = Model::Normalized,
            _ => return Err(what()),
        }
    }
    Sprt::new(elo0, elo1, alpha, beta, model)
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero() && *time < Duration::from_secs(1 << 20))
        .ok_or_else(|| format!("`{text}` is no number of seconds"))
}

fn positive<T: std::str::FromStr + Default + PartialEq>(
    key: &str,
    text: &str,
) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|number| *number != T::default())
        .ok_or_else(|| format!("{key} is a whole number from 1"))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(words: &[&str]) -> Result<Spec, String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        parse_engine(&split(&words)?, Limit::default())
    }

    #[test]
    fn an_engine_is_one_quoted_word_or_several() {
        let whole = "cmd='/opt/my engines/é' name=A args='--depth 3 \"a b\"' option.hash=1 nodes=5";
        let one = engine(&[whole]).expect("fine");
        let many = engine(&[
            "cmd=/opt/my engines/é",
            "name=A",
            "args=--depth 3 'a b'",
            "option.hash=1",
            "nodes=5",
        ]);
        assert_eq!(many.as_ref(), Ok(&one));
        assert_eq!(one.program.file, PathBuf::from("/opt/my engines/é"));
        assert_eq!(one.program.arguments, ["--depth", "3", "a b"]);
        assert_eq!(one.options, [("hash".to_string(), "1".to_string())]);
        assert_eq!(one.limit.nodes, Some(5));
        let unnamed = engine(&["cmd=/opt/edax-4.4 tc=1+0.1"]).expect("fine");
        assert_eq!(unnamed.name, "edax-4");
    }

    #[test]
    fn a_path_with_a_blank_runs_no_other_program() {
        for wrong in [
            "cmd=/opt/my engine",
            "name=A",
            "cmd=x nodes=0",
            "cmd=x st=0",
            "cmd=x tc=1 st=1",
            "cmd=x color=1",
            "cmd=x option.=1",
            "cmd='x",
        ] {
            assert!(engine(&[wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_made_unique() {
        let mut specs = vec![engine(&["cmd=x"]).expect("fine"); 3];
        make_names_unique(&mut specs);
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["x", "x-2", "x-3"]);
    }

    #[test]
    fn a_test_has_defaults() {
        let words = [
            "elo1=10 model=logistic".to_string(),
            "alpha=0.1".to_string(),
        ];
        let sprt = parse_sprt(&words).expect("fine");
        assert_eq!(
            (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta),
            (0.0, 10.0, 0.1, 0.05)
        );
        for wrong in ["elo0", "elo2=3", "elo0=x", "model=bayes", "elo0=9"] {
            assert!(parse_sprt(&[wrong.to_string()]).is_err(), "{wrong}");
        }
    }
}
