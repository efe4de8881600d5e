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
    let told = done(&["export", "othello8", &values, &file]);
    assert!(told.starts_with("20 positions, "), "{told}");
    assert!(refused(&["check", "othello8", &file]).contains("proves nothing"));
}

#[test]
fn what_is_no_book_is_refused() {
    let folder = Folder::new("wrong");
    let file = folder.file("x.book");
    fs::write(&file, "something else").expect("room");
    assert!(refused(&["check", "othello6", &file]).contains("no book"));
    assert!(refused(&["solve", "tiles", &folder.file("t.lines")]).contains("no margins"));
    let (none, kept) = (folder.file("none.lines"), folder.file("kept.book"));
    fs::write(&kept, "kept").expect("room");
    assert!(refused(&["export", "othello6", &none, &kept]).contains("none.lines: "));
    assert_eq!(fs::read_to_string(&kept).expect("the file"), "kept");
    assert!(!fs::exists(&none).expect("a folder"));
    assert!(refused(&["check", "gobblet"]).contains("gobblet has no book"));
    fs::write(&file, "something else\n").expect("room");
    assert!(refused(&["export", "othello6", &file, &file]).contains("line 1"));
}
