//! Analysis that GoGui draws on its board.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::drawing::line;
use super::half_moves::{Turn, continuations};
use super::layout::name;
use crate::depict::Point;
use crate::game::Side;
use crate::protocol::gtp::analyze::decimal;
use crate::protocol::gtp::answer::{Answer, Failure};
use crate::protocol::gtp::frontend::{Call, Frontend};
use crate::protocol::service::Watch;
use crate::protocol::stream::Patience;
use crate::protocol::words::told;
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Info, Thought, Watcher};

/// How long a position is solved for at most, unless a move may take longer.
const SOLVING: Duration = Duration::from_secs(10);

/// Keeps the reports of the last complete iteration.
struct Collector<'a> {
    watch: &'a dyn Watcher,
    expected: usize,
    /// Of the iteration under way, and of the last one.
    reports: Mutex<[Vec<Info>; 2]>,
}

impl Watcher for Collector<'_> {
    fn progress(&self, info: &Info) {
        self.watch.progress(info);
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let [current, last] = &mut *reports;
        if info.rank == 1 {
            current.clear();
        }
        current.push(info.clone());
        if current.len() == self.expected {
            std::mem::swap(current, last);
        }
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}

impl Frontend {
    /// The reports of the last complete iteration, best first; none in a
    /// finished game.
    fn compare(&mut self, call: &Call<'_>, limits: &Limits) -> Vec<Info> {
        let (inbox, output) = (self.inbox.clone(), self.output.clone());
        let watch = Watch::new(&inbox, &output, call.number, Patience::Bounded);
        let collector = Collector {
            watch: &watch,
            expected: limits.candidates,
            reports: Mutex::default(),
        };
        self.session.think(limits, &collector);
        let reports = collector.reports.into_inner();
        let [_, last] = reports.unwrap_or_else(PoisonError::into_inner);
        last
    }

    /// The same for so many moves and as long as a move may take without a
    /// clock.
    fn look(&mut self, call: &Call<'_>, candidates: usize) -> Vec<Info> {
        let mut limits = self.cap_if_unlimited(self.limits(&self.defaults));
        limits.candidates = candidates.max(1);
        self.compare(call, &limits)
    }

    /// The best of these turns, of which there is at least one.
    pub(super) fn best_of(
        &mut self,
        call: &Call<'_>,
        turns: &[Turn],
        limits: &Limits,
    ) -> Result<Thought, Failure> {
        let among = |mv: &String| turns.iter().any(|turn| turn.text == *mv);
        let first = turns.first().ok_or_else(Failure::illegal_move)?;
        let mut limits = limits.clone();
        limits.candidates = self.session.legal_moves().len().max(1);
        let only = turns.iter().all(|turn| turn.text == first.text);
        let infos = if only {
            Vec::new()
        } else {
            self.compare(call, &limits)
        };
        let info = infos
            .into_iter()
            .find(|info| info.pv.first().is_some_and(among));
        if info.is_some() {
            self.last_info.clone_from(&info);
        }
        let best = info.as_ref().and_then(|info| info.pv.first());
        Ok(Thought {
            best: best.unwrap_or(&first.text).clone(),
            info,
        })
    }

    /// What is drawn of the moves of the position at hand.
    pub(super) fn lines(&self) -> Lines {
        Lines {
            side: self.session.side_to_move(),
            touched: self.half_moves.touched().len(),
            turns: continuations(self.session.as_ref(), self.half_moves.touched()),
            discs: !self.has_half_moves(),
        }
    }
}

/// The points by which moves are drawn.
pub(super) struct Lines {
    side: Side,
    /// How many points of the turn have been touched.
    touched: usize,
    turns: Vec<Turn>,
    discs: bool,
}

impl Lines {
    fn turn(&self, mv: &str) -> Option<&Turn> {
        self.turns.iter().rev().find(|turn| turn.text == mv)
    }

    /// The point with which a move goes on; none for a pass, and for a turn
    /// other than the one that has begun.
    fn next(&self, mv: &str) -> Option<Point> {
        self.turn(mv)?.points.get(self.touched).copied()
    }

    /// A principal variation, in one or more lines: discs with numbers, or
    /// where pieces move the points of the first turn, as a square, a circle
    /// and a triangle.
    pub(super) fn variation(&self, pv: &[String]) -> String {
        let mut text = String::new();
        if self.discs {
            let mut side = self.side;
            text.push_str("VAR");
            for mv in pv {
                let colour = if side == Side::Black { 'b' } else { 'w' };
                let _ = write!(text, " {colour} {}", mv.to_ascii_uppercase());
                side = !side;
            }
            text.push('\n');
        } else if let Some(turn) = pv.first().and_then(|mv| self.turn(mv)) {
            for (what, &point) in ["SQUARE", "CIRCLE", "TRIANGLE"].iter().zip(&turn.points) {
                line(&mut text, what, std::iter::once(point));
            }
        }
        text
    }

    /// The best value that each next point leads to; the reports are sorted,
    /// the best first.
    fn values<'a>(&self, infos: &'a [Info]) -> Vec<(Point, &'a Info)> {
        let mut values: Vec<(Point, &Info)> = Vec::new();
        for info in infos {
            let point = info.pv.first().and_then(|mv| self.next(mv));
            if let Some(point) = point
                && values.iter().all(|(known, _)| *known != point)
            {
                values.push((point, info));
            }
        }
        values
    }
}

/// Labels on points; none without points.
fn labels<'a>(values: impl Iterator<Item = (Point, &'a str)>) -> String {
    let mut text = String::new();
    for (point, label) in values {
        let _ = write!(text, " {} {label}", name(point));
    }
    if text.is_empty() {
        text
    } else {
        format!("LABEL{text}\n")
    }
}

/// The value of every legal move.
pub(super) fn moves(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let candidates = frontend.session.legal_moves().len();
    let infos = frontend.look(call, candidates);
    let lines = frontend.lines();
    let values: Vec<(Point, String)> = lines
        .values(&infos)
        .into_iter()
        .map(|(point, info)| (point, label(info.value)))
        .collect();
    let labels = labels(values.iter().map(|(point, label)| (*point, &label[..])));
    Ok(with_report(frontend, &infos, labels).into())
}

/// How much worse than the best move a colour stands for, in hundredths, and
/// the colour. Worse moves are red.
const COLOURS: [(i32, &str); 4] = [
    (0, "#00d000"),
    (100, "#90e000"),
    (300, "#f0e000"),
    (800, "#f09000"),
];
const WORST: &str = "#e02000";

/// The same as colours: green for the best, over yellow to red.
pub(super) fn colours(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let candidates = frontend.session.legal_moves().len();
    let infos = frontend.look(call, candidates);
    let lines = frontend.lines();
    let values = lines.values(&infos);
    let best = values.first().map_or(0, |(_, info)| worth(info.value));
    let colour = |info: &Info| {
        let loss = best.saturating_sub(worth(info.value));
        let known = COLOURS.iter().find(|(most, _)| loss <= *most);
        known.map_or(WORST, |(_, colour)| colour)
    };
    let mut text = String::new();
    for shown in COLOURS.map(|(_, colour)| colour).into_iter().chain([WORST]) {
        let such = values.iter().filter(|(_, info)| colour(info) == shown);
        line(&mut text, &format!("COLOR {shown}"), such.map(|(p, _)| *p));
    }
    Ok(with_report(frontend, &infos, text).into())
}

/// A value in hundredths, where a win is better than anything else.
fn worth(value: Value) -> i32 {
    const WIN: i32 = 1_000_000;
    match value {
        Value::Eval(hundredths) => hundredths,
        Value::Margin(units) => units * 100,
        Value::Win(_) => WIN,
        Value::Loss(_) => -WIN,
        Value::Draw => 0,
    }
}

pub(super) fn variation(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let lines = frontend.lines();
    // Where a turn has begun, the best way to go on may be none of the best
    // turns.
    let candidates = match lines.touched {
        0 => 1,
        _ => frontend.session.legal_moves().len(),
    };
    let mut infos = frontend.look(call, candidates);
    let goes_on = |info: &Info| info.pv.first().is_some_and(|mv| lines.turn(mv).is_some());
    infos.retain(goes_on);
    let pv = infos.first().map_or(&[][..], |info| &info.pv);
    Ok(with_report(frontend, &infos, lines.variation(pv)).into())
}

/// What is known beforehand.
pub(super) fn book(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let session = frontend.session.as_ref();
    let known = session.book().map(|book| session.moves_in(book));
    let known = known.unwrap_or_default();
    let Some((best, value)) = known.first() else {
        return Ok("TEXT The book has no move here.".into());
    };
    let lines = frontend.lines();
    let points: Vec<(Point, String)> = known
        .iter()
        .filter_map(|(mv, value)| Some((lines.next(mv)?, label(*value))))
        .collect();
    let mut text = labels(points.iter().map(|(point, label)| (*point, &label[..])));
    let _ = write!(text, "TEXT The book has {best}, {value}.");
    Ok(text.into())
}

/// The exact value, with the moves that reach it.
pub(super) fn solution(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let limits = Limits {
        time: Some(frontend.defaults.time.unwrap_or_default().max(SOLVING)),
        ..Limits::default()
    };
    let patience = Patience::Bounded;
    let watch = Watch::new(&frontend.inbox, &frontend.output, call.number, patience);
    let Some(solution) = frontend.session.solve(true, &limits, &watch) else {
        return Ok("TEXT Not solved in time.".into());
    };
    let lines = frontend.lines();
    let verdict = label(solution.value);
    let mut points: Vec<Point> = solution
        .moves
        .iter()
        .filter_map(|mv| lines.next(mv))
        .collect();
    points.sort_unstable();
    points.dedup();
    let mut text = String::new();
    let (_, best) = COLOURS[0];
    line(&mut text, &format!("COLOR {best}"), points.iter().copied());
    text += &labels(points.iter().map(|&point| (point, &verdict[..])));
    let _ = write!(
        text,
        "TEXT {}: {}",
        in_words(frontend, solution.value),
        solution.pv.join(" ")
    );
    Ok(text.into())
}

fn in_words(frontend: &Frontend, value: Value) -> String {
    let side = frontend.session.side_to_move();
    let wins = |side: Side| format!("{} wins", super::rules::capitalised(&side.to_string()));
    match value {
        Value::Margin(0) | Value::Draw => "A draw".to_string(),
        Value::Margin(margin) if margin > 0 => format!("{} by {margin}", wins(side)),
        Value::Margin(margin) => format!("{} by {}", wins(!side), -margin),
        Value::Win(_) => wins(side),
        Value::Loss(_) => wins(!side),
        Value::Eval(_) => label(value),
    }
}

/// The points that can come next; not a pass.
pub(super) fn points(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let names: Vec<String> = frontend.next_points().into_iter().map(name).collect();
    Ok(names.join(" ").into())
}

/// A drawing with the best report below it.
fn with_report(frontend: &Frontend, infos: &[Info], drawing: String) -> String {
    match infos.first() {
        Some(best) => format!("{drawing}TEXT {}", told(best)),
        None if frontend.session.outcome().is_some() => "TEXT The game is over.".to_string(),
        None => "TEXT Nothing was found in time.".to_string(),
    }
}

/// A value short enough for a square.
fn label(value: Value) -> String {
    let text = match value {
        Value::Eval(hundredths) => decimal(hundredths / 10, 1),
        Value::Margin(units) => units.to_string(),
        Value::Win(plies) => format!("win{plies}"),
        Value::Loss(plies) => format!("loss{plies}"),
        Value::Draw => "0".to_string(),
    };
    // What rounds to nothing is no advantage.
    match value {
        Value::Eval(10..) | Value::Margin(1..) => format!("+{text}"),
        _ => text,
    }
}
