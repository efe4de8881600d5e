//! What users of other tournament programs report of them: each is a test.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::faults::{against, answering, loses_at, script};
use super::*;

/// Each report, and the test that holds it off.
const REPORTS: [(&str, &[&str]); 29] = [
    (
        "1. The runner dies of SIGPIPE when an engine crashes",
        &["a_write_to_an_engine_that_is_gone_is_its_crash"],
    ),
    (
        "2. A crash goes unnoticed in node-limited games",
        &["a_crash_is_noticed_without_any_clock"],
    ),
    (
        "3. Orphans and zombies are left behind",
        &[
            "no_zombie_is_left_while_engines_crash",
            "engines_do_not_outlive_an_arena_that_is_killed",
            "a_hang_ends_and_leaves_no_process",
        ],
    ),
    (
        "4. SIGKILL right after quit",
        &["an_engine_has_time_to_quit"],
    ),
    (
        "5. Ctrl-C waits out a long move",
        &["an_interrupt_ends_within_a_second_and_books_nothing"],
    ),
    (
        "6. Ctrl-C is booked as a loss",
        &["an_interrupt_ends_within_a_second_and_books_nothing"],
    ),
    (
        "7. Result counts diverge after a resume",
        &["a_resumed_tournament_ends_with_the_totals_of_an_uninterrupted_one"],
    ),
    (
        "8. Half-played pairs get into the statistics",
        &["half_a_pair_is_not_in_the_statistics"],
    ),
    (
        "9. Resume is missing",
        &["an_interrupted_tournament_can_be_resumed"],
    ),
    (
        "10. A NaN LLR never ends the test",
        &["counts_without_spread_print_numbers"],
    ),
    (
        "11. SPRT state tied to what is printed",
        &["a_test_ends_at_the_same_game_whatever_is_printed"],
    ),
    (
        "12. Users confuse the kinds of Elo: print the model's name",
        &["a_sequential_test_ends_by_itself"],
    ),
    (
        "13. SPRT ends after one game",
        &[
            "one_result_decides_nothing_and_many_decide",
            "a_sequential_test_ends_by_itself",
        ],
    ),
    (
        "14. Time losses counted twice",
        &["a_late_move_loses_once_and_the_tournament_goes_on"],
    ),
    (
        "15. Time losses under load; report overhead per move",
        &[
            "clocks_are_kept_and_never_negative",
            "the_overhead_of_the_arena_is_small",
        ],
    ),
    (
        "16. Negative time sent to an engine",
        &["no_engine_hears_of_less_than_no_time"],
    ),
    (
        "17. Forfeits in movetime mode",
        &[
            "the_margin_is_borne_in_every_move",
            "an_engine_may_use_all_its_time",
        ],
    ),
    (
        "18. No end after a time loss",
        &["a_late_move_loses_once_and_the_tournament_goes_on"],
    ),
    (
        "19. The result file silently stops",
        &["a_record_that_cannot_be_written_ends_the_tournament"],
    ),
    (
        "20. A stalled engine is not told from a disconnected one",
        &["a_closed_pipe_is_told_from_a_hang"],
    ),
    (
        "21. An illegal move booked as a draw",
        &["an_illegal_move_loses"],
    ),
    (
        "22. A stale answer read as an illegal move",
        &["a_stale_answer_is_no_illegal_move"],
    ),
    (
        "23. The runner crashes on a bad engine",
        &[
            "garbage_loses_and_harms_nobody",
            "an_engine_that_refuses_to_move_loses",
        ],
    ),
    (
        "24. A space in the engine's path runs another program",
        &["paths_with_blanks_and_accents_are_run_as_they_are"],
    ),
    (
        "25. Non-ASCII paths",
        &["paths_with_blanks_and_accents_are_run_as_they_are"],
    ),
    (
        "26. File-descriptor limits",
        &["a_want_of_file_descriptors_is_nobodys_loss"],
    ),
    (
        "27. stderr not drained: deadlock at 64 KiB",
        &["a_full_standard_error_stops_nobody"],
    ),
    (
        "28. An engine floods stdout: bound the memory",
        &["a_flood_of_output_ends"],
    ),
    (
        "29. Waits forever on a hang, never restarts a crashed engine, deadlocks after a crash",
        &[
            "a_hang_ends_and_leaves_no_process",
            "a_crash_loses_the_game_and_the_engine_comes_back",
        ],
    ),
];

/// The text of all source files below these directories.
fn sources(dirs: &[&str]) -> String {
    let mut text = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut left: Vec<PathBuf> = dirs.iter().map(|dir| root.join(dir)).collect();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}

#[test]
fn each_report_has_its_test() {
    let sources = sources(&["tests/arena", "src/arena"]);
    for (number, (report, tests)) in REPORTS.iter().enumerate() {
        assert!(report.starts_with(&format!("{}. ", number + 1)), "{report}");
        for test in *tests {
            let definition = format!("#[test]\nfn {test}()");
            let inner = format!("    #[test]\n    fn {test}()");
            let unix = format!("#[cfg(target_os = \"linux\")]\nfn {test}()");
            assert!(
                [definition, inner, unix]
                    .iter()
                    .any(|text| sources.contains(text)),
                "{report}: {test}"
            );
        }
    }
}

#[test]
fn a_write_to_an_engine_that_is_gone_is_its_crash() {
    let dir = room("report-1");
    // The arena writes on into a closed pipe.
    let body = "while read -r id command rest; do printf '=%s set_game\\n\\n' $id\n\
        case $command in clear_board) exit 9;; esac; done\n";
    let mock = script(&dir, "engine", body);
    let (report, games) = against(&dir, &mock, &[]);
    for game in games {
        assert_eq!(game["reason"], "crash", "{report}");
        assert!(game["detail"].as_str().unwrap().contains('9'));
    }
}

#[test]
fn a_crash_is_noticed_without_any_clock() {
    loses_at(&["--nodes", "100"], "nodes", "exit 3", "crash", "3");
    let child = "sleep 68.25 & exit 3";
    loses_at(&["--depth", "1"], "nodes-child", child, "crash", "3");
}

#[test]
#[cfg(target_os = "linux")]
fn no_zombie_is_left_while_engines_crash() {
    let dir = room("report-3");
    let crash = answering("exit 3", "exit 0");
    let (bad, good) = (script(&dir, "engine", &crash), ours("good", "depth=1"));
    let bad = format!("cmd='{}'", bad.display());
    let mut arena = std::process::Command::new(QUADRILLE)
        .args([
            "tournament",
            "--rounds",
            "6",
            "--engine",
            &bad,
            "--engine",
            &good,
        ])
        .current_dir(&dir)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while arena.try_wait().unwrap().is_none() {
        most = most.max(zombies_of(arena.id()));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(arena.wait().unwrap().success());
    assert!(most <= 1, "{most} at a time, of twelve crashes");
}

/// Ended children that a process has not waited for.
#[cfg(target_os = "linux")]
fn zombies_of(parent: u32) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let parents = stats.filter_map(|stat| {
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut words = rest.split(' ');
        let is_zombie = words.next() == Some("Z");
        words.next()?.parse::<u32>().ok().filter(|_| is_zombie)
    });
    parents.filter(|&process| process == parent).count()
}

#[test]
fn a_test_ends_at_the_same_game_whatever_is_printed() {
    let dir = room("report-11");
    let (a, b) = (ours("A", "nodes=400"), ours("B", "nodes=20"));
    let args = [
        "--game", "tiles", "--rounds", "500", "--engine", &a, "--engine", &b,
    ];
    let test = ["--sprt", "elo0=0", "elo1=150", "--out"];
    for (out, printed) in [("often", "1"), ("never", "100000")] {
        let print = ["--ratinginterval", printed, "--scoreinterval", printed];
        played(&dir, &[&args[..], &test, &[out], &print].concat());
    }
    let count = |out: &str| records(&dir.join(out)).len();
    assert_eq!(count("often"), count("never"));
    assert!((4..1000).contains(&count("never")));
}

#[test]
fn the_overhead_of_the_arena_is_small() {
    let dir = room("report-15");
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    let report = played(&dir, &["--engine", &a, "--engine", &b]);
    let (_, line) = report.split_once("overhead of the arena: ").unwrap();
    let millis: f64 = line.split(' ').next().unwrap().parse().unwrap();
    // Less than 1 on an idle machine; tests run on a busy one.
    assert!(millis < 5.0, "{report}");
}

#[test]
fn no_engine_hears_of_less_than_no_time() {
    let dir = room("report-16");
    // Each move takes more than the clock has; the margin bears it.
    let input = "case $line in\n\
        *time_left*) echo \"$line\" >> times;;\n\
        *genmove*) sleep 0.06;; esac; printf '%s\\n' \"$line\"";
    let engine = super::faults::disguised(&dir, "slow", input, "printf '%s\\n' \"$line\"");
    let slow = format!("cmd='{}' name=slow tc=0.2", engine.display());
    let good = ours("good", "depth=1");
    let args = [
        "--engine",
        &slow,
        "--engine",
        &good,
        "--timemargin",
        "60000",
    ];
    let report = played(&dir, &args);
    assert!(
        report.contains("slow: time losses 0, other faults 0"),
        "{report}"
    );
    let times = fs::read_to_string(dir.join("times")).unwrap();
    let left = times.lines().map(|line| {
        let number = line.split(' ').nth(3).unwrap();
        number.parse::<f64>().unwrap()
    });
    let left: Vec<f64> = left.collect();
    assert!(left.iter().all(|&seconds| seconds >= 0.0), "{times}");
    assert!(left.contains(&0.0), "{times}");
}

#[test]
fn an_engine_may_use_all_its_time() {
    let dir = room("report-17");
    let input = "case $line in *genmove*) sleep 0.1;; esac; printf '%s\\n' \"$line\"";
    let engine = super::faults::disguised(&dir, "exact", input, "printf '%s\\n' \"$line\"");
    let exact = format!("cmd='{}' name=exact st=0.1 args=x", engine.display());
    let good = ours("good", "depth=1");
    let args = [
        "--engine",
        &exact,
        "--engine",
        &good,
        "--timemargin",
        "5000",
    ];
    let report = played(&dir, &[&args[..], &["--maxmoves", "12"]].concat());
    assert!(
        report.contains("exact: time losses 0, other faults 0"),
        "{report}"
    );
}

#[test]
fn a_record_that_cannot_be_written_ends_the_tournament() {
    let dir = room("report-19");
    let (a, b) = (ours("A", "depth=1"), ours("B", "depth=1"));
    let started = Instant::now();
    let mut shell = Command::new("sh");
    shell
        .current_dir(&dir)
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 8; exec \"$@\"",
            "sh",
            QUADRILLE,
        ])
        .args([
            "tournament",
            "--rounds",
            "2000",
            "--engine",
            &a,
            "--engine",
            &b,
        ])
        .args(["--out", "out"]);
    let output = shell.assert().code(1).get_output().clone();
    let complaint = text(&output.stderr);
    assert!(complaint.contains("could not be recorded"), "{complaint}");
    assert!(started.elapsed().as_secs() < 60);
    // What was whole is whole.
    let file = fs::read_to_string(dir.join("out/games.jsonl")).unwrap();
    let (whole, _) = file.rsplit_once('\n').unwrap();
    assert!(
        whole
            .lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );

    let mut shell = Command::new("sh");
    shell
        .current_dir(&dir)
        .args(["-c", "exec \"$@\" > /dev/full", "sh", QUADRILLE])
        .args(["tournament", "--engine", &a, "--engine", &b]);
    let output = shell.assert().code(1).get_output().clone();
    let complaint = text(&output.stderr);
    assert!(complaint.contains("cannot write the answer"), "{complaint}");
}

#[test]
fn garbage_loses_and_harms_nobody() {
    let dir = room("report-23");
    let garbage = "head -c 3000 /dev/urandom; printf '\\n\\n=%s \\377\\376 \\033[31m\\n\\n' $id";
    let mock = script(&dir, "engine", &answering(garbage, "exit 0"));
    let (_, games) = against(&dir, &mock, &["--st", "0.3"]);
    for game in games {
        let reason = game["reason"].as_str().unwrap();
        assert!(
            ["illegal-move", "refusal", "hang"].contains(&reason),
            "{reason}"
        );
    }
}
