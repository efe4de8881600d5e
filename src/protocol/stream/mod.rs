//! Lines in and text out, for every protocol: one thread reads and tells the
//! one that thinks what cannot wait its turn.

mod assembler;
mod input;
mod output;
mod signals;

pub(super) use assembler::LONGEST_LINE;
pub(super) use input::{Inbox, Line, Meanwhile, Syntax};
pub(super) use output::Output;
pub(super) use signals::Patience;

/// The first word, and what follows without blanks at the ends.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_matches(' ');
    match text.split_once(' ') {
        Some((word, rest)) => (word, rest.trim_matches(' ')),
        None => (text, ""),
    }
}
