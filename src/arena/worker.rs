//! One board of the tournament room: a referee, and the two engines that play
//! there just now.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::clock::Timekeeper;
use super::custody::Custody;
use super::engine::{Engine, Failure};
use super::opening::{Opening, Openings};
use super::plan::{Plan, open_log};
use super::record::{GameRecord, Reason};
use super::referee::{Abort, Conclusion, Referee, Seat};
use super::schedule::Fixture;
use crate::game::Side;

/// After a fault one waits so long to see whether it was an engine's own:
/// whoever ends a whole tree of processes may reach the engine before us.
const AFTERMATH: Duration = Duration::from_millis(100);

/// What all boards share.
pub(super) struct Room<'a> {
    pub(super) plan: &'a Plan,
    pub(super) openings: Mutex<Openings>,
    /// Games that are played already.
    pub(super) done: HashSet<u64>,
    /// The next one to look at.
    pub(super) next: AtomicU64,
    /// Set when nobody waits for further games.
    pub(super) stop: Arc<AtomicBool>,
    /// Of all engines; it is over when `stop` is set.
    pub(super) custody: Arc<Custody>,
    pub(super) patience: Duration,
    /// Between two games of a board.
    pub(super) pause: Duration,
    pub(super) logs: Option<PathBuf>,
}

/// A finished game, or why there will be none.
pub(super) type Finished = (Fixture, Result<GameRecord, Abort>);

impl Room<'_> {
    fn next_fixture(&self) -> Option<Fixture> {
        while !self.stop.load(Relaxed) {
            let fixture = self.plan.schedule.get(self.next.fetch_add(1, Relaxed))?;
            if self.plan.holds(&fixture) && !self.done.contains(&fixture.id) {
                return Some(fixture);
            }
        }
        None
    }

    /// Starts an engine for a board.
    pub(super) fn start(&self, engine: usize, board: usize) -> Result<Engine, Failure> {
        let spec = &self.plan.engines[engine];
        let log = self.logs.as_ref().and_then(|logs| {
            open_log(logs, &spec.name, board)
                .inspect_err(|error| log::warn!("no log of {}: {error}", spec.name))
                .ok()
        });
        let custody = Arc::clone(&self.custody);
        Engine::start(spec, &self.plan.game.info, log, self.patience, custody)
    }

    fn opening(&self, number: usize) -> Opening {
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        openings.get(number).clone()
    }
}

/// One board.
pub(super) struct Worker<'a> {
    pub(super) room: &'a Room<'a>,
    pub(super) number: usize,
    pub(super) referee: Referee,
    pub(super) engines: HashMap<usize, Engine>,
}

impl Worker<'_> {
    /// Plays until there are no more games. A result is told when the engines
    /// that are not needed for the next game have quit: whether they do is
    /// part of it.
    pub(super) fn run(mut self, results: &Sender<Finished>) {
        let mut next = self.room.next_fixture();
        while let Some(fixture) = next {
            let mut game = self.game(&fixture);
            next = game.as_ref().ok().and_then(|_| self.room.next_fixture());
            let deaf = self.dismiss_all_but(next.map(|next| next.pairing));
            if let Ok(record) = &mut game {
                charge(record, &deaf);
            }
            if results.send((fixture, game)).is_err() {
                break;
            }
            if next.is_some() {
                self.pause();
            }
        }
    }

    fn pause(&self) {
        let start = Instant::now();
        while !self.room.stop.load(Relaxed)
            && let Some(left) = self.room.pause.checked_sub(start.elapsed())
        {
            thread::sleep(left.min(AFTERMATH));
        }
    }

    fn game(&mut self, fixture: &Fixture) -> Result<GameRecord, Abort> {
        let opening = self.room.opening(fixture.opening);
        let first = self.first_side(&opening);
        let mut players = fixture.in_order();
        if first == Side::White {
            players.reverse();
        }
        let mut moves = Vec::new();
        let conclusion = self.conclude(players, &opening, &mut moves)?;
        if conclusion.reason.is_fault() {
            thread::sleep(AFTERMATH);
            if self.room.stop.load(Relaxed) {
                return Err(Abort::Interrupted);
            }
        }
        let name = |side: Side| self.room.plan.engines[players[side.index()]].name.clone();
        Ok(GameRecord {
            id: fixture.id,
            round: fixture.round,
            pair: fixture.pair,
            game: self.room.plan.game.info.name.to_string(),
            black: name(Side::Black),
            white: name(Side::White),
            winner: conclusion.winner.map(|side| side.to_string()),
            margin: conclusion.margin,
            reason: conclusion.reason,
            detail: conclusion.detail,
            opening,
            moves,
            position: self.referee.session.position(),
        })
    }

    /// The side that makes the first move of all.
    fn first_side(&mut self, opening: &Opening) -> Side {
        let session = &mut self.referee.session;
        session.reset();
        if let Some(position) = &opening.position {
            let set = session.set_position(position);
            debug_assert_eq!(set, Ok(()));
        }
        session.side_to_move()
    }

    /// Plays the game between two engines, Black's first.
    fn conclude(
        &mut self,
        players: [usize; 2],
        opening: &Opening,
        moves: &mut Vec<super::record::MoveRecord>,
    ) -> Result<Conclusion, Abort> {
        let [mut black, mut white] = match self.seat(players) {
            Ok(engines) => engines,
            Err((side, failure)) => return Conclusion::failed(side, failure),
        };
        let plan = self.room.plan;
        let time = |index: usize| Timekeeper::new(plan.engines[index].limit, plan.margin);
        let mut seats = [
            Seat {
                engine: &mut black,
                time: time(players[0]),
            },
            Seat {
                engine: &mut white,
                time: time(players[1]),
            },
        ];
        let conclusion = self.referee.play(&mut seats, opening, moves)?;
        // The loser's engine, if it is spoilt, is killed here.
        let spoilt = conclusion.winner.filter(|_| conclusion.spoilt);
        if spoilt != Some(Side::White) {
            self.engines.insert(players[0], black);
        }
        if spoilt != Some(Side::Black) {
            self.engines.insert(players[1], white);
        }
        Ok(conclusion)
    }

    /// The two engines, started if they do not run.
    fn seat(&mut self, players: [usize; 2]) -> Result<[Engine; 2], (Side, Failure)> {
        let mut ready = |side: Side| {
            let index = players[side.index()];
            match self.engines.remove(&index) {
                Some(engine) => Ok(engine),
                None => self.room.start(index, self.number),
            }
            .map_err(|failure| (side, failure))
        };
        let black = ready(Side::Black)?;
        match ready(Side::White) {
            Ok(white) => Ok([black, white]),
            Err(error) => {
                self.engines.insert(players[0], black);
                Err(error)
            }
        }
    }

    /// Ends the engines that are not among `needed`. The names of those that
    /// had to be killed for it.
    fn dismiss_all_but(&mut self, needed: Option<[usize; 2]>) -> Vec<String> {
        let needed = needed.iter().flatten();
        let others: Vec<usize> = self
            .engines
            .keys()
            .filter(|index| !needed.clone().any(|needed| needed == *index))
            .copied()
            .collect();
        let mut deaf = Vec::new();
        for index in others {
            let quit = self.engines.remove(&index).is_none_or(Engine::quit);
            if !quit && !self.room.stop.load(Relaxed) {
                deaf.push(self.room.plan.engines[index].name.clone());
            }
        }
        deaf
    }
}

/// Takes the game from an engine that did not quit after it.
fn charge(record: &mut GameRecord, deaf: &[String]) {
    let [first, ..] = deaf else { return };
    let before = format!("{} {}", record.result(), record.reason);
    let detail = match deaf {
        [_] => format!("{first} did not quit and was killed; before, {before}"),
        _ => format!("neither engine quit, both were killed; before, {before}"),
    };
    if record.reason.is_fault() {
        // Whose fault it was stays; this one is told all the same.
        let earlier = record.detail.take().unwrap_or_default();
        record.detail = Some(format!("{earlier}; {detail}"));
        return;
    }
    if deaf.len() == 1 {
        let winner = if record.black == *first {
            Side::White
        } else {
            Side::Black
        };
        record.winner = Some(winner.to_string());
        record.margin = None;
    }
    record.reason = Reason::NoQuit;
    record.detail = Some(detail);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(winner: Option<&str>, reason: Reason) -> GameRecord {
        GameRecord {
            id: 0,
            round: 0,
            pair: 0,
            game: "tiles".to_string(),
            black: "A".to_string(),
            white: "B".to_string(),
            winner: winner.map(str::to_string),
            margin: Some(1),
            reason,
            detail: None,
            opening: Opening::default(),
            moves: Vec::new(),
            position: String::new(),
        }
    }

    #[test]
    fn who_does_not_quit_loses_the_game_before() {
        let mut won = record(Some("black"), Reason::Rules);
        charge(&mut won, &[]);
        assert_eq!(won, record(Some("black"), Reason::Rules));
        charge(&mut won, &["A".to_string()]);
        assert_eq!(won.winner.as_deref(), Some("white"));
        assert_eq!(won.reason, Reason::NoQuit);
        let detail = won.detail.expect("told");
        assert!(
            detail.contains("A did not quit") && detail.contains("black+1"),
            "{detail}"
        );

        let mut both = record(Some("white"), Reason::Rules);
        charge(&mut both, &["A".to_string(), "B".to_string()]);
        assert_eq!(both.winner.as_deref(), Some("white"));
        assert_eq!(both.reason, Reason::NoQuit);

        // The other one crashed: that stays the reason.
        let mut crashed = record(Some("black"), Reason::Crash);
        charge(&mut crashed, &["A".to_string()]);
        assert_eq!(crashed.winner.as_deref(), Some("black"));
        assert_eq!(crashed.reason, Reason::Crash);
        assert!(
            crashed
                .detail
                .is_some_and(|detail| detail.contains("did not quit"))
        );
    }
}
