//! One tournament on several machines.

use std::fs;

use super::*;

const GAME: [&str; 4] = ["--game", "tiles", "--rounds", "5"];

/// Three engines whose games depend on the schedule alone.
fn engines() -> Vec<String> {
    let one = |name: &str, nodes: u32| {
        [
            "--engine".to_string(),
            ours(name, &format!("nodes={nodes}")),
        ]
    };
    [one("A", 400), one("B", 100), one("C", 25)].concat()
}

fn play(dir: &Path, out: &str, more: &[&str]) -> String {
    let engines = engines();
    let engines: Vec<&str> = engines.iter().map(String::as_str).collect();
    let args = [&GAME[..], &engines, &["--out", out], more].concat();
    played(dir, &args)
}

fn merge(dir: &Path, args: &[&str]) -> Output {
    Command::new(QUADRILLE)
        .arg("merge")
        .args(args)
        .current_dir(dir)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

fn refusal(dir: &Path, args: &[&str]) -> String {
    let output = merge(dir, args);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let line = text(&output.stderr);
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// The records without what no two runs have in common.
pub(super) fn timeless(dir: &Path) -> Vec<Value> {
    let mut games = records(dir);
    for game in &mut games {
        for mv in game["moves"].as_array_mut().unwrap() {
            let mv = mv.as_object_mut().unwrap();
            mv.remove("ms");
            mv.remove("overhead_us");
        }
    }
    games
}

/// The last lines of the report on each engine, without times.
fn table(report: &str) -> Vec<&str> {
    let rows = report
        .lines()
        .filter(|line| ["A ", "B ", "C "].iter().any(|name| line.starts_with(name)));
    let rows: Vec<&str> = rows.collect();
    rows[rows.len() - 3..].to_vec()
}

#[test]
fn shares_together_are_the_whole_tournament() {
    let dir = room("shards");
    let whole = play(&dir, "whole", &[]);
    for number in ["1", "2", "3", "4"] {
        let (share, out) = (format!("{number}/4"), format!("part{number}"));
        let more = ["--shard", &share];
        play(&dir, &out, &more);
        // A share is resumed like a tournament.
        let file = dir.join(&out).join("games.jsonl");
        let games = fs::read_to_string(&file).unwrap();
        let first: String = games.split_inclusive('\n').take(3).collect();
        fs::write(&file, first).unwrap();
        play(&dir, &out, &[&more[..], &["--resume"]].concat());
    }
    let parts = ["part3", "part1", "part4", "part2"];
    let output = merge(&dir, &[&["joined"][..], &parts].concat());
    let report = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(
        report.starts_with("30 of 30 games from 4 shares"),
        "{report}"
    );
    assert_eq!(timeless(&dir.join("joined")), timeless(&dir.join("whole")));
    assert_eq!(table(&report), table(&whole));
    let identity = |out: &str| fs::read_to_string(dir.join(out).join("tournament.json")).unwrap();
    assert_eq!(identity("joined"), identity("whole"));

    let missing = refusal(&dir, &["fewer", "part1", "part2", "part4"]);
    assert!(
        missing.contains("share 3/4 is missing; --partial"),
        "{missing}"
    );
    let twice = refusal(&dir, &["twice", "part1", "part2", "part1"]);
    assert!(
        twice.contains("share 1/4, which part1 is already"),
        "{twice}"
    );
    let mixed = refusal(&dir, &["mixed", "part1", "whole"]);
    assert!(
        mixed.contains("whole: share 1/1, but part1 is share 1/4"),
        "{mixed}"
    );
    let again = refusal(&dir, &[&["joined"][..], &parts].concat());
    assert!(again.contains("there are games already"), "{again}");
    play(&dir, "other", &["--shard", "2/4", "--seed", "9"]);
    let other = refusal(&dir, &["mixed", "part1", "other"]);
    assert!(
        other.contains("other: not the tournament of part1"),
        "{other}"
    );
    let none = refusal(&dir, &["mixed", "part1", "nowhere"]);
    assert!(none.contains("nowhere"), "{none}");

    // A game too few, and one that is another share's.
    let file = dir.join("part2/games.jsonl");
    let games = fs::read_to_string(&file).unwrap();
    let (_, fewer) = games.split_once('\n').unwrap();
    fs::write(&file, fewer).unwrap();
    let short = refusal(&dir, &[&["short"][..], &parts].concat());
    assert!(short.contains("part2: 7 of 8 games; --resume"), "{short}");
    let partial = merge(&dir, &[&["partial", "--partial"][..], &parts].concat());
    assert!(
        text(&partial.stdout).starts_with("29 of 30 games"),
        "{partial:?}"
    );
    fs::write(
        &file,
        fs::read_to_string(dir.join("part1/games.jsonl")).unwrap(),
    )
    .unwrap();
    let strange = refusal(&dir, &[&["strange"][..], &parts].concat());
    assert!(strange.contains("is not one of share 2/4"), "{strange}");
}

#[test]
fn a_test_of_shares_is_evaluated_when_they_are_merged() {
    let dir = room("shards-sprt");
    let (a, b) = (ours("A", "nodes=1000"), ours("B", "nodes=20"));
    let args = [
        "--game", "tiles", "--rounds", "40", "--engine", &a, "--engine", &b,
    ];
    let test = [
        "--sprt",
        "elo0=0 elo1=100 model=logistic",
        "--concurrency",
        "2",
    ];
    for (share, out) in [("1/2", "one"), ("2/2", "two")] {
        let args = [&args[..], &test, &["--shard", share, "--out", out]].concat();
        let output = tournament(&dir, &args).output().unwrap();
        assert!(
            text(&output.stderr).contains("quadrille merge"),
            "{output:?}"
        );
        assert_eq!(records(&dir.join(out)).len(), 40, "played to the end");
    }
    let report = text(&merge(&dir, &["whole", "one", "two"]).stdout);
    assert!(report.contains("H1 is accepted"), "{report}");
}

#[test]
#[cfg(unix)]
fn an_array_of_jobs_plays_the_shares() {
    let dir = room("shards-slurm");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/tournament.slurm");
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    for task in ["3", "4"] {
        Command::new(&script)
            .args(["out", "--game", "tiles", "--rounds", "3"])
            .args(["--engine", &a, "--engine", &b])
            .current_dir(&dir)
            .env("QUADRILLE", QUADRILLE)
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("SLURM_ARRAY_TASK_MIN", "3")
            .env("SLURM_ARRAY_TASK_COUNT", "2")
            .assert()
            .success();
    }
    let output = merge(&dir, &["out/whole", "out/part-1", "out/part-2"]);
    assert!(
        text(&output.stdout).starts_with("6 of 6 games"),
        "{output:?}"
    );
    Command::new(&script)
        .env_remove("SLURM_ARRAY_TASK_ID")
        .assert()
        .code(1);
}

#[test]
#[cfg(unix)]
fn gnu_parallel_plays_the_shares() {
    let dir = room("shards-parallel");
    if std::process::Command::new("parallel")
        .arg("--version")
        .output()
        .is_err()
    {
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "skipped: GNU parallel is not installed");
        return;
    }
    let whole = play(&dir, "whole", &[]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/tournament-parallel");
    let recipe = || {
        let output = Command::new(&script)
            .args(["3", "an out"])
            .args(GAME)
            .args(engines())
            .current_dir(&dir)
            .env("QUADRILLE", QUADRILLE)
            .assert()
            .success()
            .get_output()
            .clone();
        text(&output.stdout)
    };
    let report = recipe();
    let merged = report.lines().filter(|line| !line.starts_with("share "));
    let merged = merged.map(|line| format!("{line}\n")).collect::<String>();
    assert!(
        merged.starts_with("30 of 30 games from 3 shares"),
        "{report}"
    );
    assert_eq!(table(&merged), table(&whole));
    assert_eq!(
        timeless(&dir.join("an out/whole")),
        timeless(&dir.join("whole"))
    );
    // Again, after a crash of everything.
    fs::write(dir.join("an out/part-2/games.jsonl"), "").unwrap();
    assert!(recipe().contains("30 of 30 games"));
}
