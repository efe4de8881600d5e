//! A game being played, with the engine that plays it: what protocols, the
//! arena and the commands talk to. This is the one dynamic boundary; below it
//! everything is compiled for its game.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::book::{Book, Entry};
use crate::depict::{Picture, Piece, Point};
use crate::game::{Outcome, Side};
use crate::search::heuristics::Depth;
use crate::search::level::Strengths;
use crate::search::score::Value;
use crate::search::{Limits, Settings};

mod game_session;

pub use game_session::GameSession;

/// What a variant of a game is called and looks like from outside.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    /// Its name in the protocol.
    pub name: &'static str,
    /// Other names it answers to, in lower case.
    pub aliases: &'static [&'static str],
    /// One line for people.
    pub title: &'static str,
    /// Squares in a row of its board, which is square.
    pub size: usize,
    /// Whether discs are placed and turned: records, GUIs and coordinates are
    /// those of Othello.
    pub discs: bool,
    /// A position whose value is no further from 0, in hundredths of the
    /// game's unit, gives both sides a chance.
    pub balanced: i32,
    /// What levels 1 to 9 mean here.
    pub levels: Strengths,
}

/// Why a move was not played.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlayError {
    /// It is not a move at all; the text says what a move looks like.
    #[error("{0}")]
    Syntax(String),
    /// The rules do not allow it, or it is the other side's turn.
    #[error("illegal move")]
    Illegal,
}

/// A report with its moves in notation: `info depth ...` when displayed, the
/// one grammar of search, analysis, bench and logs.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Depth in plies; 0 if nothing was searched.
    pub depth: Depth,
    /// 1 for the best move.
    pub rank: usize,
    /// Whether the rank is shown.
    pub ranked: bool,
    /// The value for the side to move.
    pub value: Value,
    /// Whether it is proved.
    pub exact: bool,
    /// Positions entered.
    pub nodes: u64,
    /// Positions among them that the table knew.
    pub hits: u64,
    /// Time used.
    pub time: Duration,
    /// Table use in thousandths.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<String>,
}

impl Info {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {}", self.depth)?;
        if self.ranked {
            write!(f, " multipv {}", self.rank)?;
        }
        write!(f, " score {}", self.value)?;
        if self.exact {
            f.write_str(" exact")?;
        }
        write!(
            f,
            " nodes {} nps {} time {} hashfull {} pv",
            self.nodes,
            self.nps(),
            self.time.as_millis(),
            self.hashfull
        )?;
        for mv in &self.pv {
            write!(f, " {mv}")?;
        }
        Ok(())
    }
}

/// What thinking came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move, or `pass` in a finished game.
    pub best: String,
    /// The last report; none in a finished game.
    pub info: Option<Info>,
}

/// A solved position.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// For the side to move.
    pub value: Value,
    /// The moves proved to reach it, sorted.
    pub moves: Vec<String>,
    /// A line of best play to the end of the game.
    pub pv: Vec<String>,
    /// Positions entered.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// Who listens to a session's search and may stop it.
pub trait Watcher: Sync {
    /// An iteration is finished.
    fn progress(&self, info: &Info);
    /// Whether to stop. Asked often, by several threads.
    fn stop(&self) -> bool;
}

/// A watcher that neither looks nor stops.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn progress(&self, _info: &Info) {}

    fn stop(&self) -> bool {
        false
    }
}

/// A game in progress and its engine.
pub trait Session: Send {
    /// Which variant is played.
    fn variant(&self) -> &'static VariantInfo;

    /// Takes new settings.
    ///
    /// # Errors
    /// One line that says what cannot be had; the old settings stay.
    fn configure(&mut self, settings: &Settings) -> Result<(), String>;

    /// Version and checksum of the weights in use.
    fn weights_identity(&self) -> String;

    /// Uses the weights of a file.
    ///
    /// # Errors
    /// One line that says what is wrong with it; the old weights stay.
    fn load_weights(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// Uses the embedded weights again.
    fn reset_weights(&mut self);

    /// Back to the start, with everything forgotten.
    fn reset(&mut self);

    /// Sets up a position, without a history.
    ///
    /// # Errors
    /// One line that says what is wrong with it; nothing changes.
    fn set_position(&mut self, text: &str) -> Result<(), String>;

    /// The position as text.
    fn position(&self) -> String;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The legal moves in notation, sorted; none if the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// Plays a move for `side`. A forced pass of the other side before it is
    /// understood. After the end of the game `pass` is taken and changes
    /// nothing.
    ///
    /// # Errors
    /// If it is no move or not legal; nothing changes.
    fn play(&mut self, side: Side, text: &str) -> Result<(), PlayError>;

    /// Takes back what the last `play` or `genmove` did; false at the start.
    fn undo(&mut self) -> bool;

    /// How many times `undo` can be called.
    fn undo_depth(&self) -> usize;

    /// The position in which the game began: the usual start, or the last
    /// that was set up.
    fn beginning(&self) -> String;

    /// Whether that is the usual start.
    fn begins_as_usual(&self) -> bool;

    /// The moves since the start or the last set-up, understood passes
    /// included.
    fn history(&self) -> Vec<(Side, String)>;

    /// How the game ended, by repetition too.
    fn outcome(&self) -> Option<Outcome>;

    /// The board.
    fn picture(&self) -> Picture;

    /// The points of a move.
    ///
    /// # Errors
    /// If the text is no move; the text says what a move looks like.
    fn move_points(&self, text: &str) -> Result<Vec<Point>, String>;

    /// The piece that a move takes from the reserve, if it takes one.
    ///
    /// # Errors
    /// If the text is no move; the text says what a move looks like.
    fn taken_piece(&self, text: &str) -> Result<Option<Piece>, String>;

    /// The number of sequences of `depth` moves.
    fn perft(&self, depth: u32) -> u64;

    /// Perft of each move, sorted by move; a finished game has none.
    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// The book that is built in for this game, whether it is used or not.
    fn book(&self) -> Option<&'static Book>;

    /// The moves of this position that `book` knows, the best first, with
    /// what they are worth to the side to move.
    fn moves_in(&self, book: &Book) -> Vec<(String, Value)>;

    /// The key that the position shares with its images.
    fn canonical_key(&self) -> u64;

    /// A book's entry for a move of this position that is worth `value`
    /// hundredths.
    ///
    /// # Errors
    /// If the text is no legal move; one line says so.
    fn book_entry(&self, text: &str, value: i16) -> Result<Entry, String>;

    /// Searches without playing, for the side to move, and without a book. In a finished game
    /// the thought is `pass` without a report.
    fn think(&mut self, limits: &Limits, watcher: &dyn Watcher) -> Thought;

    /// Thinks, unless a book knows a move, and plays for `side`; a forced pass of the other side before it
    /// is played with it. In a finished game the move is `pass`.
    ///
    /// # Errors
    /// [`PlayError::Illegal`] if the other side has a real move to make.
    fn genmove(
        &mut self,
        side: Side,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Result<Thought, PlayError>;

    /// The same without playing.
    ///
    /// # Errors
    /// As `genmove`.
    fn reg_genmove(
        &mut self,
        side: Side,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Result<Thought, PlayError>;

    /// Solves the position; with `all`, finds every move that reaches its
    /// value. None if a limit came first. With [`Limits::outcome_only`] the
    /// value of a game with margins is a win, a loss or a draw.
    fn solve(&mut self, all: bool, limits: &Limits, watcher: &dyn Watcher) -> Option<Solution>;

    /// The static evaluation of the position for the side to move, in
    /// hundredths; the margin or ±win of a finished game.
    fn evaluate(&self) -> Value;
}
