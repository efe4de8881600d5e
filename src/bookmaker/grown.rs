//! Grows a book where nothing can be proved.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io::Write;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::args::GrowArgs;
use super::lines::Line;
use super::ranking::ranked_moves;
use super::{after, in_file, open_lines, open_with, open_without_table};
use crate::command::{Failure, spinner};
use crate::search::MAX_PLY;
use crate::session::Session;

/// Positions searched before the next are chosen: the same for any number of
/// threads, so that the book is.
const BATCH: usize = 8;

/// The table of each search, in MiB.
const HASH: usize = 64;

/// A ply further from the start is as unlikely as a move so much worse, in
/// hundredths.
const PLY_COST: i32 = 50;

/// How far a position is from where the book is likely to be asked: by the
/// length of the way, and by what each side has given away on it, in
/// hundredths. Whoever has the book gives away little, whatever the other side
/// does; where both have, nobody comes by the book. So what the better side
/// has given away counts twice.
fn cost(plies: i32, given: [i32; 2]) -> i32 {
    let [black, white] = given;
    PLY_COST * plies + black + white + black.min(white)
}

/// Grows the book, then carries values back to the start.
///
/// # Errors
/// If the text of lines cannot be read or written.
pub(super) fn run(args: &GrowArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let values = args.lines.with_extension(VALUES);
    if values == args.lines && values.extension().is_some() {
        return Err(Failure::Usage(format!(
            "{}: the values carried back would replace it: choose another ending than {VALUES}",
            args.lines.display()
        )));
    }
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
    write_values(&values, &backed)?;
    writeln!(out, "{} positions", book.len())?;
    Ok(())
}

/// Ending of the file with the values carried back.
const VALUES: &str = "values";

/// A position to be searched, the likeliest first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    cost: i32,
    position: String,
    key: u64,
    plies: i32,
    /// What each side has given away on the way here, in hundredths.
    given: [i32; 2],
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
            plies: 0,
            given: [0; 2],
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
        self.rules
            .set_position(&from.position)
            .map_err(Failure::Refused)?;
        let mover = self.rules.side_to_move() as usize;
        for (mv, value) in &line.moves {
            let position = after(self.rules.as_mut(), &from.position, mv)?;
            let Some(key) = key_of(self.rules.as_mut(), &position)? else {
                continue;
            };
            if self.seen.insert(key) {
                let (plies, mut given) = (from.plies + 1, from.given);
                given[mover] += best - i32::from(*value);
                self.heap.push(Reverse(Waiting {
                    cost: cost(plies, given),
                    position,
                    key,
                    plies,
                    given,
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
    Ok(Line {
        position: position.to_string(),
        moves: ranked_moves(session.as_mut(), args.moves, args.nodes),
    })
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
/// begun again needs; all at once, so that a book is never made of half of
/// them.
fn write_values(path: &Path, backed: &[Line]) -> Result<(), Failure> {
    let text: String = backed
        .iter()
        .map(|line| format!("{}\n", line.print()))
        .collect();
    let temporary = path.with_extension(format!("{VALUES}.part"));
    std::fs::write(&temporary, text)
        .and_then(|()| std::fs::rename(&temporary, path))
        .map_err(|error| in_file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_both_have_erred_nobody_comes() {
        // Two plies further, or a mistake of as much.
        assert_eq!(cost(6, [0, 0]), cost(4, [0, 2 * PLY_COST]));
        assert_eq!(cost(4, [40, 0]), cost(4, [0, 40]));
        assert!(cost(4, [20, 20]) > cost(4, [40, 0]));
    }
}
