//! Both players' clocks, as the controller has set them and as time goes by.

use std::time::Duration;

use crate::game::Side;
use crate::search::clock::{Clock, Overtime};

/// How the time of a game is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Control {
    /// Main time, increment, and the overtime that follows.
    pub(super) clock: Clock,
    /// Whether every overtime move has the whole period anew (byo-yomi in
    /// periods); otherwise the moves of a period share it (Canadian).
    pub(super) periods: bool,
}

impl Control {
    /// Main time and nothing after it.
    pub(super) fn absolute(main: Duration) -> Self {
        Self::fischer(main, Duration::ZERO)
    }

    /// Main time, and more for every move.
    pub(super) fn fischer(main: Duration, increment: Duration) -> Self {
        let clock = Clock {
            main,
            increment,
            overtime: None,
        };
        Self {
            clock,
            periods: false,
        }
    }

    /// Main time, then `moves` moves in every `time`.
    pub(super) fn canadian(main: Duration, time: Duration, moves: u32) -> Self {
        let mut control = Self::absolute(main);
        control.clock.overtime = Some(Overtime { time, moves });
        control
    }

    /// Main time, then `time` for every move.
    pub(super) fn byoyomi(main: Duration, time: Duration) -> Self {
        Self {
            periods: true,
            ..Self::canadian(main, time, 1)
        }
    }
}

/// The clocks of a game; none where nothing limits a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    control: Option<Control>,
    players: [Option<Clock>; 2],
}

impl Clocks {
    /// New rules for both sides; none lifts all limits.
    pub(super) fn set(&mut self, control: Option<Control>) {
        self.control = control;
        self.restart();
    }

    /// Full clocks, for a new game.
    pub(super) fn restart(&mut self) {
        self.players = [self.control.map(|control| control.clock); 2];
    }

    /// What `side` has now.
    pub(super) fn of(&self, side: Side) -> Option<Clock> {
        self.players[side.index()]
    }

    /// The referee says what `side` has left: main time if `moves` is 0,
    /// otherwise a period for that many moves.
    pub(super) fn tell(&mut self, side: Side, left: Duration, moves: u32) {
        let control = self.control.unwrap_or(Control::absolute(left));
        let mut clock = control.clock;
        if moves == 0 {
            clock.main = left;
        } else {
            clock.main = Duration::ZERO;
            clock.overtime = Some(Overtime {
                time: left,
                moves: if control.periods { 1 } else { moves },
            });
        }
        self.players[side.index()] = Some(clock);
    }

    /// `side` has used `time` for a move.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        let control = self.control;
        let Some(clock) = &mut self.players[side.index()] else {
            return;
        };
        let in_overtime = clock.main.is_zero() || time > clock.main;
        let over = time.saturating_sub(clock.main);
        clock.main = clock.main.saturating_sub(time) + clock.increment;
        if let (true, Some(overtime)) = (in_overtime, &mut clock.overtime) {
            let full = control.and_then(|control| control.clock.overtime);
            let same_for_all = control.is_some_and(|control| control.periods);
            overtime.moves -= 1.min(overtime.moves);
            overtime.time = overtime.time.saturating_sub(over);
            if overtime.moves == 0 || same_for_all {
                *overtime = full.unwrap_or(Overtime {
                    moves: 1,
                    ..*overtime
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Black, White};

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn with(control: Control) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(Some(control));
        clocks
    }

    fn overtime(time: u64, moves: u32) -> Option<Overtime> {
        Some(Overtime {
            time: seconds(time),
            moves,
        })
    }

    #[test]
    fn each_side_has_its_own_time_until_the_clocks_restart() {
        let mut clocks = with(Control::absolute(seconds(60)));
        clocks.spend(Black, seconds(20));
        assert_eq!(clocks.of(Black).map(|c| c.main), Some(seconds(40)));
        assert_eq!(clocks.of(White).map(|c| c.main), Some(seconds(60)));
        clocks.restart();
        assert_eq!(clocks.of(Black).map(|c| c.main), Some(seconds(60)));
        clocks.set(None);
        assert_eq!(clocks.of(Black), None);
    }

    #[test]
    fn the_increment_comes_after_the_move() {
        let mut clocks = with(Control::fischer(seconds(10), seconds(2)));
        clocks.spend(White, seconds(3));
        assert_eq!(clocks.of(White).map(|c| c.main), Some(seconds(9)));
    }

    #[test]
    fn a_canadian_period_is_shared_and_then_renewed() {
        let mut clocks = with(Control::canadian(seconds(5), seconds(30), 2));
        clocks.spend(Black, seconds(4));
        assert_eq!(clocks.of(Black).and_then(|c| c.overtime), overtime(30, 2));
        clocks.spend(Black, seconds(11));
        let clock = clocks.of(Black).expect("a clock");
        assert_eq!((clock.main, clock.overtime), (seconds(0), overtime(20, 1)));
        clocks.spend(Black, seconds(5));
        assert_eq!(clocks.of(Black).and_then(|c| c.overtime), overtime(30, 2));
    }

    #[test]
    fn a_period_of_byoyomi_is_new_for_every_move() {
        let mut clocks = with(Control::byoyomi(seconds(0), seconds(10)));
        clocks.spend(White, seconds(9));
        assert_eq!(clocks.of(White).and_then(|c| c.overtime), overtime(10, 1));
        clocks.tell(White, seconds(7), 3);
        assert_eq!(clocks.of(White).and_then(|c| c.overtime), overtime(7, 1));
    }

    #[test]
    fn the_referee_knows_better_with_or_without_settings() {
        let mut clocks = with(Control::fischer(seconds(60), seconds(1)));
        clocks.tell(Black, seconds(8), 0);
        let clock = clocks.of(Black).expect("a clock");
        assert_eq!((clock.main, clock.increment), (seconds(8), seconds(1)));

        let mut clocks = Clocks::default();
        clocks.tell(White, Duration::ZERO, 0);
        assert_eq!(clocks.of(White).map(|c| c.main), Some(seconds(0)));
        assert_eq!(clocks.of(Black), None);
        clocks.tell(White, seconds(5), 4);
        clocks.spend(White, seconds(1));
        assert_eq!(clocks.of(White).and_then(|c| c.overtime), overtime(4, 3));
    }
}
