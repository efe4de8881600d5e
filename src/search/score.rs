//! What a position is worth, in the search's own units.

use std::fmt;
use std::ops::Neg;

/// A value from the point of view of the side to move.
///
/// 1. Up to [`Score::MAX_EVAL`] in size it is an evaluation or, in games with
///    a margin, a margin, in hundredths of the game's unit (a disc, or a
///    hundredth of a sure win).
/// 2. Beyond [`Score::WIN_BOUND`] it is a proved win or loss, the larger the
///    sooner: `WIN - n` is a win that is complete `n` plies from the root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// No evaluation and no margin is larger.
    pub const MAX_EVAL: i32 = 20_000;
    /// Proved wins are above this.
    pub const WIN_BOUND: i32 = 29_000;
    /// A win that is complete on the spot.
    pub const WIN: i32 = 30_000;
    /// Larger than every score.
    pub const INFINITE: Score = Score(31_000);
    /// A drawn game.
    pub const DRAW: Score = Score(0);
    /// What a margin of one is worth.
    pub const UNIT: i32 = 100;

    /// A win that is complete `ply` plies from the root.
    pub const fn win_at(ply: usize) -> Score {
        Score(Self::WIN - ply as i32)
    }

    /// A loss that is complete `ply` plies from the root.
    pub const fn loss_at(ply: usize) -> Score {
        Score(ply as i32 - Self::WIN)
    }

    /// A final margin, in units, for the side to move.
    pub const fn margin(units: i32) -> Score {
        Score(units * Self::UNIT)
    }

    /// Whether this is a proved win or loss.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() > Self::WIN_BOUND
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Score(-self.0)
    }
}

/// A score as people read it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A guess, in hundredths of the game's unit.
    Eval(i32),
    /// A margin at the end of the game, in units.
    Margin(i32),
    /// The side to move wins in this many plies.
    Win(u32),
    /// The side to move loses in this many plies.
    Loss(u32),
    /// The game is drawn.
    Draw,
}

impl Value {
    /// Who wins by this value, with nothing said of the margin; `plies` is
    /// the length of the game where it ends with a margin.
    #[must_use]
    pub fn winner(self, plies: u32) -> Self {
        match self {
            Self::Margin(0) => Self::Draw,
            Self::Margin(1..) => Self::Win(plies),
            Self::Margin(_) => Self::Loss(plies),
            other => other,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Eval(hundredths) => write!(f, "eval {hundredths}"),
            Self::Margin(units) => write!(f, "margin {units}"),
            Self::Win(plies) => write!(f, "win {plies}"),
            Self::Loss(plies) => write!(f, "loss {plies}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// An open interval in which a value is asked for: at or below `alpha` and at
/// or above `beta` only the fact matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the side to move has for sure.
    pub alpha: Score,
    /// What the opponent will not let him exceed.
    pub beta: Score,
}

impl Window {
    /// Every score is inside.
    pub const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// The window that only asks whether a value exceeds `alpha`.
    pub const fn null(alpha: Score) -> Window {
        Window {
            alpha,
            beta: Score(alpha.0 + 1),
        }
    }

    /// Whether only one question is asked: more than alpha, or not.
    pub const fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 == 1
    }
}

/// The same window as the opponent sees it.
impl Neg for Window {
    type Output = Self;

    fn neg(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}
