//! Grows a book where nothing can be proved.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io::Write;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::args::GrowArgs;
use super::lines::Line;
use super::{after, in_file, open_lines, open_with, open_without_table, spinner};
use crate::command::Failure;
use crate::search::score::{Score, Value};
use crate::search::{Limits, MAX_PLY};
use crate::session::{Info, Session, Watcher};

/// Positions searched before the next are chosen: the same for any number of
/// threads, so that the book is.
const BATCH: usize = 8;

/// The table of each search, in MiB.
const HASH: usize = 64;

/// A ply further from the start is as unlikely as a move so much worse, in
/// hundredths.
const PLY_COST: i32 = 20;

/// Grows the book, then carries values back to the start.
///
/// # Errors
/// If the text of lines cannot be read or written.
pub(super) fn run(args: &GrowArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let mut lines = open_lines(&args.lines)?;
    let mut frontier = Frontier::new(args)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.concurrency)
        .build()
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let bar = spinner();
    let mut book: HashMap<u64, Line> = HashMap::new();
    while book.len() < args.positions {
        let batch = frontier.next(BATCH.min(args.positions - book.len()));
        if batch.is_empty() {
            break;
        }
        let fresh: Vec<&Waiting> = batch
            .iter()
            .filter(|waiting| lines.get(&waiting.position).is_none())
            .collect();
        let found: Result<Vec<Line>, Failure> = pool.install(|| {
            fresh
                .into_par_iter()
                .map(|waiting| search(args, &waiting.position))
                .collect()
        });
        for line in found? {
            lines
                .push(line)
                .map_err(|error| in_file(&args.lines, error))?;
        }
        for waiting in batch {
            let Some(line) = lines.get(&waiting.position) else {
                continue;
            };
            frontier.expand(&waiting, line)?;
            book.insert(waiting.key, line.clone());
        }
        bar.set_message(format!("{} of {} positions", book.len(), args.positions));
    }
    bar.finish_and_clear();
    let backed = carry_back(args, &book)?;
    write_values(args, backed)?;
    writeln!(out, "{} positions", book.len())?;
    Ok(())
}

/// A position to be searched, the likeliest first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// What both sides have given away on the way here, in hundredths, and
    /// the length of the way.
    cost: i32,
    position: String,
    key: u64,
}

struct Frontier {
    rules: Box<dyn Session>,
    heap: BinaryHeap<Reverse<Waiting>>,
    seen: HashSet<u64>,
}

impl Frontier {
    fn new(args: &GrowArgs) -> Result<Self, Failure> {
        let mut rules = open_without_table(args.game)?;
        let start = rules.position();
        let key = key_of(rules.as_mut(), &start)?;
        let waiting = key.map(|key| Waiting {
            cost: 0,
            position: start,
            key,
        });
        Ok(Self {
            rules,
            seen: waiting.iter().map(|waiting| waiting.key).collect(),
            heap: waiting.into_iter().map(Reverse).collect(),
        })
    }

    fn next(&mut self, count: usize) -> Vec<Waiting> {
        (0..count)
            .filter_map(|_| self.heap.pop().map(|Reverse(waiting)| waiting))
            .collect()
    }

    /// Lets the positions after the moves of `line` wait.
    fn expand(&mut self, from: &Waiting, line: &Line) -> Result<(), Failure> {
        let best = line.moves.first().map_or(0, |&(_, value)| i32::from(value));
        for (mv, value) in &line.moves {
            let position = after(self.rules.as_mut(), &from.position, mv)?;
            let Some(key) = key_of(self.rules.as_mut(), &position)? else {
                continue;
            };
            if self.seen.insert(key) {
                self.heap.push(Reverse(Waiting {
                    cost: from.cost + best - i32::from(*value) + PLY_COST,
                    position,
                    key,
                }));
            }
        }
        Ok(())
    }
}

/// The canonical key of a position; none if the game is over.
fn key_of(rules: &mut dyn Session, position: &str) -> Result<Option<u64>, Failure> {
    rules.set_position(position).map_err(Failure::Refused)?;
    let over = rules.outcome().is_some();
    Ok((!over).then(|| rules.canonical_key()))
}

/// The best moves of a position, by a search of its own.
fn search(args: &GrowArgs, position: &str) -> Result<Line, Failure> {
    let mut session = open_with(args.game, 1, HASH)?;
    session.set_position(position).map_err(Failure::Refused)?;
    let limits = Limits {
        nodes: Some(args.nodes),
        candidates: args.moves,
        ..Limits::default()
    };
    let listener = Ranking::default();
    session.think(&limits, &listener);
    let ranking = listener.last();
    Ok(Line {
        position: position.to_string(),
        moves: ranking,
    })
}

/// Keeps the last complete ranking.
#[derive(Default)]
struct Ranking(std::sync::Mutex<Vec<(String, i16)>>);

impl Ranking {
    fn last(self) -> Vec<(String, i16)> {
        self.0.into_inner().unwrap_or_default()
    }
}

impl Watcher for Ranking {
    fn progress(&self, info: &Info) {
        let (Some(mv), Ok(mut moves)) = (info.pv.first(), self.0.lock()) else {
            return;
        };
        if info.rank == 1 {
            moves.clear();
        }
        moves.push((mv.clone(), hundredths(info.value)));
    }

    fn stop(&self) -> bool {
        false
    }
}

fn hundredths(value: Value) -> i16 {
    let hundredths = match value {
        Value::Eval(hundredths) => hundredths,
        Value::Margin(units) => units * Score::UNIT,
        Value::Win(_) => i32::from(i16::MAX),
        Value::Loss(_) => -i32::from(i16::MAX),
        Value::Draw => 0,
    };
    let most = i32::from(i16::MAX);
    hundredths.clamp(-most, most) as i16
}

/// What every move of the book is worth when what follows it in the book is
/// taken into account: negamax over the book.
fn carry_back(args: &GrowArgs, book: &HashMap<u64, Line>) -> Result<Vec<Line>, Failure> {
    let mut back = CarryBack {
        book,
        rules: open_without_table(args.game)?,
        done: HashMap::new(),
        lines: Vec::new(),
    };
    let start = back.rules.position();
    back.value_of(&start, 0)?;
    Ok(back.lines)
}

struct CarryBack<'a> {
    book: &'a HashMap<u64, Line>,
    rules: Box<dyn Session>,
    done: HashMap<u64, i16>,
    lines: Vec<Line>,
}

impl CarryBack<'_> {
    /// The value of a position of the book for its side to move; none if the
    /// book does not have it.
    fn value_of(&mut self, position: &str, ply: usize) -> Result<Option<i16>, Failure> {
        let Some(key) = key_of(self.rules.as_mut(), position)? else {
            return Ok(None);
        };
        if let Some(&value) = self.done.get(&key) {
            return Ok(Some(value));
        }
        let Some(line) = self.book.get(&key).filter(|_| ply < MAX_PLY) else {
            return Ok(None);
        };
        let mut moves = Vec::new();
        // The line may be that of an image.
        let position = line.position.clone();
        for (mv, searched) in &line.moves {
            let next = after(self.rules.as_mut(), &position, mv)?;
            let value = match self.value_of(&next, ply + 1)? {
                Some(value) => -value,
                None => *searched,
            };
            moves.push((mv.clone(), value));
        }
        moves.sort_by_key(|&(_, value)| Reverse(value));
        let value = moves.first().map_or(0, |&(_, value)| value);
        self.done.insert(key, value);
        self.lines.push(Line { position, moves });
        Ok(Some(value))
    }
}

/// Writes the values carried back beside the searched ones, which a maker
/// begun again needs.
fn write_values(args: &GrowArgs, backed: Vec<Line>) -> Result<(), Failure> {
    let path = args.lines.with_extension("values");
    let _ = std::fs::remove_file(&path);
    let mut values = open_lines(&path)?;
    for line in backed {
        values.push(line).map_err(|error| in_file(&path, error))?;
    }
    Ok(())
}
