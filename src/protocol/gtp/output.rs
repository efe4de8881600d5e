//! Answers on their way out, whole and at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where answers go. A failed write is remembered, and everything written
/// afterwards is dropped: whoever thinks looks at [`Output::is_broken`].
pub(super) struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    broken: AtomicBool,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self {
            writer: Mutex::new(Box::new(writer)),
            broken: AtomicBool::new(false),
        }
    }

    /// Writes `text` in one piece and flushes it.
    pub(super) fn send(&self, text: &str) {
        if self.is_broken() {
            return;
        }
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer
            .write_all(text.as_bytes())
            .and_then(|()| writer.flush());
        if let Err(error) = written {
            log::debug!("the output is gone: {error}");
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    /// Whether nobody reads any more.
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }
}

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
    use std::io;

    #[test]
    fn an_answer_has_sign_id_blank_body_and_one_empty_line() {
        assert_eq!(frame('=', "", "2"), "= 2\n\n");
        assert_eq!(frame('=', "007", ""), "=007 \n\n");
        assert_eq!(frame('?', "1", "illegal move"), "?1 illegal move\n\n");
        assert_eq!(frame('=', "", "\n a b\n\n 1\n"), "= \n a b\n 1\n\n");
    }

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_failed_write_is_remembered() {
        let output = Output::new(Broken);
        assert!(!output.is_broken());
        output.send("= \n\n");
        assert!(output.is_broken());
    }
}
