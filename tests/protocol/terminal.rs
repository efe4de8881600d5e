//! A person at the terminal, in scripts.

use std::process::Command;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::client::{piped, program};

fn play(arguments: &[&str]) -> Command {
    let mut command = program();
    command
        .arg("play")
        .args(arguments)
        .args(["--hash", "8", "--nodes", "300"]);
    command
}

fn said(arguments: &[&str], typed: &str) -> String {
    piped(play(arguments), typed.as_bytes())
}

#[test]
fn a_game_is_played_and_taken_back() {
    let text = said(&["othello6"], "e4\nhistory\nundo\nhistory\nquit\n");
    assert!(text.starts_with("othello6: "), "{text}");
    assert!(text.contains("You are black."), "{text}");
    assert!(text.contains("\nwhite plays "), "{text}");
    assert!(text.contains("\n1. e4 "), "{text}");
    assert!(text.contains("\nno move was made yet\n"), "{text}");
    // Nothing but plain letters where no terminal is.
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn typing_errors_get_help() {
    let text = said(
        &["othello6"],
        "hlep\nundoo\ne3\nxyzzy\nlevel 11\nclock soon\nsave\nload\nnew chess\n",
    );
    for expected in [
        "did you mean `help`?",
        "did you mean `undo`?",
        "e3 is not legal here; did you mean b3? `moves` lists all",
        "`xyzzy` is neither a command nor a move: ",
        "a level is a whole number from 1 to 10",
        "a clock is MINUTES",
        "save takes the name of a file",
        "load takes the name of a file",
        "no game `chess`; there are othello6",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let text = said(&["othello6"], "f6\n");
    let expected = "f6 is not legal here; these are: b3 c2 d5 e4\n";
    assert!(text.contains(expected), "{text}");
    let text = said(&["tiles"], "a1b2\nhelp\n");
    let expected = "a1b2 is not all of a move: a1b2:a1 a1b2:a2 ";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("\nA turn is FROM TO:CHANGED"), "{text}");
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
}

#[test]
fn who_resigns_can_think_better_of_it() {
    let text = said(
        &["othello6", "--side", "both"],
        "e4\nresign\nundo\nhistory\nundo\nhistory\nundo\n",
    );
    let (_, text) = text.split_once("white resigns: black wins").unwrap();
    let (_, text) = text.split_once("\n1. e4\n").unwrap();
    let (_, text) = text.split_once("\nno move was made yet\n").unwrap();
    assert!(text.contains("there is nothing to take back"), "{text}");
}

#[test]
fn files_that_are_no_games_are_not_written_over() {
    let file = format!("{}/a-letter.txt", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, "Dear Eve").unwrap();
    let text = said(&["othello6"], &format!("save {file}\nquit\n"));
    let text = text.replace('\n', " ");
    assert!(text.contains("no game of ours; it stays"), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Dear Eve");
}

#[test]
fn every_game_can_be_played_to_its_end_by_the_engine() {
    for game in quadrille::games::names() {
        if game == "gobblet" {
            // Nothing ends it soon.
            continue;
        }
        let text = said(
            &[game, "--side", "none", "--level", "3"],
            "history\nmoves\ngo\nquit\n",
        );
        assert!(text.contains("the game is over: "), "{game}: {text}");
    }
}

#[test]
fn there_are_advice_and_a_verdict() {
    let typed = "moves\nhint\ne4\nanalyse\nswap\nlevel 2\ngo\nclock 5 2\nclock\nclock off\nresign\nhint\nhelp\n";
    let text = said(&["othello6", "--side", "both"], typed);
    for expected in [
        "\nb3 c2 d5 e4\n",
        "black e4 was ",
        "level 2 of 10\n",
        "black 5:00, white 5:00\n",
        "no clock\n",
        "resigns: ",
        "the game is over\n",
        "  undo ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_game_is_kept_and_gone_on_with() {
    let file = format!("{}/kept-game.txt", env!("CARGO_TARGET_TMPDIR"));
    let moves = "4@b2\n4@c3\n3@a1\n";
    let text = said(
        &["gobblet", "--side", "both"],
        &format!("{moves}save {file}\nquit\n"),
    );
    assert!(text.contains("kept in "), "{text}");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept.starts_with("[Game \"gobblet\"]\n\n1. 4@b2 {"),
        "{kept}"
    );
    let text = said(
        &["tiles", "--side", "both", "--load", &file],
        "history\n3@a2\nhistory\n",
    );
    assert!(text.contains(": 3 moves"), "{text}");
    assert!(text.contains("1. 4@b2 4@c3 2. 3@a1 3@a2\n"), "{text}");
    // Time and comments of the moves are kept beyond that, and the result of
    // a game that goes on is not.
    let about = "[Black \"Ann\"]\n[Result \"white+1\"]\n[Weather \"fine\"]\n";
    let moves = "1. 4@b2 {1.50 s, why not} 4@c3 {-0.25, 2.00 s}\n";
    let record = format!("[Game \"gobblet\"]\n{about}\n{moves}");
    std::fs::write(&file, &record).unwrap();
    said(
        &["gobblet", "--side", "both", "--load", &file],
        &format!("save {file}\n"),
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), record);
    let typed = format!("3@a2\nsave {file}\n");
    said(&["gobblet", "--side", "both", "--load", &file], &typed);
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept.contains("{1.50 s, why not} 4@c3 {-0.25, 2.00 s}\n2. 3@a2 {"),
        "{kept}"
    );
    assert!(kept.contains("Ann") && kept.contains("fine"), "{kept}");
    assert!(!kept.contains("white+1"), "{kept}");
    let text = said(&["tiles"], "load Cargo.toml\nload /\nload nowhere\nmoves\n");
    assert!(text.contains("a1b2:a1"), "{text}");
    assert!(text.contains("nowhere: "), "{text}");
}

/// A terminal of 80 by 24, in which the program runs.
struct Terminal(&'static str);

impl Terminal {
    /// None where there is nothing to look at it with.
    fn playing(name: &'static str, arguments: &str) -> Option<Self> {
        let terminal = Self(name);
        terminal.tmux(&["-V"])?;
        let program = env!("CARGO_BIN_EXE_quadrille");
        let command = format!("env -u NO_COLOR LC_ALL=C.UTF-8 {program} play {arguments}");
        terminal.tmux(&["new-session", "-d", "-x", "80", "-y", "24", &command])?;
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("tmux")
            .args(["-L", self.0, "-f", "/dev/null"])
            .args(arguments)
            .env_remove("TMUX")
            .output()
            .ok()?;
        Some(String::from_utf8(output.stdout).unwrap())
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// What is to be seen, with its colours.
    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e"]).unwrap()
    }

    /// The screen as soon as it shows this.
    fn wait_for(&self, wanted: &str) -> String {
        self.wait_for_some(1, wanted)
    }

    /// The screen as soon as it shows this so many times.
    fn wait_for_some(&self, count: usize, wanted: &str) -> String {
        for _ in 0..1_500 {
            let screen = self.screen();
            if screen.matches(wanted).count() >= count {
                return screen;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("no {wanted} in\n{}", self.screen());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn the_board_has_colours_on_a_terminal() {
    let Some(terminal) =
        Terminal::playing("quadrille-colours", "gobblet --hash 8 --nodes 300 --seed 3")
    else {
        return;
    };
    terminal.wait_for("white>");
    // Completion and history are the library's; these show that it is there.
    terminal.press(&["4@b", "Tab", "BSpace", "BSpace", "BSpace", "BSpace"]);
    terminal.press(&["C-u", "4@b2", "Enter"]);
    let seen = terminal.wait_for("black plays");
    assert!(seen.contains("\u{1b}["), "{seen}");
    terminal.press(&["Up", "Enter"]);
    terminal.wait_for("4@b2 is not legal here");
    terminal.press(&["quit", "Enter"]);
}

#[test]
fn ctrl_c_makes_the_engine_move_at_once_and_leaves_nobody_without_a_game() {
    let command = "othello8 --hash 8 --time 600 --no-book";
    let Some(terminal) = Terminal::playing("quadrille-break", command) else {
        return;
    };
    terminal.wait_for("black>");
    terminal.press(&["C-c"]);
    terminal.wait_for("`quit` leaves the game.");
    terminal.wait_for_some(2, "black>");
    // `f5` would be a key.
    terminal.press(&["d3", "Enter"]);
    terminal.wait_for("white to move");
    std::thread::sleep(Duration::from_millis(300));
    assert!(!terminal.screen().contains("white plays"));
    terminal.press(&["C-c"]);
    let sent = Instant::now();
    terminal.wait_for("white plays");
    // On an idle machine within 100 ms; this one may be busy, and the screen
    // is looked at by another program.
    assert!(
        sent.elapsed() < Duration::from_secs(2),
        "{:?}",
        sent.elapsed()
    );
    terminal.press(&["quit", "Enter"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..1_000)) {
        piped(play(&["tiles"]), &bytes);
    }

    #[test]
    fn any_commands(lines in prop::collection::vec(prop::sample::select(vec![
        "e4", "d3", "undo", "swap", "go", "hint", "analyse", "level 3", "clock 1", "clock 0", "resign",
        "new", "new tiles", "a1b2:a1", "board", "moves", "load nowhere", "\u{e9}", "clock -1 1e9",
    ]), 0..15)) {
        let output = piped(play(&["othello6"]), lines.join("\n").as_bytes());
        prop_assert!(output.starts_with("othello6: "));
    }
}
