//! Play below full strength, for people: fewer positions are searched, and of
//! the moves found chance takes one that is nearly as good.
//!
//! Nothing of it depends on how fast the machine is.

use std::fmt;
use std::str::FromStr;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::score::{Score, Value};

/// A level from 1, a beginner's, to 10, the full strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The whole strength, within the usual limits.
    pub const FULL: Self = Self(10);

    /// The level of that number.
    pub fn new(number: u8) -> Option<Self> {
        (1..=Self::FULL.0).contains(&number).then_some(Self(number))
    }

    /// From 1 to 10.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Whether it is any but the highest.
    pub fn is_below_full(self) -> bool {
        self < Self::FULL
    }

    /// Its place in a game's list of strengths; none for the full strength.
    pub fn index(self) -> Option<usize> {
        self.is_below_full().then_some(usize::from(self.0) - 1)
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .ok()
            .and_then(Self::new)
            .ok_or_else(|| "a level is a whole number from 1 to 10".to_string())
    }
}

/// What a level means in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Positions searched for a move.
    pub nodes: u64,
    /// By how much chance changes what a move seems worth, in hundredths of
    /// the game's unit: the standard deviation, roughly. With 0 the best move
    /// is played.
    pub noise: i32,
}

/// Levels 1 to 9.
pub type Strengths = [Strength; 9];

/// A won or lost game seems worth this many hundredths to those who err.
const DECIDED: i64 = 3_000;

impl Strength {
    /// Chooses among moves of these values by chance, which the seed decides.
    /// The index of the chosen one, 0 if there are none.
    pub fn choose(self, values: &[Value], seed: u64) -> usize {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut best = (i64::MIN, 0);
        for (index, &value) in values.iter().enumerate() {
            // The sum of twelve even chances of that half width deviates by
            // twice that, and is nearly normal.
            let half = self.noise.max(0) / 2;
            let chance: i64 = (0..12)
                .map(|_| i64::from(rng.random_range(-half..=half)))
                .sum();
            let seeming = worth(value) + chance;
            best = best.max((seeming, -(index as i64)));
        }
        (-best.1) as usize
    }
}

/// What a value seems worth, in hundredths.
fn worth(value: Value) -> i64 {
    let hundredths = match value {
        Value::Eval(hundredths) => i64::from(hundredths),
        Value::Margin(units) => i64::from(units) * i64::from(Score::UNIT),
        Value::Win(plies) => DECIDED - i64::from(plies),
        Value::Loss(plies) => i64::from(plies) - DECIDED,
        Value::Draw => 0,
    };
    hundredths.clamp(-DECIDED, DECIDED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_from_1_to_10() {
        assert_eq!("10".parse(), Ok(Level::FULL));
        assert_eq!("3".parse::<Level>().map(Level::number), Ok(3));
        for wrong in ["0", "11", "-1", "x", ""] {
            assert!(wrong.parse::<Level>().is_err(), "{wrong}");
        }
        assert_eq!(Level::FULL.index(), None);
        assert_eq!(Level::new(1).and_then(Level::index), Some(0));
    }

    #[test]
    fn without_noise_the_best_move_is_chosen_and_with_it_often() {
        let values = [Value::Eval(200), Value::Eval(100), Value::Loss(2)];
        let with = |noise| Strength { nodes: 1, noise };
        assert!((0..50).all(|seed| with(0).choose(&values, seed) == 0));
        let chosen: Vec<usize> = (0..400)
            .map(|seed| with(100).choose(&values, seed))
            .collect();
        let count = |wanted| chosen.iter().filter(|&&index| index == wanted).count();
        assert!(count(0) > count(1) && count(1) > 40 && count(2) == 0);
        assert_eq!(with(100).choose(&values, 7), with(100).choose(&values, 7));
        assert_eq!(with(100).choose(&[], 7), 0);
    }

    #[test]
    fn the_noise_deviates_as_much_as_it_says() {
        // One sure move against one of chance: it wins half of the time, and
        // one deviation ahead in about 76 of 100 (both are noisy).
        let values = [Value::Eval(500), Value::Eval(0)];
        let strength = Strength {
            nodes: 1,
            noise: 500,
        };
        let first = (0..2_000).filter(|&seed| strength.choose(&values, seed) == 0);
        let share = first.count();
        assert!((1_440..=1_600).contains(&share), "{share}");
    }
}
