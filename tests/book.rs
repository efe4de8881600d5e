//! Books are made, checked and used.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;

/// 6x6 with 14 empty squares.
const POSITION: &str = "-OOOO-/--OOX-/OOOXXX/-OXXXX/--OX--/--OX-- X";

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("quadrille-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn book(args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("quadrille").expect("the program");
    command.arg("book").args(args).output().expect("it runs")
}

fn done(args: &[&str]) -> String {
    let output = book(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn refused(args: &[&str]) -> String {
    let output = book(args);
    assert!(!output.status.success(), "{args:?}");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

#[test]
fn proved_lines_hold_against_every_reply() {
    let folder = Folder::new("solved");
    let (lines, file) = (folder.file("a.lines"), folder.file("a.book"));
    let few = ["--leaf-nodes", "300", "--position", POSITION];
    let solve = [&["solve", "othello6", &lines, "--hash", "16"], &few[..]].concat();
    let told = done(&solve);
    let text = fs::read_to_string(&lines).expect("lines");
    assert!(text.lines().count() > 20, "{told}{text}");
    // Killed half-way and begun again, it finds the same.
    let cut = text.len() / 2;
    fs::write(&lines, &text[..cut]).expect("room");
    assert_eq!(done(&solve), told);
    let mut again: Vec<String> = read_lines(&lines);
    again.sort_unstable();
    let mut first: Vec<String> = text.lines().map(str::to_string).collect();
    first.sort_unstable();
    assert_eq!(again, first);

    done(&["export", "othello6", &lines, &file, "--proved"]);
    let check = [&["check", "othello6", &file], &few[..]].concat();
    let verdict = done(&check);
    let value = solved_value();
    assert!(
        verdict.contains(&format!("black has at least {value}\n")),
        "{verdict}"
    );
    assert!(
        verdict.contains(&format!("white has at least {}\n", -value)),
        "{verdict}"
    );

    // A promise that cannot be kept is found out.
    let promise = format!("{POSITION} ; ");
    let lied: String = text
        .lines()
        .map(|line| match line.strip_prefix(&promise) {
            Some(moves) => format!("{promise}{} 3600\n", moves.split(' ').next().unwrap_or("")),
            None => format!("{line}\n"),
        })
        .collect();
    fs::write(&lines, lied).expect("room");
    done(&["export", "othello6", &lines, &file, "--proved"]);
    assert!(refused(&check).contains("should be worth margin 36"));
}

fn read_lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("lines");
    text.lines().map(str::to_string).collect()
}

fn solved_value() -> i32 {
    let mut command = Command::cargo_bin("quadrille").expect("the program");
    let output = command
        .args(["solve", "othello6", "--position", POSITION])
        .output();
    let text = String::from_utf8(output.expect("it runs").stdout).expect("text");
    let value = text
        .split_whitespace()
        .nth(1)
        .and_then(|value| value.parse().ok());
    value.unwrap_or_else(|| panic!("no score: {text}"))
}

#[test]
fn a_grown_book_is_the_same_for_any_concurrency() {
    let folder = Folder::new("grown");
    let grow = |name: &str, positions: &str, concurrency: &str| {
        let lines = folder.file(&format!("{name}.lines"));
        let size = ["--positions", positions, "--nodes", "2000"];
        let told = done(
            &[
                &["grow", "othello8", &lines, "--concurrency", concurrency],
                &size[..],
            ]
            .concat(),
        );
        assert_eq!(told, format!("{positions} positions\n"));
        read_lines(&folder.file(&format!("{name}.values")))
    };
    let alone = grow("a", "20", "1");
    assert_eq!(alone.len(), 20);
    assert_eq!(grow("b", "20", "2"), alone);
    // What was found before is gone on with.
    grow("c", "10", "1");
    assert_eq!(grow("c", "20", "1"), alone);

    let (values, file) = (folder.file("a.values"), folder.file("a.book"));
    let told = done(&["export", "othello8", &values, &file, "--leeway", "6400"]);
    assert!(told.starts_with("20 positions, "), "{told}");
    // Another search says how much worse than the best its moves are.
    let check = |leeway| {
        let few = ["--leaf-nodes", "3000", "--sample", "3", "--leeway", leeway];
        [&["check", "othello8", &file], &few[..]].concat()
    };
    let told = done(&check("6400"));
    assert!(
        told.starts_with("20 positions, 7 of them searched"),
        "{told}"
    );
    let line = refused(&check("0"));
    assert!(
        line.contains(" worse than the best move, more than --leeway 0"),
        "{line}"
    );

    // Or leaves those out that are too bad; then the rest is good enough.
    let mended = folder.file("mended.book");
    let strict = ["--leaf-nodes", "3000", "--leeway", "0"];
    let mend = |concurrency| {
        let more = ["--mend", &mended, "--concurrency", concurrency];
        let told = done(&[&["check", "othello8", &file], &strict[..], &more].concat());
        (told, std::fs::read(&mended).unwrap())
    };
    let alone_mended = mend("1");
    assert_eq!(mend("2"), alone_mended);
    let (told, bytes) = alone_mended;
    assert!(
        told.contains(" moves left out, ") && !told.contains("\n0 moves left out"),
        "{told}"
    );
    assert!(bytes.len() < std::fs::read(&file).unwrap().len());
    done(&[&["check", "othello8", &mended], &strict[..]].concat());
    let line = refused(&["check", "othello8", &file, "--mend", &values]);
    assert!(line.contains("is no book"), "{line}");
    // What cannot be written is known before the search, and of a part of the
    // book nothing is made.
    let check_and = |more: &[&str]| book(&[&["check", "othello8", &file], more].concat());
    for more in [
        &["--mend", &folder.file("nowhere/mended.book")],
        &["--mend", &folder.file("")],
        &["--mend", &mended, "--position", POSITION][..],
    ] {
        let output = check_and(more);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{more:?}"
        );
    }

    // The values carried back must not replace what they were made from.
    let line = refused(&["grow", "othello8", &values]);
    assert!(line.contains("another ending than values"), "{line}");
    assert_eq!(read_lines(&values), alone);
}

/// A line of so many plies that the engine plays against itself.
fn line_of(game: &str, seed: u32, plies: usize) -> Vec<String> {
    let colours = if game == "reversi8" {
        ["w", "b"]
    } else {
        ["b", "w"]
    };
    let mut input = format!("set_game {game}\nset_option nodes 20\nset_option seed {seed}\n");
    for ply in 0..plies {
        input += &format!("genmove {}\nlast_search\n", colours[ply % 2]);
    }
    let mut command = Command::cargo_bin("quadrille").expect("the program");
    let output = command.write_stdin(input).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let answers = text.split("\n\n").skip(3).map(str::to_string);
    answers.filter(|answer| !answer.is_empty()).collect()
}

#[test]
fn the_first_moves_of_8x8_are_known_and_varied() {
    let lines: Vec<Vec<String>> = (0..12).map(|seed| line_of("othello8", seed, 8)).collect();
    for line in &lines {
        for answers in line.chunks(2) {
            assert!(
                answers[1].starts_with("= info depth 0 score eval "),
                "{line:?}"
            );
            assert!(answers[1].contains(" nodes 0 "), "{line:?}");
        }
    }
    let different: std::collections::HashSet<_> = lines.iter().collect();
    assert!(different.len() >= 4, "{different:?}");
    // The same seed makes the same choices, on the other board with the
    // colours exchanged.
    let moves = |line: &[String]| -> Vec<String> { line.iter().step_by(2).cloned().collect() };
    for seed in [0, 5] {
        let again = line_of("othello8", seed, 8);
        assert_eq!(moves(&again), moves(&lines[seed as usize]));
        let line = line_of("reversi8", 0, 8);
        assert!(line[15].starts_with("= info depth 0 "), "{line:?}");
    }
    assert_eq!(moves(&line_of("reversi8", 0, 8)), moves(&lines[0]));
}

#[test]
fn the_book_of_8x8_is_small_and_whole() {
    let bytes = include_bytes!("../src/games/discs/eight.book");
    let book = quadrille::book::Book::read(bytes).expect("a book");
    assert!(!book.is_proved());
    assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
}

/// Whatever is answered to the first move is known, and most of what is
/// answered to the next.
#[test]
fn the_book_of_8x8_has_an_answer_to_most_replies() {
    let settings = quadrille::search::Settings {
        hash: 0,
        ..Default::default()
    };
    let game = quadrille::games::find("othello8").expect("a game");
    let mut session = game.open(&settings).expect("opens");
    let book = session.book().expect("a book");
    let mut waiting = vec![session.position()];
    for share in [1.0, 1.0, 0.7] {
        let all = waiting.len();
        let mut known = 0;
        let mut next = Vec::new();
        for position in waiting {
            session.set_position(&position).expect("legal");
            let moves = session.moves_in(book);
            let Some((best, _)) = moves.first() else {
                continue;
            };
            known += 1;
            let side = session.side_to_move();
            session.play(side, best).expect("legal");
            for reply in session.legal_moves() {
                session.play(!side, &reply).expect("legal");
                next.push(session.position());
                session.undo();
            }
        }
        assert!(f64::from(known) >= share * all as f64, "{known} of {all}");
        waiting = next;
    }
}
