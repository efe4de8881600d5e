//! Has every move of a searched book judged by another search.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::args::CheckArgs;
use super::ranking::{hundredths, ranked_moves};
use super::{after, in_file, may_be_written, open_with, open_without_table, start_of};
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
/// If the book has nothing to begin with, a move is worse than is allowed, or
/// what is left of it cannot be written.
pub(super) fn run(args: &CheckArgs, book: &Book, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(path) = &args.mend {
        may_be_written(path)?;
    }
    let mut rules = open_without_table(args.game)?;
    let start = start_of(rules.as_mut(), args.position.as_deref())?;
    let positions = positions(rules.as_mut(), book, start)?;
    if positions.is_empty() {
        return Err(Failure::Refused("the book has no move here".to_string()));
    }
    let chosen: Vec<&String> = positions.iter().step_by(args.sample as usize).collect();
    let judged = judge(args, book, &chosen)?;
    let tally = Tally::of(&judged);
    let Some(worst) = &tally.worst else {
        return Err(Failure::Refused("no move was judged".to_string()));
    };
    let (gap, name) = (worst.gap, worst.name());
    writeln!(
        out,
        "{} positions, {} of them searched with {} moves\nworse than the best in the mean by {} \
         hundredths, at most by {gap}: {name}",
        positions.len(),
        chosen.len(),
        judged.len(),
        tally.sum / judged.len() as i64,
    )?;
    if let Some(path) = &args.mend {
        let bad: Vec<&Judged> = judged
            .iter()
            .filter(|judged| judged.gap > args.leeway)
            .collect();
        return mend(rules.as_mut(), book, &positions, &bad, path, out);
    }
    if gap > args.leeway {
        return Err(Failure::Refused(format!(
            "{name} is {gap} hundredths worse than the best move, more than --leeway {}",
            args.leeway
        )));
    }
    Ok(())
}

/// A move of the book that another search has judged.
struct Judged {
    position: String,
    mv: String,
    /// By how much it is worse than the best, in hundredths.
    gap: i32,
}

impl Judged {
    fn name(&self) -> String {
        format!("{}: {}", self.position, self.mv)
    }
}

/// What is told of all moves.
struct Tally<'a> {
    sum: i64,
    /// The first of the worst.
    worst: Option<&'a Judged>,
}

impl<'a> Tally<'a> {
    fn of(judged: &'a [Judged]) -> Self {
        Self {
            sum: judged.iter().map(|judged| i64::from(judged.gap)).sum(),
            worst: judged.iter().rev().max_by_key(|judged| judged.gap),
        }
    }
}

/// Where the book has moves, from a start on by ways that it knows, the
/// shorter ones first.
fn positions(rules: &mut dyn Session, book: &Book, start: String) -> Result<Vec<String>, Failure> {
    let mut waiting = VecDeque::from([start]);
    let mut seen: HashSet<u64> = HashSet::new();
    let mut found = Vec::new();
    while let Some(position) = waiting.pop_front() {
        set(rules, &position)?;
        let known = rules.moves_in(book);
        if known.is_empty() || !seen.insert(rules.canonical_key()) {
            continue;
        }
        // Also what the other side would do better not to play.
        for mv in rules.legal_moves() {
            waiting.push_back(after(rules, &position, &mv)?);
        }
        found.push(position);
    }
    Ok(found)
}

/// Judges the moves of these positions, in their order.
fn judge(args: &CheckArgs, book: &Book, chosen: &[&String]) -> Result<Vec<Judged>, Failure> {
    let bar = spinner();
    let done = AtomicUsize::new(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency)
        .build()
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let judged: Result<Vec<Vec<Judged>>, Failure> = pool.install(|| {
        chosen
            .par_iter()
            .map(|position| {
                let moves = judge_moves(args, book, position)?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                bar.set_message(format!("{done} of {} positions searched", chosen.len()));
                Ok(moves)
            })
            .collect()
    });
    bar.finish_and_clear();
    Ok(judged?.into_iter().flatten().collect())
}

/// Judges the moves of one position.
fn judge_moves(args: &CheckArgs, book: &Book, position: &str) -> Result<Vec<Judged>, Failure> {
    let mut engine = open_with(args.game, 1, HASH)?;
    set(engine.as_mut(), position)?;
    let nodes = args.leaf_nodes.unwrap_or(NODES);
    let ranking = ranked_moves(engine.as_mut(), MAX_MOVES, nodes);
    let best = ranking.first().map_or(0, |&(_, value)| i32::from(value));
    let values: HashMap<&str, i32> = ranking
        .iter()
        .map(|(mv, value)| (mv.as_str(), i32::from(*value)))
        .collect();
    let known = engine.moves_in(book).into_iter();
    // None if the search was too short to rank it.
    let judged = known.filter_map(|(mv, _)| {
        let gap = best - values.get(mv.as_str())?;
        Some(Judged {
            position: position.to_string(),
            mv,
            gap,
        })
    });
    Ok(judged.collect())
}

/// Writes what the book has from these positions on, without the bad moves.
fn mend(
    rules: &mut dyn Session,
    book: &Book,
    positions: &[String],
    bad: &[&Judged],
    path: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut entries = Vec::new();
    for position in positions {
        set(rules, position)?;
        for (mv, value) in rules.moves_in(book) {
            if bad
                .iter()
                .any(|bad| bad.position == *position && bad.mv == mv)
            {
                continue;
            }
            let entry = rules.book_entry(&mv, hundredths(value));
            entries.push(entry.map_err(Failure::Refused)?);
        }
    }
    let moves = entries.len();
    let bytes = Book::write(entries, false);
    std::fs::write(path, &bytes).map_err(|error| in_file(path, error))?;
    writeln!(
        out,
        "{} moves left out, {moves} in {} bytes written",
        bad.len(),
        bytes.len()
    )?;
    Ok(())
}

fn set(session: &mut dyn Session, position: &str) -> Result<(), Failure> {
    session.set_position(position).map_err(Failure::Refused)
}
