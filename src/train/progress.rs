//! How far a step of the training is, on standard error.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Mutex;

/// Between two lines of a log.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// A bar on a terminal; elsewhere a line every half minute, logged as `info`.
pub struct Progress {
    what: &'static str,
    bar: ProgressBar,
    done: AtomicU64,
    all: u64,
    last: Mutex<Instant>,
}

impl Progress {
    /// Of a step with so many parts.
    pub fn new(what: &'static str, all: u64) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{msg} {bar:20} {pos}/{len} {elapsed}<{eta}");
            let bar = ProgressBar::new(all).with_message(what);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self {
            what,
            bar,
            done: AtomicU64::new(0),
            all,
            last: Mutex::new(Instant::now()),
        }
    }

    /// So many parts more are done.
    pub fn advance(&self, parts: u64) {
        let done = self.done.fetch_add(parts, Ordering::Relaxed) + parts;
        self.bar.inc(parts);
        if !self.bar.is_hidden() {
            return;
        }
        if let Ok(mut last) = self.last.try_lock()
            && last.elapsed() >= LINE_EVERY
        {
            *last = Instant::now();
            log::info!("{}: {done} of {}", self.what, self.all);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
