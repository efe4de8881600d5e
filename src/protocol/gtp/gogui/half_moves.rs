//! Turns of several points, played point by point as GoGui wants it: the one
//! place that translates between these half-moves and whole turns.
//!
//! GoGui knows moves of one point only. A turn in which a piece moves is sent
//! as several moves of the same colour, each of them undone by itself; the
//! session plays the turn when its last point has come.

use std::time::Duration;

use super::layout::{Layout, name};
use crate::depict::Point;
use crate::game::Side;
use crate::protocol::gtp::answer::{Answer, Failure, Reply};
use crate::protocol::gtp::frontend::{Call, Frontend};
use crate::search::score::Value;
use crate::session::Session;

/// Where the controller stands within a turn.
#[derive(Default)]
pub(in crate::protocol::gtp) struct HalfMoves {
    /// Whether moves are generated point by point.
    active: bool,
    /// The points of the turn that has begun.
    touched: Vec<Point>,
    /// The points of each step that the session can undo; none for a turn
    /// that came whole.
    steps: Vec<Vec<Point>>,
    plan: Option<Plan>,
}

/// A turn that was decided on and is given away point by point.
struct Plan {
    /// Where it is to be played.
    position: String,
    points: Vec<Point>,
    /// What it was thought to be worth.
    value: Option<Value>,
    /// How long that took.
    time: Duration,
}

/// A legal turn, with the points a hand touches.
pub(super) struct Turn {
    pub(super) text: String,
    pub(super) points: Vec<Point>,
}

impl HalfMoves {
    /// Whoever controls us speaks in half-moves.
    pub(in crate::protocol::gtp) fn activate(&mut self) {
        self.active = true;
    }

    /// Another position was set up: no turn has begun.
    pub(in crate::protocol::gtp) fn forget(&mut self) {
        self.touched.clear();
        self.steps.clear();
        self.plan = None;
    }

    /// The points of the turn that has begun.
    pub(super) fn touched(&self) -> &[Point] {
        &self.touched
    }

    /// Adds the steps that the session has made in whole turns.
    fn follow(&mut self, session: &dyn Session) {
        self.steps.resize_with(session.undo_depth(), Vec::new);
    }

    fn undo_depth(&mut self, session: &dyn Session) -> usize {
        self.follow(session);
        let played: usize = self.steps.iter().map(|points| points.len().max(1)).sum();
        played + self.touched.len()
    }

    fn undo(&mut self, session: &mut dyn Session) -> bool {
        if self.touched.pop().is_some() {
            return true;
        }
        self.follow(session);
        let undone = session.undo();
        if let Some(mut points) = self.steps.pop() {
            points.pop();
            self.touched = points;
        }
        undone
    }

    fn touch(
        &mut self,
        session: &mut dyn Session,
        side: Side,
        point: Point,
    ) -> Result<(), Failure> {
        if side != session.side_to_move() {
            return Err(Failure::illegal_move());
        }
        self.follow(session);
        self.touched.push(point);
        let turns = continuations(session, &self.touched);
        let Some(turn) = turns.into_iter().next() else {
            self.touched.pop();
            return Err(Failure::illegal_move());
        };
        if turn.points.len() == self.touched.len() {
            session.play(side, &turn.text)?;
            self.steps.push(std::mem::take(&mut self.touched));
        }
        Ok(())
    }

    /// The next point of the plan, if it is a plan for what is on the board.
    fn planned(&self, session: &dyn Session) -> Option<Point> {
        let plan = self.plan.as_ref()?;
        let rest = plan.points.strip_prefix(&self.touched[..])?;
        let next = rest.first().copied()?;
        (plan.position == session.position()).then_some(next)
    }
}

/// The legal turns that begin with these points. A gobblet in reserve may be
/// taken from every stack that has it on top, which makes several of a turn.
pub(super) fn continuations(session: &dyn Session, touched: &[Point]) -> Vec<Turn> {
    let layout = Layout::of(session.picture());
    let mut turns = Vec::new();
    for text in session.legal_moves() {
        let Ok(squares) = session.move_points(&text) else {
            continue;
        };
        let mut add = |points: Vec<Point>| {
            if points.starts_with(touched) {
                let text = text.clone();
                turns.push(Turn { text, points });
            }
        };
        match session.taken_piece(&text) {
            Ok(Some(piece)) => {
                let stacks = layout.stacks_under(piece);
                stacks.for_each(|stack| add([&[stack], &squares[..]].concat()));
            }
            _ => add(squares),
        }
    }
    turns
}

impl Frontend {
    /// Whether a turn of the game at hand takes several points.
    pub(super) fn has_half_moves(&self) -> bool {
        !self.session.variant().discs
    }

    /// Whether moves are to be answered point by point.
    pub(in crate::protocol::gtp) fn speaks_half_moves(&self) -> bool {
        self.has_half_moves() && self.half_moves.active
    }

    /// Plays a move, which may be a point of a turn.
    ///
    /// # Errors
    /// If it is no move or not legal; nothing changes.
    pub(in crate::protocol::gtp) fn play(&mut self, side: Side, text: &str) -> Result<(), Failure> {
        if !self.has_half_moves() {
            return Ok(self.session.play(side, text)?);
        }
        let layout = Layout::of(self.session.picture());
        let session = self.session.as_mut();
        if let Some(point) = layout.read(text) {
            let played = self.half_moves.touch(session, side, point);
            if played.is_ok() || self.half_moves.active {
                self.half_moves.activate();
                return played;
            }
        }
        if !self.half_moves.touched.is_empty() {
            return Err(Failure::illegal_move());
        }
        session.play(side, text)?;
        if !text.eq_ignore_ascii_case("pass") {
            self.half_moves.active = false;
        }
        Ok(())
    }

    /// Takes back the last move, or the last point of a turn that came point
    /// by point; false at the start.
    pub(in crate::protocol::gtp) fn undo(&mut self) -> bool {
        self.half_moves.undo(self.session.as_mut())
    }

    /// How many times that can be done.
    pub(in crate::protocol::gtp) fn undo_depth(&mut self) -> usize {
        self.half_moves.undo_depth(self.session.as_ref())
    }

    /// The points that can come next, sorted; none for a pass.
    pub(super) fn next_points(&self) -> Vec<Point> {
        let touched = self.half_moves.touched();
        let turns = continuations(self.session.as_ref(), touched);
        let next = turns
            .iter()
            .filter_map(|turn| turn.points.get(touched.len()));
        let mut points: Vec<Point> = next.copied().collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// The next point of the turn that `genmove` has decided on; at the first
    /// of its points it thinks.
    pub(in crate::protocol::gtp) fn half_genmove(
        &mut self,
        call: &Call<'_>,
        side: Side,
        plays: bool,
    ) -> Answer {
        if side != self.session.side_to_move() {
            return Err(Failure::illegal_move());
        }
        let point = match self.half_moves.planned(self.session.as_ref()) {
            Some(point) => point,
            None => match self.decide(call, side, plays)? {
                Some(point) => point,
                None => return Ok("resign".into()),
            },
        };
        if plays {
            let session = self.session.as_mut();
            self.half_moves.touch(session, side, point)?;
            if self.half_moves.touched.is_empty()
                && let Some(plan) = self.half_moves.plan.take()
            {
                let history = self.session.history();
                self.notes.remember(history, plan.value, Some(plan.time));
            }
        }
        Ok(Reply::from(name(point)))
    }

    /// Plans the rest of the turn; its next point, or none to resign.
    fn decide(
        &mut self,
        call: &Call<'_>,
        side: Side,
        plays: bool,
    ) -> Result<Option<Point>, Failure> {
        let touched = self.half_moves.touched.clone();
        let mut turns = continuations(self.session.as_ref(), &touched);
        let limits = self.move_limits(side);
        let thought = if touched.is_empty() {
            self.think_as(call, |f, watch| f.session.reg_genmove(side, &limits, watch))?
        } else {
            self.best_of(call, &turns, &limits)?
        };
        if plays {
            self.clocks
                .spend(side, limits.start.elapsed() + self.overhead);
        }
        if thought
            .info
            .as_ref()
            .is_some_and(|info| self.resigns(info.value))
        {
            return Ok(None);
        }
        // Of equal stacks the last one is taken, since it is the one that is
        // shown lower afterwards.
        turns.retain(|turn| turn.text == thought.best);
        let Some(turn) = turns.pop() else {
            return Err(Failure::illegal_move());
        };
        let Some(&next) = turn.points.get(touched.len()) else {
            return Err(Failure::illegal_move());
        };
        self.half_moves.plan = Some(Plan {
            position: self.session.position(),
            points: turn.points,
            value: thought.info.map(|info| info.value),
            time: limits.start.elapsed(),
        });
        Ok(Some(next))
    }
}
