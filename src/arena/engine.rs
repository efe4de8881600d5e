//! A player of our games, whatever it speaks.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::{Limit, Timekeeper};
use super::custody::Custody;
use super::gtp::GtpEngine;
use super::nboard::NboardEngine;
use super::player::{Program, Trouble};
use crate::game::Side;
use crate::session::VariantInfo;

/// How long after the time for a move an engine is still waited for, so that
/// one that is late can play on in the next game.
pub(super) const LATE: Duration = Duration::from_secs(1);

/// How long an engine may take to quit before it is killed.
pub(super) const QUIT_GRACE: Duration = Duration::from_secs(2);

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tongue {
    /// The Go Text Protocol.
    #[default]
    Gtp,
    /// The protocol of NBoard, for Othello on 8x8.
    Nboard,
}

impl Tongue {
    /// Reads `gtp` or `nboard`.
    ///
    /// # Errors
    /// One line that says so.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "gtp" => Ok(Self::Gtp),
            "nboard" => Ok(Self::Nboard),
            _ => Err(format!("proto is gtp or nboard, not `{text}`")),
        }
    }

    /// Whether an engine that speaks so can be limited like that.
    ///
    /// # Errors
    /// One line that says what cannot be.
    pub fn check(self, limit: Limit, options: &[(String, String)]) -> Result<(), String> {
        if self == Self::Gtp {
            return Ok(());
        }
        if limit.depth.is_none() {
            return Err("an engine with proto=nboard needs depth=, its only limit".to_string());
        }
        if limit.nodes.is_some() {
            return Err("proto=nboard knows depth= and not nodes=".to_string());
        }
        match options.first() {
            Some((name, _)) => Err(format!("proto=nboard knows no options such as {name}")),
            None => Ok(()),
        }
    }
}

/// An engine as the user describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// What it is called in every report.
    pub name: String,
    /// What is run.
    pub program: Program,
    /// What it speaks.
    pub tongue: Tongue,
    /// Options it is sent, in that order.
    pub options: Vec<(String, String)>,
    /// How long it thinks.
    pub limit: Limit,
}

/// Why an engine could not do what the game needs.
#[derive(Debug)]
pub enum Failure {
    /// It answered with an error, or does not know a command.
    Refusal(String),
    /// It gave no answer.
    Trouble(Trouble),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refusal(what) => f.write_str(what),
            Self::Trouble(trouble) => trouble.fmt(f),
        }
    }
}

pub(super) fn refusal(command: &str, message: &str) -> Failure {
    let message = message.lines().next().unwrap_or_default();
    Failure::Refusal(format!("it answered `{command}` by `{message}`"))
}

/// What an engine says of its last search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Searched {
    /// Plies.
    pub depth: Option<u32>,
    /// Such as `eval 12` or `win 5`, for the side to move.
    pub value: Option<String>,
    /// Whether the value is proved.
    pub exact: bool,
    /// Positions.
    pub nodes: Option<u64>,
}

/// A running engine that plays one of our games.
pub struct Engine(Speaker);

enum Speaker {
    Gtp(GtpEngine),
    Nboard(NboardEngine),
}

impl Engine {
    /// Starts an engine and makes it ready for a game. Any answer that is not
    /// a move may take it `patience`.
    ///
    /// # Errors
    /// If it does not run, or cannot play this game within its limits.
    pub fn start(
        spec: &Spec,
        game: &'static VariantInfo,
        log: Option<File>,
        patience: Duration,
        custody: Arc<Custody>,
    ) -> Result<Self, Failure> {
        Ok(Self(match spec.tongue {
            Tongue::Gtp => Speaker::Gtp(GtpEngine::start(spec, game, log, patience, custody)?),
            Tongue::Nboard => {
                Speaker::Nboard(NboardEngine::start(spec, game, log, patience, custody)?)
            }
        }))
    }

    /// Puts up the board for a new game: the usual start, or `position`.
    ///
    /// # Errors
    /// If it cannot.
    pub fn new_game(&mut self, position: Option<&str>) -> Result<(), Failure> {
        match &mut self.0 {
            Speaker::Gtp(engine) => engine.new_game(position),
            Speaker::Nboard(engine) => engine.new_game(position),
        }
    }

    /// Tells it a move that was played.
    ///
    /// # Errors
    /// If it refuses. A pass may be refused: engines may understand it.
    pub fn play(&mut self, side: Side, mv: &str) -> Result<(), Failure> {
        match &mut self.0 {
            Speaker::Gtp(engine) => engine.play(side, mv),
            Speaker::Nboard(engine) => engine.play(mv),
        }
    }

    /// Asks for a move. The move as the engine wrote it, in lower case, and
    /// the time it took.
    ///
    /// # Errors
    /// If there is none, long after its time.
    pub fn genmove(
        &mut self,
        side: Side,
        time: &Timekeeper,
    ) -> Result<(String, Duration), Failure> {
        match &mut self.0 {
            Speaker::Gtp(engine) => engine.genmove(side, time),
            Speaker::Nboard(engine) => engine.genmove(time),
        }
    }

    /// Tells an engine the move it has answered, if it has not played it.
    ///
    /// # Errors
    /// If it refuses its own move.
    pub fn confirm(&mut self, side: Side, mv: &str) -> Result<(), Failure> {
        match &mut self.0 {
            Speaker::Gtp(engine) => engine.confirm(side, mv),
            Speaker::Nboard(engine) => engine.play(mv),
        }
    }

    /// What it found in its last move, if it is an engine that tells.
    ///
    /// # Errors
    /// If it gives no answer.
    pub fn last_search(&mut self) -> Result<Searched, Failure> {
        match &mut self.0 {
            Speaker::Gtp(engine) => engine.last_search(),
            Speaker::Nboard(engine) => Ok(engine.last_search()),
        }
    }

    /// Ends it, by force if need be. Whether it went by itself.
    pub fn quit(self) -> bool {
        match self.0 {
            Speaker::Gtp(engine) => engine.quit(),
            Speaker::Nboard(engine) => engine.quit(),
        }
    }
}
