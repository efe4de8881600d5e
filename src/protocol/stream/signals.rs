//! What the input says to a thinking engine before its turn comes: `stop`,
//! `# interrupt`, `quit`, the end of the input, or simply anything.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long after `quit` the end of the input may come for the two to be the
/// end of a script and no user's wish.
pub(in crate::protocol) const QUIT_GRACE: Duration = Duration::from_millis(50);

/// What ends a computation besides `stop`, `# interrupt` and `quit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::protocol) enum Patience {
    /// Nothing: it has a limit or a goal of its own.
    Bounded,
    /// The end of the input, after which nobody could end it.
    Unbounded,
    /// That, and any input line.
    Analysis,
    /// The next command but `quit`: it has a limit of its own, but what
    /// follows is worth more.
    UntilNext,
}

/// What has been seen of the input so far. Lines are numbered from 1; a
/// computation carries the number of its command.
pub(in crate::protocol) struct Signals {
    origin: Instant,
    /// Commands with a smaller number are to end.
    stop_before: AtomicU64,
    /// The command that the end of the input has cut short, 0 if none.
    cut_short: AtomicU64,
    /// The number of the latest line of any kind.
    latest: AtomicU64,
    /// The number of the latest command that is no `quit`.
    latest_command: AtomicU64,
    /// The number of the first `quit`, 0 before it.
    quit: AtomicU64,
    /// When it came, in microseconds since `origin`.
    quit_at: AtomicU64,
    /// Whether that `quit` was the end of a script.
    script_end: AtomicBool,
    /// Whether a command has come after that `quit`.
    past_quit: AtomicBool,
    /// Whether the input has ended.
    closed: AtomicBool,
    /// Whether so much is waiting that no more is read, not even a `stop`.
    flooded: AtomicBool,
}

impl Signals {
    pub(in crate::protocol) fn new() -> Self {
        Self {
            origin: Instant::now(),
            stop_before: AtomicU64::new(0),
            cut_short: AtomicU64::new(0),
            latest: AtomicU64::new(0),
            latest_command: AtomicU64::new(0),
            quit: AtomicU64::new(0),
            quit_at: AtomicU64::new(0),
            script_end: AtomicBool::new(false),
            past_quit: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            flooded: AtomicBool::new(false),
        }
    }

    /// Line `number` has come, whatever it is.
    pub(in crate::protocol) fn line(&self, number: u64) {
        self.latest.store(number, Relaxed);
    }

    /// A command with that name has come in line `number`.
    pub(in crate::protocol) fn command(&self, number: u64, name: &str) {
        if self.quit.load(Relaxed) != 0 {
            self.past_quit.store(true, Relaxed);
        }
        if name != "quit" {
            self.latest_command.store(number, Relaxed);
        }
        match name {
            "stop" => self.stop_before(number),
            "quit" if self.quit.load(Relaxed) == 0 => {
                self.quit_at.store(self.micros(), Relaxed);
                self.quit.store(number, Relaxed);
            }
            _ => {}
        }
    }

    /// Every computation of an earlier line is to end.
    pub(in crate::protocol) fn stop_before(&self, number: u64) {
        self.stop_before.store(number, Relaxed);
    }

    /// Line `number` has no end: it may be half of something, so that nothing
    /// long is to come of it.
    pub(in crate::protocol) fn cut_short(&self, number: u64) {
        self.cut_short.store(number, Relaxed);
    }

    /// The input has ended.
    pub(in crate::protocol) fn close(&self) {
        let quit = self.quit.load(Relaxed) != 0 && !self.past_quit.load(Relaxed);
        if quit && !self.quit_grace_is_over() {
            self.script_end.store(true, Relaxed);
        }
        self.closed.store(true, Relaxed);
    }

    /// Whether no more input can be taken in for now.
    pub(in crate::protocol) fn set_flooded(&self, flooded: bool) {
        self.flooded.store(flooded, Relaxed);
    }

    /// Whether the input has ended.
    pub(in crate::protocol) fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// Whether any line has come after line `number`.
    pub(in crate::protocol) fn is_past(&self, number: u64) -> bool {
        self.latest.load(Relaxed) > number
    }

    /// Whether the computation of line `number` is to end.
    pub(in crate::protocol) fn ends(&self, number: u64, patience: Patience) -> bool {
        if number < self.stop_before.load(Relaxed) || number == self.cut_short.load(Relaxed) {
            return true;
        }
        let quit = self.quit.load(Relaxed);
        if number < quit && !self.script_end.load(Relaxed) && self.quit_grace_is_over() {
            return true;
        }
        let unattended = || self.closed.load(Relaxed) || self.flooded.load(Relaxed);
        match patience {
            Patience::Bounded => false,
            Patience::Unbounded => unattended(),
            Patience::Analysis => unattended() || self.is_past(number),
            Patience::UntilNext => self.latest_command.load(Relaxed) > number,
        }
    }

    fn quit_grace_is_over(&self) -> bool {
        let waited = self.micros().saturating_sub(self.quit_at.load(Relaxed));
        waited > QUIT_GRACE.as_micros() as u64
    }

    fn micros(&self) -> u64 {
        self.origin.elapsed().as_micros() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Patience::{Analysis, Bounded, Unbounded, UntilNext};

    #[test]
    fn stop_ends_what_was_sent_before_it_and_nothing_else() {
        let signals = Signals::new();
        signals.command(3, "stop");
        assert!(signals.ends(2, Bounded));
        assert!(!signals.ends(3, Bounded));
        assert!(!signals.ends(4, Unbounded));
    }

    #[test]
    fn any_line_ends_an_analysis_and_no_search() {
        let signals = Signals::new();
        signals.line(1);
        assert!(!signals.ends(1, Analysis));
        signals.line(2);
        assert!(signals.ends(1, Analysis));
        assert!(!signals.ends(1, Unbounded));
    }

    #[test]
    fn what_gives_way_does_so_to_commands_and_not_to_the_end() {
        let signals = Signals::new();
        signals.command(1, "hint");
        signals.command(2, "quit");
        signals.close();
        assert!(!signals.ends(1, UntilNext));
        signals.command(3, "move");
        assert!(signals.ends(1, UntilNext));
        assert!(!signals.ends(3, UntilNext));
    }

    #[test]
    fn the_end_of_input_ends_only_what_nothing_else_would_end() {
        let signals = Signals::new();
        signals.close();
        assert!(!signals.ends(1, Bounded));
        assert!(signals.ends(1, Unbounded));
        assert!(signals.ends(1, Analysis));
    }

    #[test]
    fn a_user_quits_after_a_moment_a_script_lets_the_search_run() {
        let user = Signals::new();
        user.command(2, "quit");
        assert!(!user.ends(1, Bounded));
        std::thread::sleep(QUIT_GRACE + Duration::from_millis(5));
        assert!(user.ends(1, Bounded));
        user.close();
        assert!(
            user.ends(1, Bounded),
            "an end of input after that is too late"
        );

        let script = Signals::new();
        script.command(2, "quit");
        script.close();
        std::thread::sleep(QUIT_GRACE + Duration::from_millis(5));
        assert!(!script.ends(1, Bounded));
        assert!(script.ends(1, Unbounded));
    }

    #[test]
    fn a_quit_with_commands_behind_it_is_no_script_end() {
        let signals = Signals::new();
        signals.command(2, "quit");
        signals.command(3, "name");
        signals.close();
        std::thread::sleep(QUIT_GRACE + Duration::from_millis(5));
        assert!(signals.ends(1, Bounded));
    }

    #[test]
    fn half_a_line_starts_nothing_long_and_ends_nothing_before_it() {
        let signals = Signals::new();
        signals.cut_short(2);
        signals.close();
        assert!(!signals.ends(1, Bounded));
        assert!(signals.ends(2, Bounded));
    }

    #[test]
    fn a_flood_ends_what_no_stop_could_reach() {
        let signals = Signals::new();
        signals.set_flooded(true);
        assert!(signals.ends(1, Unbounded));
        assert!(!signals.ends(1, Bounded));
        signals.set_flooded(false);
        assert!(!signals.ends(1, Unbounded));
    }
}
