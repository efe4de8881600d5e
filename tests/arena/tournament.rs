//! Tournaments in which nothing goes wrong.

use std::collections::HashSet;
use std::fs;

use super::*;

/// Who has won what, without the times.
fn totals(report: &str) -> Vec<String> {
    report
        .lines()
        .filter(|line| line.contains(" against ") || line.starts_with("score"))
        .map(str::to_string)
        .collect()
}

#[test]
fn every_game_of_ours_is_played_to_its_end() {
    for game in quadrille::games::names() {
        let dir = room(&format!("ends-{game}"));
        let (a, b) = (ours("A", "depth=2"), ours("B", "depth=1"));
        let args = [
            "--game", game, "--rounds", "2", "--engine", &a, "--engine", &b,
        ];
        let args = [&args[..], &["--out", "out", "--concurrency", "2"]].concat();
        let report = played(&dir, &args);
        assert!(report.contains("A against B: games 4,"), "{report}");
        assert!(
            report.contains("A: time losses 0, other faults 0"),
            "{report}"
        );
        let games = records(&dir.join("out"));
        assert_eq!(games.len(), 4);
        for record in &games {
            assert_eq!(record["reason"], "rules");
            assert_eq!(record["game"], game);
            replay(game, record);
        }
        for pair in games.chunks(2) {
            assert_eq!(pair[0]["opening"], pair[1]["opening"]);
            assert_eq!(pair[0]["black"], pair[1]["white"]);
        }
        assert_ne!(games[0]["opening"], games[2]["opening"]);
    }
}

/// The record leads to its last position, and the result is that position's.
fn replay(game: &str, record: &Value) {
    let variant = quadrille::games::find(game).unwrap();
    let mut session = variant
        .open(&quadrille::search::Settings::default())
        .unwrap();
    let opening = record["opening"]["moves"].as_array().unwrap().iter();
    let moves = record["moves"].as_array().unwrap().iter();
    for mv in opening.chain(moves.map(|mv| &mv["move"])) {
        let side = session.side_to_move();
        session.play(side, mv.as_str().unwrap()).unwrap();
    }
    assert_eq!(session.position(), record["position"].as_str().unwrap());
    let result = match (record["winner"].as_str(), record["margin"].as_u64()) {
        (Some(side), Some(margin)) => format!("{side}+{margin}"),
        _ => "draw".to_string(),
    };
    assert_eq!(session.outcome().unwrap().to_string(), result);
}

#[test]
fn a_resumed_tournament_ends_with_the_totals_of_an_uninterrupted_one() {
    let dir = room("resume");
    let (a, b) = (ours("A", "depth=2"), ours("B", "nodes=20"));
    let args = [
        "--game", "tiles", "--rounds", "6", "--engine", &a, "--engine", &b, "--out",
    ];
    let whole = played(&dir, &[&args[..], &["whole"]].concat());
    // Half a line at the end, as after a power cut.
    let file = fs::read_to_string(dir.join("whole/games.jsonl")).unwrap();
    let five: usize = file.split_inclusive('\n').take(5).map(str::len).sum();
    fs::create_dir_all(dir.join("part")).unwrap();
    fs::copy(
        dir.join("whole/tournament.json"),
        dir.join("part/tournament.json"),
    )
    .unwrap();
    fs::write(dir.join("part/games.jsonl"), &file[..five + 40]).unwrap();

    let resume = [&args[..], &["part", "--resume"]].concat();
    let resumed = played(&dir, &resume);
    assert!(
        resumed.starts_with("5 games are there already\n"),
        "{resumed}"
    );
    assert_eq!(resumed.matches("\ngame ").count(), 7, "{resumed}");
    assert_eq!(totals(&resumed), totals(&whole));
    let ids: HashSet<u64> = records(&dir.join("part"))
        .iter()
        .map(|game| game["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids, (0..12).collect());

    // Nothing is left to play, nothing is overwritten, nothing is mixed up.
    assert_eq!(totals(&played(&dir, &resume)), totals(&whole));
    let again = refused(&dir, &[&args[..], &["part"]].concat(), 1);
    assert!(again.contains("--resume"), "{again}");
    let other = refused(&dir, &[&resume[..], &["--seed", "1"]].concat(), 1);
    assert!(other.contains("another tournament"), "{other}");
    fs::write(dir.join("part/games.jsonl"), file.repeat(2)).unwrap();
    let twice = refused(&dir, &resume, 1);
    assert!(twice.contains("there twice"), "{twice}");
}

#[test]
fn a_sequential_test_ends_by_itself() {
    let dir = room("sprt");
    let (a, b) = (ours("A", "nodes=1000"), ours("B", "nodes=20"));
    let args = [
        "--game", "tiles", "--rounds", "1000", "--engine", &a, "--engine", &b,
    ];
    let test = ["--sprt", "elo0=0", "elo1=100", "model=logistic"];
    let report = played(&dir, &[&args[..], &test, &["--concurrency", "2"]].concat());
    assert!(
        report.contains("(logistic model, pairs): H1 is accepted"),
        "{report}"
    );
    let games = report
        .lines()
        .filter(|line| line.starts_with("game "))
        .count();
    assert!((4..500).contains(&games), "{report}");
    let reversed = [
        "--game", "tiles", "--rounds", "1000", "--engine", &b, "--engine", &a,
    ];
    let report = played(&dir, &[&reversed[..], &test].concat());
    assert!(report.contains("H0 is accepted"), "{report}");
}

#[test]
fn half_a_pair_is_not_in_the_statistics() {
    let dir = room("half-pair");
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    let args = [
        "--game", "tiles", "--engine", &a, "--engine", &b, "--rounds", "3",
    ];
    let report = played(&dir, &[&args[..], &["--games", "1"]].concat());
    let pairs = report.split("points 0 to 2 [").nth(1).unwrap();
    let pairs = pairs.split(']').next().unwrap();
    let pairs: u64 = pairs.split(", ").map(|n| n.parse::<u64>().unwrap()).sum();
    assert!(report.contains("games 3,"), "{report}");
    assert_eq!(pairs, 1, "{report}");
}

#[test]
fn formats_for_more_engines() {
    let dir = room("formats");
    let engines: Vec<String> = ["A", "B", "C"].map(|name| ours(name, "depth=1")).into();
    let mut args = vec!["--game", "tiles"];
    for engine in &engines {
        args.extend(["--engine", engine]);
    }
    let report = played(&dir, &args);
    assert_eq!(report.matches("\ngame ").count() + 1, 6, "{report}");
    let report = played(&dir, &[&args[..], &["--format", "gauntlet"]].concat());
    assert!(!report.contains("B (black) - C"), "{report}");
    let refusal = refused(&dir, &[&args[..], &["--format", "match"]].concat(), 2);
    assert!(refusal.contains("between two"), "{refusal}");
}

#[test]
fn clocks_are_kept_and_never_negative() {
    let dir = room("clocks");
    let (a, b) = (ours("A", "tc=0.3+0.05"), ours("B", "depth=1"));
    let args = [
        "--game",
        "tiles",
        "--engine",
        &a,
        "--engine",
        &b,
        "--timemargin",
        "5000",
    ];
    let report = played(&dir, &[&args[..], &["--out", "out"]].concat());
    assert!(
        report.contains("A: time losses 0, other faults 0"),
        "{report}"
    );
    for game in records(&dir.join("out")) {
        let moves = game["moves"].as_array().unwrap();
        let timed = moves.iter().filter(|mv| mv["ms"].is_number()).count();
        assert_eq!(timed, moves.len());
        assert!(moves.iter().skip(1).all(|mv| mv["overhead_us"].is_number()));
    }
}

#[test]
fn openings_come_from_a_file_and_games_end_at_the_cap() {
    let dir = room("openings");
    fs::write(dir.join("book"), "f5d6c3 # one\nf5 f6\n").unwrap();
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    let args = [
        "--game", "othello8", "--engine", &a, "--engine", &b, "--rounds", "2",
    ];
    let more = ["--openings", "book", "--maxmoves", "10", "--out", "out"];
    let report = played(&dir, &[&args[..], &more].concat());
    assert!(report.contains("=4"), "{report}");
    let games = records(&dir.join("out"));
    assert_eq!(
        games[0]["opening"]["moves"],
        serde_json::json!(["f5", "d6", "c3"])
    );
    assert_eq!(
        games[3]["opening"]["moves"],
        serde_json::json!(["f5", "f6"])
    );
    assert_eq!(games[0]["reason"], "max-moves");
    assert_eq!(games[0]["moves"].as_array().unwrap().len(), 7);
    fs::write(dir.join("book"), "f5\nf5 f5\n").unwrap();
    let line = refused(&dir, &[&args[..], &["--openings", "book"]].concat(), 2);
    assert!(line.contains("line 2"), "{line}");
}

#[test]
fn wrong_use_is_told_before_the_first_game() {
    let dir = room("wrong-use");
    let (a, b) = (ours("A", ""), ours("B", ""));
    for (args, code, says) in [
        (&["--engine", &a][..], 2, "two engines"),
        (&[], 2, "--engine"),
        (&["--engine", &a, "--engine", "cmd=/my engine"], 2, "quotes"),
        (
            &["--engine", &a, "--engine", "cmd=/nowhere/at/all"],
            1,
            "/nowhere/at/all",
        ),
        (
            &["--engine", &a, "--engine", &b, "--rounds", "0"],
            2,
            "--rounds",
        ),
        (
            &["--engine", &a, "--engine", &b, "--sprt", "elo0=9"],
            2,
            "elo0",
        ),
        (&["--engine", &a, "--engine", &b, "--tc", "soon"], 2, "soon"),
        (&["--engine", &a, "--engine", &b, "--resume"], 2, "--out"),
        (
            &["--engine", &a, "--engine", &b, "--openings", "none"],
            1,
            "none",
        ),
        (
            &["--engine", &a, "--engine", &ours("B", "option.colour=red")],
            1,
            "set_option colour red",
        ),
    ] {
        let line = refused(&dir, args, code);
        assert!(line.contains(says), "{args:?}: {line}");
    }
}
