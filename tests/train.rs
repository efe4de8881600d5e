//! The training, from games to a weight file, on a tiny scale.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use quadrille::game::Game;
use quadrille::games::discs::Discs;
use quadrille::games::gobblet::Gobblet;
use quadrille::games::tiles::Tiles;
use quadrille::search::heuristics::Knowledge;
use quadrille::train::Trainable;

fn quadrille(args: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(args)
        .current_dir(directory)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

/// What a call prints that must go well.
fn train(args: &str, directory: &Path) -> String {
    let words: Vec<&str> = std::iter::once("train").chain(args.split(' ')).collect();
    let output = quadrille(&words, directory);
    assert!(output.status.success(), "{args}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// An empty directory of this test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

const DATA: &str = "data othello6 data --games 512 --depth 1 --reach 8 --seed 3 --threads 2";

#[test]
fn from_games_to_weights() {
    let directory = directory("train");
    train(DATA, &directory);
    train(
        "label othello6 labelled --data data --depth 2 --keep 50",
        &directory,
    );
    let report = train(
        "fit othello6 fit --data labelled --iterations 2",
        &directory,
    );
    let error: f64 = report.lines().last().unwrap()["all: ".len()..]
        .parse()
        .unwrap();
    assert!(error == 0.0, "so few games leave none out: {report}");
    let json = std::fs::read_to_string(directory.join("fit/report.json")).unwrap();
    assert!(json.contains("\"game\": \"othello6\""), "{json}");
    let plot = std::fs::read_to_string(directory.join("fit/error.svg")).unwrap();
    assert!(plot.starts_with("<svg"));

    std::fs::copy(
        "src/games/discs/discs.weights",
        directory.join("new.weights"),
    )
    .unwrap();
    train(
        "export othello6 fit new.weights --set-version tiny",
        &directory,
    );
    let bytes = std::fs::read(directory.join("new.weights")).unwrap();
    let new = Knowledge::<Discs>::read(&bytes).unwrap();
    assert!(new.identity.starts_with("tiny "), "{}", new.identity);

    // What it has learned is better than nothing and worse than the best.
    train(
        "exact othello6 exact --positions 40 --from 10 --to 13 --depth 2",
        &directory,
    );
    let error = |weights: &str| -> f64 {
        let report = train(&format!("error othello6 exact{weights}"), &directory);
        report.lines().last().unwrap()["all: ".len()..]
            .parse()
            .unwrap()
    };
    let (new, built_in) = (error(" --weights new.weights"), error(""));
    assert!(built_in < new && new < 16.0, "{built_in} {new}");
}

#[test]
fn a_fit_goes_on_from_an_earlier_one() {
    let directory = directory("goes-on");
    train(DATA, &directory);
    train("fit othello6 before --data data --iterations 1", &directory);
    train(
        "label othello6 late --data data --depth 2 --from 17 --to 26",
        &directory,
    );
    train(
        "fit othello6 after --data late --prior before --iterations 1",
        &directory,
    );
    let phase = |fit: &str, number: u32| {
        std::fs::read(directory.join(format!("{fit}/phase-{number:02}.fit"))).unwrap()
    };
    // No position belongs to the phases of the last 16 squares.
    for number in [0, 1] {
        assert!(phase("after", number) == phase("before", number));
    }
    for number in [2, 3] {
        assert!(phase("after", number) != phase("before", number));
    }
    let nothing = quadrille(
        &[
            "train", "fit", "othello6", "x", "--data", "late", "--prior", "nowhere",
        ],
        &directory,
    );
    assert_eq!(nothing.status.code(), Some(1));
    let complaint = String::from_utf8(nothing.stderr).unwrap();
    assert!(complaint.contains("nowhere/phase-00.fit"), "{complaint}");
}

#[test]
fn gobblet_is_trained_on_results() {
    let directory = directory("gobblet");
    train(
        "data gobblet data --games 256 --depth 1 --seed 3",
        &directory,
    );
    std::fs::copy(
        "src/games/gobblet/gobblet.weights",
        directory.join("before.weights"),
    )
    .unwrap();
    train("fit gobblet fit --data data --iterations 8", &directory);
    train(
        "fit gobblet held --data data --iterations 1 --prior before.weights",
        &directory,
    );
    train(
        "export gobblet fit new.weights --set-version tiny",
        &directory,
    );
    let bytes = std::fs::read(directory.join("new.weights")).unwrap();
    let new = Knowledge::<Gobblet>::read(&bytes).unwrap();
    assert!(new.identity.starts_with("tiny "), "{}", new.identity);

    // It foretells results of other games better than a coin, which is off by
    // 100 where nothing is drawn.
    train(
        "data gobblet others --games 256 --depth 1 --seed 4",
        &directory,
    );
    let report = train("error gobblet others --weights new.weights", &directory);
    let error: f64 = report.lines().last().unwrap()["all: ".len()..]
        .parse()
        .unwrap();
    assert!(error < 90.0, "{report}");
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_end() {
    let directory = directory("resumed");
    train(DATA, &directory);
    let first = directory.join("data/000000.positions");
    let second = directory.join("data/000001.positions");
    let before = [
        std::fs::read(&first).unwrap(),
        std::fs::read(&second).unwrap(),
    ];
    assert_ne!(before[0], before[1]);
    std::fs::remove_file(&second).unwrap();
    train(DATA, &directory);
    let after = [
        std::fs::read(&first).unwrap(),
        std::fs::read(&second).unwrap(),
    ];
    assert!(before == after);

    // Other settings belong elsewhere.
    let other = quadrille(
        &[
            "train", "data", "othello6", "data", "--games", "512", "--seed", "4",
        ],
        &directory,
    );
    assert_eq!(other.status.code(), Some(2));
    let complaint = String::from_utf8(other.stderr).unwrap();
    assert!(
        complaint.contains("choose another directory"),
        "{complaint}"
    );
}

#[test]
fn what_cannot_be_done_is_told() {
    let directory = directory("refused");
    std::fs::create_dir(directory.join("empty")).unwrap();
    std::fs::write(directory.join("file"), "text").unwrap();
    train("data gobblet other --games 1 --depth 1", &directory);
    for (args, expected) in [
        (&["train"][..], "subcommand"),
        (&["book"], "subcommand"),
        (
            &["train", "data", "reversi8", "x"],
            "reversi8 is not trained",
        ),
        (
            &["train", "data", "othello6", "x", "--games", "0"],
            "--games",
        ),
        (
            &["train", "data", "othello6", "x", "--threads", "0"],
            "--threads",
        ),
        (
            &["train", "data", "othello6", "file"],
            "file: is no directory",
        ),
        (
            &["train", "label", "tiles", "x", "--data", "empty"],
            "tiles has no labels",
        ),
        (
            &["train", "label", "gobblet", "x", "--data", "other"],
            "gobblet has no labels",
        ),
        (
            &["train", "label", "othello6", "x", "--data", "empty"],
            "empty: there are no positions",
        ),
        (
            &["train", "label", "othello6", "x", "--data", "other"],
            "these are positions of gobblet, not of othello6",
        ),
        (
            &[
                "train", "label", "othello6", "x", "--data", "other", "--from", "9", "--to", "8",
            ],
            "--from is at most --to",
        ),
        (
            &["train", "fit", "othello6", "fit", "--data", "nowhere"],
            "nowhere",
        ),
        (
            &[
                "train", "fit", "gobblet", "fit", "--data", "other", "--ridge", "nan",
            ],
            "positive number",
        ),
        (
            &[
                "train", "fit", "gobblet", "fit", "--data", "other", "--prior", "nowhere",
            ],
            "nowhere",
        ),
        (
            &["train", "error", "othello6", "empty"],
            "there are no positions",
        ),
        (
            &["train", "export", "othello6", "nowhere", "x.weights"],
            "nowhere",
        ),
        (
            &["train", "probcut", "tiles", "x.weights", "--data", "empty"],
            "tiles is searched in full",
        ),
        (
            &["train", "exact", "gobblet", "x"],
            "gobblet cannot be solved",
        ),
        (
            &[
                "train", "exact", "othello6", "x", "--from", "9", "--to", "8",
            ],
            "--from",
        ),
        // One position has 31 moves left, up to symmetry.
        (
            &[
                "train", "exact", "othello6", "x", "--from", "31", "--to", "31",
            ],
            "no other position with 31 moves left",
        ),
    ] {
        let output = quadrille(args, &directory);
        assert!(!output.status.success(), "{args:?}");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(expected), "{complaint}");
    }
    // Nothing was begun in vain.
    assert!(!directory.join("fit").exists());
}

/// No image of a solved position is solved again, also after a stop.
#[test]
fn exact_positions_are_all_different() {
    let directory = directory("exact");
    let exact = "exact othello6 exact --positions 60 --from 8 --to 8 --depth 1";
    train(exact, &directory);
    let chunk = |number: usize| directory.join(format!("exact/{number:06}.positions"));
    let bytes = |number| std::fs::read(chunk(number)).unwrap();
    let before: Vec<Vec<u8>> = (0..6).map(bytes).collect();
    let mut seen = std::collections::HashSet::new();
    for file in &before {
        let begin = file.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for record in file[begin..].chunks_exact(19) {
            let position = Discs::othello6().unpack(&record[..16]).unwrap();
            assert_eq!(position.moves_left(), 8);
            assert!(seen.insert(position.canonical_key()));
        }
    }
    assert_eq!(seen.len(), 60);
    for number in [2, 5] {
        std::fs::remove_file(chunk(number)).unwrap();
    }
    train(exact, &directory);
    assert!((0..6).map(bytes).eq(before));
}

/// Tiles are judged by a network.
#[test]
fn from_games_to_a_network() {
    let directory = directory("network");
    train(
        "data tiles data --games 512 --depth 1 --reach 12 --seed 3 --threads 2",
        &directory,
    );
    let report = train("fit tiles fit --data data --iterations 2", &directory);
    assert!(report.contains("all: "), "{report}");
    train(
        "export tiles fit new.weights --set-version tiny",
        &directory,
    );
    let bytes = std::fs::read(directory.join("new.weights")).unwrap();
    let knowledge = Knowledge::<Tiles>::read(&bytes).unwrap();
    assert!(knowledge.identity.starts_with("tiny "));
    // The same games give the same network.
    train("fit tiles again --data data --iterations 2", &directory);
    let fitted = |fit: &str| std::fs::read(directory.join(fit).join("phase-00.fit")).unwrap();
    assert_eq!(fitted("fit"), fitted("again"));
    // A network has learned something from so few games already.
    let error = |line: &str| -> f64 { line["all: ".len()..].parse().unwrap() };
    let of_network = train("error tiles data --weights new.weights", &directory);
    assert!(
        error(of_network.lines().last().unwrap()) < 99.0,
        "{of_network}"
    );
    let refused = quadrille(
        &["train", "label", "tiles", "x", "--data", "data"],
        &directory,
    );
    assert!(String::from_utf8_lossy(&refused.stderr).contains("tiles has no labels"));
}
