//! The state behind the commands: the game at hand and how it is played.

use std::sync::Arc;
use std::time::Duration;

use super::answer::Failure;
use super::gogui::HalfMoves;
use super::line::split_word;
use crate::game::Side;
use crate::games;
use crate::protocol::clocks::Clocks;
use crate::protocol::notes::Notes;
pub(super) use crate::protocol::service::unknown_game;
use crate::protocol::service::{OVERHEAD, Options, cap_if_unlimited, depth_limit};
use crate::protocol::stream::Inbox;
use crate::protocol::stream::Output;
use crate::search::score::{Score, Value};
use crate::search::{Limits, Settings};
use crate::session::{Info, Session};

/// Limits of every move, besides the clock.
#[derive(Clone, Debug, Default)]
pub(super) struct Defaults {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
}

/// One controller's engine.
pub(super) struct Frontend {
    pub(super) session: Box<dyn Session>,
    pub(super) settings: Settings,
    pub(super) defaults: Defaults,
    pub(super) clocks: Clocks,
    /// Lost on the way to whoever keeps the time.
    pub(super) overhead: Duration,
    /// genmove resigns at this or worse, in hundredths below zero.
    pub(super) resign: Option<u32>,
    /// Weights other than the embedded ones, and what they were called.
    pub(super) weights: Option<(String, Vec<u8>)>,
    /// The last report of the last genmove or search.
    pub(super) last_info: Option<Info>,
    /// Where a controller stands that plays turns point by point.
    pub(super) half_moves: HalfMoves,
    /// Whether standard error shows GoGui what is thought.
    pub(super) live_graphics: bool,
    /// What is known about the game, for its record.
    pub(super) notes: Notes,
    pub(super) inbox: Arc<Inbox>,
    pub(super) output: Arc<Output>,
}

impl Frontend {
    /// # Errors
    /// One line, if the game is unknown or the weights do not fit it.
    pub(super) fn new(
        options: Options,
        inbox: Arc<Inbox>,
        output: Arc<Output>,
    ) -> Result<Self, String> {
        Ok(Self {
            session: options.open()?,
            settings: options.settings,
            defaults: Defaults {
                depth: options.depth,
                nodes: options.nodes,
                time: options.time,
            },
            clocks: Clocks::default(),
            overhead: OVERHEAD,
            resign: None,
            weights: options.weights,
            last_info: None,
            half_moves: HalfMoves::default(),
            live_graphics: false,
            notes: Notes::default(),
            inbox,
            output,
        })
    }

    /// Begins a game of another variant, at its start and with full clocks.
    pub(super) fn open(&mut self, name: &str) -> Result<(), Failure> {
        let variant = games::find(name).ok_or_else(|| Failure::new(unknown_game(name)))?;
        let mut session = variant.open(&self.settings).map_err(Failure::new)?;
        if let Some((_, bytes)) = &self.weights
            && let Err(reason) = session.load_weights(bytes)
        {
            log::info!("the embedded weights are used: {reason}");
        }
        // What it will need is made ready when a game begins.
        session.reset();
        self.session = session;
        self.clocks.restart();
        self.half_moves.forget();
        self.last_info = None;
        self.notes.clear();
        Ok(())
    }

    /// Begins a new game of the same variant.
    pub(super) fn restart(&mut self) {
        self.session.reset();
        self.clocks.restart();
        self.half_moves.forget();
        self.notes.clear();
    }

    /// The limits for a move of `side`, running from now. They combine; if
    /// there is none at all, a move takes at most a second.
    pub(super) fn move_limits(&self, side: Side) -> Limits {
        let mut limits = self.limits(&self.defaults);
        limits.clock = self.clocks.of(side);
        limits.play_forced = true;
        self.cap_if_unlimited(limits)
    }

    /// Limits from now on, without a clock.
    pub(super) fn limits(&self, defaults: &Defaults) -> Limits {
        Limits {
            depth: defaults.depth.map(depth_limit),
            nodes: defaults.nodes,
            time: defaults.time,
            overhead: self.overhead,
            ..Limits::default()
        }
    }

    pub(super) fn cap_if_unlimited(&self, limits: Limits) -> Limits {
        cap_if_unlimited(limits)
    }

    /// Whether a value is bad enough to resign.
    pub(super) fn resigns(&self, value: Value) -> bool {
        let Some(threshold) = self.resign else {
            return false;
        };
        let below = |hundredths: i64| -hundredths >= i64::from(threshold);
        match value {
            Value::Eval(hundredths) => below(hundredths.into()),
            Value::Margin(units) => below(i64::from(units) * i64::from(Score::UNIT)),
            Value::Loss(_) => true,
            Value::Win(_) | Value::Draw => false,
        }
    }
}

/// One command as it was sent.
pub(super) struct Call<'a> {
    /// Its number among the input lines.
    pub(super) number: u64,
    /// The digits of its id, or nothing.
    pub(super) id: &'a str,
    /// What follows its name, without blanks at the ends.
    pub(super) rest: &'a str,
}

impl<'a> Call<'a> {
    /// The arguments one by one.
    pub(super) fn words(&self) -> impl Iterator<Item = &'a str> {
        words(self.rest)
    }

    /// The first argument.
    ///
    /// # Errors
    /// A syntax error that says what is missing, if there is none.
    pub(super) fn first(&self, what: &str) -> Result<&'a str, Failure> {
        self.words().next().ok_or_else(|| Failure::syntax(what))
    }

    /// A colour as first argument, and what follows it.
    pub(super) fn colour(&self) -> Result<(Side, &'a str), Failure> {
        let (word, rest) = split_word(self.rest);
        match colour(word) {
            Some(side) => Ok((side, rest)),
            None => Err(Failure::syntax("a colour is missing: b, w, black or white")),
        }
    }
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// `b`, `w`, `black` and `white`, upper or lower case.
pub(super) fn colour(word: &str) -> Option<Side> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if is("b") || is("black") {
        Some(Side::Black)
    } else if is("w") || is("white") {
        Some(Side::White)
    } else {
        None
    }
}

/// Seconds, with a fraction or without, negative ones too.
pub(super) fn seconds(word: &str) -> Option<f64> {
    let digits = word.bytes().any(|byte| byte.is_ascii_digit());
    let value: f64 = word.parse().ok()?;
    (digits && value.is_finite()).then_some(value)
}

/// A duration of so many seconds; negative ones are none at all, and very
/// long ones are cut to some thirty years.
pub(super) fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_either_case() {
        assert_eq!(colour("B"), Some(Side::Black));
        assert_eq!(colour("White"), Some(Side::White));
        assert_eq!(colour("bl"), None);
        assert_eq!(colour(""), None);
    }

    #[test]
    fn seconds_are_numbers_that_end() {
        assert_eq!(seconds("-0.5"), Some(-0.5));
        assert_eq!(seconds("7,50"), None);
        assert_eq!(seconds("inf"), None);
        assert_eq!(seconds("NaN"), None);
        assert_eq!(duration(-3.0), Duration::ZERO);
        assert_eq!(duration(1e300), Duration::from_secs(1_000_000_000));
    }
}
