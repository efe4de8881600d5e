//! The form of an answer.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::protocol::stream::Output;

/// A whole answer: sign, id, a blank, the body without empty lines, and the
/// empty line that ends it.
pub(super) fn frame(sign: char, id: &str, body: &str) -> String {
    let mut text = String::with_capacity(id.len() + body.len() + 4);
    text.push(sign);
    text.push_str(id);
    text.push(' ');
    let mut lines = body.split('\n');
    text.push_str(lines.next().unwrap_or_default());
    for line in lines.filter(|line| !line.is_empty()) {
        text.push('\n');
        text.push_str(line);
    }
    text.push_str("\n\n");
    text
}

/// An answer whose lines go out one by one while it is computed.
pub(super) struct Stream<'a> {
    output: &'a Output,
    id: &'a str,
    begun: AtomicBool,
}

impl<'a> Stream<'a> {
    pub(super) fn new(output: &'a Output, id: &'a str) -> Self {
        Self {
            output,
            id,
            begun: AtomicBool::new(false),
        }
    }

    /// Sends the sign on a line of its own, before anything is known.
    pub(super) fn begin(&self) {
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.output.send(&format!("={} \n", self.id));
        }
    }

    /// Sends a line, which must not be empty; the first one follows the sign.
    pub(super) fn line(&self, line: &str) {
        if self.begun.swap(true, Ordering::Relaxed) {
            self.output.send(&format!("{line}\n"));
        } else {
            self.output.send(&format!("={} {line}\n", self.id));
        }
    }

    /// Ends the answer.
    pub(super) fn end(&self) {
        self.begin();
        self.output.send("\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_sign_id_blank_body_and_one_empty_line() {
        assert_eq!(frame('=', "", "2"), "= 2\n\n");
        assert_eq!(frame('=', "007", ""), "=007 \n\n");
        assert_eq!(frame('?', "1", "illegal move"), "?1 illegal move\n\n");
        assert_eq!(frame('=', "", "\n a b\n\n 1\n"), "= \n a b\n 1\n\n");
    }
}
