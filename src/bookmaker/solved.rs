//! Proves opening lines.

use std::collections::HashSet;
use std::io::Write;

use indicatif::ProgressBar;

use super::args::SolveLinesArgs;
use super::lines::{Line, Lines};
use super::{after, in_file, open_lines, open_with, start_of};
use crate::command::{Failure, spinner};
use crate::game::Side;
use crate::search::Limits;
use crate::search::score::{Score, Value};
use crate::session::{Session, Unwatched};

/// The table with which a line must be able to end, in MiB: that of an engine
/// nobody has set up.
const LEAF_HASH: usize = 128;

/// Proves the lines of both sides.
///
/// # Errors
/// If the text of lines cannot be read or written, or a game has no margins.
pub(super) fn run(args: &SolveLinesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.info;
    if !game.discs {
        return Err(Failure::Usage(format!(
            "{} has no margins to prove",
            game.name
        )));
    }
    let mut strong = open_with(args.game, args.threads, args.hash)?;
    let start = start_of(strong.as_mut(), args.position.as_deref())?;
    let mut prover = Prover {
        args,
        lines: open_lines(&args.lines)?,
        strong,
        plain: open_with(args.game, 1, LEAF_HASH)?,
        seen: HashSet::new(),
        leaves: 0,
        bar: spinner(),
    };
    for ours in [Side::Black, Side::White] {
        prover.follow(&start, ours)?;
    }
    prover.bar.finish_and_clear();
    let known = prover.lines.len() - prover.leaves;
    writeln!(out, "{known} positions proved, {} lines end", prover.leaves)?;
    Ok(())
}

struct Prover<'a> {
    args: &'a SolveLinesArgs,
    lines: Lines,
    /// Proves what is far from the end, and remembers it.
    strong: Box<dyn Session>,
    /// As a user starts it: proves that a line can end.
    plain: Box<dyn Session>,
    /// Positions followed already: the canonical key, and whether it was our
    /// turn.
    seen: HashSet<(u64, bool)>,
    leaves: usize,
    bar: ProgressBar,
}

impl Prover<'_> {
    /// Follows a position, with `ours` to be played perfectly.
    fn follow(&mut self, position: &str, ours: Side) -> Result<(), Failure> {
        self.set(position)?;
        if self.strong.outcome().is_some() || !self.is_new(ours) {
            return Ok(());
        }
        let moves = if self.strong.side_to_move() == ours {
            let line = self.line_of(position)?;
            line.moves.into_iter().map(|(mv, _)| mv).collect()
        } else {
            self.strong.legal_moves()
        };
        for mv in moves {
            let next = after(self.strong.as_mut(), position, &mv)?;
            self.follow(&next, ours)?;
        }
        Ok(())
    }

    fn set(&mut self, position: &str) -> Result<(), Failure> {
        self.strong
            .set_position(position)
            .map_err(|what| in_file(&self.args.lines, what))
    }

    /// Whether no image of the position has been followed.
    fn is_new(&mut self, ours: Side) -> bool {
        let our_turn = ours == self.strong.side_to_move();
        self.seen.insert((self.strong.canonical_key(), our_turn))
    }

    /// What is known of a position of ours, or now proved.
    fn line_of(&mut self, position: &str) -> Result<Line, Failure> {
        let line = match self.lines.get(position) {
            Some(line) => line.clone(),
            None => {
                let moves = if self.is_leaf(position)? {
                    Vec::new()
                } else {
                    vec![self.prove()?]
                };
                let line = Line {
                    position: position.to_string(),
                    moves,
                };
                self.lines
                    .push(line.clone())
                    .map_err(|error| in_file(&self.args.lines, error))?;
                line
            }
        };
        self.leaves += usize::from(line.moves.is_empty());
        self.bar.set_message(format!(
            "{} positions, {} of them ends of lines; {position}",
            self.lines.len(),
            self.leaves
        ));
        Ok(line)
    }

    /// Whether an engine as a user starts it proves its move quickly.
    fn is_leaf(&mut self, position: &str) -> Result<bool, Failure> {
        self.plain.reset();
        self.plain
            .set_position(position)
            .map_err(|what| in_file(&self.args.lines, what))?;
        let limits = Limits {
            nodes: Some(self.args.leaf_nodes),
            ..Limits::default()
        };
        let thought = self.plain.think(&limits, &Unwatched);
        Ok(thought.info.is_some_and(|info| info.exact))
    }

    fn prove(&mut self) -> Result<(String, i16), Failure> {
        let thought = self.strong.think(&Limits::default(), &Unwatched);
        match thought.info.map(|info| (info.exact, info.value)) {
            Some((true, Value::Margin(margin))) => {
                let hundredths = i16::try_from(margin * Score::UNIT);
                let value = hundredths.map_err(|error| Failure::Refused(error.to_string()))?;
                Ok((thought.best, value))
            }
            _ => Err(Failure::Refused(format!(
                "{} has no margins to prove",
                self.args.game.info.name
            ))),
        }
    }
}
