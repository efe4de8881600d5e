//! Levels are the same in every protocol: from 1 to 10, and nothing else.

use super::client::{piped, program};

const WORDS: &str = "a level is a whole number from 1 to 10";

/// How each front end is told of a level: its arguments, the command before
/// and behind the number, and what makes it say that it has read on.
const FRONTS: [(&[&str], &str, &str); 4] = [
    (&[], "set_option level ", "\nname\n"),
    (&["nboard"], "set level ", "\nping 1\n"),
    (&["ugi"], "setoption name Level value ", "\nisready\n"),
    (&["play", "othello6"], "level ", "\nquit\n"),
];

#[test]
fn a_level_is_1_to_10_everywhere() {
    for (arguments, before, behind) in FRONTS {
        for (level, good) in [
            ("1", true),
            ("7", true),
            ("10", true),
            ("0", false),
            ("11", false),
            ("-1", false),
            ("high", false),
        ] {
            let mut command = program();
            command.args(arguments).args(["--hash", "8"]);
            let input = format!("{before}{level}{behind}");
            let said = piped(command, input.as_bytes());
            assert_eq!(!said.contains(WORDS), good, "{before}{level}: {said}");
        }
    }
    for (level, good) in [("1", true), ("10", true), ("0", false), ("11", false)] {
        let mut command = program();
        let status = command
            .args(["--level", level])
            .stdin(std::process::Stdio::null());
        assert_eq!(status.status().unwrap().success(), good, "--level {level}");
    }
}
