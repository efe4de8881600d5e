//! Plays a proved book against every reply; one that is not is searched again.

use std::collections::HashMap;
use std::io::Write;

use indicatif::ProgressBar;

use super::args::CheckArgs;
use super::{after, in_file, open_with, searched, start_of};
use crate::book::Book;
use crate::command::{Failure, spinner};
use crate::game::{Outcome, Side};
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Session, Unwatched};

/// The table of an engine nobody has set up, in MiB.
const HASH: usize = 128;

/// Positions after which a search must have proved its move.
const LEAF_NODES: u64 = 20_000_000;

/// Checks a book.
///
/// # Errors
/// If the book cannot be read, or loses something.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let session = open_with(args.game, 1, HASH)?;
    let read = match &args.book {
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| in_file(path, error))?;
            Some(Book::read(&bytes).map_err(|error| in_file(path, error))?)
        }
        None => None,
    };
    let name = args.game.info.name;
    let book = read.as_ref().or(session.book());
    let book = book.ok_or_else(|| Failure::Refused(format!("{name} has no book")))?;
    if !book.is_proved() {
        return searched::run(args, book, out);
    }
    if args.mend.is_some() {
        let what = "--mend is for books that were searched, and this one is proved";
        return Err(Failure::Usage(what.to_string()));
    }
    let mut checker = Checker {
        args,
        book,
        session,
        promised: HashMap::new(),
        leaf_nodes: args.leaf_nodes.unwrap_or(LEAF_NODES),
        ends: 0,
        solved: 0,
        bar: spinner(),
    };
    let start = start_of(checker.session.as_mut(), args.position.as_deref())?;
    for ours in [Side::Black, Side::White] {
        let value = checker.value_of(&start, ours)?;
        writeln!(out, "{ours} has at least {value}")?;
    }
    checker.bar.finish_and_clear();
    writeln!(
        out,
        "{} positions, {} of {} ends of lines solved",
        checker.promised.len(),
        checker.solved,
        checker.ends
    )?;
    Ok(())
}

struct Checker<'a> {
    args: &'a CheckArgs,
    book: &'a Book,
    session: Box<dyn Session>,
    /// What we are sure of in the positions seen, by canonical key and
    /// whether it was our turn.
    promised: HashMap<(u64, bool), i32>,
    leaf_nodes: u64,
    ends: u64,
    solved: u64,
    bar: ProgressBar,
}

impl Checker<'_> {
    /// The margin that `ours` is sure of when the book is followed.
    fn value_of(&mut self, position: &str, ours: Side) -> Result<i32, Failure> {
        self.set(position)?;
        if let Some(outcome) = self.session.outcome() {
            return Ok(margin(outcome, ours));
        }
        let our_turn = self.session.side_to_move() == ours;
        let moves = self.session.legal_moves();
        let key = (self.session.canonical_key(), our_turn);
        if let Some(&known) = self.promised.get(&key) {
            return Ok(known);
        }
        let value = if our_turn {
            self.our_turn(position, ours)?
        } else {
            let mut least = i32::MAX;
            for mv in moves {
                let next = after(self.session.as_mut(), position, &mv)?;
                least = least.min(self.value_of(&next, ours)?);
            }
            least
        };
        self.promised.insert(key, value);
        let (seen, ends) = (self.promised.len(), self.ends);
        self.bar
            .set_message(format!("{seen} positions, {ends} ends of lines"));
        Ok(value)
    }

    fn our_turn(&mut self, position: &str, ours: Side) -> Result<i32, Failure> {
        let known = self.session.moves_in(self.book).into_iter().next();
        let Some((mv, promise)) = known else {
            return self.end_of_line(position);
        };
        let next = after(self.session.as_mut(), position, &mv)?;
        let found = self.value_of(&next, ours)?;
        match promise {
            Value::Margin(promise) if found >= promise => Ok(promise),
            _ => Err(Failure::Refused(format!(
                "{position}: {mv} should be worth {promise}, some reply leaves {found}"
            ))),
        }
    }

    /// What a search proves where the book ends.
    fn end_of_line(&mut self, position: &str) -> Result<i32, Failure> {
        self.ends += 1;
        if !self.ends.is_multiple_of(self.args.sample) {
            // Nothing is said against it.
            return Ok(i32::MAX);
        }
        self.solved += 1;
        self.session.reset();
        self.set(position)?;
        let limits = Limits {
            nodes: Some(self.leaf_nodes),
            ..Limits::default()
        };
        let thought = self.session.think(&limits, &Unwatched);
        match thought.info.map(|info| (info.exact, info.value)) {
            Some((true, Value::Margin(margin))) => Ok(margin),
            _ => Err(Failure::Refused(format!(
                "{position}: the book ends here, and {} positions do not solve it",
                self.leaf_nodes
            ))),
        }
    }

    fn set(&mut self, position: &str) -> Result<(), Failure> {
        self.session
            .set_position(position)
            .map_err(Failure::Refused)
    }
}

/// What `ours` has made of a finished game.
fn margin(outcome: Outcome, ours: Side) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win { side, margin } if side == ours => margin as i32,
        Outcome::Win { margin, .. } => -(margin as i32),
    }
}
