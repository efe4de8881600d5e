//! The examples of the manual, against the real program.
//!
//! An example is a fenced block marked `gtp`. Lines that begin with `> ` are
//! sent (`>` alone is an empty line), the others are what comes back; `…` stands for anything within a
//! line, and a line that is nothing but `…` for any number of lines. Every
//! block is a process of its own, on the game its fence names.

use std::collections::HashSet;

use super::client::{piped, program, script};

struct Example {
    /// Of its fence.
    line: usize,
    game: String,
    text: Vec<String>,
}

fn manual() -> String {
    std::fs::read_to_string("protocol.md").unwrap()
}

fn examples(manual: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut open: Option<Example> = None;
    for (index, line) in manual.lines().enumerate() {
        if let Some(mut example) = open.take() {
            if line == "```" {
                examples.push(example);
            } else {
                example.text.push(line.to_string());
                open = Some(example);
            }
        } else if let Some(game) = line.strip_prefix("```gtp") {
            open = Some(Example {
                line: index + 1,
                game: game.trim().to_string(),
                text: Vec::new(),
            });
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    examples
}

/// Whether `text` is `pattern`, where `…` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&at| rest.is_char_boundary(at))
                .any(|at| matches(tail, &rest[at..]))
        }),
    }
}

/// Whether the lines are the expected ones, where a line `…` stands for any
/// number of them.
pub(crate) fn lines_match(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|at| lines_match(rest, &lines[at..])),
        Some((pattern, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| matches(pattern, line) && lines_match(rest, lines)),
    }
}

#[test]
fn the_examples_are_what_the_program_answers() {
    check_examples("protocol.md", 20);
}

#[test]
fn the_sessions_of_the_readme_are_what_the_program_answers() {
    check_examples("README.md", quadrille::games::VARIANTS.len());
}

/// Runs the examples of a file, which must have at least so many.
fn check_examples(file: &str, least: usize) {
    let examples = examples(&std::fs::read_to_string(file).unwrap());
    assert!(examples.len() >= least, "{}", examples.len());
    for example in examples {
        let sent = |line: &String| match line.as_str() {
            ">" => Some("\n".to_string()),
            line => line.strip_prefix("> ").map(|line| format!("{line}\n")),
        };
        let input: String = example.text.iter().filter_map(sent).collect();
        let mut command = program();
        if !example.game.is_empty() {
            command.args(["--game", &example.game]);
        }
        let output = piped(command, input.as_bytes());
        let answers = example.text.iter().filter(|line| sent(line).is_none());
        let expected: Vec<&str> = answers.map(|line| line.trim_end()).collect();
        // The empty line that ends the last answer is not shown.
        let output = output.strip_suffix('\n').unwrap_or(&output);
        let lines: Vec<&str> = output.lines().map(str::trim_end).collect();
        assert!(
            lines_match(&expected, &lines),
            "the example in line {} of {file}; what came:\n{output}",
            example.line
        );
    }
}

#[test]
fn the_manual_describes_every_command_and_no_other() {
    let manual = manual();
    // Some commands are for the disc games alone, some for the others.
    let listed = script("list_commands\nset_game gobblet\nlist_commands\n");
    let listed: HashSet<&str> = listed
        .split_whitespace()
        .filter(|word| *word != "=")
        .collect();
    // A heading names each of its commands between backticks.
    let described: HashSet<&str> = manual
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .flat_map(|heading| heading.split('`').skip(1).step_by(2))
        .filter_map(|form| form.split(' ').next())
        .collect();
    let missing: Vec<_> = listed.difference(&described).collect();
    let extra: Vec<_> = described.difference(&listed).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "missing {missing:?}, extra {extra:?}"
    );
}
