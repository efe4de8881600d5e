//! The searches of one iteration. As long as the end of the game is not seen
//! there is one; then there are several, each surer than the one before.

use crate::search::heuristics::Depth;
use crate::search::probcut::{FULL, Level};

/// What a search asks about the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// What it is worth.
    Value,
    /// Only who wins.
    Winner,
}

/// One search of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stage {
    pub(super) level: Level,
    pub(super) question: Question,
    /// About how many times as long as all that was searched before it this
    /// takes in the end; 0 where nobody asks.
    pub(super) growth: u32,
}

/// Before the end of the game is seen.
pub(super) static MIDGAME: [Stage; 1] = [value(0)];

/// Nothing is left out, and everything is answered.
pub(super) static AT_ONCE: [Stage; 1] = [PROOF];

const PROOF: Stage = value(FULL);

/// An end no farther away is not worth a selective search first.
const SURE_AT_ONCE: Depth = 16;

/// An end at least as far away is worth one even without a limit: the exact
/// search begins with good moves and a good guess.
const NEVER_AT_ONCE: Depth = 24;

/// Where more is won by winning than by winning high, and time may end before
/// all is proved: who wins is known for a third of the positions that by how
/// much would take, in othello8 with 22 empty squares.
static WINNER_FIRST: [Stage; 4] = [value(0), winner(2, 2), winner(FULL, 4), PROOF];

static VALUES: [Stage; 3] = [value(0), value(2), PROOF];

/// All that is wanted of the first one is a good order of moves and a guess
/// for the second.
static UNLIMITED: [Stage; 2] = [value(0), PROOF];

/// An end that is so far away, when the search may have to stop before all is
/// proved; `wins_count` if who wins is to be known first.
pub(super) fn limited(depth: Depth, wins_count: bool) -> &'static [Stage] {
    match depth {
        ..=SURE_AT_ONCE => &AT_ONCE,
        _ if wins_count => &WINNER_FIRST,
        _ => &VALUES,
    }
}

/// The same without a limit: there is no hurry to have half a proof, unless
/// the whole one is long.
pub(super) fn unlimited(depth: Depth) -> &'static [Stage] {
    match depth {
        NEVER_AT_ONCE.. => &UNLIMITED,
        _ => &AT_ONCE,
    }
}

const fn value(level: Level) -> Stage {
    Stage {
        level,
        question: Question::Value,
        growth: 0,
    }
}

const fn winner(level: Level, growth: u32) -> Stage {
    Stage {
        level,
        question: Question::Winner,
        growth,
    }
}
