//! How long an engine may think, and the clock that says so.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Main time and what is added after every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fischer {
    /// For the whole game.
    pub main: Duration,
    /// Added after each move; 0 makes it an absolute clock.
    pub increment: Duration,
}

/// Limits of an engine's thinking. Those that are given all hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limit {
    /// A clock for the game.
    pub clock: Option<Fischer>,
    /// Time for every move, if there is no clock.
    pub per_move: Option<Duration>,
    /// Positions for every move.
    pub nodes: Option<u64>,
    /// Plies for every move.
    pub depth: Option<u32>,
}

impl Limit {
    /// Whether nothing limits.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// What is still missing is taken from `others`. A clock and a time for
    /// the move never come together.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        if self.is_none() { others } else { self }
    }
}

/// Reads `[MINUTES:]SECONDS[+INCREMENT]`.
///
/// # Errors
/// One line that says what it should be.
pub fn parse_fischer(text: &str) -> Result<Fischer, String> {
    let what = || format!("`{text}` is no clock such as 60, 10+0.1 or 5:00+2, in seconds");
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (minutes, main) = main.split_once(':').unwrap_or(("0", main));
    let read = |number: &str| {
        let number: f64 = number.parse().ok()?;
        Duration::try_from_secs_f64(number).ok()
    };
    let minutes: u32 = minutes.parse().map_err(|_| what())?;
    let main = Duration::from_secs(60 * u64::from(minutes)) + read(main).ok_or_else(what)?;
    let increment = read(increment).ok_or_else(what)?;
    // A week is more than any game needs, and every sum of times fits.
    let longest = Duration::from_secs(7 * 24 * 3600);
    if main + increment == Duration::ZERO || main > longest || increment > longest {
        return Err(what());
    }
    Ok(Fischer { main, increment })
}

/// The time an engine has in a game.
#[derive(Clone, Copy, Debug)]
pub struct Timekeeper {
    limit: Limit,
    /// Never less than nothing, also when the margin was needed.
    left: Duration,
    margin: Duration,
}

/// A move that took too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overstep {
    /// What it took.
    pub used: Duration,
    /// What it might have taken, without the margin.
    pub allowed: Duration,
}

impl Timekeeper {
    /// For a new game; `margin` is borne beyond the limit in every move.
    pub fn new(limit: Limit, margin: Duration) -> Self {
        Self {
            limit,
            left: limit.clock.map_or(Duration::ZERO, |clock| clock.main),
            margin,
        }
    }

    /// What is left of the clock's main time, if there is a clock.
    pub fn left(&self) -> Option<Duration> {
        self.limit.clock.map(|_| self.left)
    }

    /// What the next move may take, if the limit is one of time.
    pub fn allowed(&self) -> Option<Duration> {
        self.left().or(self.limit.per_move)
    }

    /// What the next move may take at the very most.
    pub fn latest(&self) -> Option<Duration> {
        self.allowed().map(|allowed| allowed + self.margin)
    }

    /// Books a move.
    ///
    /// # Errors
    /// If it took too long, even with the margin.
    pub fn spend(&mut self, used: Duration) -> Result<(), Overstep> {
        if let (Some(allowed), Some(latest)) = (self.allowed(), self.latest())
            && used > latest
        {
            return Err(Overstep { used, allowed });
        }
        if let Some(clock) = self.limit.clock {
            self.left = self.left.saturating_sub(used) + clock.increment;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn clocks_are_read_as_other_tournament_programs_write_them() {
        for (text, main, increment) in [
            ("60", 60_000, 0),
            ("10+0.1", 10_000, 100),
            ("5:00+2", 300_000, 2_000),
            ("0.5", 500, 0),
            ("0+1", 0, 1_000),
        ] {
            let expected = Fischer {
                main: ms(main),
                increment: ms(increment),
            };
            assert_eq!(parse_fischer(text), Ok(expected), "{text}");
        }
        for wrong in [
            "", "0", "-1", "1+", "1+-1", "nan", "inf", "40/60", "1e30", ":5", "x",
        ] {
            assert!(parse_fischer(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_never_below_nothing() {
        let clock = Some(Fischer {
            main: ms(100),
            increment: ms(5),
        });
        let limit = Limit {
            clock,
            ..Limit::default()
        };
        let mut time = Timekeeper::new(limit, ms(10));
        assert_eq!(time.spend(ms(40)), Ok(()));
        assert_eq!(time.left(), Some(ms(65)));
        assert_eq!(time.spend(ms(75)), Ok(()), "the margin bears it");
        assert_eq!(time.left(), Some(ms(5)));
        let overstep = Overstep {
            used: ms(16),
            allowed: ms(5),
        };
        assert_eq!(time.spend(ms(16)), Err(overstep));
    }

    #[test]
    fn the_margin_is_borne_in_every_move() {
        let limit = Limit {
            per_move: Some(ms(20)),
            ..Limit::default()
        };
        let mut time = Timekeeper::new(limit, ms(10));
        for _ in 0..100 {
            assert_eq!(time.spend(ms(30)), Ok(()));
        }
        assert!(time.spend(ms(31)).is_err());
        let mut untimed = Timekeeper::new(Limit::default(), ms(10));
        assert_eq!(untimed.spend(ms(1_000_000)), Ok(()));
    }
}
