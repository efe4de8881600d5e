//! `quadrille stats`

use assert_cmd::Command;
use serde_json::Value;

fn stats(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.arg("stats").args(args.split_whitespace());
    command
}

fn answer(args: &str) -> String {
    let output = stats(args)
        .assert()
        .success()
        .stderr("")
        .get_output()
        .clone();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn games_and_pairs_are_told_with_their_errors_and_the_model() {
    assert_eq!(
        answer("136 111 96 --model logistic"),
        "games 343: +136 =111 -96\n\
         score 0.558309\n\
         elo 40.7025 ± 30.4272\n\
         nelo 49.7684 ± 36.7685\n\
         los 99.6010 %\n\
         llr 0.799005 [-2.944439, 2.944439], elo0 0 elo1 5 (logistic model)\n"
    );
    let pairs = answer("--pairs 332 433 498 333 334 --elo0 0 --elo1 10");
    assert!(
        pairs.contains("elo -8.6427 ± 10.3342\nnelo -9.1729 ± 10.9605"),
        "{pairs}"
    );
    assert!(
        pairs.contains("(normalized model): H0 is accepted"),
        "{pairs}"
    );
}

#[test]
fn json_holds_the_same_numbers() {
    let text = answer("--json --pairs 34 54 63 64 75 --elo0 0 --elo1 5 --model normalized");
    let report: Value = serde_json::from_str(&text).unwrap();
    for (name, expected, error) in [
        ("score", 0.579310, 1e-6),
        ("elo", 55.5798, 1e-4),
        ("elo_error", 27.6534, 1e-4),
        ("nelo", 57.9356, 1e-4),
        ("nelo_error", 28.2754, 1e-4),
        ("los", 0.99997, 1e-5),
        ("llr", 1.301436, 2e-3),
        ("upper", 2.944439, 1e-6),
    ] {
        let found = report[name].as_f64().unwrap();
        assert!((found - expected).abs() <= error, "{name} {found}");
    }
    assert_eq!(report["model"], "normalized");
    assert_eq!(report["accepted"], Value::Null);
}

#[test]
fn counts_without_spread_print_numbers() {
    for args in ["10 0 0", "0 10 0", "0 0 10", "0 0 0", "--pairs 0 0 0 0 9"] {
        let text = answer(args);
        let lower = text.to_lowercase();
        assert!(!lower.contains("nan") && !lower.contains("inf"), "{text}");
    }
}

#[test]
fn wrong_use_is_told() {
    for args in [
        "1 2",
        "1 2 x",
        "1 2 3 4",
        "1 2 3 --pairs 1 2 3 4 5",
        "--pairs 1 2 3",
        "",
        "1 2 3 --elo0 5 --elo1 5",
        "1 2 3 --alpha 0",
        "1 2 3 --elo1 nan",
        "1 2 3 --model bayes",
        "1 2 18446744073709551615",
    ] {
        let output = stats(args).assert().code(2).stdout("").get_output().clone();
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(line.lines().count(), 1, "{args}: {line}");
    }
}
