//! Who wins, by proof numbers: beside the search, which guesses values, this
//! asks one question only, and goes where the answer seems nearest.
//!
//! Each state has two numbers, how much is left to prove that the side to move
//! wins and how much that it loses. The search always goes on at the leaf that
//! would settle most, depth first and within bounds on both numbers. A state
//! not seen yet is judged by the moves of both sides. The tile value falls with
//! every turn, so that nothing comes back and a number once proved stays so.
//!
//! CITE: A. Nagai, Df-pn algorithm for searching AND/OR trees and its
//! applications, PhD thesis, University of Tokyo, 2002.
//! CITE: J. Pawlewicz, Ł. Lew, Improving depth-first PN-search: 1+ε trick,
//! Computers and Games, 2006.
//! CITE: T. Kaneko, Parallel depth first proof number search, AAAI, 2010.

mod keys;
mod line;
mod solo;
mod state;
mod table;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use arrayvec::ArrayVec;

use super::rules::{Tiles, Turn};
use keys::Keys;
use solo::Solo;
use state::{Child, Normal, State};
use table::{INFINITE, Numbers, Table};

/// More moves than a side ever has.
const MOST_MOVES: usize = 129;

/// Marks of states that a thread is working on.
const MARKS: usize = 1 << 14;

/// States entered between two looks at what may stop the search.
const POLL_INTERVAL: u64 = 128;

/// The prover with what it has proved.
pub(crate) struct Prover {
    mebibytes: usize,
    keys: Keys,
    table: Table,
    marks: Box<[AtomicU8]>,
}

/// When to give up.
pub(crate) struct Bounds<'a> {
    /// States entered, by all threads together.
    pub(crate) nodes: u64,
    /// Asked often, by every thread.
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
}

/// What came of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// Whether the side to move wins; none if a bound came first.
    pub(crate) wins: Option<bool>,
    /// States entered.
    pub(crate) nodes: u64,
}

impl Prover {
    /// A prover with a table of so many MiB; none if there is no memory.
    pub(crate) fn new(mebibytes: usize) -> Option<Self> {
        Some(Self {
            mebibytes,
            keys: Keys::new(),
            table: Table::new(mebibytes)?,
            marks: (0..MARKS).map(|_| AtomicU8::new(0)).collect(),
        })
    }

    /// The size of the table.
    pub(crate) fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// How full the table is, in thousandths.
    pub(crate) fn full(&self) -> u32 {
        self.table.full()
    }

    /// Who wins. `together` calls what it is given once on each thread that is
    /// to work, and returns when all have.
    pub(crate) fn prove(
        &self,
        position: &Tiles,
        bounds: &Bounds<'_>,
        threads: usize,
        together: &dyn Fn(&(dyn Fn() + Sync)),
    ) -> Outcome {
        let common = Common {
            prover: self,
            bounds,
            threads,
            entered: AtomicU64::new(0),
            over: AtomicBool::new(false),
            result: AtomicU8::new(0),
        };
        let root = State::new(position);
        if threads == 1 {
            Worker::new(&common).run(root);
        } else {
            together(&|| Worker::new(&common).run(root));
        }
        Outcome {
            wins: match common.result.into_inner() {
                0 => None,
                result => Some(result == WINS),
            },
            nodes: common.entered.into_inner(),
        }
    }

    /// Who wins, as far as the table knows.
    pub(crate) fn known(&self, position: &Tiles) -> Option<bool> {
        match State::new(position).normal(&mut Solo::small()) {
            Normal::Decided(wins) => Some(wins),
            Normal::Open(state) => {
                let key = self.keys.key(&state);
                self.table.probe(key).and_then(Numbers::winner)
            }
        }
    }

    /// How much was searched to find out, on a scale of logarithms.
    fn effort(&self, position: &Tiles) -> u8 {
        match State::new(position).normal(&mut Solo::small()) {
            Normal::Decided(_) => 0,
            Normal::Open(state) => self.table.effort(self.keys.key(&state)),
        }
    }
}

/// What the threads of one search share.
struct Common<'a> {
    prover: &'a Prover,
    bounds: &'a Bounds<'a>,
    threads: usize,
    entered: AtomicU64,
    over: AtomicBool,
    /// 0 while nothing is proved, [`WINS`] or [`LOSES`].
    result: AtomicU8,
}

const WINS: u8 = 1;
const LOSES: u8 = 2;

struct Worker<'a> {
    common: &'a Common<'a>,
    solo: Solo,
    /// Entered by this thread, and when it looks up next.
    entered: u64,
    published: u64,
    halted: bool,
}

/// A move of a node with what is known of the state after it.
#[derive(Clone, Copy)]
struct Branch {
    turn: Option<Turn>,
    key: u64,
    numbers: Numbers,
}

type Branches = ArrayVec<Branch, MOST_MOVES>;

impl<'a> Worker<'a> {
    fn new(common: &'a Common<'a>) -> Self {
        Self {
            common,
            solo: Solo::new(),
            entered: 0,
            published: 0,
            halted: false,
        }
    }

    fn run(&mut self, root: State) {
        let endless = Numbers {
            phi: INFINITE,
            delta: INFINITE,
        };
        while !self.halted {
            if let Some(wins) = self.search(root, None, endless).winner() {
                let result = if wins { WINS } else { LOSES };
                self.common.result.store(result, Ordering::Relaxed);
                self.common.over.store(true, Ordering::Relaxed);
                break;
            }
        }
        self.publish();
    }

    fn publish(&mut self) {
        let new = self.entered - self.published;
        self.published = self.entered;
        self.common.entered.fetch_add(new, Ordering::Relaxed);
    }

    fn count(&mut self) {
        self.entered += 1;
        if self.entered - self.published >= POLL_INTERVAL {
            self.publish();
            let bounds = self.common.bounds;
            if self.common.over.load(Ordering::Relaxed)
                || self.common.entered.load(Ordering::Relaxed) >= bounds.nodes
                || (bounds.stop)()
            {
                self.halted = true;
                self.common.over.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Searches a state until one of its numbers reaches its bound.
    fn search(&mut self, state: State, key: Option<u64>, bounds: Numbers) -> Numbers {
        let before = self.entered;
        self.count();
        let state = match state.normal(&mut self.solo) {
            Normal::Decided(wins) => {
                let numbers = Numbers::decided(wins);
                if let Some(key) = key {
                    self.common.prover.table.store(key, numbers, 1);
                }
                return numbers;
            }
            Normal::Open(state) => state,
        };
        let normal_key = self.common.prover.keys.key(&state);
        let table = &self.common.prover.table;
        // What is dead since the last move may make it a state known before.
        let alias = key.filter(|&key| key != normal_key);
        if let Some(alias) = alias
            && let Some(numbers) = table.probe(normal_key)
            && (numbers.phi >= bounds.phi || numbers.delta >= bounds.delta)
        {
            table.store(alias, numbers, 1);
            return numbers;
        }
        let numbers = self.expand(&state, bounds);
        if !self.halted || numbers.winner().is_some() {
            let searched = self.entered - before;
            table.store(normal_key, numbers, searched);
            if let Some(alias) = alias {
                table.store(alias, numbers, searched);
            }
        }
        numbers
    }

    fn expand(&mut self, state: &State, bounds: Numbers) -> Numbers {
        let mut branches = Branches::new();
        if self.generate(state, &mut branches) {
            return Numbers::WON;
        }
        loop {
            let choice = self.choose(&branches);
            let numbers = choice.numbers;
            if numbers.phi >= bounds.phi || numbers.delta >= bounds.delta || self.halted {
                return numbers;
            }
            let Branch {
                turn,
                key,
                numbers: child,
            } = branches[choice.index];
            // What the child may use up before another one looks better, or
            // this node is done: never so little that nothing happens.
            let phi = bounds.delta - (numbers.delta - child.phi.min(numbers.delta));
            let delta = bounds.phi.min(choice.second + choice.second / 4 + 1);
            let child_bounds = Numbers {
                phi: phi.clamp(child.phi + 1, INFINITE),
                delta: delta.clamp(child.delta + 1, INFINITE),
            };
            let next = match turn {
                Some(turn) => state.after(turn),
                None => state.after_spare(),
            };
            let entered = self.entered;
            self.mark(key, 1);
            let found = self.search(next, Some(key), child_bounds);
            self.mark(key, -1);
            branches[choice.index].numbers = found;
            if self.entered - entered > 32 || self.common.threads > 1 {
                self.look_again(&mut branches);
            }
        }
    }

    /// Lists the moves; true if one of them wins at once.
    fn generate(&mut self, state: &State, branches: &mut Branches) -> bool {
        let table = &self.common.prover.table;
        let mut won = false;
        state.children(&self.common.prover.keys, |child| {
            table.prefetch(child.key);
            let numbers = judge(&child);
            won = numbers.delta == 0;
            branches.push(Branch {
                turn: child.turn,
                key: child.key,
                numbers,
            });
            won
        });
        won || branches.iter_mut().any(|branch| {
            if let Some(numbers) = table.probe(branch.key) {
                branch.numbers = numbers;
            }
            branch.numbers.delta == 0
        })
    }

    /// Takes in what has been found meanwhile.
    fn look_again(&self, branches: &mut Branches) {
        let table = &self.common.prover.table;
        for branch in branches.iter() {
            table.prefetch(branch.key);
        }
        for branch in branches.iter_mut() {
            if let Some(numbers) = table.probe(branch.key) {
                branch.numbers = numbers;
            }
        }
    }

    /// The numbers of a node, and the move to go on with.
    fn choose(&self, branches: &Branches) -> Choice {
        let mut choice = Choice {
            numbers: Numbers::LOST,
            index: 0,
            second: INFINITE,
        };
        let mut least = INFINITE;
        let mut sum: u64 = 0;
        for (index, branch) in branches.iter().enumerate() {
            let Numbers { phi, delta } = branch.numbers;
            sum += u64::from(phi);
            choice.numbers.phi = choice.numbers.phi.min(delta);
            // Where others work already it is better to work elsewhere.
            let delta = match self.marks(branch.key) {
                0 => delta,
                marks => delta.saturating_mul(1 + u32::from(marks)).min(INFINITE),
            };
            if delta < least {
                choice.second = least;
                (least, choice.index) = (delta, index);
            } else {
                choice.second = choice.second.min(delta);
            }
        }
        choice.numbers.delta = match choice.numbers.phi {
            0 => INFINITE,
            INFINITE => 0,
            _ => sum.min(u64::from(INFINITE) - 1) as u32,
        };
        choice
    }

    fn marks(&self, key: u64) -> u8 {
        if self.common.threads == 1 {
            return 0;
        }
        self.common.prover.marks[key as usize % MARKS].load(Ordering::Relaxed)
    }

    fn mark(&self, key: u64, change: i8) {
        if self.common.threads > 1 {
            self.common.prover.marks[key as usize % MARKS]
                .fetch_add(change as u8, Ordering::Relaxed);
        }
    }
}

struct Choice {
    numbers: Numbers,
    index: usize,
    /// The next best delta.
    second: u32,
}

/// How much is left to prove where both sides have as many moves. The ratio of
/// moves says more than their numbers: with it nine in ten positions at ply 18
/// take two thirds of the states.
const WORTH: u32 = 20;

/// The first guess at a state.
fn judge(child: &Child) -> Numbers {
    if child.own_moves == 0 {
        return Numbers::LOST;
    }
    let (own, other) = (child.own_moves, child.other_moves);
    Numbers {
        phi: 1 + WORTH * other / (1 + own),
        delta: 1 + WORTH * own / (1 + other),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::playouts;
    use super::*;
    use crate::game::{Game, MoveList};

    /// Whether the side to move wins, by trying everything.
    fn wins(position: &Tiles, known: &mut HashMap<u64, bool>) -> bool {
        if let Some(&value) = known.get(&position.key()) {
            return value;
        }
        let mut turns = MoveList::new();
        position.legal_moves(&mut turns);
        let value = turns.iter().any(|&turn| !wins(&position.play(turn), known));
        known.insert(position.key(), value);
        value
    }

    fn prove(prover: &Prover, position: &Tiles, threads: usize) -> Outcome {
        let bounds = Bounds {
            nodes: u64::MAX,
            stop: &|| false,
        };
        prover.prove(position, &bounds, threads, &|work| {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
        })
    }

    #[test]
    fn proofs_are_what_trying_everything_finds() {
        let prover = Prover::new(4).expect("memory");
        let mut counts = [0; 2];
        for threads in [1, 2] {
            let mut known = HashMap::new();
            playouts::unfinished(60, |position| {
                if position.tile_value() <= 24 {
                    let expected = wins(position, &mut known);
                    let found = prove(&prover, position, threads).wins;
                    assert_eq!(found, Some(expected), "{position:?}");
                    counts[usize::from(expected)] += 1;
                    let line = prover.line(position, expected, &|| false).expect("short");
                    assert_eq!(line.len() % 2 == 1, expected, "{position:?} {line:?}");
                    let end = line.iter().fold(*position, |end, &turn| end.play(turn));
                    assert!(end.outcome().is_some());
                }
            });
        }
        assert!(counts.iter().all(|&count| count > 25), "{counts:?}");
    }

    #[test]
    fn a_tiny_table_only_takes_longer() {
        let small = Prover {
            table: Table::with_slots(64),
            ..Prover::new(1).expect("memory")
        };
        let large = Prover::new(16).expect("memory");
        for text in ["o-x/---/x-o x", "+-++-/O-.x+/....-/-X-.-/--.O+ x"] {
            let position = Tiles::start().parse_position(text).expect(text);
            let found = prove(&large, &position, 1);
            assert_eq!(prove(&small, &position, 1).wins, found.wins);
            assert!(found.wins.is_some());
        }
    }

    #[test]
    fn bounds_are_kept() {
        let prover = Prover::new(4).expect("memory");
        let bounds = Bounds {
            nodes: 5_000,
            stop: &|| false,
        };
        let outcome = prover.prove(&Tiles::start(), &bounds, 1, &|_| {});
        assert_eq!(outcome.wins, None);
        assert!((5_000..5_000 + POLL_INTERVAL).contains(&outcome.nodes));
        let bounds = Bounds {
            nodes: u64::MAX,
            stop: &|| true,
        };
        let outcome = prover.prove(&Tiles::start(), &bounds, 1, &|_| {});
        assert!(outcome.nodes <= POLL_INTERVAL);
    }
}
