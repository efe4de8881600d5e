//! GTP 2 and its relatives: commands in, answers out. `protocol.md` is the
//! manual.
//!
//! One thread reads, one computes and answers. The reader tells the one that
//! thinks what cannot wait its turn.

mod analyze;
mod answer;
mod board;
mod clocks;
mod commands;
mod frame;
mod frontend;
mod general;
mod gogui;
mod line;
mod options;
mod perft;
mod play;
mod records;
mod sgf;
mod think;
mod time;

use std::sync::Arc;
use std::time::Duration;

use crate::protocol::stream::{Inbox, LONGEST_LINE, Line, Output, Syntax};
use crate::search::Settings;
use answer::{Failure, Reply};
use frame::frame;
use frontend::{Call, Frontend};

pub use think::solution_text;

/// How a front end starts; every part of it can be changed by commands.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The game, by name or alias.
    pub game: String,
    /// Threads, table and seed.
    pub settings: Settings,
    /// Depth limit of every move, in plies.
    pub depth: Option<u32>,
    /// Node limit of every move.
    pub nodes: Option<u64>,
    /// Time limit of every move.
    pub time: Option<Duration>,
    /// A weight file: its name and its bytes. None for the embedded weights.
    pub weights: Option<(String, Vec<u8>)>,
}

/// Speaks GTP on standard input and output until `quit`, the end of the input
/// or the disappearance of whoever reads the output; the last ends the whole
/// process, with exit code 0 and without a word.
///
/// # Errors
/// One line, if it cannot start, since the game is unknown or the weights do
/// not fit it, or if an answer cannot be written though somebody would read
/// it.
pub fn run(options: Options) -> Result<(), String> {
    crate::sys::watch_output(|| std::process::exit(0));
    let inbox = Arc::new(Inbox::new(SYNTAX));
    let output = Arc::new(Output::new(std::io::stdout()));
    inbox
        .read_from(std::io::stdin())
        .map_err(|error| format!("no thread to read with: {error}"))?;
    let mut frontend = Frontend::new(options, inbox, Arc::clone(&output))?;
    frontend.answer_all();
    match output.take_failure() {
        Some(error) => Err(format!("cannot write the answer: {error}")),
        None => Ok(()),
    }
}

const SYNTAX: Syntax = Syntax {
    name: |text| line::split(text).map(|parts| parts.name),
    comments: true,
};

impl Frontend {
    fn answer_all(&mut self) {
        let inbox = Arc::clone(&self.inbox);
        while let Some(line) = inbox.next() {
            let quits = self.answer(&line);
            if quits || self.output.is_broken() {
                return;
            }
        }
    }

    /// Whether it was `quit`.
    fn answer(&mut self, line: &Line) -> bool {
        let Some(parts) = line::split(&line.text) else {
            return false;
        };
        let call = Call {
            number: line.number,
            id: parts.id,
            rest: parts.rest,
        };
        let answer = if line.overlong {
            Err(Failure::syntax(format!(
                "a line longer than {} bytes",
                LONGEST_LINE
            )))
        } else {
            match commands::find(parts.name, self.session.variant()) {
                Some(command) => (command.run)(self, &call),
                None => Err(Failure::unknown_command()),
            }
        };
        match answer {
            Ok(Reply::Body(body)) => self.output.send(&frame('=', parts.id, &body)),
            Ok(Reply::Streamed) => {}
            Err(Failure(message)) => self.output.send(&frame('?', parts.id, &message)),
        }
        parts.name == "quit" && !line.overlong
    }
}
