//! Graphics while a move is thought about: lines on standard error that
//! GoGui draws at once.

use std::io::Write as _;

use super::analysis::Lines;
use crate::protocol::words::told;
use crate::session::{Info, Watcher};

/// Draws every report, and hands it on.
pub(in crate::protocol::gtp) struct Live<'a> {
    /// Who listens and stops.
    pub(super) inner: &'a dyn Watcher,
    /// What is drawn below: the board.
    pub(super) board: String,
    /// How a variation is drawn.
    pub(super) lines: Lines,
}

impl Watcher for Live<'_> {
    fn progress(&self, info: &Info) {
        self.inner.progress(info);
        if info.rank != 1 {
            return;
        }
        let variation = self.lines.variation(&info.pv);
        let drawing = format!("{}{variation}TEXT {}", self.board, told(info));
        // One drawing of several lines; each by itself would erase the others.
        // Whoever does not look at standard error misses nothing.
        let _ = writeln!(std::io::stderr().lock(), "gogui-gfx:\n{drawing}\n");
    }

    fn stop(&self) -> bool {
        self.inner.stop()
    }
}
