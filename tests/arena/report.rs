//! `quadrille report`, and what a tournament keeps beside its records.

use std::fs;

use super::*;
use quadrille::games;
use quadrille::search::Settings;

/// `quadrille report` with these arguments, in that directory.
fn report(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(QUADRILLE);
    command.arg("report").args(args).current_dir(dir);
    command
}

/// What it prints if it succeeds.
pub(super) fn told(dir: &Path, args: &[&str]) -> String {
    let output = report(dir, args)
        .assert()
        .success()
        .stderr("")
        .get_output()
        .clone();
    text(&output.stdout)
}

fn numbers(dir: &Path, args: &[&str]) -> Value {
    let text = told(dir, &[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap()
}

/// Three engines that play tiles in `DIR/out`.
fn three(dir: &Path) -> String {
    let engines = [("A", "depth=2"), ("B", "depth=1"), ("C", "nodes=1")];
    let engines = engines.map(|(name, limit)| ours(name, limit));
    let mut args = vec!["--game", "tiles", "--rounds", "2", "--out", "out"];
    for engine in &engines {
        args.extend(["--engine", engine]);
    }
    played(dir, &args)
}

#[test]
fn ratings_and_crosstable_are_told_at_the_end_and_later() {
    let dir = room("report-three");
    let live = three(&dir);
    let text = told(&dir, &["out", "--text"]);
    assert!(live.ends_with(&text), "{live}\n{text}");
    assert!(text.contains("Bradley-Terry"), "{text}");
    let kept = fs::read_to_string(dir.join("out/summary.json")).unwrap();
    let summary = numbers(&dir, &["out"]);
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), summary);

    let engines = summary["engines"].as_array().unwrap();
    let of_engine = |name: &str| -> Vec<f64> {
        let numbers = engines.iter().map(|engine| &engine[name]);
        numbers.map(|number| number.as_f64().unwrap()).collect()
    };
    assert_eq!(summary["games"], 12);
    assert_eq!(summary["pairs"], 6);
    assert_eq!(of_engine("games").iter().sum::<f64>(), 24.0);
    let ratings = of_engine("rating");
    assert!(ratings.is_sorted_by(|a, b| a >= b), "{ratings:?}");
    assert!(ratings.iter().sum::<f64>().abs() < 1e-6);
    assert!(of_engine("rating_error").iter().all(|&error| error > 0.0));
    for (row, engine) in engines.iter().enumerate() {
        let met = summary["crosstable"][row].as_array().unwrap();
        assert!(met[row].is_null());
        let points: f64 = met.iter().filter_map(|met| met["points"].as_f64()).sum();
        let expected = engine["score"].as_f64().unwrap() * engine["games"].as_f64().unwrap();
        assert!((points - expected).abs() < 1e-9);
        let shown = format!(
            "{:.1} ± {:.1}",
            ratings[row],
            of_engine("rating_error")[row]
        );
        assert!(text.contains(&shown), "{shown} {text}");
    }
}

#[test]
fn anchors_hold_and_unknown_ones_are_refused() {
    let dir = room("report-anchors");
    three(&dir);
    let summary = numbers(&dir, &["out", "--anchor", "B=1500", "--anchor", "C=1400.5"]);
    for engine in summary["engines"].as_array().unwrap() {
        let (rating, error) = (engine["rating"].as_f64(), engine["rating_error"].as_f64());
        match engine["name"].as_str().unwrap() {
            "B" => assert_eq!((rating, error), (Some(1500.0), Some(0.0))),
            "C" => assert_eq!((rating, error), (Some(1400.5), Some(0.0))),
            _ => assert!(error.unwrap() > 0.0),
        }
    }
    let text = told(&dir, &["out", "--text", "--anchor", "B=1500"]);
    assert!(
        text.contains("1500.0 ± 0.0") && text.contains("B given"),
        "{text}"
    );
    // In a tournament itself; two engines have a table of ratings then too.
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    let args = ["--game", "tiles", "--engine", &a, "--engine", &b];
    let text = played(&dir, &[&args[..], &["--anchor", "A=-20.5"]].concat());
    assert!(text.contains("-20.5 ± 0.0"), "{text}");
    let line = refused(&dir, &[&args[..], &["--anchor", "Z=0"]].concat(), 2);
    assert!(line.contains("`Z`") && line.contains("A, B"), "{line}");
    for (args, code, says) in [
        (["--anchor", "D=1"], 2, "A, B, C"),
        (["--anchor", "A=soon"], 2, "NAME=ELO"),
        (["--text", "--json"], 2, "--json"),
    ] {
        let args = [&["out"][..], &args].concat();
        let output = report(&dir, &args).assert().code(code).get_output().clone();
        let line = self::text(&output.stderr);
        assert!(line.lines().count() == 1 && line.contains(says), "{line}");
    }
    let output = report(&dir, &["nowhere"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    assert!(self::text(&output.stderr).contains("games.jsonl"));
}

#[test]
fn a_sequential_test_is_told_as_by_the_statistics() {
    let dir = room("report-sprt");
    let (a, b) = (ours("A", "nodes=200"), ours("B", "nodes=20"));
    let args = [
        "--game", "tiles", "--rounds", "6", "--engine", &a, "--engine", &b,
    ];
    let sprt = [
        "--sprt",
        "elo0=0",
        "elo1=9",
        "model=logistic",
        "--out",
        "out",
    ];
    played(&dir, &[&args[..], &sprt].concat());
    let summary = numbers(&dir, &["out"]);
    let test = &summary["sprt"];
    let engines = summary["engines"].as_array().unwrap();
    let a = engines.iter().find(|engine| engine["name"] == "A").unwrap();
    let pairs: Vec<String> = a["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    let output = Command::new(QUADRILLE)
        .args([
            "stats", "--json", "--elo1", "9", "--model", "logistic", "--pairs",
        ])
        .args(&pairs)
        .output()
        .unwrap();
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (ours, theirs) in [("llr", "llr"), ("lower", "lower"), ("upper", "upper")] {
        assert_eq!(test[ours], stats[theirs]);
    }
    for name in ["elo", "elo_error", "nelo", "nelo_error", "los"] {
        assert_eq!(a[name], stats[name], "{name}");
    }
    let curve = test["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 7);
    assert_eq!(curve.last().unwrap()[1], test["llr"]);
}

#[test]
fn a_tournament_that_still_goes_on_has_a_report() {
    let dir = room("report-half");
    three(&dir);
    let file = dir.join("out/games.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 40]).unwrap();
    assert_eq!(numbers(&dir, &["out"])["games"], 11);
    assert_eq!(
        fs::metadata(&file).unwrap().len() as usize,
        whole.len() - 40
    );
    // Before the first game.
    fs::write(&file, "").unwrap();
    assert_eq!(numbers(&dir, &["out"])["games"], 0);
    assert!(told(&dir, &["out"]).contains("report.html: 0 games"));
    let page = fs::read_to_string(dir.join("out/report.html")).unwrap();
    let shown = page.split("<script").next().unwrap();
    assert!(shown.contains("No game is finished yet") && !shown.contains("NaN"));
    fs::write(&file, "{}\n").unwrap();
    report(&dir, &["out"]).assert().code(1);
}

/// The games of `games.sgf`, one by one.
fn sgf_games(dir: &Path) -> Vec<String> {
    let all = fs::read_to_string(dir.join("games.sgf")).unwrap();
    assert!(all.ends_with(")\n"));
    let games = all.split_inclusive(")\n(;FF[4]");
    let mut games: Vec<String> = games
        .map(|game| game.trim_end_matches("(;FF[4]").to_string())
        .collect();
    for game in games.iter_mut().skip(1) {
        game.insert_str(0, "(;FF[4]");
    }
    games
}

#[test]
fn disc_games_are_kept_in_sgf_that_loads() {
    for game in ["othello6", "reversi8", "othello8"] {
        let dir = room(&format!("sgf-{game}"));
        let (odd, plain) = (
            ours("odd", "depth=1").replace("name=odd", "'name=a]\\b'"),
            ours("plain", "depth=2"),
        );
        let args = [
            "--game", game, "--rounds", "2", "--engine", &odd, "--engine", &plain,
        ];
        played(&dir, &[&args[..], &["--out", "out"]].concat());
        let out = dir.join("out");
        assert!(!out.join("games.txt").exists());
        let (games, mut lines) = (sgf_games(&out), String::new());
        for (number, game) in games.iter().enumerate() {
            fs::write(dir.join(format!("{number}.sgf")), game).unwrap();
            lines += &format!("loadsgf {number}.sgf\nget_position\nfinal_score\n");
        }
        let output = Command::new(QUADRILLE)
            .args(["--game", game])
            .current_dir(&dir)
            .write_stdin(lines)
            .output()
            .unwrap();
        let answers = text(&output.stdout);
        let answers: Vec<&str> = answers.split("\n\n").collect();
        // In the order of the records, which is that of their ends.
        let records = fs::read_to_string(out.join("games.jsonl")).unwrap();
        assert_eq!(records.lines().count(), games.len());
        for ((line, sgf), answers) in records.lines().zip(&games).zip(answers.chunks(3)) {
            let record: Value = serde_json::from_str(line).unwrap();
            assert_eq!(answers[0].trim(), "=", "{sgf}");
            assert_eq!(
                answers[1],
                format!("= {}", record["position"].as_str().unwrap())
            );
            let result = match record["winner"].as_str() {
                Some("black") => format!("B+{}", record["margin"]),
                Some(_) => format!("W+{}", record["margin"]),
                None => "0".to_string(),
            };
            assert_eq!(answers[2], format!("= {result}"));
            let first = if game == "reversi8" { "PL[W]" } else { "PL[B]" };
            assert!(
                sgf.contains(&format!("RE[{result}]")) && sgf.contains(first),
                "{sgf}"
            );
            assert!(
                sgf.contains("[a\\]\\\\b]") && sgf.contains("[plain]"),
                "{sgf}"
            );
            assert!(sgf.contains(", depth "), "{sgf}");
        }
    }
}

/// The lines of `positions.tsv` as fields, without the heading.
fn positions(dir: &Path) -> Vec<Vec<String>> {
    let all = fs::read_to_string(dir.join("positions.tsv")).unwrap();
    let mut lines = all.lines();
    let heading = lines.next().unwrap();
    assert_eq!(
        heading,
        "game\tid\tply\tside\tposition\tmove\tvalue\tdepth\tresult\tmargin"
    );
    lines
        .map(|line| line.split('\t').map(str::to_string).collect())
        .collect()
}

#[test]
fn positions_to_learn_from_are_all_there_and_right() {
    for game in games::names() {
        let dir = room(&format!("positions-{game}"));
        let (a, b) = (ours("A", "depth=2"), ours("B", "depth=1"));
        let args = [
            "--game", game, "--engine", &a, "--engine", &b, "--out", "out",
        ];
        played(&dir, &args);
        let records = records(&dir.join("out"));
        let lines = positions(&dir.join("out"));
        let choices = records
            .iter()
            .flat_map(|record| record["moves"].as_array().unwrap());
        let choices = choices.filter(|mv| mv["move"] != "pass").count();
        assert_eq!(lines.len(), choices);
        let variant = games::find(game).unwrap();
        let mut session = variant.open(&Settings::default()).unwrap();
        for line in lines {
            let [name, id, ply, side, position, mv, value, _, result, margin] = &line[..] else {
                panic!("{line:?}");
            };
            assert_eq!(name, game);
            let record = &records[id.parse::<usize>().unwrap()];
            let first = record["opening"]["moves"].as_array().unwrap().len();
            let known = &record["moves"][ply.parse::<usize>().unwrap() - first];
            assert_eq!((&known["move"], &known["value"]), (&json(mv), &json(value)));
            session.set_position(position).unwrap();
            assert_eq!(session.side_to_move().to_string(), *side);
            assert!(session.legal_moves().contains(mv), "{line:?}");
            let sign = match record["winner"].as_str() {
                None => 0,
                Some(winner) if winner == side => 1,
                Some(_) => -1,
            };
            assert_eq!(result.parse::<i64>().unwrap(), sign);
            let expected = sign * record["margin"].as_i64().unwrap_or(0);
            assert_eq!(margin.parse::<i64>().unwrap(), expected);
        }
        // The games without discs are kept as text.
        let kept = dir.join("out/games.txt");
        assert_eq!(kept.exists(), !variant.info.discs);
        if let Ok(kept) = fs::read_to_string(kept) {
            assert_eq!(kept.matches("[Result ").count(), records.len());
            for mv in records
                .iter()
                .flat_map(|record| record["moves"].as_array().unwrap())
            {
                assert!(kept.contains(mv["move"].as_str().unwrap()));
            }
        }
    }
}

fn json(text: &str) -> Value {
    Value::String(text.to_string())
}

#[test]
fn after_a_resumption_nothing_is_missing_or_doubled() {
    let dir = room("export-resume");
    let (a, b) = (ours("A", "depth=2"), ours("B", "nodes=20"));
    let args = [
        "--rounds", "3", "--engine", &a, "--engine", &b, "--out", "out",
    ];
    played(&dir, &args);
    let (out, resume) = (dir.join("out"), [&args[..], &["--resume"]].concat());
    let files =
        || ["games.sgf", "positions.tsv"].map(|name| fs::read_to_string(out.join(name)).unwrap());
    let before = files();
    played(&dir, &resume);
    assert_eq!(files(), before, "written anew");
    // Killed after four games, while the others were being written.
    let records = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let four: usize = records.split_inclusive('\n').take(4).map(str::len).sum();
    fs::write(out.join("games.jsonl"), &records[..four + 30]).unwrap();
    fs::write(out.join("games.sgf"), &before[0][..200]).unwrap();
    fs::remove_file(out.join("positions.tsv")).unwrap();
    played(&dir, &resume);
    let mut names: Vec<String> = sgf_games(&out)
        .iter()
        .map(|game| {
            game.split("GN[")
                .nth(1)
                .unwrap()
                .split(']')
                .next()
                .unwrap()
                .to_string()
        })
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "othello6 0",
            "othello6 1",
            "othello6 2",
            "othello6 3",
            "othello6 4",
            "othello6 5"
        ]
    );
    let count = |text: &str| text.lines().count();
    assert_eq!(count(&files()[1]), count(&before[1]));
}

#[test]
fn a_page_of_many_games_stays_small() {
    let dir = room("report-many");
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    played(
        &dir,
        &[
            "--game", "othello8", "--engine", &a, "--engine", &b, "--out", "out",
        ],
    );
    let file = dir.join("out/games.jsonl");
    let games = records(&dir.join("out"));
    let mut many = String::new();
    for copy in 0..150_u64 {
        for game in &games {
            let mut game = game.clone();
            for name in ["id", "pair"] {
                game[name] = (game[name].as_u64().unwrap() + 2 * copy).into();
            }
            many += &format!("{game}\n");
        }
    }
    fs::write(&file, &many).unwrap();
    told(&dir, &["out"]);
    let page = fs::metadata(dir.join("out/report.html")).unwrap().len();
    assert!(page < 50_000 + 300 * 2_500, "{page} bytes");
}
