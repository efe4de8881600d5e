//! NBoard's protocol, as a GUI for Othello speaks it.

use std::process::Command;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::client::{Client, LATENCY, at_best, piped, program};

const SECOND: Duration = Duration::from_secs(1);

fn nboard(arguments: &[&str]) -> Command {
    let mut command = program();
    command.arg("nboard").args(["--hash", "8"]).args(arguments);
    command
}

fn open(arguments: &[&str]) -> Client {
    Client::run(nboard(arguments))
}

/// What comes out until the answer to a ping.
fn told(client: &mut Client, lines: &[&str]) -> Vec<String> {
    for line in lines {
        client.send(line);
    }
    client.send("ping 77");
    let mut told = Vec::new();
    loop {
        let line = client.line();
        if line == "pong 77" {
            return told;
        }
        told.push(line);
    }
}

/// The move of `go`, in capitals, and what is behind it.
fn go(client: &mut Client) -> (String, String) {
    client.send("go");
    let lines = client.until("===");
    let answer = lines.last().unwrap().strip_prefix("=== ").unwrap();
    let (mv, rest) = answer.split_once('/').unwrap_or((answer, ""));
    (mv.to_string(), rest.to_string())
}

const START: &str = "8 ---------------------------O*------*O--------------------------- *";

fn game(moves: &str) -> String {
    format!(
        "set game (;GM[Othello]PC[NBoard]DT[2026-11-30]PB[Ann]PW[Bob]RE[?]TI[5:00]TY[8]\
         BO[{START}]{moves};)"
    )
}

#[test]
fn a_session_of_a_gui() {
    let mut client = open(&[]);
    assert_eq!(told(&mut client, &["nboard 2"]), ["set myname Quadrille"]);
    let said = told(
        &mut client,
        &["set depth 4", "set contempt 0", "set colour 3"],
    );
    assert_eq!(said, ["set myname Quadrille 4"]);
    assert_eq!(
        told(&mut client, &[&game("B[F5//0.01]W[D6/-0.5/2]")]),
        [""; 0]
    );
    let (mv, rest) = go(&mut client);
    let parts: Vec<f64> = rest.split('/').map(|part| part.parse().unwrap()).collect();
    assert_eq!(parts.len(), 2, "{rest}");
    // It has not played it: the same again, and the GUI's own move is taken.
    assert_eq!(go(&mut client).0, mv);
    assert_eq!(told(&mut client, &["move C3/0.25/1.5"]), [""; 0]);
    // What it does not know it ignores, and the old form of a move it knows.
    assert_eq!(told(&mut client, &["frobnicate", "", "D3"]), [""; 0]);
    assert_eq!(told(&mut client, &["learn"]), ["learned"]);
    client.send("quit");
    assert!(client.ends_within(10 * SECOND).success());
}

#[test]
fn hints_are_for_the_best_moves_in_discs_for_the_mover() {
    let mut client = open(&["--no-book"]);
    client.send("set depth 5");
    client.send(&game("B[F5]"));
    client.send("hint 3");
    let lines = client.until("nodestats");
    assert_eq!(lines[1], "status Analyzing");
    let last: Vec<Vec<&str>> = lines
        .iter()
        .filter(|line| line.starts_with("search"))
        .map(|line| line.split(' ').collect())
        .filter(|words: &Vec<&str>| words[4] == "5")
        .collect();
    let mut firsts: Vec<&str> = last.iter().map(|words| &words[1][..2]).collect();
    firsts.sort_unstable();
    assert_eq!(firsts, ["D6", "F4", "F6"], "{lines:?}");
    for words in &last {
        let value: f64 = words[2].parse().unwrap();
        assert!(value.abs() < 20.0, "{words:?}");
        assert_eq!((words[3], words.len()), ("0", 5));
    }
    assert_eq!(client.line(), "status");
}

#[test]
fn known_moves_come_before_the_search_and_are_played_without() {
    let mut client = open(&["--time", "1000"]);
    client.send("set depth 2");
    let lines = {
        client.send(&game("B[F5]"));
        client.send("hint 2");
        client.until("nodestats")
    };
    let words: Vec<&str> = lines[1].split(' ').collect();
    assert_eq!(
        (words[0], words[3], words.len()),
        ("book", "0", 5),
        "{lines:?}"
    );
    assert!(["D6", "F6", "F4"].contains(&words[1]), "{lines:?}");
    assert!(words[2].parse::<f64>().unwrap().abs() < 5.0, "{lines:?}");
    assert!(lines.contains(&"status Analyzing".to_string()), "{lines:?}");
    assert_eq!(client.line(), "status");
    client.send("go");
    let lines = client.until("===");
    assert!(
        !lines.iter().any(|line| line.starts_with("search")),
        "{lines:?}"
    );
}

/// The second player to move, passes, and the end of a game.
#[test]
fn set_ups_and_passes_are_understood() {
    let mut client = open(&["--nodes", "500"]);
    // White to move, and must pass.
    let board = "8 O*OOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOO-";
    for (side, moves, best) in [
        ("O", "", "PA"),
        ("O", "W[PA]", "H8"),
        ("*", "", "H8"),
        // The game is over, and a pass behind its end is no fault.
        ("*", "B[H8]", "PA"),
        ("*", "B[H8]W[PA]", "PA"),
    ] {
        let game = format!("set game (;GM[Othello]TY[8]BO[{board} {side}]{moves};)");
        assert_eq!(told(&mut client, &[&game]), [""; 0], "{game}");
        assert_eq!(go(&mut client).0, best, "{game}");
    }
}

#[test]
fn a_wrong_game_is_told_and_changes_nothing() {
    let mut client = open(&["--depth", "1"]);
    told(&mut client, &[&game("B[F5]W[F6]")]);
    let before = go(&mut client).0;
    let wrong = [
        "set game".to_string(),
        "set game (;GM[Go];)".to_string(),
        game("B[A1]"),
        game("B[F5]W[F5]"),
        game("B[F5]B[Z9]"),
        "set game (;GM[Othello]BO[8 --- *];)".to_string(),
        "move A1".to_string(),
        "move Z9/1/2".to_string(),
        "move".to_string(),
        "set depth soon".to_string(),
    ];
    for line in &wrong {
        let said = told(&mut client, &[line]);
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(said[0].starts_with("status "), "{line}: {said:?}");
        assert_eq!(go(&mut client).0, before, "{line}");
    }
}

#[test]
fn a_ping_ends_thinking_at_once() {
    for thinking in ["hint 4", "go", "analyze"] {
        at_best(LATENCY, || {
            let mut client = open(&["--time", "1000", "--no-book"]);
            client.send(&game("B[F5]W[D6]"));
            client.send(thinking);
            assert!(client.line().starts_with("status"));
            std::thread::sleep(SECOND / 5);
            let sent = Instant::now();
            client.send("ping 3");
            client.until("pong 3");
            sent.elapsed()
        });
    }
}

/// Whatever comes while the engine thinks, pongs come in the order of their
/// pings, and nothing of an earlier position comes after them.
#[test]
fn pongs_come_in_order_and_nothing_old_behind_them() {
    let mut client = open(&[]);
    for number in 0..20 {
        client.send(&game(if number % 2 == 0 {
            "B[F5]"
        } else {
            "B[D3]W[C3]"
        }));
        client.send("set depth 30");
        client.send(&format!("ping {number}"));
        client.send(["hint 2", "go", "hint 64"][number % 3]);
    }
    client.send("set game (;GM[Othello]TY[8];)");
    client.send("ping 20");
    let mut seen = Vec::new();
    for _ in 0..21 {
        let lines = client.until("pong ");
        seen.push(lines.last().unwrap()["pong ".len()..].to_string());
    }
    let expected: Vec<String> = (0..=20).map(|number| number.to_string()).collect();
    assert_eq!(seen, expected);
    // It is Black's move on an empty board: hints are for that.
    client.send("set depth 1");
    client.send("hint 4");
    let lines = client.until("nodestats");
    let firsts: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("search "))
        .map(|line| &line[..2])
        .collect();
    assert!(
        firsts
            .iter()
            .all(|mv| ["D3", "C4", "F5", "E6"].contains(mv)),
        "{lines:?}"
    );
}

#[test]
fn a_hint_gives_way_to_what_comes_next_and_not_to_the_end() {
    let mut client = open(&[]);
    client.send("hint 1");
    client.send("move F5");
    client.send("ping 1");
    client.until("pong 1");
    client.send("hint 1");
    client.close_input();
    assert!(client.ends_within(10 * SECOND).success());

    let output = piped(nboard(&[]), b"set depth 6\nhint 1");
    // Half a line starts nothing long.
    assert!(!output.contains("0 6\n"), "{output}");
    let output = piped(nboard(&[]), b"set depth 6\nhint 1\n");
    assert!(output.contains("0 6\n"), "{output}");
    let output = piped(nboard(&[]), b"set depth 6\nhint 1\nquit\n");
    assert!(output.contains("0 6\n"), "{output}");
}

#[test]
fn a_game_is_analyzed_from_its_end() {
    let mut client = open(&[]);
    client.send("set depth 2");
    client.send(&game("B[F5]W[D6]B[C3]"));
    client.send("analyze");
    client.until("status Analyzing the game");
    let lines = client.until("status");
    let counts: Vec<&str> = lines[..lines.len() - 1]
        .iter()
        .map(|line| line.strip_prefix("analysis ").unwrap())
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(counts, ["3", "2", "1", "0"]);
    // All values are Black's: where he has won, they say so with either side
    // to move.
    let board = "8 OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX--";
    for side in ["*", "O"] {
        client.send(&format!("set game (;GM[Othello]TY[8]BO[{board} {side}];)"));
        client.send("analyze");
        client.until("status Analyzing the game");
        let line = client.line();
        let value: f64 = line.strip_prefix("analysis 0 ").unwrap().parse().unwrap();
        assert!(value > 30.0, "{side}: {line}");
        client.until("status");
    }
    client.send(&game("B[F5]W[D6]B[C3]"));
    // The game is at its end again.
    assert_eq!(told(&mut client, &["move D3"]), [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..1_000)) {
        let mut input = bytes;
        input.extend_from_slice(b"\nping 5\n");
        let output = piped(nboard(&["--depth", "1"]), &input);
        prop_assert!(output.ends_with("pong 5\n") || input.windows(4).any(|w| w == b"quit"));
    }

    #[test]
    fn any_commands(commands in prop::collection::vec(prop::sample::select(vec![
        "nboard 2", "set depth 2", "set depth -1", "set", "set game (;", "move F5", "move D6//", "F5",
        "move PA", "hint 3", "hint", "hint -1", "go", "go go", "analyze", "learn", "set level 3",
        "set level 0", "move \u{e9}/", "set game (;GM[Othello];)", "# go",
    ]), 0..20)) {
        let input = commands.join("\n") + "\nping 5\n";
        let output = piped(nboard(&["--depth", "2"]), input.as_bytes());
        prop_assert!(output.ends_with("pong 5\n"));
    }
}
