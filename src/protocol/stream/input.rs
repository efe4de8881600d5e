//! The reader: takes bytes from the input while the engine thinks, queues
//! commands within a fixed amount of memory, and tells the
//! [`Signals`] what cannot wait.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::assembler::{Assembler, RawLine};
use super::output::RETRY;
use super::signals::{Patience, QUIT_GRACE, Signals};

/// Bytes that may wait in the queue; beyond that the reader stops reading.
const QUEUE_BYTES: usize = 8 << 20;

/// What a queued line costs besides its text.
const LINE_COST: usize = 96;

const CHUNK: usize = 64 << 10;

/// A numbered line that is not blank.
#[derive(Debug)]
pub(in crate::protocol) struct Line {
    /// Counted from 1, blank lines included.
    pub(in crate::protocol) number: u64,
    /// Its text, without comment and control characters.
    pub(in crate::protocol) text: String,
    /// Whether it was too long to be kept; `text` is its beginning.
    pub(in crate::protocol) overlong: bool,
}

/// What the reader must know of a protocol.
#[derive(Clone, Copy)]
pub(in crate::protocol) struct Syntax {
    /// The name of a line's command, in the words of [`Signals`]: `stop` and
    /// `quit`. None if the line is none.
    pub(in crate::protocol) name: fn(&str) -> Option<&str>,
    /// Whether `#` begins a comment.
    pub(in crate::protocol) comments: bool,
}

/// The queue between the reader and the engine.
pub(in crate::protocol) struct Inbox {
    pub(in crate::protocol) signals: Signals,
    syntax: Syntax,
    queue: Mutex<Queue>,
    /// Something came, or the input has ended.
    arrived: Condvar,
    /// There is room again.
    taken: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<Line>,
    bytes: usize,
    /// Answers what need not wait for the computation under way.
    meanwhile: Option<Meanwhile>,
}

/// Whether a line was answered, so that it need not be queued.
pub(in crate::protocol) type Meanwhile = Box<dyn Fn(&str) -> bool + Send>;

impl Inbox {
    pub(in crate::protocol) fn new(syntax: Syntax) -> Self {
        Self {
            signals: Signals::new(),
            syntax,
            queue: Mutex::new(Queue::default()),
            arrived: Condvar::new(),
            taken: Condvar::new(),
        }
    }

    /// From now on lines that follow the one under way without another between
    /// them may be answered at once; `None` ends that.
    pub(in crate::protocol) fn set_meanwhile(&self, meanwhile: Option<Meanwhile>) {
        self.lock().meanwhile = meanwhile;
    }

    /// Starts a thread that reads `input` to its end.
    ///
    /// # Errors
    /// If the system grants no thread.
    pub(in crate::protocol) fn read_from(
        self: &Arc<Self>,
        input: impl Read + Send + 'static,
    ) -> std::io::Result<()> {
        let inbox = Arc::clone(self);
        std::thread::Builder::new()
            .name("input".to_string())
            .spawn(move || inbox.read_all(input))?;
        Ok(())
    }

    /// The next line, or none after the last; waits for it.
    pub(in crate::protocol) fn next(&self) -> Option<Line> {
        let mut queue = self.lock();
        loop {
            if let Some(line) = queue.lines.pop_front() {
                queue.bytes -= cost(&line);
                self.taken.notify_one();
                return Some(line);
            }
            if self.signals.is_closed() {
                return None;
            }
            queue = wait(&self.arrived, queue);
        }
    }

    /// Waits until anything has come after line `number`, be it the end.
    pub(in crate::protocol) fn wait_past(&self, number: u64) {
        let mut queue = self.lock();
        while !self.signals.is_past(number) && !self.signals.is_closed() {
            queue = wait(&self.arrived, queue);
        }
    }

    /// Waits until the computation of line `number`, which has nothing left
    /// to compute, is to end.
    pub(in crate::protocol) fn wait_end(&self, number: u64, patience: Patience) {
        let mut queue = self.lock();
        while !self.signals.ends(number, patience) {
            // A `quit` takes effect a moment after it has come.
            let waited = self.arrived.wait_timeout(queue, QUIT_GRACE);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn read_all(&self, mut input: impl Read) {
        let mut assembler = Assembler::new(self.syntax.comments);
        let mut chunk = vec![0; CHUNK];
        let mut number = 0;
        loop {
            match input.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => assembler.push(&chunk[..count], |line| {
                    number += 1;
                    self.take_in(number, line);
                }),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Whoever shares the pipe may have set it not to block.
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(RETRY),
                // A terminal that hangs up is an error to read: the end too.
                Err(_) => break,
            }
        }
        if let Some(line) = assembler.finish() {
            number += 1;
            self.signals.cut_short(number);
            self.take_in(number, line);
        }
        let _queue = self.lock();
        self.signals.close();
        self.arrived.notify_all();
    }

    fn take_in(&self, number: u64, line: RawLine) {
        if line.interrupt {
            self.signals.stop_before(number);
        }
        let name = (self.syntax.name)(&line.text);
        if let Some(name) = name {
            self.signals.command(number, name);
        }
        let is_command = name.is_some();
        let mut queue = self.lock();
        self.signals.line(number);
        let answer = queue.meanwhile.as_ref().filter(|_| queue.lines.is_empty());
        if is_command && !answer.is_some_and(|answer| answer(&line.text)) {
            let line = Line {
                number,
                text: line.text,
                overlong: line.overlong,
            };
            let cost = cost(&line);
            while queue.bytes > 0 && queue.bytes + cost > QUEUE_BYTES {
                self.signals.set_flooded(true);
                self.arrived.notify_all();
                queue = wait(&self.taken, queue);
            }
            self.signals.set_flooded(false);
            queue.bytes += cost;
            queue.lines.push_back(line);
        }
        self.arrived.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cost(line: &Line) -> usize {
    line.text.len() + LINE_COST
}

fn wait<'a>(condition: &Condvar, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
    condition
        .wait(queue)
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::stream::{Patience, split_word};

    const WORDS: Syntax = Syntax {
        name: |text| Some(split_word(text).0).filter(|name| !name.is_empty()),
        comments: true,
    };
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn texts(input: &'static [u8]) -> Vec<(u64, String)> {
        let inbox = Arc::new(Inbox::new(WORDS));
        inbox.read_from(input).expect("a thread");
        std::iter::from_fn(|| inbox.next())
            .map(|line| (line.number, line.text))
            .collect()
    }

    #[test]
    fn blank_lines_are_counted_and_not_queued() {
        let expected = [(1, "name".to_string()), (4, "5 quit".to_string())];
        assert_eq!(texts(b"name\n\n# 7\n5 quit\n"), expected);
    }

    #[test]
    fn a_last_line_without_its_end_is_a_line() {
        assert_eq!(texts(b"name"), [(1, "name".to_string())]);
    }

    /// Endless commands, counted.
    struct Flood(Arc<AtomicUsize>);

    impl Read for Flood {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for pair in buffer.chunks_exact_mut(2) {
                pair.copy_from_slice(b"x\n");
            }
            let count = buffer.len() / 2 * 2;
            self.0.fetch_add(count, Ordering::Relaxed);
            Ok(count)
        }
    }

    /// Has nothing to read every other time.
    struct Hesitant(&'static [u8], bool);

    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.0.read(&mut buffer[..4])
        }
    }

    #[test]
    fn an_input_with_nothing_to_read_has_not_ended() {
        let inbox = Arc::new(Inbox::new(WORDS));
        let input = Hesitant(b"name\nversion\n", false);
        inbox.read_from(input).expect("a thread");
        let texts: Vec<String> = std::iter::from_fn(|| inbox.next())
            .map(|line| line.text)
            .collect();
        assert_eq!(texts, ["name", "version"]);
    }

    #[test]
    fn a_flood_waits_outside() {
        let read = Arc::new(AtomicUsize::new(0));
        let inbox = Arc::new(Inbox::new(WORDS));
        inbox.read_from(Flood(Arc::clone(&read))).expect("a thread");
        while !inbox.signals.ends(1, Patience::Unbounded) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(inbox.lock().bytes <= QUEUE_BYTES);
        assert!(read.load(Ordering::Relaxed) <= QUEUE_BYTES / LINE_COST * 2 + 2 * CHUNK);
        for _ in 0..100_000 {
            assert!(inbox.next().is_some());
        }
    }
}
