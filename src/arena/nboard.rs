//! An engine that speaks the protocol of NBoard, a GUI for Othello on 8x8.
//!
//! Its commands have no answers; a `ping` after each, which is answered in
//! turn, says that it has been read. `go` is answered by `=== MOVE/EVAL/TIME`
//! and does not play the move.
//!
//! CITE: C. Welty, NBoard Protocol, version 2.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use super::clock::{Fischer, Timekeeper};
use super::custody::Custody;
use super::engine::{Failure, LATE, QUIT_GRACE, Searched, Spec};
use super::player::Player;
use crate::session::VariantInfo;

/// The usual start of Othello.
const START: &str = "---------------------------O*------*O--------------------------- *";

/// A running engine that plays Othello.
pub(super) struct NboardEngine {
    player: Player,
    patience: Duration,
    clock: Option<Fischer>,
    /// Whether it plays with the colours exchanged: Othello for Reversi.
    exchanged: bool,
    searched: Searched,
}

impl NboardEngine {
    /// As [`super::engine::Engine::start`].
    pub(super) fn start(
        spec: &Spec,
        game: &'static VariantInfo,
        log: Option<File>,
        patience: Duration,
        custody: Arc<Custody>,
    ) -> Result<Self, Failure> {
        if !game.discs || game.size != 8 {
            return Err(Failure::Refusal(format!(
                "engines with proto=nboard play reversi8 and othello8, not {}",
                game.name
            )));
        }
        let mut engine = Self {
            player: Player::start(&spec.program, spec.tongue, log, custody)?,
            patience,
            clock: spec.limit.clock,
            exchanged: game.name == super::gtp::REVERSI,
            searched: Searched::default(),
        };
        engine.tell("nboard 2")?;
        if let Some(depth) = spec.limit.depth {
            engine.tell(&format!("set depth {depth}"))?;
        }
        Ok(engine)
    }

    /// Puts up the board.
    pub(super) fn new_game(&mut self, position: Option<&str>) -> Result<(), Failure> {
        let board = match position {
            Some(position) => board_of(position, self.exchanged),
            None => START.to_string(),
        };
        // No clock: more than any game takes.
        let seconds = self.clock.map_or(3600, |clock| clock.main.as_secs().max(1));
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        self.tell(&format!(
            "set game (;GM[Othello]PC[Quadrille]PB[black]PW[white]RE[?]\
             TI[{minutes}:{seconds:02}]TY[8]BO[8 {board}];)"
        ))
    }

    /// Tells it a move, its own too.
    pub(super) fn play(&mut self, mv: &str) -> Result<(), Failure> {
        let mv = match mv {
            "pass" => "PA".to_string(),
            square => square.to_ascii_uppercase(),
        };
        self.tell(&format!("move {mv}"))
    }

    /// Asks for a move.
    pub(super) fn genmove(&mut self, time: &Timekeeper) -> Result<(String, Duration), Failure> {
        let wait = time.latest().map_or(self.patience, |latest| latest + LATE);
        let reply = self.player.ask("go", wait)?;
        let body = reply.body.unwrap_or_default();
        let (mv, searched) = read_answer(&body);
        self.searched = searched;
        Ok((mv, reply.time))
    }

    /// What it said before its last move.
    pub(super) fn last_search(&self) -> Searched {
        self.searched.clone()
    }

    /// Ends it. Whether it went by itself.
    pub(super) fn quit(self) -> bool {
        self.player.quit(QUIT_GRACE)
    }

    fn tell(&mut self, command: &str) -> Result<(), Failure> {
        self.player.ask(command, self.patience)?;
        Ok(())
    }
}

/// A position in our form or in the field's, as NBoard wants it.
fn board_of(position: &str, exchanged: bool) -> String {
    let squares = position.chars().filter(|c| !c.is_whitespace() && *c != '/');
    let mut board: String = squares
        .map(|c| match c {
            'X' | 'x' | '*' if exchanged => 'O',
            'O' | 'o' if exchanged => '*',
            'X' | 'x' | '*' => '*',
            'O' | 'o' => 'O',
            _ => '-',
        })
        .collect();
    if let Some(at) = board.len().checked_sub(1) {
        board.insert(at, ' ');
    }
    board
}

/// The move of `=== MOVE/EVAL/TIME`, whose parts some set apart by blanks, and
/// what the lines before it say.
fn read_answer(body: &str) -> (String, Searched) {
    let mut searched = Searched::default();
    let mut mv = String::new();
    for line in body.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["nodestats", nodes, ..] => searched.nodes = nodes.replace(',', "").parse().ok(),
            ["search", _, eval, _, depth, ..] => {
                searched.value = value_of(eval).or(searched.value);
                searched.exact = depth == "100%";
                let digits = depth.trim_end_matches(|c: char| !c.is_ascii_digit());
                let whole = depth.contains('%');
                searched.depth = digits.parse().ok().filter(|_| !whole);
            }
            ["===", ..] => {
                let rest = line.trim_start_matches('=');
                let mut parts = rest.split(|c: char| c == '/' || c.is_whitespace());
                let mut part = || parts.by_ref().find(|part| !part.is_empty());
                mv = part().unwrap_or_default().to_ascii_lowercase();
                if rest.contains('/') {
                    let eval = rest.split('/').nth(1).unwrap_or_default();
                    searched.value = value_of(eval).or(searched.value);
                } else if let Some(eval) = part() {
                    searched.value = value_of(eval).or(searched.value);
                }
            }
            _ => {}
        }
    }
    if mv == "pa" || mv == "ps" {
        mv = "pass".to_string();
    }
    (mv, searched)
}

/// Discs, perhaps as a pair of bounds, as hundredths.
fn value_of(eval: &str) -> Option<String> {
    let discs: f64 = eval.trim().split(',').next()?.parse().ok()?;
    let hundredths = (100.0 * discs).round();
    (hundredths.abs() <= 6400.0).then(|| format!("eval {hundredths:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_engines_write_them() {
        for (line, mv, value) in [
            ("=== F5/0.52/1.3", "f5", Some("eval 52")),
            ("=== d6 -1.00 0.0", "d6", Some("eval -100")),
            ("=== C4", "c4", None),
            ("===  PA//0.1", "pass", None),
            ("=== PA", "pass", None),
            ("=== e3/-64.00", "e3", Some("eval -6400")),
            ("===", "", None),
        ] {
            let (found, searched) = read_answer(line);
            assert_eq!(found, mv, "{line}");
            assert_eq!(searched.value.as_deref(), value, "{line}");
        }
        let (mv, searched) = read_answer(
            "search E6d6 1.5 0 10 more\nnodestats 12,345 0.1\nsearch F5 2.25 0 12@73%\n=== F5",
        );
        assert_eq!(mv, "f5");
        assert_eq!(searched.nodes, Some(12_345));
        assert_eq!(searched.value.as_deref(), Some("eval 225"));
        let (_, solved) = read_answer("search F5 -2 0 100%\n=== F5/-2.00/3");
        assert!(solved.exact && solved.depth.is_none());
        let (_, plain) = read_answer("search F5 -2 0 12\n=== F5/-2.00/3");
        assert_eq!(plain.depth, Some(12));
    }

    #[test]
    fn boards_are_those_of_othello() {
        let start = "--------/--------/--------/---OX---/---XO---/--------/--------/-------- X";
        assert_eq!(board_of(start, false), START);
        let reversi = "--------/--------/--------/---XO---/---OX---/--------/--------/-------- O";
        assert_eq!(board_of(reversi, true), START);
    }
}
