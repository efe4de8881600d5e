//! An engine that speaks GTP: what it is told and asked, in the commands it
//! knows.

use std::collections::HashSet;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use super::clock::{Fischer, Limit, Timekeeper};
use super::custody::Custody;
use super::engine::{Failure, LATE, QUIT_GRACE, Searched, Spec, refusal};
use super::player::Player;
use crate::game::Side;
use crate::session::VariantInfo;

/// A running engine that plays one of our games.
pub(super) struct GtpEngine {
    player: Player,
    commands: HashSet<String>,
    limit: Limit,
    patience: Duration,
    game: &'static VariantInfo,
    /// Whether it plays with the colours exchanged: Othello for Reversi.
    exchanged: bool,
}

impl GtpEngine {
    /// Starts an engine and makes it ready for a game. Any answer that is not
    /// a move may take it `patience`.
    ///
    /// # Errors
    /// If it does not run, or cannot play this game within its limits.
    pub(super) fn start(
        spec: &Spec,
        game: &'static VariantInfo,
        log: Option<File>,
        patience: Duration,
        custody: Arc<Custody>,
    ) -> Result<Self, Failure> {
        let mut player = Player::start(&spec.program, spec.tongue, log, custody)?;
        let commands = player.ask("list_commands", patience)?.body;
        let commands = commands.map_err(|what| refusal("list_commands", &what))?;
        let mut engine = Self {
            player,
            commands: commands.split_whitespace().map(str::to_string).collect(),
            limit: spec.limit,
            patience,
            game,
            exchanged: false,
        };
        for (name, value) in &spec.options {
            engine.demand(&format!("set_option {name} {value}"))?;
        }
        engine.choose_game()?;
        engine.set_limits()?;
        Ok(engine)
    }

    /// Puts up the board for a new game: the usual start, or `position`.
    ///
    /// # Errors
    /// If it cannot.
    pub(super) fn new_game(&mut self, position: Option<&str>) -> Result<(), Failure> {
        self.demand("clear_board")?;
        if let Some(clock) = self.limit.clock {
            self.send_clock(clock)?;
        }
        match position {
            Some(_) if self.exchanged => Err(Failure::Refusal(
                "it plays with the colours exchanged, and cannot begin from a position".to_string(),
            )),
            Some(position) => self.demand(&format!("set_position {position}")).map(drop),
            None => Ok(()),
        }
    }

    /// Tells it a move that was played.
    ///
    /// # Errors
    /// If it refuses. A pass may be refused: engines may understand it.
    pub(super) fn play(&mut self, side: Side, mv: &str) -> Result<(), Failure> {
        let command = format!("play {} {mv}", self.colour(side));
        match self.player.ask(&command, self.patience)?.body {
            Err(what) if mv != "pass" => Err(refusal(&command, &what)),
            _ => Ok(()),
        }
    }

    /// Asks for a move, which the engine then has played itself. The move as
    /// the engine wrote it, in lower case, and the time it took.
    ///
    /// # Errors
    /// If there is none, long after its time.
    pub(super) fn genmove(
        &mut self,
        side: Side,
        time: &Timekeeper,
    ) -> Result<(String, Duration), Failure> {
        let colour = self.colour(side);
        if let Some(left) = time.left()
            && self.knows("time_left")
        {
            let command = format!("time_left {colour} {:.3} 0", left.as_secs_f64());
            let _ = self.player.ask(&command, self.patience)?;
        }
        let (command, by_search) = self.question(colour);
        let wait = time.latest().map_or(self.patience, |latest| latest + LATE);
        let reply = self.player.ask(&command, wait)?;
        let body = reply.body.map_err(|what| refusal(&command, &what))?;
        if !by_search {
            return Ok((body.to_ascii_lowercase(), reply.time));
        }
        let last = body.lines().last().unwrap_or_default().to_ascii_lowercase();
        let mv = last.strip_prefix("bestmove ").unwrap_or(&last).to_string();
        Ok((mv, reply.time))
    }

    /// Tells an engine the move it has answered, if it has not played it.
    ///
    /// # Errors
    /// If it refuses its own move.
    pub(super) fn confirm(&mut self, side: Side, mv: &str) -> Result<(), Failure> {
        if self.question("").1 {
            return self.play(side, mv);
        }
        Ok(())
    }

    /// What it found in its last move, if it is an engine that tells.
    ///
    /// # Errors
    /// If it gives no answer.
    pub(super) fn last_search(&mut self) -> Result<Searched, Failure> {
        if !self.knows("last_search") {
            return Ok(Searched::default());
        }
        let reply = self.player.ask("last_search", self.patience)?;
        Ok(reply.body.map(|info| read_info(&info)).unwrap_or_default())
    }

    /// Ends it, by force if need be. Whether it went by itself.
    pub(super) fn quit(self) -> bool {
        self.player.quit(QUIT_GRACE)
    }

    /// `genmove`, or `search` for an engine that takes limits in no other way.
    fn question(&self, colour: &str) -> (String, bool) {
        let limits = self.limit;
        let fixed = limits.nodes.is_some() || limits.depth.is_some();
        if !fixed || self.knows("set_option") {
            return (format!("genmove {colour}"), false);
        }
        let mut command = "search".to_string();
        for (name, value) in [
            ("depth", limits.depth.map(|depth| depth.to_string())),
            ("nodes", limits.nodes.map(|nodes| nodes.to_string())),
            (
                "time",
                limits.per_move.map(|time| time.as_secs_f64().to_string()),
            ),
        ] {
            if let Some(value) = value {
                command += &format!(" {name} {value}");
            }
        }
        (command, true)
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn colour(&self, side: Side) -> &'static str {
        // Not every engine reads `black`, but every one reads `b`.
        match if self.exchanged { !side } else { side } {
            Side::Black => "b",
            Side::White => "w",
        }
    }

    /// Sends a command that has to succeed.
    fn demand(&mut self, command: &str) -> Result<String, Failure> {
        let reply = self.player.ask(command, self.patience)?;
        reply.body.map_err(|what| refusal(command, &what))
    }

    fn succeeds(&mut self, command: &str) -> Result<bool, Failure> {
        Ok(self.player.ask(command, self.patience)?.body.is_ok())
    }

    /// Makes it play the game, by name or by the size of its board.
    fn choose_game(&mut self) -> Result<(), Failure> {
        let size = format!("boardsize {}", self.game.size);
        if !self.knows("set_game") {
            // It plays one game, and can only be Othello or Reversi.
            self.exchanged = self.game.name == REVERSI;
            if !self.game.discs {
                return Err(Failure::Refusal("it does not know set_game".to_string()));
            }
            return self.demand(&size).map(drop);
        }
        let name = self.game.name;
        if self.succeeds(&format!("set_game {name}"))? {
            return Ok(());
        }
        if self.game.discs {
            for name in ["othello8", "Othello"] {
                if self.succeeds(&format!("set_game {name}"))? && self.succeeds(&size)? {
                    self.exchanged = self.game.name == REVERSI;
                    return Ok(());
                }
            }
        }
        Err(Failure::Refusal(format!("it does not play {name}")))
    }

    fn set_limits(&mut self) -> Result<(), Failure> {
        let limits = self.limit;
        let fixed = [
            ("nodes", limits.nodes),
            ("depth", limits.depth.map(u64::from)),
        ];
        for (name, value) in fixed {
            let Some(value) = value else { continue };
            if self.knows("set_option") {
                self.demand(&format!("set_option {name} {value}"))?;
            } else if !self.knows("search") {
                let what = format!("it knows no way to be limited by {name}");
                return Err(Failure::Refusal(what));
            }
        }
        if let Some(time) = limits.per_move
            && !self.question("").1
            && self.knows("time_settings")
        {
            self.demand(&format!("time_settings 0 {} 1", time.as_secs_f64()))?;
        }
        Ok(())
    }

    fn send_clock(&mut self, clock: Fischer) -> Result<(), Failure> {
        let (main, increment) = (clock.main.as_secs_f64(), clock.increment.as_secs_f64());
        if !clock.increment.is_zero() && self.knows("kata-time_settings") {
            let command = format!("kata-time_settings fischer {main} {increment}");
            self.demand(&command)?;
        } else if self.knows("time_settings") {
            self.demand(&format!("time_settings {main} 0 0"))?;
        }
        Ok(())
    }
}

/// The disc game in which White begins: Othello with the colours exchanged.
pub(super) const REVERSI: &str = "reversi8";

/// Reads a report in the grammar of our search.
fn read_info(info: &str) -> Searched {
    let last = info.lines().last().unwrap_or_default();
    let words: Vec<&str> = last
        .split_whitespace()
        .take_while(|&word| word != "pv")
        .collect();
    let after = |name: &str, by: usize| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + by).copied()
    };
    let value = after("score", 1).map(|kind| match after("score", 2) {
        Some(number) if kind != "draw" => format!("{kind} {number}"),
        _ => kind.to_string(),
    });
    Searched {
        depth: after("depth", 1).and_then(|depth| depth.parse().ok()),
        value,
        exact: words.contains(&"exact"),
        nodes: after("nodes", 1).and_then(|nodes| nodes.parse().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let info = "info depth 8 score eval -12 nodes 345 nps 9 time 1 hashfull 0 pv c2 d2";
        let searched = read_info(info);
        assert_eq!(searched.depth, Some(8));
        assert_eq!(searched.value.as_deref(), Some("eval -12"));
        assert_eq!(searched.nodes, Some(345));
        let drawn = read_info("info depth 3 score draw exact nodes 1 pv");
        assert_eq!(drawn.value.as_deref(), Some("draw"));
        assert!(drawn.exact && !searched.exact);
        assert_eq!(read_info("nothing known"), Searched::default());
    }
}
