//! Engines that speak the protocol of NBoard.

use super::faults::script;
use super::*;

/// Plays Othello by asking ours for each move.
fn engine(dir: &Path, go: &str) -> String {
    let body = format!(
        "black=black; white=white\n\
         begin() {{ moves='set_game othello8'; side=$black; }}\n\
         begin\n\
         while read -r command a b; do\n\
         case $command in\n\
         ping) echo \"pong $a\";;\n\
         set) [ $a = game ] && {{ begin; echo \"$b\" >> games; }};;\n\
         move) case $a in PA) a=pass;; esac; moves=\"$moves|play $side $a\"\n\
         [ $side = black ] && side=white || side=black;;\n\
         go) {go};;\n\
         quit) exit 0;;\n\
         esac\n\
         done\n"
    );
    let file = script(dir, "nboard", &body);
    format!("cmd='{}' name=nboard proto=nboard depth=3", file.display())
}

fn honest() -> String {
    format!(
        "mv=$(printf '%s|genmove %s\\n' \"$moves\" $side | tr '|' '\\n' |\n\
         '{QUADRILLE}' --depth 1 --hash 1 | grep '^=' | tail -1)\n\
         echo 'status thinking'; echo \"nodestats 12 0.00\"; echo \"search ${{mv#= }} 0.5 0 3\"\n\
         echo \"=== ${{mv#= }}/0.50/0.0\""
    )
}

#[test]
fn an_engine_of_nboard_plays_through_the_adapter() {
    for game in ["othello8", "reversi8"] {
        let dir = room(&format!("nboard-{game}"));
        let (odd, plain) = (engine(&dir, &honest()), ours("plain", "depth=1"));
        let args = [
            "--game", game, "--engine", &odd, "--engine", &plain, "--out", "out",
        ];
        let report = played(&dir, &args);
        assert!(
            report.contains("nboard: time losses 0, other faults 0"),
            "{report}"
        );
        for record in records(&dir.join("out")) {
            assert_eq!(record["reason"], "rules", "{report}");
            let colour = if record["black"] == "nboard" {
                "black"
            } else {
                "white"
            };
            let moves = record["moves"].as_array().unwrap();
            let of_it = moves
                .iter()
                .find(|mv| mv["side"] == colour && mv["move"] != "pass");
            let of_it = of_it.unwrap();
            assert_eq!(of_it["value"], "eval 50");
            assert_eq!(of_it["depth"], 3);
            assert_eq!(of_it["nodes"], 12);
            assert!(of_it["ms"].as_f64().unwrap() > 0.0);
        }
        let games = std::fs::read_to_string(dir.join("games")).unwrap();
        assert_eq!(games.lines().count(), 2);
        assert!(games.starts_with("(;GM[Othello]"), "{games}");
        assert!(
            games.contains("BO[8 ---------------------------O*------*O---------"),
            "{games}"
        );
    }
}

#[test]
fn a_position_is_told_in_the_colours_of_othello() {
    let dir = room("nboard-position");
    let start = "--------/--------/--------/---XO---/---OX---/--------/--------/-------- O\n";
    std::fs::write(dir.join("book"), start).unwrap();
    let (odd, plain) = (engine(&dir, &honest()), ours("plain", "depth=1"));
    let args = ["--game", "reversi8", "--engine", &odd, "--engine", &plain];
    let report = played(
        &dir,
        &[&args[..], &["--openings", "book", "--maxmoves", "9"]].concat(),
    );
    assert!(report.contains("draw, too many moves"), "{report}");
    let games = std::fs::read_to_string(dir.join("games")).unwrap();
    assert!(
        games.contains("BO[8 ---------------------------O*------*O---------"),
        "{games}"
    );
}

#[test]
fn faults_are_those_of_any_engine() {
    for (name, go, reason) in [
        ("crash", "exit 3", "crash"),
        ("hang", ":", "hang"),
        ("illegal", "echo '=== a1/1.00/0'", "illegal-move"),
        ("flood", "yes status", "flood"),
    ] {
        let dir = room(&format!("nboard-{name}"));
        let (odd, plain) = (engine(&dir, go), ours("plain", "depth=1"));
        let args = ["--game", "othello8", "--engine", &odd, "--engine", &plain];
        let args = [&args[..], &["--patience", "2", "--out", "out"]].concat();
        played(&dir, &args);
        for record in records(&dir.join("out")) {
            assert_eq!(record["reason"], reason);
            assert_eq!(record[record["winner"].as_str().unwrap()], "plain");
        }
    }
}

#[test]
fn what_nboard_cannot_do_is_told() {
    let dir = room("nboard-wrong");
    let plain = ours("plain", "depth=1");
    let at = |engine: &str, game: &str, code: i32| {
        let args = ["--game", game, "--engine", engine, "--engine", &plain];
        refused(&dir, &args, code)
    };
    let line = at("cmd=x proto=nboard", "othello8", 2);
    assert!(line.contains("needs depth="), "{line}");
    let line = at("cmd=x proto=nboard depth=1 option.a=b", "othello8", 2);
    assert!(line.contains("no options"), "{line}");
    let line = at("cmd=x proto=uci depth=1", "othello8", 2);
    assert!(line.contains("gtp or nboard"), "{line}");
    let line = at("cmd=true proto=nboard depth=1", "othello6", 1);
    assert!(line.contains("play reversi8 and othello8"), "{line}");
}
