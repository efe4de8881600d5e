//! GTP 2 and its relatives: commands in, answers out. `protocol.md` is the
//! manual.
//!
//! One thread reads, one computes and answers. The reader tells the one that
//! thinks what cannot wait its turn.

mod analyze;
mod answer;
mod board;
mod commands;
mod frame;
mod frontend;
mod general;
mod gogui;
mod keep;
mod line;
mod options;
mod perft;
mod play;
mod records;
mod sgf;
mod think;
mod time;

use crate::protocol::service::{Options, Service, serve};
use crate::protocol::stream::{LONGEST_LINE, Line, Syntax};
use answer::{Failure, Reply};
use frame::frame;
use frontend::{Call, Frontend};

pub use think::solution_text;

/// Speaks GTP on standard input and output until `quit`, the end of the input
/// or the disappearance of whoever reads the output; the last ends the whole
/// process, with exit code 0 and without a word.
///
/// # Errors
/// One line, if it cannot start, since the game is unknown or the weights do
/// not fit it, or if an answer cannot be written though somebody would read
/// it.
pub fn run(options: Options) -> Result<(), String> {
    serve(SYNTAX, |inbox, output| {
        Frontend::new(options, inbox, output)
    })
}

const SYNTAX: Syntax = Syntax {
    name: |text| line::split(text).map(|parts| parts.name),
    comments: true,
};

impl Service for Frontend {
    /// Whether it was `quit`.
    fn take(&mut self, line: &Line) -> bool {
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
