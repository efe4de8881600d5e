//! Engines that do what none should, written as small shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

/// An engine that takes every command, and does `genmove` when asked for a
/// move; there `$id` is the id of the command.
fn mock(dir: &Path, name: &str, genmove: &str) -> PathBuf {
    let quit = "printf '=%s\\n\\n' \"$id\"; exit 0";
    script(dir, name, &answering(genmove, quit))
}

pub(super) fn answering(genmove: &str, quit: &str) -> String {
    format!(
        "while read -r id command rest; do\n\
         case $command in\n\
         list_commands) printf '=%s set_game\\nset_option\\ntime_left\\nclear_board\\nplay\\ngenmove\\nquit\\n\\n' $id;;\n\
         genmove) {genmove};;\n\
         quit) {quit};;\n\
         *) printf '=%s\\n\\n' $id;;\n\
         esac\n\
         done\n"
    )
}

pub(super) fn script(dir: &Path, name: &str, body: &str) -> PathBuf {
    let file = dir.join(name);
    fs::write(&file, format!("#!/bin/sh\n{body}")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// Command lines of running processes that contain `text`.
#[cfg(target_os = "linux")]
pub(super) fn running(text: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(text))
        .collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn running(_text: &str) -> Vec<String> {
    Vec::new()
}

/// Four games of a mock against our engine, which loses none.
pub(super) fn against(dir: &Path, mock: &Path, more: &[&str]) -> (String, Vec<Value>) {
    let good = ours("good", "depth=1");
    let bad = format!("cmd='{}' name=bad", mock.display());
    let args = [
        "--rounds",
        "2",
        "--opening-plies",
        "0",
        "--out",
        "out",
        "--engine",
        &bad,
    ];
    let report = played(dir, &[&args[..], &["--engine", &good], more].concat());
    let games = records(&dir.join("out"));
    assert_eq!(games.len(), 4, "{report}");
    assert!(
        report.contains("bad against good: games 4, +0 =0 -4"),
        "{report}"
    );
    assert!(
        report.contains("good: time losses 0, other faults 0"),
        "{report}"
    );
    (report, games)
}

/// All four games are lost for `reason`, at 0.2 s a move.
fn loses(name: &str, genmove: &str, reason: &str, detail: &str) {
    let limits = ["--st", "0.2", "--timemargin", "50"];
    loses_at(&limits, name, genmove, reason, detail);
}

pub(super) fn loses_at(limits: &[&str], name: &str, genmove: &str, reason: &str, detail: &str) {
    let dir = room(&format!("fault-{name}"));
    let mock = mock(&dir, "engine", genmove);
    let (report, games) = against(&dir, &mock, limits);
    for game in games {
        assert_eq!(game["reason"], reason, "{report}");
        let found = game["detail"].as_str().unwrap();
        assert!(found.contains(detail), "{found}");
        let loser = if game["winner"] == "black" {
            "white"
        } else {
            "black"
        };
        assert_eq!(game[loser], "bad");
    }
    let (time, other) = if reason == "time" { (4, 0) } else { (0, 4) };
    let fault = if reason == "resigned" { 0 } else { other };
    let line = format!("bad: time losses {time}, other faults {fault},");
    assert!(report.contains(&line), "{report}");
}

#[test]
fn a_crash_loses_the_game_and_the_engine_comes_back() {
    loses("crash", "exit 3", "crash", "3");
    loses("signal", "kill -SEGV $$", "crash", "signal");
}

#[test]
fn a_crash_is_noticed_although_the_pipe_stays_open() {
    // The child holds the output of its parent open.
    loses("child", "sleep 61.25 & exit 3", "crash", "3");
    assert_eq!(running("sleep 61.25"), Vec::<String>::new());
}

#[test]
fn a_hang_ends_and_leaves_no_process() {
    loses("hang", "sleep 62.25", "hang", "genmove");
    assert_eq!(running("sleep 62.25"), Vec::<String>::new());
}

#[test]
fn a_closed_pipe_is_told_from_a_hang() {
    let genmove = "exec 1>&-; sleep 63.25";
    loses("disconnect", genmove, "disconnect", "closed");
    assert_eq!(running("sleep 63.25"), Vec::<String>::new());
}

#[test]
fn a_flood_of_output_ends() {
    loses("flood", "exec yes flood-64.25", "flood", "MiB");
    assert_eq!(running("flood-64.25"), Vec::<String>::new());
    let answers = "while :; do printf '=1 x\\n\\n=1 x\\n\\n=1 x\\n\\n'; done";
    loses("answers", answers, "flood", "MiB");
}

#[test]
fn an_illegal_move_loses() {
    loses("illegal", "printf '=%s a1\\n\\n' $id", "illegal-move", "a1");
    loses(
        "nonsense",
        "printf '=%s e2e4 !\\n\\n' $id",
        "illegal-move",
        "e2e4",
    );
    loses("empty", "printf '=%s\\n\\n' $id", "illegal-move", "``");
}

#[test]
fn an_engine_that_refuses_to_move_loses() {
    loses(
        "refusal",
        "printf '?%s no idea\\n\\n' $id",
        "refusal",
        "no idea",
    );
}

#[test]
fn a_late_move_loses_once_and_the_tournament_goes_on() {
    loses(
        "late",
        "sleep 0.4; printf '=%s c2\\n\\n' $id",
        "time",
        "200.0 ms left",
    );
}

#[test]
fn resigning_is_no_fault() {
    loses(
        "resign",
        "printf '=%s resign\\n\\n' $id",
        "resigned",
        "after",
    );
}

#[test]
fn a_stale_answer_is_no_illegal_move() {
    let genmove = "printf '=1000001 a1\\n\\n= 1000002 a1\\n\\nchatter\\n=%s resign\\n\\n' $id";
    loses("stale", genmove, "resigned", "after");
}

#[test]
fn a_full_standard_error_stops_nobody() {
    let genmove = "head -c 300000 /dev/zero >&2; printf '=%s resign\\n\\n' $id";
    loses("stderr", genmove, "resigned", "after");
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arena-fault-stderr/out/logs/bad-0.log");
    assert_eq!(fs::metadata(log).unwrap().len(), 4 * 300_000);
}

#[test]
fn an_engine_that_does_not_quit_is_killed_and_loses_the_game_before() {
    let dir = room("fault-quit");
    // It would win: the other one plays nonsense.
    let deaf = answering("printf '=%s c2\\n\\n' $id", "sleep 65.25");
    let deaf = script(&dir, "deaf", &deaf);
    let silly = mock(&dir, "silly", "printf '=%s resign\\n\\n' $id");
    let args = [
        "--opening-plies".to_string(),
        "0".to_string(),
        "--out".to_string(),
        "out".to_string(),
        "--engine".to_string(),
        format!("cmd='{}'", silly.display()),
        "--engine".to_string(),
        format!("cmd='{}'", deaf.display()),
    ];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let started = std::time::Instant::now();
    let report = played(&dir, &args);
    assert!(
        started.elapsed().as_secs() >= 4,
        "twice two seconds of grace"
    );
    assert_eq!(running("sleep 65.25"), Vec::<String>::new());
    let games = records(&dir.join("out"));
    // Between the games nobody is asked to quit.
    assert_eq!(games[0]["reason"], "resigned", "{report}");
    assert_eq!(games[1]["reason"], "no-quit", "{report}");
    let winner = games[1]["winner"].as_str().unwrap();
    assert_eq!(games[1][winner], "silly");
    let detail = games[1]["detail"].as_str().unwrap();
    assert!(detail.starts_with("deaf did not quit"), "{detail}");
    assert!(
        report.contains("deaf: time losses 0, other faults 1"),
        "{report}"
    );
    assert!(report.contains("did not quit: deaf did not"), "{report}");
}

#[test]
fn an_engine_has_time_to_quit() {
    let dir = room("fault-slow-quit");
    let quit = "sleep 0.5; echo done >> farewell; printf '=%s\\n\\n' $id; exit 0";
    let body = answering("printf '=%s resign\\n\\n' $id", quit);
    let mock = script(&dir, "engine", &body);
    let (_, games) = against(&dir, &mock, &[]);
    assert_eq!(games[3]["reason"], "resigned");
    // Once before the first game, to see whether it starts at all.
    let farewell = fs::read_to_string(dir.join("farewell")).unwrap();
    assert_eq!(farewell, "done\ndone\n");
}

#[test]
fn a_slow_start_is_told_before_the_first_game() {
    let dir = room("fault-start");
    let mock = script(&dir, "engine", "sleep 66.25\n");
    let (good, bad) = (ours("good", ""), format!("cmd='{}'", mock.display()));
    let args = ["--engine", &bad, "--engine", &good, "--patience", "0.3"];
    let line = refused(&dir, &args, 1);
    assert!(line.contains("no answer to `list_commands`"), "{line}");
    assert_eq!(running("sleep 66.25"), Vec::<String>::new());
}

#[test]
fn a_start_that_fails_later_costs_that_game() {
    let dir = room("fault-restart");
    // Once to see whether it starts, once for the first game; then no more.
    let count = "echo >> starts; [ $(wc -l < starts) -gt 2 ] && sleep 69.25\n";
    let quit = "printf '=%s\\n\\n' \"$id\"; exit 0";
    let mock = script(
        &dir,
        "engine",
        &(count.to_string() + &answering("exit 3", quit)),
    );
    let (_, games) = against(&dir, &mock, &["--patience", "0.5"]);
    assert_eq!(games[0]["reason"], "crash");
    for game in &games[1..] {
        assert_eq!(game["reason"], "hang");
        let detail = game["detail"].as_str().unwrap();
        assert!(detail.contains("list_commands"), "{detail}");
    }
    assert_eq!(running("sleep 69.25"), Vec::<String>::new());
}

#[test]
fn without_recovery_a_fault_ends_the_tournament() {
    let dir = room("fault-recover");
    let mock = mock(&dir, "engine", "exit 3");
    let (good, bad) = (ours("good", "depth=1"), format!("cmd='{}'", mock.display()));
    let args = ["--engine", &bad, "--engine", &good, "--out", "out"];
    let output = tournament(&dir, &[&args[..], &["--recover", "false"]].concat())
        .assert()
        .code(1)
        .get_output()
        .clone();
    assert!(text(&output.stderr).contains("--recover"));
    assert_eq!(records(&dir.join("out")).len(), 1);
}

#[test]
fn paths_with_blanks_and_accents_are_run_as_they_are() {
    let dir = room("fault-path").join("é ü 盤 my engine");
    fs::create_dir_all(&dir).unwrap();
    let mock = mock(&dir, "the éngine", "printf '=%s resign\\n\\n' $id");
    against(&dir, &mock, &[]);
}

#[test]
fn an_engine_may_run_in_a_directory_of_its_own() {
    let dir = room("fault-dir");
    let home = dir.join("its home");
    fs::create_dir_all(&home).unwrap();
    mock(
        &home,
        "engine",
        "pwd >> moves; printf '=%s resign\\n\\n' $id",
    );
    let at_home = "cmd=./engine name=bad dir='its home'";
    let good = ours("good", "depth=1");
    let report = played(&dir, &["--engine", at_home, "--engine", &good]);
    assert!(report.contains("+0 =0 -2"), "{report}");
    let moves = fs::read_to_string(home.join("moves")).unwrap();
    assert!(
        moves.lines().all(|line| line.ends_with("/its home")),
        "{moves}"
    );
}

#[test]
fn an_engine_may_run_on_another_machine() {
    let dir = room("fault-ssh");
    // Like the real one, it hands words on to a shell over there.
    script(
        &dir,
        "ssh",
        "[ \"$*\" = '-T -o BatchMode=yes host quadrille' ] || exit 255\n\
         shift 4\nexec sh -c \"$*\"\n",
    );
    let far = "cmd=ssh args=\"-T -o BatchMode=yes host quadrille\" name=far depth=1";
    let near = ours("near", "depth=1");
    let here = Path::new(QUADRILLE).parent().unwrap();
    let path = format!("{}:{}:/usr/bin:/bin", dir.display(), here.display());
    let mut command = tournament(&dir, &["--engine", far, "--engine", &near]);
    let output = command.env("PATH", path).assert().success();
    let report = text(&output.get_output().stdout);
    let line = "far: time losses 0, other faults 0";
    assert!(report.contains(line), "{report}");
}

#[test]
fn a_want_of_file_descriptors_is_nobodys_loss() {
    let dir = room("fault-descriptors");
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    let mut shell = Command::new("sh");
    shell
        .current_dir(&dir)
        .args(["-c", "ulimit -n 16; exec \"$@\"", "sh", QUADRILLE])
        .args(["tournament", "--engine", &a, "--engine", &b, "--out", "out"])
        .args([
            "--concurrency",
            "64",
            "--force-concurrency",
            "--rounds",
            "50",
        ]);
    let output = shell.assert().code(1).get_output().clone();
    let complaint = text(&output.stderr);
    assert!(complaint.contains("cannot start a process"), "{complaint}");
    for game in records(&dir.join("out")) {
        assert_eq!(game["reason"], "rules");
    }
}

/// Runs our engine behind `input` and `output`, two filters of lines.
pub(super) fn disguised(dir: &Path, name: &str, input: &str, output: &str) -> PathBuf {
    let body = format!(
        "while IFS= read -r line; do {input}; done |\n\
         '{QUADRILLE}' --hash 1 |\n\
         while IFS= read -r line; do {output}; done\n"
    );
    script(dir, name, &body)
}

#[test]
fn quirks_of_answers_are_borne() {
    let dir = room("fault-quirks");
    // A blank before the id, and moves and passes in capitals.
    let output = "case $line in\n\
        '='*' '[a-f][1-6]|'='*' pass') printf '= %s\\n' \"${line#=}\" | tr a-z A-Z;;\n\
        '='*) printf '= %s\\r\\n' \"${line#=}\";;\n\
        *) printf '%s\\n' \"$line\";; esac";
    let engine = disguised(&dir, "disguised", "printf '%s\\n' \"$line\"", output);
    let (plain, odd) = (
        ours("plain", "depth=1"),
        format!("cmd='{}'", engine.display()),
    );
    let args = [
        "--engine", &plain, "--engine", &odd, "--depth", "1", "--out", "out",
    ];
    let report = played(&dir, &args);
    assert!(
        report.contains("disguised: time losses 0, other faults 0"),
        "{report}"
    );
}

#[test]
fn an_othello_engine_plays_reversi_with_the_colours_exchanged() {
    let dir = room("fault-exchanged");
    let input = "case $line in\n\
        *'set_game reversi8'*) printf '%s nothing\\n' \"${line%% *}\";;\n\
        *) printf '%s\\n' \"$line\";; esac";
    let engine = disguised(&dir, "disguised", input, "printf '%s\\n' \"$line\"");
    let (plain, odd) = (
        ours("plain", "depth=1"),
        format!("cmd='{}'", engine.display()),
    );
    let args = [
        "--game", "reversi8", "--engine", &plain, "--engine", &odd, "--depth", "1",
    ];
    let report = played(&dir, &[&args[..], &["--out", "out"]].concat());
    assert!(
        report.contains("disguised: time losses 0, other faults 0"),
        "{report}"
    );
    for game in records(&dir.join("out")) {
        assert_eq!(game["reason"], "rules");
    }
}
