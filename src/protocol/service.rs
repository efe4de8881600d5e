//! What every front end does alike: it starts with the same options, reads
//! and answers in the same way, and ends for the same reasons.

use std::sync::Arc;
use std::time::Duration;

use super::stream::{Inbox, Line, Output, Patience, Syntax};
use crate::games;
use crate::search::{Limits, Settings};
use crate::session::{Info, Session, Watcher};

/// A move takes no longer if nothing limits it: a little under a second, so that
/// the answer is there within it.
const UNLIMITED_MOVE: Duration = Duration::from_millis(950);

/// What is lost on the way to whoever keeps the time, unless set otherwise.
pub(super) const OVERHEAD: Duration = Duration::from_millis(5);

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

impl Options {
    /// The game at its start.
    ///
    /// # Errors
    /// One line, if the game is unknown or the weights do not fit it.
    pub fn open(&self) -> Result<Box<dyn Session>, String> {
        let variant = games::find(&self.game).ok_or_else(|| unknown_game(&self.game))?;
        let mut session = variant.open(&self.settings)?;
        if let Some((name, bytes)) = &self.weights {
            let loaded = session.load_weights(bytes);
            loaded.map_err(|reason| format!("{name}: {reason}"))?;
        }
        Ok(session)
    }

    /// The limits of a move, running from now.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            depth: self.depth.map(depth_limit),
            nodes: self.nodes,
            time: self.time,
            overhead: OVERHEAD,
            play_forced: true,
            ..Limits::default()
        }
    }
}

/// A depth as the search takes it: more than any game of ours lasts is cut.
pub(super) fn depth_limit(plies: u32) -> crate::search::heuristics::Depth {
    const MOST: u32 = 1_000;
    plies.min(MOST) as _
}

/// The same limits, and a second if there are none at all.
pub(super) fn cap_if_unlimited(mut limits: Limits) -> Limits {
    let unlimited = limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.time.is_none()
        && limits.clock.is_none();
    if unlimited {
        limits.time = Some(UNLIMITED_MOVE);
    }
    limits
}

pub(super) fn unknown_game(name: &str) -> String {
    format!("no game `{name}`; there are {}", games::names().join(", "))
}

/// A front end: takes line after line.
pub(super) trait Service {
    /// Whether it was the last one that counts.
    fn take(&mut self, line: &Line) -> bool;
}

/// Serves standard input and output until the service is over, the input
/// ends or whoever reads the output disappears; the last ends the whole
/// process, with exit code 0 and without a word.
///
/// # Errors
/// One line, if it cannot start or if an answer cannot be written though
/// somebody would read it.
pub(super) fn serve<S: Service>(
    syntax: Syntax,
    open: impl FnOnce(Arc<Inbox>, Arc<Output>) -> Result<S, String>,
) -> Result<(), String> {
    crate::sys::watch_output(|| std::process::exit(0));
    let inbox = Arc::new(Inbox::new(syntax));
    let output = Arc::new(Output::new(std::io::stdout()));
    inbox
        .read_from(std::io::stdin())
        .map_err(|error| format!("no thread to read with: {error}"))?;
    let mut service = open(Arc::clone(&inbox), Arc::clone(&output))?;
    while let Some(line) = inbox.next() {
        if service.take(&line) || output.is_broken() {
            break;
        }
    }
    match output.take_failure() {
        Some(error) => Err(format!("cannot write the answer: {error}")),
        None => Ok(()),
    }
}

/// Listens to the input for whoever thinks.
pub(super) struct Watch<'a> {
    inbox: &'a Inbox,
    output: &'a Output,
    number: u64,
    patience: Patience,
}

impl<'a> Watch<'a> {
    /// For the command of that number.
    pub(super) fn new(
        inbox: &'a Inbox,
        output: &'a Output,
        number: u64,
        patience: Patience,
    ) -> Self {
        Self {
            inbox,
            output,
            number,
            patience,
        }
    }
}

impl Watcher for Watch<'_> {
    fn progress(&self, info: &Info) {
        log::debug!("{info}");
    }

    fn stop(&self) -> bool {
        self.output.is_broken() || self.inbox.signals.ends(self.number, self.patience)
    }
}

/// The same, and shows every report in the form of a protocol.
pub(super) struct Attention<'a, F: Fn(&Info) + Sync> {
    pub(super) watch: Watch<'a>,
    pub(super) show: F,
}

impl<F: Fn(&Info) + Sync> Watcher for Attention<'_, F> {
    fn progress(&self, info: &Info) {
        self.watch.progress(info);
        (self.show)(info);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}
