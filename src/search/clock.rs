//! How long to think: from a clock to a budget for one move.

use std::time::Duration;

/// A player's clock as it stands before his move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left of the main time.
    pub main: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Comes into force when the main time is used up.
    pub overtime: Option<Overtime>,
}

/// A period of byo-yomi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overtime {
    /// What is left of the period, or its full length while main time runs.
    pub time: Duration,
    /// How many moves are to be made within it, at least 1.
    pub moves: u32,
}

/// When to stop thinking about one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration begins after this.
    pub soft: Duration,
    /// The search is cut off here.
    pub hard: Duration,
    /// Only here, when it finds out who wins: that is worth more than later
    /// moves have time for, and they need less.
    pub decisive: Duration,
}

impl Budget {
    /// When no new iteration is to begin, if the best move has been the same
    /// in so many before the last: one that has just changed is worth more
    /// time. What no later move would get is used up in any case.
    pub(super) fn for_steady(&self, iterations: u32) -> Duration {
        if self.soft == self.hard {
            return self.soft;
        }
        let percent = match iterations {
            0 => 150,
            1 => 125,
            2..=4 => 100,
            _ => 75,
        };
        (self.soft * percent / 100).min(self.hard)
    }
}

impl Clock {
    /// The budget for the next move of a player who will make about
    /// `moves_to_go` more; `overhead` is lost on the way to the referee.
    pub fn budget(&self, moves_to_go: u32, overhead: Duration) -> Budget {
        let overtime_share = self.overtime.map_or(Duration::ZERO, |overtime| {
            overtime.time / overtime.moves.max(1)
        });
        let main = self.main.saturating_sub(overhead);
        let moves_to_go = moves_to_go.max(1);
        // What every later move will lose on its way is set aside, and a game
        // may always last longer than was thought.
        let usable = main.saturating_sub(overhead * moves_to_go).max(main / 4);
        let share = usable / moves_to_go + self.increment * 3 / 4;
        if main.is_zero() {
            // Only overtime is left: its share is to be used up, not saved.
            let time = overtime_share.saturating_sub(overhead).max(LEAST);
            return Budget {
                soft: time,
                hard: time,
                decisive: time,
            };
        }
        // With a period behind it the main time may run out in one move.
        let ceiling = if overtime_share.is_zero() {
            main / 3 + self.increment / 2
        } else {
            main + overtime_share
        };
        let soft = (share + overtime_share * 3 / 4)
            .min(ceiling)
            .min(main + overtime_share)
            .max(LEAST);
        let hard = (soft * 3)
            .min(ceiling)
            .min(main + overtime_share)
            .max(LEAST);
        let hard = hard.max(soft);
        Budget {
            soft,
            hard,
            decisive: (main / 2).max(hard),
        }
    }
}

/// Even an engine out of time looks at the position this long.
const LEAST: Duration = Duration::from_micros(200);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_time_that_can_be_saved_is_saved() {
        let ms = Duration::from_millis;
        let share = Budget {
            soft: ms(100),
            hard: ms(140),
            decisive: ms(140),
        };
        let times = [0, 1, 2, 4, 5, 30].map(|steady| share.for_steady(steady));
        assert_eq!(times, [140, 125, 100, 100, 75, 75].map(ms));
        let fixed = Budget {
            hard: ms(100),
            ..share
        };
        assert_eq!([0, 5].map(|steady| fixed.for_steady(steady)), [ms(100); 2]);
    }
}
