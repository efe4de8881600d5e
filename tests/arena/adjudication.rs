//! Games that end by the engines' scores.

use super::faults::disguised;
use super::*;

/// Ours, behind a filter that makes it say `value` of every search.
fn saying(dir: &Path, name: &str, value: &str) -> String {
    let output = format!(
        "case $line in\n\
         '='*' info '*|'= info '*) printf '%s info depth 1 score {value} nodes 1 pv\\n' \
         \"${{line%% *}}\";;\n\
         *) printf '%s\\n' \"$line\";; esac"
    );
    let engine = disguised(dir, name, "printf '%s\\n' \"$line\"", &output);
    format!("cmd='{}' name={name} depth=1", engine.display())
}

/// Two games of engines that say these things.
fn games(test: &str, values: [&str; 2], more: &[&str]) -> (String, Vec<Value>) {
    let dir = room(&format!("adjudication-{test}"));
    let (a, b) = (saying(&dir, "A", values[0]), saying(&dir, "B", values[1]));
    let args = ["--engine", &a, "--engine", &b, "--out", "out"];
    let args = [&args[..], &["--opening-balance", "off"], more].concat();
    let report = played(&dir, &args);
    (report, records(&dir.join("out")))
}

#[test]
fn a_side_that_is_far_behind_loses() {
    let resign = ["--resign", "movecount=3", "score=900"];
    let (report, games) = games("resign", ["eval -900", "eval 100"], &resign);
    for game in &games {
        assert_eq!(game["reason"], "adjudicated", "{report}");
        let winner = game["winner"].as_str().unwrap();
        assert_eq!(game[winner], "B");
        let moves = game["moves"].as_array().unwrap();
        let loser = if winner == "black" { "white" } else { "black" };
        let count = moves.iter().filter(|mv| mv["side"] == loser).count();
        assert_eq!(count, 3);
        let detail = game["detail"].as_str().unwrap();
        assert_eq!(detail, format!("{loser} was 900 or more behind in 3 moves"));
    }
    assert!(report.contains("wins, adjudicated: "), "{report}");
    assert!(
        report.contains("A: time losses 0, other faults 0"),
        "{report}"
    );
}

#[test]
fn both_sides_may_have_to_agree() {
    let resign = ["--resign", "movecount=3 score=900 twosided=true"];
    let (report, apart) = games("twosided", ["eval -900", "eval 100"], &resign);
    assert!(
        apart.iter().all(|game| game["reason"] == "rules"),
        "{report}"
    );
    let (report, agreed) = games("agreed", ["loss 9 exact", "eval 950"], &resign);
    for game in agreed {
        assert_eq!(game["reason"], "adjudicated", "{report}");
    }
}

#[test]
fn even_games_are_drawn() {
    let draw = ["--draw", "movenumber=8", "movecount=2", "score=20"];
    let (report, drawn) = games("draw", ["eval 20", "eval -15"], &draw);
    for game in &drawn {
        assert_eq!(game["reason"], "adjudicated", "{report}");
        assert!(game["winner"].is_null());
        let plies = game["opening"]["moves"].as_array().unwrap().len()
            + game["moves"].as_array().unwrap().len();
        assert_eq!(plies, 16, "{report}");
    }
    let (report, apart) = games("uneven", ["eval 20", "eval 21"], &draw);
    assert!(
        apart.iter().all(|game| game["reason"] == "rules"),
        "{report}"
    );
}

#[test]
fn wrong_rules_are_told() {
    let dir = room("adjudication-wrong");
    let a = ours("A", "");
    for (rule, says) in [
        (["--resign", "movecount=3"], "score= is missing"),
        (["--draw", "scor=3"], "did you mean score"),
    ] {
        let args = ["--engine", &a, "--engine", &a, rule[0], rule[1]];
        let line = refused(&dir, &args, 2);
        assert!(line.contains(rule[0]) && line.contains(says), "{line}");
    }
}
