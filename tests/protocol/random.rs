//! No input kills it, and every line is answered or not as the protocol says.

use proptest::prelude::*;

use super::client::{answers, script};

/// The protocol's own reading of an input: the ids of the lines that are due
/// an answer, up to `quit`.
fn ids_due(input: &[u8]) -> Vec<String> {
    let mut ids = Vec::new();
    let input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    for line in input.split(|&byte| byte == b'\n') {
        let line: Vec<u8> = line
            .iter()
            .map(|&byte| if byte == b'\t' { b' ' } else { byte })
            .filter(|&byte| byte >= b' ' && byte != 127)
            .collect();
        let line = line.split(|&byte| byte == b'#').next().unwrap();
        let mut words = line.split(|&byte| byte == b' ').filter(|w| !w.is_empty());
        let mut word = words.next();
        let mut id = String::new();
        if let Some(first) = word
            && first.iter().all(u8::is_ascii_digit)
        {
            id = String::from_utf8(first.to_vec()).unwrap();
            word = words.next();
        }
        if let Some(name) = word {
            ids.push(id);
            if name == b"quit" {
                break;
            }
        }
    }
    ids
}

fn check(input: &[u8]) {
    let output = script(input);
    let answers = answers(&output);
    let due = ids_due(input);
    let shown = String::from_utf8_lossy(input);
    assert_eq!(answers.len(), due.len(), "{shown:?}: {output}");
    for (answer, id) in answers.iter().zip(&due) {
        let sign = answer.chars().next();
        assert!(matches!(sign, Some('=' | '?')), "{shown:?}: {answer}");
        assert!(
            answer[1..].starts_with(&format!("{id} ")),
            "{shown:?}: {answer}"
        );
    }
}

/// Arguments of every kind, good and bad. Nothing here takes long: `stop` at
/// the end of the input ends it.
fn word() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "b",
        "w",
        "White",
        "green",
        "c2",
        "d3",
        "C4",
        "pass",
        "PASS",
        "resign",
        "z9",
        "0",
        "1",
        "-1",
        "3",
        "8",
        "6",
        "0.5",
        "1e9",
        "nan",
        "99999999999999999999",
        "all",
        "time",
        "depth",
        "nodes",
        "infinite",
        "othello8",
        "Reversi",
        "gobblet",
        "tiles",
        "threads",
        "hash",
        "seed",
        "book",
        "false",
        "weights",
        "embedded",
        "none",
        "fischer",
        "byoyomi",
        "candidates",
        "interval",
        "/",
        "play",
        "tests/data/protocol/game.sgf",
        "4@b2",
        "a1b2",
        "a1b2:a1",
        "é",
        "\"",
        "X",
        "------/------/--OX--/--XO--/------/------",
        ".,.,.,./.,.,.,./.,.,.,./.,.,.,.",
    ]);
    prop_oneof![9 => known.prop_map(str::to_string), 1 => "[ -~]{0,12}"]
}

fn command() -> impl Strategy<Value = String> {
    let listed = script("list_commands\n");
    let names: Vec<String> = listed[2..]
        .split_whitespace()
        // They would write files of any name.
        .filter(|&name| name != "quit" && !name.starts_with("save"))
        .map(str::to_string)
        .collect();
    let id = prop_oneof![Just(String::new()), "[0-9]{1,12} "];
    let words = prop::collection::vec(word(), 0..5);
    (id, prop::sample::select(names), words)
        .prop_map(|(id, name, words)| format!("{id}{name} {}\n", words.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_commands(commands in prop::collection::vec(command(), 1..60), quits: bool) {
        let mut input = commands.concat();
        input.push_str("stop\n");
        if quits {
            input.push_str("7 quit\nname\n");
        }
        check(input.as_bytes());
    }

    #[test]
    fn any_lines(lines in prop::collection::vec("[ -~\t]{0,40}", 0..40)) {
        check(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        check(&bytes);
    }

    #[test]
    fn commands_with_bytes_thrown_in(
        commands in prop::collection::vec(command(), 1..20),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
    ) {
        let mut input = commands.concat().into_bytes();
        for (at, byte) in damage {
            let at = at.index(input.len());
            input[at] = byte;
        }
        input.extend_from_slice(b"\nstop\n");
        check(&input);
    }
}
