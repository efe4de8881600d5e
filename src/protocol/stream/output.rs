//! Answers on their way out, whole and at once.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where answers go. A failed write is remembered, and everything written
/// afterwards is dropped: whoever thinks looks at [`Output::is_broken`].
pub(in crate::protocol) struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    broken: AtomicBool,
    /// Why the write failed, unless the reader is gone.
    failure: Mutex<Option<io::Error>>,
}

impl Output {
    pub(in crate::protocol) fn new(writer: impl Write + Send + 'static) -> Self {
        Self {
            writer: Mutex::new(Box::new(writer)),
            broken: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Writes `text` in one piece and flushes it.
    pub(in crate::protocol) fn send(&self, text: &str) {
        if self.is_broken() {
            return;
        }
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = write_whole(&mut **writer, text.as_bytes()) {
            log::debug!("the output is gone: {error}");
            self.broken.store(true, Ordering::Relaxed);
            if error.kind() != ErrorKind::BrokenPipe {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
            }
        }
    }

    /// Whether nobody reads any more.
    pub(in crate::protocol) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// Why an answer could not be written, unless because nobody reads it.
    pub(in crate::protocol) fn take_failure(&self) -> Option<io::Error> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }
}

/// How soon a pipe that does not block is tried again.
pub(in crate::protocol) const RETRY: Duration = Duration::from_millis(1);

/// Writes all of it and flushes. Whoever shares the pipe may have set it not
/// to block: what finds no room then has to wait, and is not lost.
fn write_whole(writer: &mut dyn Write, mut text: &[u8]) -> io::Result<()> {
    let mut flushed = false;
    while !flushed {
        let done = if text.is_empty() {
            writer.flush().map(|()| flushed = true)
        } else {
            match writer.write(text) {
                Ok(0) => Err(ErrorKind::WriteZero.into()),
                Ok(count) => {
                    text = &text[count..];
                    Ok(())
                }
                Err(error) => Err(error),
            }
        };
        match done {
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(RETRY),
            Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

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
        assert!(output.take_failure().is_none());
    }

    /// Takes three bytes, then has no room, then takes three more.
    #[derive(Clone, Default)]
    struct Narrow {
        taken: Arc<Mutex<Vec<u8>>>,
        full: bool,
    }

    impl Narrow {
        fn turn(&mut self) -> io::Result<()> {
            self.full = !self.full;
            if self.full {
                return Err(ErrorKind::WouldBlock.into());
            }
            Ok(())
        }
    }

    impl Write for Narrow {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.turn()?;
            let count = text.len().min(3);
            self.taken.lock().expect("one user").extend(&text[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.turn()
        }
    }

    #[test]
    fn a_pipe_without_room_is_waited_for() {
        let narrow = Narrow::default();
        let output = Output::new(narrow.clone());
        output.send("= Quadrille\n\n");
        output.send("=2 \n\n");
        assert!(!output.is_broken());
        let taken = narrow.taken.lock().expect("one user");
        assert_eq!(taken.as_slice(), b"= Quadrille\n\n=2 \n\n");
    }
}
