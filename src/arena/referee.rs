//! One game between two engines. The referee holds the rules: he checks every
//! move, ends the game and says whose fault it is if something goes wrong.

use std::time::Instant;

use super::adjudication::{Adjudication, Adjudicator, Verdict};
use super::clock::Timekeeper;
use super::engine::{Engine, Failure, Searched};
use super::opening::Opening;
use super::player::{Fault, Trouble};
use super::record::{MoveRecord, Reason};
use crate::game::{Outcome, Side};
use crate::session::Session;

/// An engine at the board.
pub struct Seat<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// Its time.
    pub time: Timekeeper,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Conclusion {
    /// None for a draw.
    pub winner: Option<Side>,
    /// By how much, if the rules ended the game.
    pub margin: Option<u32>,
    /// Why it ended.
    pub reason: Reason,
    /// More about a fault.
    pub detail: Option<String>,
    /// Whether the process of the loser is of no more use.
    pub spoilt: bool,
}

/// A game that is to be forgotten: nobody's fault.
#[derive(Debug)]
pub enum Abort {
    /// Nobody waits for it any more.
    Interrupted,
    /// This machine cannot go on.
    Machine(String),
}

impl Conclusion {
    /// A game decided by what a side did, or could not do.
    ///
    /// # Errors
    /// If it was not that side's fault.
    pub fn failed(side: Side, failure: Failure) -> Result<Self, Abort> {
        let detail = failure.to_string();
        let reason = match failure {
            Failure::Refusal(_) => Reason::Refusal,
            Failure::Trouble(Trouble::Interrupted) => return Err(Abort::Interrupted),
            Failure::Trouble(Trouble::Machine(_)) => return Err(Abort::Machine(detail)),
            Failure::Trouble(Trouble::Fault(fault)) => match fault {
                Fault::Start(_) => Reason::Start,
                Fault::Crash(_) => Reason::Crash,
                Fault::Hang { .. } => Reason::Hang,
                Fault::Disconnect => Reason::Disconnect,
                Fault::Flood => Reason::Flood,
            },
        };
        Ok(Self {
            spoilt: true,
            ..Self::lost(side, reason, detail)
        })
    }

    fn lost(side: Side, reason: Reason, detail: String) -> Self {
        Self {
            winner: Some(!side),
            margin: None,
            reason,
            detail: Some(detail),
            spoilt: false,
        }
    }

    fn by_rules(outcome: Outcome) -> Self {
        let (winner, margin) = match outcome {
            Outcome::Win { side, margin } => (Some(side), Some(margin)),
            Outcome::Draw => (None, None),
        };
        Self {
            winner,
            margin,
            reason: Reason::Rules,
            detail: None,
            spoilt: false,
        }
    }

    fn too_long() -> Self {
        Self {
            winner: None,
            margin: None,
            reason: Reason::MaxMoves,
            detail: None,
            spoilt: false,
        }
    }

    fn adjudicated(verdict: Verdict) -> Self {
        Self {
            winner: verdict.winner,
            margin: None,
            reason: Reason::Adjudicated,
            detail: Some(verdict.why),
            spoilt: false,
        }
    }
}

/// Keeps the rules for one game after the other.
pub struct Referee {
    /// The board.
    pub session: Box<dyn Session>,
    /// A game of so many plies is a draw.
    pub max_plies: Option<usize>,
    /// When a game ends before the rules end it.
    pub adjudication: Adjudication,
}

/// A game being played.
struct Board<'a, 'e> {
    referee: &'a mut Referee,
    seats: &'a mut [Seat<'e>; 2],
    moves: &'a mut Vec<MoveRecord>,
    adjudicator: Adjudicator,
    /// When the last answer came.
    answered: Instant,
}

impl Referee {
    /// Plays a game. The seats are by colour; what is played after the
    /// opening goes to `moves`.
    ///
    /// # Errors
    /// If the game is not to count.
    ///
    /// # Panics
    /// If the opening is not one of this game.
    pub fn play(
        &mut self,
        seats: &mut [Seat<'_>; 2],
        opening: &Opening,
        moves: &mut Vec<MoveRecord>,
    ) -> Result<Conclusion, Abort> {
        let played = opening
            .set_up(self.session.as_mut())
            .expect("openings are checked before they are used");
        let mut board = Board {
            adjudicator: Adjudicator::new(self.adjudication),
            referee: self,
            seats,
            moves,
            answered: Instant::now(),
        };
        for side in [Side::Black, Side::White] {
            if let Err(failure) = board.prepare(side, opening.position.as_deref(), &played) {
                return Conclusion::failed(side, failure);
            }
        }
        board.answered = Instant::now();
        loop {
            if let Some(conclusion) = board.turn()? {
                return Ok(conclusion);
            }
        }
    }
}

impl Board<'_, '_> {
    fn prepare(
        &mut self,
        side: Side,
        position: Option<&str>,
        played: &[(Side, String)],
    ) -> Result<(), Failure> {
        let engine = &mut self.seats[side.index()].engine;
        engine.new_game(position)?;
        for (mover, mv) in played {
            engine.play(*mover, mv)?;
        }
        Ok(())
    }

    /// One turn, or the end of the game.
    fn turn(&mut self) -> Result<Option<Conclusion>, Abort> {
        if let Some(outcome) = self.referee.session.outcome() {
            return Ok(Some(Conclusion::by_rules(outcome)));
        }
        let plies = self.referee.session.undo_depth();
        if self.referee.max_plies.is_some_and(|most| plies >= most) {
            return Ok(Some(Conclusion::too_long()));
        }
        if let Some(verdict) = self.adjudicator.verdict(plies) {
            return Ok(Some(Conclusion::adjudicated(verdict)));
        }
        let side = self.referee.session.side_to_move();
        let forced = self.referee.session.legal_moves() == ["pass"];
        let end = if forced {
            self.pass(side)
        } else {
            self.ask(side)
        };
        match end {
            Ok(end) => Ok(end),
            Err((guilty, failure)) => Conclusion::failed(guilty, failure).map(Some),
        }
    }

    /// A forced pass: nobody is asked for it, since engines differ on whether
    /// they are.
    fn pass(&mut self, side: Side) -> Result<Option<Conclusion>, (Side, Failure)> {
        for hearer in [side, !side] {
            let engine = &mut self.seats[hearer.index()].engine;
            engine
                .play(side, "pass")
                .map_err(|failure| (hearer, failure))?;
        }
        let played = self.referee.session.play(side, "pass");
        debug_assert_eq!(played, Ok(()));
        self.moves.push(MoveRecord {
            side: side.to_string(),
            mv: "pass".to_string(),
            ms: None,
            overhead_us: None,
            depth: None,
            nodes: None,
            value: None,
        });
        Ok(None)
    }

    fn ask(&mut self, side: Side) -> Result<Option<Conclusion>, (Side, Failure)> {
        let blame = |failure| (side, failure);
        let seat = &mut self.seats[side.index()];
        let overhead = self.answered.elapsed();
        let (answer, used) = seat.engine.genmove(side, &seat.time).map_err(blame)?;
        self.answered = Instant::now();
        let lost = |reason, detail| Ok(Some(Conclusion::lost(side, reason, detail)));
        if let Err(overstep) = seat.time.spend(used) {
            let millis = |time: std::time::Duration| 1e3 * time.as_secs_f64();
            let (used, allowed) = (millis(overstep.used), millis(overstep.allowed));
            return lost(
                Reason::Time,
                format!("{used:.1} ms, of {allowed:.1} ms left"),
            );
        }
        if answer == "resign" {
            return lost(
                Reason::Resigned,
                format!("after {:.1} s", used.as_secs_f64()),
            );
        }
        if self.referee.session.play(side, &answer).is_err() {
            // Its own board is another one now.
            return Ok(Some(Conclusion {
                spoilt: true,
                ..Conclusion::lost(side, Reason::IllegalMove, excerpt(&answer))
            }));
        }
        // As the rules write it.
        let mv = self
            .referee
            .session
            .history()
            .pop()
            .map_or(answer, |(_, mv)| mv);
        seat.engine.confirm(side, &mv).map_err(blame)?;
        let searched = seat.engine.last_search().map_err(blame)?;
        self.adjudicator
            .hear(side, searched.value.as_deref(), searched.exact);
        self.write_down(side, &mv, used, overhead, searched);
        let hearer = &mut self.seats[(!side).index()].engine;
        hearer.play(side, &mv).map_err(|failure| (!side, failure))?;
        Ok(None)
    }

    fn write_down(
        &mut self,
        side: Side,
        mv: &str,
        used: std::time::Duration,
        overhead: std::time::Duration,
        searched: Searched,
    ) {
        self.moves.push(MoveRecord {
            side: side.to_string(),
            mv: mv.to_string(),
            ms: Some((used.as_secs_f64() * 1e6).round() / 1e3),
            overhead_us: Some(overhead.as_micros() as u64),
            depth: searched.depth,
            nodes: searched.nodes,
            value: searched.value,
        });
    }
}

/// The beginning of what an engine answered instead of a move.
fn excerpt(answer: &str) -> String {
    const ENOUGH: usize = 60;
    let line = answer.lines().next().unwrap_or_default();
    let mut text: String = line.chars().take(ENOUGH).collect();
    if text.len() < answer.len() {
        text.push('…');
    }
    format!("`{text}`")
}
