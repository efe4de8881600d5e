//! The arena, as a user calls it.

#[cfg(unix)]
mod adjudication;
#[cfg(unix)]
mod browser;
mod config;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod interruption;
#[cfg(unix)]
mod nboard;
mod report;
#[cfg(unix)]
mod reports;
mod shards;
mod stats;
mod tournament;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

const QUADRILLE: &str = env!("CARGO_BIN_EXE_quadrille");

/// An empty directory for one test.
fn room(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// `quadrille tournament` with these arguments, in that directory.
fn tournament(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(QUADRILLE);
    command
        .arg("tournament")
        .args(args)
        .current_dir(dir)
        .env_remove("RUST_LOG");
    command
}

/// What it prints if it succeeds.
fn played(dir: &Path, args: &[&str]) -> String {
    let output = tournament(dir, args)
        .assert()
        .success()
        .get_output()
        .clone();
    text(&output.stdout)
}

/// What it says if it fails.
fn refused(dir: &Path, args: &[&str], code: i32) -> String {
    let output: Output = tournament(dir, args)
        .assert()
        .code(code)
        .get_output()
        .clone();
    let line = text(&output.stderr);
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The games on record, in the order of their numbers.
fn records(dir: &Path) -> Vec<Value> {
    let lines = std::fs::read_to_string(dir.join("games.jsonl")).unwrap();
    assert!(lines.is_empty() || lines.ends_with('\n'));
    let mut games: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    games.sort_by_key(|game| game["id"].as_u64());
    games
}

/// An engine that is this program.
fn ours(name: &str, more: &str) -> String {
    format!("cmd='{QUADRILLE}' name={name} args='--hash 1' {more}")
}
