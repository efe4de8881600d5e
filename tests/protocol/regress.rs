//! The regression files of the games, in the form of gogui-regress: numbered
//! commands, each with a line `#? [PATTERN]` for the whole answer.
//!
//! A small runner of ours tries them always. The real one does so too where
//! `GOGUI_REGRESS` names it or the path has it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::client::{Client, program};

/// A command with the pattern that its answer must match.
struct Check {
    command: String,
    pattern: String,
    /// Whether failing is what is expected, `*` at the end of the pattern.
    known_failure: bool,
}

fn files() -> Vec<(String, PathBuf)> {
    let dir = Path::new("tests/data/gogui");
    quadrille::games::names()
        .into_iter()
        .map(|game| (game.to_string(), dir.join(format!("{game}.tst"))))
        .collect()
}

/// Commands without a pattern are sent as well.
fn read(text: &str) -> Vec<(String, Option<Check>)> {
    let mut entries: Vec<(String, Option<Check>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("#?") {
            let rest = rest.trim();
            let known_failure = rest.ends_with('*');
            let pattern = rest.trim_end_matches('*');
            let pattern = pattern.strip_prefix('[').and_then(|p| p.strip_suffix(']'));
            let (command, check) = entries.last_mut().expect("a command before its pattern");
            assert!(check.is_none(), "two patterns for {command}");
            *check = Some(Check {
                command: command.clone(),
                pattern: pattern.expect("a pattern in brackets").to_string(),
                known_failure,
            });
        } else if !line.starts_with('#') {
            entries.push((line.to_string(), None));
        }
    }
    entries
}

/// Whether the pattern matches the whole text. Of the patterns of the real
/// runner these files use `.*`, `|` between whole alternatives, a backslash
/// before a sign, and `!` in front of a pattern that must not match.
fn matches(pattern: &str, text: &str) -> bool {
    if let Some(pattern) = pattern.strip_prefix('!') {
        return !matches(pattern, text);
    }
    pattern
        .split('|')
        .any(|pattern| matches_one(pattern.as_bytes(), text.as_bytes()))
}

fn matches_one(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'.', b'*', rest @ ..] => (0..=text.len()).any(|at| matches_one(rest, &text[at..])),
        [b'\\', sign, rest @ ..] | [sign, rest @ ..] => text
            .split_first()
            .is_some_and(|(found, text)| found == sign && matches_one(rest, text)),
    }
}

#[test]
fn the_regression_files_hold() {
    for (game, file) in files() {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{game}: {error}"));
        let entries = read(&text);
        let checks = entries.iter().filter(|(_, check)| check.is_some()).count();
        assert!(checks >= 10, "{game}: {checks}");
        let mut command = program();
        command.args(["--game", &game]);
        let mut client = Client::run(command);
        for (command, check) in entries {
            let answer = client.ask(&command);
            let number = command.split(' ').next().unwrap();
            let body = answer
                .strip_prefix(&format!("={number} "))
                .or_else(|| answer.strip_prefix("= "));
            if let Some(check) = check {
                let holds = body.is_some_and(|body| matches(&check.pattern, body.trim()));
                assert_ne!(
                    holds, check.known_failure,
                    "{game}: {} should give {}, not {answer}",
                    check.command, check.pattern
                );
            } else {
                assert!(body.is_some(), "{game}: {command}: {answer}");
            }
        }
    }
}

#[test]
fn the_runner_tells_right_from_wrong() {
    for (pattern, text) in [
        ("A1 B2", "A1 B2"),
        (".*info.*", "x info\ny"),
        ("f5|d6", "d6"),
        ("a\\.b\\*", "a.b*"),
        ("!f5", "d6"),
        ("", ""),
    ] {
        assert!(matches(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [
        ("A1", "A1 B2"),
        ("f5|d6", "f6"),
        ("a\\.b", "axb"),
        ("!f5", "f5"),
    ] {
        assert!(!matches(pattern, text), "{pattern} {text}");
    }
}

/// The real runner, if it is there.
fn gogui_regress() -> Option<String> {
    let named = std::env::var("GOGUI_REGRESS").ok();
    named.or_else(|| {
        let found = Command::new("gogui-regress")
            .arg("-version")
            .output()
            .ok()?;
        found.status.success().then(|| "gogui-regress".to_string())
    })
}

#[test]
fn the_regression_files_hold_for_gogui_regress() {
    let Some(runner) = gogui_regress() else {
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: gogui-regress; it is not in the path, and GOGUI_REGRESS names none"
        );
        return;
    };
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gogui-regress");
    for (game, file) in files() {
        let engine = format!("{} --game {game}", env!("CARGO_BIN_EXE_quadrille"));
        let run = Command::new("sh")
            .args(["-c", &format!("exec {runner} \"$@\""), "gogui-regress"])
            .arg("-output")
            .arg(&output)
            .arg(&engine)
            .arg(&file)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let complaints = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success(), "{game}: {text}{complaints}");
    }
}
