//! The program as a user calls it.

use assert_cmd::Command;
use serde_json::Value;

fn quadrille(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(args).env_remove("RUST_LOG");
    command
}

/// What a call that succeeds prints; nothing goes to standard error.
fn answer(args: &[&str]) -> String {
    let output = quadrille(args)
        .assert()
        .success()
        .stderr("")
        .get_output()
        .clone();
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&answer(args)).unwrap()
}

/// The one line on standard error of a call that fails with `code`.
fn complaint(args: &[&str], code: i32) -> String {
    let output = quadrille(args)
        .assert()
        .code(code)
        .stdout("")
        .get_output()
        .clone();
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

#[test]
fn a_negative_number_is_refused_for_what_it_is() {
    for (args, what) in [
        (&["--time", "-1"][..], "positive number of seconds"),
        (&["--hash", "-1"], "-1"),
        (&["bench", "--game", "tiles", "--depth", "-3"], "1..="),
        (&["solve", "tiles", "--threads", "-2"], "-2"),
    ] {
        let told = complaint(args, 2);
        assert!(told.contains("invalid value"), "{told}");
        assert!(told.contains(what), "{told}");
    }
}

#[test]
fn games_are_listed() {
    let names: Vec<String> = answer(&["games"]).lines().map(str::to_string).collect();
    assert_eq!(names, quadrille::games::names());
    let rows = json(&["games", "--json"]);
    assert_eq!(rows.as_array().unwrap().len(), names.len());
    assert_eq!(rows[0]["name"], "othello6");
    assert_eq!(rows[0]["size"], 6);
}

#[test]
fn perft_prints_the_bare_count() {
    assert_eq!(answer(&["perft", "othello6", "5"]), "1364\n");
    assert_eq!(answer(&["perft", "OTHELLO8", "0"]), "1\n");
    let board = "------/------/--OX--/--XO--/------/------ X";
    assert_eq!(
        answer(&["perft", "othello6", "2", "--position", board, "--divide"]),
        "b3 3\nc2 3\nd5 3\ne4 3\n12\n"
    );
    let report = json(&["perft", "othello6", "3", "--divide", "--json"]);
    assert_eq!(report["count"], 56);
    assert_eq!(report["position"], board);
    assert_eq!(report["moves"][0]["move"], "b3");
}

#[test]
fn perft_of_a_finished_game_keeps_to_the_custom_of_the_game() {
    let over = "XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXX- O";
    assert_eq!(
        answer(&["perft", "othello6", "4", "--position", over]),
        "1\n"
    );
    assert_eq!(
        answer(&["perft", "othello6", "4", "--position", over, "--divide"]),
        "1\n"
    );
}

#[test]
fn solve_prints_result_moves_and_line() {
    // White cannot move; Black fills the corner: all 36 squares are his.
    let board = "XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXO- X";
    assert_eq!(
        answer(&["solve", "othello6", "--position", board]),
        "score 36\nmoves f6\npv f6\n"
    );
    let report = json(&["solve", "othello6", "--position", board, "--json", "--all"]);
    assert_eq!(report["result"], "score");
    assert_eq!(report["value"], 36);
    assert_eq!(report["moves"][0], "f6");
    let unsolved = complaint(&["solve", "othello8", "--time", "0.05"], 1);
    assert!(
        unsolved.contains("not solved within the limit"),
        "{unsolved}"
    );
}

#[test]
fn small_boards_of_tiles_are_counted_and_solved() {
    for (size, depth, count) in [
        ("3x3", "6", "595960"),
        ("3x4", "5", "2400998"),
        ("4X3", "3", "12428"),
        ("4x4", "4", "819220"),
        ("5x5", "3", "54552"),
    ] {
        let found = answer(&["perft", "tiles", depth, "--size", size]);
        assert_eq!(found.trim(), count, "{size}");
    }
    let found = answer(&["solve", "tiles", "--size", "3x3", "--all"]);
    assert!(found.starts_with("win "), "{found}");
    assert!(found.contains("\nmoves a1b2:a1 c3b2:c3\n"), "{found}");
    let found = answer(&["solve", "tiles", "--size", "3x4"]);
    assert!(found.starts_with("win "), "{found}");
    let line = complaint(&["solve", "gobblet", "--size", "3x3"], 2);
    assert!(line.contains("gobblet has one size"), "{line}");
    for size in ["6x5", "1x4"] {
        let line = complaint(&["perft", "tiles", "2", "--size", size], 2);
        assert!(line.contains("2 to 5 columns and rows"), "{line}");
    }
    let line = complaint(&["perft", "tiles", "2", "--size", "3"], 2);
    assert!(line.contains("such as 3x4"), "{line}");
    let line = complaint(&["solve", "tiles", "--nodes", "1000"], 1);
    assert!(line.contains("not solved within the limit"), "{line}");
}

#[test]
fn a_long_proof_is_kept_in_a_file() {
    let file = std::env::temp_dir().join(format!("quadrille-{}.proof", std::process::id()));
    let name = file.to_str().unwrap();
    let _ = std::fs::remove_file(&file);
    let args = [
        "solve",
        "tiles",
        "--size",
        "3x3",
        "--prove",
        name,
        "--leaf-nodes",
        "50",
    ];
    let first = answer(&args);
    assert!(first.ends_with("\nwin\n"), "{first}");
    // A finished proof is only read again.
    assert_eq!(answer(&args), first);
    // Of one that was killed while it wrote, half a line is left at the end.
    let whole = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let cut = format!("{}\n{}", lines[..3].join("\n"), &lines[3][..9]);
    std::fs::write(&file, cut).unwrap();
    assert!(answer(&args).ends_with("\nwin\n"));
    let mended = std::fs::read_to_string(&file).unwrap();
    assert_eq!(mended.lines().take(3).collect::<Vec<_>>(), lines[..3]);
    for line in mended.lines().skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(
            ["win", "loss", "open"].contains(&words[0]) && words.len() == 4,
            "{line}"
        );
    }
    let line = complaint(&["solve", "tiles", "--prove", name], 1);
    assert!(
        line.contains("begins with `quadrille-proof 1 tiles o-x/"),
        "{line}"
    );
    std::fs::remove_file(&file).unwrap();
    // What cannot be finished says how far it is.
    let args = [
        "solve",
        "tiles",
        "--prove",
        name,
        "--leaf-nodes",
        "500",
        "--time",
        "0.3",
    ];
    let line = complaint(&args, 1);
    assert!(line.contains("not solved within the limit: "), "{line}");
    let line = complaint(&["solve", "gobblet", "--prove", name], 2);
    assert!(line.contains("not for gobblet"), "{line}");
    // Not one line of it is whole: perhaps somebody else's file.
    std::fs::write(&file, "quadrille-pro").unwrap();
    let line = complaint(&args, 1);
    assert!(line.contains("not one whole line"), "{line}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "quadrille-pro");
    std::fs::remove_file(&file).unwrap();
    let line = complaint(&["solve", "tiles", "--prove", "."], 1);
    assert!(line.contains("no regular file"), "{line}");
}

/// Reading a device may never end, and writing to it keeps nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_proof_is_kept_in_no_device() {
    let line = complaint(&["solve", "tiles", "--prove", "/dev/full"], 1);
    assert!(line.contains("/dev/full: is no regular file"), "{line}");
}

#[test]
fn bench_of_a_game_has_a_row_for_each_depth() {
    let table = answer(&["bench", "--game", "othello6", "--depth", "3"]);
    assert_eq!(table.lines().count(), 4, "{table}");
    let report = json(&["bench", "--game", "othello6", "--depth", "3", "--json"]);
    let nodes: Vec<u64> = report["depths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["nodes"].as_u64().unwrap())
        .collect();
    assert_eq!(nodes.len(), 3);
    assert!(nodes.is_sorted() && nodes[0] > 0, "{nodes:?}");
}

#[test]
fn wrong_use_gets_one_line() {
    let line = complaint(&["perft", "chess", "3"], 2);
    assert!(line.contains("othello6, "), "{line}");
    let line = complaint(&["perft", "othello6"], 2);
    assert!(line.contains("<DEPTH>"), "{line}");
    let line = complaint(&["perft", "othello6", "3", "--position", "XO"], 2);
    assert!(line.contains("--position"), "{line}");
    let line = complaint(&["--threads", "many"], 2);
    assert!(line.contains("'many'"), "{line}");
}

#[test]
fn help_is_on_standard_output_and_teaches() {
    for args in [
        &["--help"][..],
        &["perft", "--help"],
        &["solve", "--help"],
        &["bench", "--help"],
    ] {
        let help = answer(args);
        assert!(help.contains("Examples:"), "{help}");
    }
    assert!(answer(&["--version"]).starts_with("quadrille "));
}

#[test]
fn weight_files_are_checked_and_sealed() {
    let directory = std::env::temp_dir().join(format!("quadrille-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("some.weights");
    let path = file.to_str().unwrap();
    std::fs::write(
        &file,
        "quadrille-weights 1\ngame some\nversion v7\nsection a 1\n-3\n",
    )
    .unwrap();
    let line = complaint(&["weights", path], 1);
    assert!(line.contains("crc32"), "{line}");
    let sealed = answer(&["weights", path, "--seal"]);
    assert!(
        sealed.starts_with("game some\nversion v7\ncrc32 "),
        "{sealed}"
    );
    assert_eq!(answer(&["weights", path]), sealed);
    let line = complaint(&["weights", "no such file"], 1);
    assert!(line.contains("no such file"), "{line}");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
#[cfg(unix)]
fn a_reader_who_leaves_ends_it_quietly() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    // The first has something to write, the others would take for ever.
    let commands: [&[&str]; 4] = [
        &["perft", "othello8", "7", "--divide"],
        &["perft", "othello8", "20"],
        &["solve", "othello8"],
        &["bench", "--game", "othello8", "--depth", "60"],
    ];
    for command in commands {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(5) {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command:?}");
    }
}

/// A full disk is not a reader who has seen enough.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_told() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .stdin(std::process::Stdio::piped())
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"name\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.contains("cannot write the answer"), "{line}");
}

#[test]
fn a_refused_weight_file_is_named() {
    let line = complaint(&["--weights", "Cargo.toml"], 1);
    assert!(line.contains("Cargo.toml: "), "{line}");
}
