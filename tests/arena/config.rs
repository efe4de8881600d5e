//! Tournaments that are given as a file.

use std::fs;

use super::*;

#[test]
fn a_tournament_is_a_file_and_writes_one() {
    let dir = room("config");
    let engine = |name: &str, depth: u32| {
        format!(
            "[[engine]]\ncmd = '{QUADRILLE}'\nname = '{name}'\nargs = ['--hash', '1']\n\
             depth = {depth}\n"
        )
    };
    let file = format!(
        "# Both have little to think about.\ngame = 'tiles'\nrounds = 3\nopening-plies = 6\n\
         out = 'first'\n{}{}",
        engine("A", 2),
        engine("B", 1)
    );
    fs::write(dir.join("my tournament.toml"), file).unwrap();
    let report = played(&dir, &["my tournament.toml", "--rounds", "2"]);
    assert!(report.contains("A against B: games 4,"), "{report}");
    let first = records(&dir.join("first"));
    assert_eq!(first[0]["opening"]["moves"].as_array().unwrap().len(), 6);

    // What it has written stands for all of it.
    let args = ["--config", "first/tournament.toml", "--out", "second"];
    played(&dir, &args);
    let identity = |out: &str| fs::read_to_string(dir.join(out).join("tournament.json")).unwrap();
    assert_eq!(identity("second"), identity("first"));
    assert_eq!(
        super::shards::timeless(&dir.join("second")),
        super::shards::timeless(&dir.join("first"))
    );

    fs::write(dir.join("wrong.toml"), "roundz = 2\n").unwrap();
    let line = refused(&dir, &["--config=wrong.toml"], 2);
    assert!(
        line.contains("wrong.toml: unknown key `roundz`; did you mean `rounds`?"),
        "{line}"
    );
    let line = refused(&dir, &["nowhere.toml"], 2);
    assert!(line.contains("nowhere.toml: "), "{line}");
}

#[test]
fn options_are_those_that_users_of_other_runners_type() {
    let dir = room("config-dashes");
    let cmd = format!("cmd={QUADRILLE}");
    let args = [
        "-engine",
        &cmd,
        "name=A",
        "-engine",
        &cmd,
        "name=B",
        "-each",
        "depth=1",
        "args=--hash 1",
        "-rounds",
        "2",
        "-games",
        "1",
        "-concurrency",
        "1",
        "-recover",
        "-srand",
        "3",
        "-ratinginterval",
        "1",
        "-scoreinterval",
        "2",
        "-wait",
        "10",
        "-maxmoves",
        "60",
        "-resign",
        "movecount=3",
        "score=3000",
        "-draw",
        "movenumber=20",
        "movecount=3",
        "score=0",
    ];
    let report = played(&dir, &args);
    assert!(report.contains("A against B: games 2,"), "{report}");
    let game = |number: u32| {
        let start = format!("game {number} ");
        report
            .lines()
            .find(|line| line.starts_with(&start))
            .unwrap()
    };
    assert!(!game(0).contains(" | "), "{report}");
    assert!(game(1).contains(" | "), "{report}");
}
