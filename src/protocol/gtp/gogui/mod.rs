//! What GoGui asks of an engine that brings its own game.

mod analysis;
mod drawing;
mod half_moves;
mod layout;
mod live;
mod parameters;
mod rules;
mod setup;

use super::answer::Reply;
use super::commands::Command;
use super::frontend::Frontend;
use super::play::PLAY_SEQUENCE;
use crate::session::Watcher;

pub(super) use half_moves::HalfMoves;
pub(super) use layout::Layout;

/// In the order of the manual.
pub(super) const COMMANDS: [&[Command]; 3] = [rules::COMMANDS, setup::COMMANDS, OTHERS];

const OTHERS: &[Command] = &[
    PLAY_SEQUENCE,
    Command::new(
        "gogui-interrupt",
        "",
        "known: the comment `# interrupt` ends a search",
        |_, _| Reply::empty(),
    ),
    Command::new("gogui-title", "", "a title for the window", |f, _| {
        Ok(format!("Quadrille: {}", f.session.variant().title).into())
    }),
    Command::new(
        "gogui-analyze_commands",
        "",
        "what GoGui's analysis menu offers",
        |_, _| Ok(ANALYZE_COMMANDS.into()),
    ),
    Command::new(
        "quadrille-gfx_moves",
        "",
        "the value of every legal move, as labels",
        analysis::moves,
    ),
    Command::new(
        "quadrille-gfx_colours",
        "",
        "the same as colours, from green to red",
        analysis::colours,
    ),
    Command::new(
        "quadrille-gfx_pv",
        "",
        "the principal variation",
        analysis::variation,
    ),
    Command::new(
        "quadrille-gfx_book",
        "",
        "the moves known beforehand, as labels",
        analysis::book,
    ),
    Command::new(
        "quadrille-gfx_solve",
        "",
        "the exact value, and the moves that reach it",
        analysis::solution,
    ),
    Command::new(
        "quadrille-legal_points",
        "",
        "the points that can come next",
        analysis::points,
    ),
    Command::new(
        "quadrille-param",
        "[NAME VALUE]",
        "the options in GoGui's form, or changes one",
        parameters::parameters,
    ),
];

const ANALYZE_COMMANDS: &str = "\
gfx/Move Values/quadrille-gfx_moves
gfx/Move Colors/quadrille-gfx_colours
gfx/Principal Variation/quadrille-gfx_pv
gfx/Book/quadrille-gfx_book
gfx/Exact Result/quadrille-gfx_solve
plist/Legal Moves/quadrille-legal_points
string/Evaluation/evaluate
string/Last Search/last_search
string/Position/get_position
hstring/Board/showboard
param/Search Parameters/quadrille-param";

impl Frontend {
    /// Calls with a watcher that draws what it sees, if GoGui wants to see it.
    pub(super) fn watched<R>(
        &mut self,
        watcher: &dyn Watcher,
        think: impl FnOnce(&mut Self, &dyn Watcher) -> R,
    ) -> R {
        if !self.live_graphics {
            return think(self, watcher);
        }
        let live = live::Live {
            inner: watcher,
            board: drawing::board(self),
            lines: self.lines(),
        };
        think(self, &live)
    }
}
