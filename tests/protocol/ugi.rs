//! UGI, as a runner of abstract games speaks it.

use std::process::Command;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::client::{Client, LATENCY, at_best, piped, program};

const SECOND: Duration = Duration::from_secs(1);

fn ugi(arguments: &[&str]) -> Command {
    let mut command = program();
    command.arg("ugi").args(["--hash", "8"]).args(arguments);
    command
}

fn open() -> Client {
    Client::run(ugi(&[]))
}

fn ask(client: &mut Client, command: &str) -> String {
    client.send(command);
    client.line()
}

fn best(client: &mut Client, go: &str) -> String {
    client.send(go);
    let lines = client.until("bestmove ");
    lines.last().unwrap()["bestmove ".len()..].to_string()
}

#[test]
fn it_introduces_itself() {
    let mut client = open();
    client.send("ugi");
    let lines = client.until("ugiok");
    assert!(lines[0].starts_with("id name Quadrille "));
    let game = "option name Game type combo default othello6 var othello6 var reversi8 \
        var othello8 var gobblet var tiles";
    assert!(lines.iter().any(|line| line == game), "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line == "option name Level type spin default 10 min 1 max 10")
    );
    assert_eq!(ask(&mut client, "isready"), "readyok");
    client.send("quit");
    assert!(client.ends_within(10 * SECOND).success());
}

/// A whole game of each, as a runner lets it be played: it keeps the moves
/// and asks after each.
#[test]
fn whole_games_are_played() {
    for game in quadrille::games::names() {
        let mut client = open();
        client.send(&format!("setoption name Game value {game}"));
        client.send("uginewgame");
        let mut moves = String::new();
        let mut plies = 0;
        client.send("position startpos");
        while ask(&mut client, "query gameover") == "response false" {
            if !moves.contains("pass") {
                let expected = format!("response {}", plies % 2 == 0);
                assert_eq!(ask(&mut client, "query p1turn"), expected);
            }
            assert_eq!(ask(&mut client, "query result"), "response none");
            let mv = best(
                &mut client,
                "go nodes 200 p1time 1000 p2time 1000 p1inc 10 p2inc 10",
            );
            moves += &format!(" {mv}");
            client.send(&format!("position startpos moves{moves}"));
            plies += 1;
            if plies == 120 {
                break;
            }
        }
        assert!(plies > 8, "{game}: {moves}");
        if plies < 120 {
            let result = ask(&mut client, "query result");
            let known = ["response p1win", "response p2win", "response draw"];
            assert!(known.contains(&result.as_str()), "{game}: {result}");
            assert_eq!(best(&mut client, "go depth 2"), "0000");
        }
    }
}

#[test]
fn positions_are_taken_whole_or_not_at_all() {
    let mut client = open();
    client.send("setoption name game value tiles");
    client.send("position fen o-x/---/x-o x moves a1b2:a1");
    assert_eq!(ask(&mut client, "query p1turn"), "response false");
    for wrong in [
        "position",
        "position endpos",
        "position fen",
        "position fen xyz",
        "position startpos moves a1a1:a1",
        "position startpos moves e4",
        "query",
        "go depth",
        "go sideways 3",
        "setoption name Threads value 0",
        "setoption name Level value 11",
        "setoption name Game value chess",
        "setoption Threads 2",
        "sing",
    ] {
        let said = ask(&mut client, wrong);
        assert!(said.starts_with("info string "), "{wrong}: {said}");
        assert_eq!(
            ask(&mut client, "query p1turn"),
            "response false",
            "{wrong}"
        );
    }
    client.send("position fen o-x/---/x-o x");
    client.send("go depth 20");
    let lines = client.until("bestmove");
    let info = &lines[lines.len() - 2];
    assert!(
        info.contains(" score mate ") && info.contains(" pv "),
        "{info}"
    );
}

#[test]
fn a_stop_ends_an_infinite_search_and_nothing_else_does() {
    let mut client = open();
    // Soon solved: the move must wait for the stop all the same.
    client.send("setoption name Game value tiles");
    client.send("position fen o-x/---/x-o x");
    client.send("go infinite");
    client.until("info depth");
    std::thread::sleep(SECOND / 3);
    while let Some(line) = client.line_within(SECOND / 10) {
        assert!(line.starts_with("info"), "{line}");
    }
    client.send("stop");
    client.until("bestmove");

    client.send("go infinite");
    client.until("info depth 1");
    client.close_input();
    assert!(client.ends_within(10 * SECOND).success());
}

#[test]
fn a_stop_is_answered_within_100_ms_in_every_game() {
    for game in quadrille::games::names() {
        at_best(LATENCY, || {
            let mut client = open();
            client.send(&format!("setoption name Game value {game}"));
            client.send("position startpos");
            client.send("go infinite");
            client.until("info depth 2");
            let sent = Instant::now();
            client.send("stop");
            client.until("bestmove");
            sent.elapsed()
        });
    }
}

/// The specification lets `isready`, `stop` and `quit` come during a search.
#[test]
fn it_is_ready_while_it_searches() {
    let mut client = open();
    client.send("position startpos");
    client.send("go infinite");
    client.until("info depth 2");
    client.send("isready");
    let lines = client.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    // What is sent after a stop waits for what the stop brings.
    client.bytes(b"stop\nisready\n");
    client.until("bestmove");
    assert_eq!(client.line(), "readyok");
    // The search reports once more before its move, and mates are in plies.
    client.send("setoption name Game value tiles");
    client.send("position fen o-x/---/x-o x");
    client.send("go depth 30");
    let lines = client.until("bestmove");
    let last = &lines[lines.len() - 2];
    assert!(last.starts_with("info "), "{last}");
    for word in [" nodes ", " time ", " nps "] {
        assert!(last.contains(word), "{last}");
    }
    let (_, mate) = last.split_once(" mate ").unwrap();
    let plies: i32 = mate.split(' ').next().unwrap().parse().unwrap();
    assert!(plies % 2 == 1 && plies > 7, "{last}");
}

#[test]
fn the_book_is_off_until_it_is_asked_for() {
    let mut client = open();
    client.send("ugi");
    let lines = client.until("ugiok");
    let option = "option name OwnBook type check default false";
    assert!(lines.iter().any(|line| line == option), "{lines:?}");
    let searched = |client: &mut Client| {
        client.send("position startpos");
        client.send("go depth 3");
        client.until("bestmove").len() > 2
    };
    assert!(searched(&mut client));
    client.send("setoption name ownbook value true");
    assert!(!searched(&mut client));
}

#[test]
fn a_level_is_the_same_every_time() {
    let choose = || {
        let output = piped(
            ugi(&[]),
            b"setoption name Level value 2\nposition startpos moves e4\ngo movetime 5000\n",
        );
        output.lines().last().unwrap().to_string()
    };
    let first = choose();
    assert!(first.starts_with("bestmove "), "{first}");
    assert_eq!(choose(), first);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..1_000)) {
        let mut input = bytes;
        input.extend_from_slice(b"\nisready\n");
        let output = piped(ugi(&["--depth", "1"]), &input);
        prop_assert!(output.ends_with("readyok\n") || input.windows(4).any(|w| w == b"quit"));
    }

    #[test]
    fn any_commands(commands in prop::collection::vec(prop::sample::select(vec![
        "ugi", "isready", "uginewgame", "position startpos moves e4", "position startpos moves",
        "position fen x moves", "go depth 2", "go nodes 5", "go movetime -3", "go p1time 0 p2time 0",
        "go", "stop", "query result", "query", "setoption name Game value gobblet",
        "setoption name Hash value 1", "setoption name Seed value 9", "setoption", "position moves",
        "go infinite",
    ]), 0..20)) {
        let input = commands.join("\n") + "\nstop\nisready\n";
        let output = piped(ugi(&["--depth", "2"]), input.as_bytes());
        prop_assert!(output.ends_with("readyok\n"));
    }
}
