//! What the engine knows about a game beyond its rules.

use std::sync::{Arc, OnceLock};

use crate::book::Book;
use crate::game::{Game, MoveList};
use crate::search::proof::{Kept, Proof, Task};
use crate::search::score::{Score, Window};
use crate::weights::{Weights, WeightsError};

/// What a quick look at a position finds, before any search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tactics<M> {
    /// Nothing that must be looked into.
    Quiet,
    /// This legal move ends the game with a win.
    WinsNow(M),
    /// The opponent would win at once if he could move now: the search goes
    /// one ply deeper here and never rests on an evaluation.
    Threatened,
}

/// A depth, in plies. Depth 0 and below is a leaf.
pub type Depth = i32;

/// A shallow search that foretells a deeper one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Its depth.
    pub depth: Depth,
    /// The standard deviation of the difference, in hundredths of the unit.
    pub error: i32,
}

/// A shallow search of the positions after each move, for the order of the
/// moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preview {
    /// Its depth.
    pub depth: Depth,
    /// What its score counts beside the hints, in hundredths.
    pub percent: i32,
}

/// Knowledge about a game: evaluation, ordering, and what else lets a search
/// see further than the rules do.
///
/// The defaults know nothing: a game that implements only the required part is
/// searched correctly, if slowly.
pub trait Heuristics: Game {
    /// The decoded evaluation weights.
    type Tables: Send + Sync + 'static;

    /// What the evaluation keeps along a line instead of computing it anew
    /// (pattern indices and the like); `()` where there is nothing.
    type Accumulator: Copy + Send + Sync + 'static;

    /// What one thread's `solve` keeps from call to call within a search; `()`
    /// where there is nothing. It begins empty and small.
    type Memory: Default + Send + 'static;

    /// The name by which weight files say for which game they are: the same
    /// for all variants that one file serves.
    const WEIGHTS_NAME: &'static str;

    /// The embedded weight file.
    fn embedded_weights() -> &'static [u8];

    /// Where the embedded weights stay once they are decoded, for all engines
    /// of the process: one that comes after another of the same game finds
    /// ready what that one made ready. None: each engine decodes its own.
    fn shared() -> Option<&'static Shared<Self>> {
        None
    }

    /// Turns the sections of a weight file into tables.
    ///
    /// # Errors
    /// If a section is missing or has the wrong size.
    fn decode_weights(weights: &Weights) -> Result<Self::Tables, WeightsError>;

    /// The moves known beforehand for games that begin as this one did, if
    /// there are any.
    fn book(&self) -> Option<&'static Book> {
        None
    }

    /// The accumulator of this position, from nothing.
    fn refresh(&self, tables: &Self::Tables) -> Self::Accumulator;

    /// Makes ready in the tables what searches of a game from here will need:
    /// while nobody waits, as it would be made ready anyway.
    fn prepare(&self, tables: &Self::Tables) {
        let _ = tables;
    }

    /// The accumulator of `self`, which `mv` made out of `before`.
    fn advance(
        &self,
        before: &Self,
        mv: Self::Move,
        accumulator: &Self::Accumulator,
        tables: &Self::Tables,
    ) -> Self::Accumulator;

    /// The evaluation of an unfinished game for the side to move, in
    /// hundredths of the unit, at most [`Score::MAX_EVAL`] in size. Integers
    /// only: it must be the same on every machine.
    fn evaluate(&self, accumulator: &Self::Accumulator, tables: &Self::Tables) -> i32;

    /// What can be seen at once. Called at every node of the search.
    fn tactics(&self) -> Tactics<Self::Move> {
        Tactics::Quiet
    }

    /// Takes out of `moves`, which are legal moves of a threatened position,
    /// those after which the opponent wins at once or has won.
    ///
    /// Nothing may be left only if the game is lost in exactly two plies.
    fn retain_evasions(&self, moves: &mut MoveList<Self::Move>) {
        let _ = moves;
    }

    /// Takes out of `moves`, which are the legal moves of a position, those
    /// that lose on the spot; all stay if there are no others.
    fn retain_harmless(&self, moves: &mut MoveList<Self::Move>) {
        let _ = moves;
    }

    /// How many plies a `Tactics::Threatened` chain may go beyond the depth.
    const MAX_EXTENSION: Depth = 0;

    /// Whether a win by one threat after another is looked for at the root.
    /// Then a position in which `tactics` sees a threat has a move that
    /// parries it, or is lost in exactly two plies.
    const THREATENS: bool = false;

    /// Writes into `hints[i]` how good `moves[i]` looks, the larger the
    /// sooner to be tried; within ±30,000. Called at every inner node with
    /// the depth that is left, so that costly hints are given only where
    /// they pay.
    fn hint(&self, moves: &[Self::Move], hints: &mut [i32], depth: Depth) {
        let _ = (moves, depth);
        hints.fill(0);
    }

    /// What a killer move is worth against a hint.
    const KILLER_BONUS: i32 = 20_000;

    /// What history is worth against a hint: its score (within ±16,384) is
    /// shifted right by this.
    const HISTORY_SHIFT: u32 = 0;

    /// By how many plies the `number`-th move (from 0) of a node of `depth`
    /// is searched less at first; 0 searches it in full.
    fn reduction(depth: Depth, number: usize) -> Depth {
        let _ = (depth, number);
        0
    }

    /// The same position with the other side to move, where having the move is
    /// never a burden: a search in which the opponent moves twice in a row and
    /// still gains nothing shows that a node is good enough.
    fn pass_turn(&self) -> Option<Self> {
        None
    }

    /// How far above the window an evaluation must be for a node of `depth` to
    /// be left at once, if that is ever done, in hundredths of the unit.
    fn stand_margin(depth: Depth) -> Option<i32> {
        let _ = depth;
        None
    }

    /// The least depth that surely sees the end of the game on every line, if
    /// one is known. Passes do not count. A search as deep as that is exact.
    fn depth_to_end(&self) -> Option<Depth> {
        None
    }

    /// How the positions after each move are searched to put the moves of a
    /// node in order, with `depth` left; none where the hints are enough.
    /// `exact` says that the node is searched to the end of the game.
    fn preview(depth: Depth, exact: bool) -> Option<Preview> {
        let _ = (depth, exact);
        None
    }

    /// The least depth at which the table is asked about a node and told of
    /// it, where the end of the game is not in sight: to search less deep may
    /// take less time than the way to memory. A preview of less depth gets
    /// values then, not bounds that an exact search has left there.
    const TABLE_DEPTH: Depth = 1;

    /// Whether the search is to go to the end of the game at once after an
    /// iteration of `depth`, leaving out those between.
    fn skips_to_end(&self, depth: Depth) -> bool {
        let _ = depth;
        false
    }

    /// Bounds on the value that can be told from the board alone
    /// (`lower, upper`), for games with a margin. Called where the rest of
    /// the game is searched to its end.
    fn static_bounds(&self, window: Window) -> Option<(Score, Score)> {
        let _ = window;
        None
    }

    /// The exact value (fail-soft within `window`) when the end is so near
    /// that a small solver of the game's own is faster than the search; none
    /// otherwise. Called where the rest of the game is to be searched to its
    /// end.
    ///
    /// The solver calls `watch` at least once in some ten thousand positions,
    /// and at its end, with the number of positions it has entered since the
    /// last call. If that gives true, the result is no longer wanted: it
    /// returns at once, whatever it likes.
    fn solve(
        &self,
        window: Window,
        memory: &mut Self::Memory,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Score> {
        let _ = (window, memory, watch);
        None
    }

    /// About how many positions [`Heuristics::prove`] enters before it knows
    /// who wins; none where it never knows.
    fn proof_effort(&self) -> Option<u64> {
        None
    }

    /// Who wins, by a solver of the game's own that works from any position,
    /// however far the end is. The game is not over.
    fn prove(&self, kept: &mut Kept, task: &Task<'_>) -> Proof<Self::Move> {
        let _ = (kept, task);
        Proof {
            proved: None,
            nodes: 0,
            full: 0,
        }
    }

    /// How a search of `depth` is foretold by a shallower one from here, if
    /// that is known well enough to leave something out.
    fn probcut(&self, depth: Depth, tables: &Self::Tables) -> Option<Probe> {
        let _ = (depth, tables);
        None
    }

    /// Whether [`Heuristics::probcut`] ever leaves something out.
    const SELECTIVE: bool = false;

    /// Whether a search that may have to end before all is proved asks who wins
    /// before it asks by how much.
    fn wins_count(&self) -> bool {
        false
    }

    /// No evaluation is larger than this.
    const MOST_EVAL: i32 = Score::MAX_EVAL;

    /// About how many moves the side to move still has to make, at least 1:
    /// the clock divides its time by this.
    fn moves_to_go(&self) -> u32;

    /// The least depth at which a node's moves are shared among threads.
    const SPLIT_DEPTH: Depth = 4;
}

/// Knowledge that is made at most once in a process.
pub type Shared<H> = OnceLock<Arc<Knowledge<H>>>;

/// Tables, with the name and checksum of the file they came from.
#[derive(Debug)]
pub struct Knowledge<H: Heuristics> {
    /// The decoded tables.
    pub tables: H::Tables,
    /// `VERSION CHECKSUM` of the file.
    pub identity: String,
}

impl<H: Heuristics> Knowledge<H> {
    /// Reads a weight file.
    ///
    /// # Errors
    /// If the file is damaged or for another game.
    pub fn read(bytes: &[u8]) -> Result<Arc<Self>, WeightsError> {
        Self::of(&Weights::parse(bytes)?)
    }

    fn of(weights: &Weights) -> Result<Arc<Self>, WeightsError> {
        weights.expect_game(H::WEIGHTS_NAME)?;
        Ok(Arc::new(Self {
            tables: H::decode_weights(weights)?,
            identity: weights.identity(),
        }))
    }

    /// The embedded weights, [shared](Heuristics::shared) where the game does.
    ///
    /// # Panics
    /// If the file in the source tree is damaged, which a test excludes.
    pub fn embedded() -> Arc<Self> {
        let decode = || {
            Weights::trusted(H::embedded_weights())
                .and_then(|weights| Self::of(&weights))
                .expect("the embedded weights are tested")
        };
        match H::shared() {
            Some(shared) => Arc::clone(shared.get_or_init(decode)),
            None => decode(),
        }
    }
}

/// All legal moves of a position.
pub fn legal_moves<G: Game>(position: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}
