//! The arena is interrupted or killed.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::faults::running;
use super::*;

/// A tournament that runs beside the test, in its own directory.
fn begin(dir: &Path, args: &[&str]) -> Child {
    std::process::Command::new(QUADRILLE)
        .arg("tournament")
        .args(args)
        .current_dir(dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(process: &Child, name: &str) {
    let status = std::process::Command::new("kill")
        .args([&format!("-{name}"), &process.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

fn wait_until(what: &str, mut happens: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happens() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupt_ends_within_a_second_and_books_nothing() {
    for name in ["INT", "TERM"] {
        let dir = room(&format!("interrupt-{name}"));
        // Each move takes a minute.
        let a = ours("A", &format!("st=60 option.seed=71{}", name.len()));
        let mut arena = begin(&dir, &["--engine", &a, "--engine", &a, "--out", "out"]);
        let log = dir.join("out/logs/A-2-0.log");
        wait_until("both engines are there", || log.exists());
        sleep(Duration::from_millis(500));
        let start = Instant::now();
        signal(&arena, name);
        let status = arena.wait().unwrap();
        // Much less than a move, and some for a busy machine.
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "{:?}",
            start.elapsed()
        );
        assert_eq!(status.code(), Some(1));
        let complaint = std::io::read_to_string(arena.stderr.take().unwrap()).unwrap();
        assert!(complaint.contains("--resume goes on"), "{complaint}");
        assert!(records(&dir.join("out")).is_empty());
    }
}

#[test]
fn an_interrupted_tournament_can_be_resumed() {
    let dir = room("interrupt-resume");
    let (a, b) = (ours("A", "nodes=2000"), ours("B", "nodes=500"));
    let args = [
        "--game", "tiles", "--rounds", "15", "--engine", &a, "--engine", &b, "--out",
    ];
    let totals = |report: &str| -> Vec<String> {
        let of_games = |line: &&str| line.contains(" against ") || line.starts_with("score");
        report
            .lines()
            .filter(of_games)
            .map(str::to_string)
            .collect()
    };
    let whole = played(&dir, &[&args[..], &["whole", "--every", "1000"]].concat());
    let part = [&args[..], &["part", "--every", "1000"]].concat();
    let mut arena = begin(&dir, &part);
    let file = dir.join("part/games.jsonl");
    wait_until("a game is over", || {
        fs::metadata(&file).is_ok_and(|data| data.len() > 0)
    });
    signal(&arena, "INT");
    arena.wait().unwrap();
    assert!(records(&dir.join("part")).len() < 30);
    let resumed = played(&dir, &[&part[..], &["--resume"]].concat());
    assert_eq!(totals(&resumed), totals(&whole));
    assert_eq!(records(&dir.join("part")).len(), 30);
}

#[test]
#[cfg(target_os = "linux")]
fn engines_do_not_outlive_an_arena_that_is_killed() {
    let dir = room("killed");
    // Deaf to the end of its input.
    let answer = "printf '=%s set_game\\n\\n'";
    let body = format!(
        "#!/bin/sh\nwhile read -r id command rest; do\n\
         case $command in genmove) sleep 67.25;; quit) exit 0;; *) {answer} $id;; esac\n\
         done\n"
    );
    fs::write(dir.join("engine"), body).unwrap();
    let bad = "cmd=sh args=engine name=bad";
    let mut arena = begin(&dir, &["--engine", bad, "--engine", bad]);
    wait_until("the engine sleeps", || !running("sleep 67.25").is_empty());
    signal(&arena, "KILL");
    arena.wait().unwrap();
    wait_until("the engine is gone", || running("sleep 67.25").is_empty());
}
