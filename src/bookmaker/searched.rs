//! Has every move of a searched book judged by another search.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Write;

use indicatif::ProgressBar;

use super::args::CheckArgs;
use super::ranking::ranked_moves;
use super::{after, open_with, open_without_table, start_of};
use crate::book::Book;
use crate::command::{Failure, spinner};
use crate::game::MAX_MOVES;
use crate::session::Session;

/// The table of each search, in MiB.
const HASH: usize = 64;

/// Positions a search may enter.
const NODES: u64 = 2_000_000;

/// Searches the positions of the book.
///
/// # Errors
/// If the book has nothing to begin with, or a move is worse than is allowed.
pub(super) fn run(args: &CheckArgs, book: &Book, out: &mut dyn Write) -> Result<(), Failure> {
    let mut checker = Checker {
        args,
        book,
        rules: open_without_table(args.game)?,
        engine: open_with(args.game, 1, HASH)?,
        bar: spinner(),
        tally: Tally::default(),
    };
    let start = start_of(checker.rules.as_mut(), args.position.as_deref())?;
    let positions = checker.positions(start)?;
    if positions.is_empty() {
        return Err(Failure::Refused("the book has no move here".to_string()));
    }
    let chosen = positions.iter().step_by(args.sample as usize);
    for position in chosen {
        checker.judge(position)?;
    }
    checker.bar.finish_and_clear();
    let tally = &checker.tally;
    let Some((gap, worst)) = &tally.worst else {
        return Err(Failure::Refused("no move was judged".to_string()));
    };
    writeln!(
        out,
        "{} positions, {} of them searched with {} moves\nworse than the best in the mean by {} \
         hundredths, at most by {gap}: {worst}",
        positions.len(),
        tally.positions,
        tally.moves,
        tally.sum / tally.moves as i64,
    )?;
    if *gap > args.leeway {
        return Err(Failure::Refused(format!(
            "{worst} is {gap} hundredths worse than the best move, more than --leeway {}",
            args.leeway
        )));
    }
    Ok(())
}

/// By how much moves are worse than the best, in hundredths.
#[derive(Default)]
struct Tally {
    positions: u64,
    moves: u64,
    sum: i64,
    worst: Option<(i32, String)>,
}

struct Checker<'a> {
    args: &'a CheckArgs,
    book: &'a Book,
    rules: Box<dyn Session>,
    engine: Box<dyn Session>,
    bar: ProgressBar,
    tally: Tally,
}

impl Checker<'_> {
    /// Where the book has moves, from a start on by ways that it knows, the
    /// shorter ones first.
    fn positions(&mut self, start: String) -> Result<Vec<String>, Failure> {
        let mut waiting = VecDeque::from([start]);
        let mut seen: HashSet<u64> = HashSet::new();
        let mut found = Vec::new();
        while let Some(position) = waiting.pop_front() {
            set(self.rules.as_mut(), &position)?;
            let known = self.rules.moves_in(self.book);
            if known.is_empty() || !seen.insert(self.rules.canonical_key()) {
                continue;
            }
            // Also what the other side would do better not to play.
            for mv in self.rules.legal_moves() {
                waiting.push_back(after(self.rules.as_mut(), &position, &mv)?);
            }
            found.push(position);
        }
        Ok(found)
    }

    fn judge(&mut self, position: &str) -> Result<(), Failure> {
        self.engine.reset();
        set(self.engine.as_mut(), position)?;
        let nodes = self.args.leaf_nodes.unwrap_or(NODES);
        let ranking = ranked_moves(self.engine.as_mut(), MAX_MOVES, nodes);
        let best = ranking.first().map_or(0, |&(_, value)| i32::from(value));
        let values: HashMap<&str, i32> = ranking
            .iter()
            .map(|(mv, value)| (mv.as_str(), i32::from(*value)))
            .collect();
        for (mv, _) in self.engine.moves_in(self.book) {
            // None if the search was too short to rank it.
            let Some(value) = values.get(mv.as_str()) else {
                continue;
            };
            let gap = best - value;
            self.tally.moves += 1;
            self.tally.sum += i64::from(gap);
            if self
                .tally
                .worst
                .as_ref()
                .is_none_or(|&(most, _)| gap > most)
            {
                self.tally.worst = Some((gap, format!("{position}: {mv}")));
            }
        }
        self.tally.positions += 1;
        let (positions, moves) = (self.tally.positions, self.tally.moves);
        self.bar
            .set_message(format!("{positions} positions searched, {moves} moves"));
        Ok(())
    }
}

fn set(session: &mut dyn Session, position: &str) -> Result<(), Failure> {
    session.set_position(position).map_err(Failure::Refused)
}
