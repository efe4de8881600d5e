//! Commands that think.

use std::fmt::Write as _;

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frame::Stream;
use super::frontend::{Call, Defaults, Frontend, duration, seconds};
use super::perft;
use crate::protocol::service::{Attention, Watch};
use crate::protocol::stream::Patience;
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Info, PlayError, Solution, Thought, Watcher};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("genmove", "COLOUR", "thinks and plays", genmove),
    Command::new(
        "reg_genmove",
        "COLOUR",
        "thinks and does not play",
        |f, c| {
            let (side, _) = c.colour()?;
            if f.speaks_half_moves() && f.session.outcome().is_none() {
                return f.half_genmove(c, side, false);
            }
            let limits = f.move_limits(side);
            let thought = f.think_as(c, |f, watch| f.session.reg_genmove(side, &limits, watch))?;
            Ok(thought.best.into())
        },
    ),
    Command::new(
        "search",
        "[depth N] [nodes N] [time SECONDS] [infinite]",
        "thinks, reports every iteration, and does not play",
        search,
    ),
    Command::new(
        "last_search",
        "",
        "the last report of the last genmove or search",
        last_search,
    ),
    Command::new(
        "solve",
        "[all] [time SECONDS]",
        "the exact value, with a move or all moves that reach it",
        solve,
    ),
    Command::new(
        "evaluate",
        "",
        "the static value for the side to move",
        |f, _| Ok(f.session.evaluate().to_string().into()),
    ),
    Command::new(
        "perft",
        "DEPTH",
        "the number of sequences of DEPTH moves",
        perft::perft,
    ),
];

impl Frontend {
    /// Thinks about a move under a bounded watch, and remembers the report.
    pub(super) fn think_as(
        &mut self,
        call: &Call<'_>,
        think: impl FnOnce(&mut Self, &dyn Watcher) -> Result<Thought, PlayError>,
    ) -> Result<Thought, Failure> {
        let (inbox, output) = (self.inbox.clone(), self.output.clone());
        let watch = Watch::new(&inbox, &output, call.number, Patience::Bounded);
        let thought = self.watched(&watch, think)?;
        self.last_info.clone_from(&thought.info);
        Ok(thought)
    }
}

fn genmove(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (side, _) = call.colour()?;
    if frontend.speaks_half_moves() && frontend.session.outcome().is_none() {
        return frontend.half_genmove(call, side, true);
    }
    let limits = frontend.move_limits(side);
    let finished = frontend.session.outcome().is_some();
    let thought = frontend.think_as(call, |f, watch| f.session.genmove(side, &limits, watch))?;
    let time = limits.start.elapsed();
    if !finished {
        frontend.clocks.spend(side, time + frontend.overhead);
    }
    if let Some(info) = &thought.info
        && frontend.resigns(info.value)
    {
        frontend.session.undo();
        return Ok("resign".into());
    }
    if !finished {
        let value = thought.info.as_ref().map(|info| info.value);
        let history = frontend.session.history();
        frontend.notes.remember(history, value, Some(time));
    }
    Ok(thought.best.into())
}

fn search(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let wish = Wish::parse(call.rest)?;
    let infinite = wish.infinite;
    let limits = match wish.limits {
        Some(limits) => frontend.limits(&limits),
        None if infinite => frontend.limits(&Defaults::default()),
        None => frontend.cap_if_unlimited(frontend.limits(&frontend.defaults)),
    };
    let output = frontend.output.clone();
    let stream = Stream::new(&output, call.id);
    let patience = patience(&limits);
    let attention = Attention {
        watch: Watch::new(&frontend.inbox, &frontend.output, call.number, patience),
        show: |info: &Info| stream.line(&info.to_string()),
    };
    let thought = frontend.session.think(&limits, &attention);
    frontend.last_info = thought.info;
    stream.line(&format!("bestmove {}", thought.best));
    stream.end();
    Ok(Reply::Streamed)
}

/// Whether a search would end by itself.
fn patience(limits: &Limits) -> Patience {
    if limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some() {
        Patience::Bounded
    } else {
        Patience::Unbounded
    }
}

/// What `search` is asked for.
#[derive(Default)]
struct Wish {
    /// None if no limit is named.
    limits: Option<Defaults>,
    infinite: bool,
}

impl Wish {
    fn parse(text: &str) -> Result<Self, Failure> {
        let what = "search takes depth N, nodes N, time SECONDS or infinite";
        let error = || Failure::syntax(what);
        let mut wish = Self::default();
        let mut words = super::frontend::words(text);
        while let Some(word) = words.next() {
            if word == "infinite" {
                wish.infinite = true;
                continue;
            }
            let value = words.next().ok_or_else(error)?;
            let limits = wish.limits.get_or_insert_default();
            match word {
                "depth" => limits.depth = Some(positive(value).ok_or_else(error)?),
                "nodes" => limits.nodes = Some(positive(value).ok_or_else(error)?),
                "time" => {
                    let time = seconds(value).filter(|&time| time >= 0.0);
                    limits.time = Some(duration(time.ok_or_else(error)?));
                }
                _ => return Err(error()),
            }
        }
        Ok(wish)
    }
}

/// A whole number of at least 1.
pub(super) fn positive<T: std::str::FromStr + PartialOrd + From<u8>>(word: &str) -> Option<T> {
    word.parse().ok().filter(|value| *value >= T::from(1))
}

fn last_search(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    match &frontend.last_info {
        Some(info) => Ok(info.to_string().into()),
        None => Err(Failure::new("nothing was searched yet")),
    }
}

fn solve(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let what = "solve takes all and time SECONDS";
    let mut all = false;
    let mut time = None;
    let mut words = call.words();
    while let Some(word) = words.next() {
        match word {
            "all" => all = true,
            "time" => {
                let value = words.next().and_then(seconds).filter(|&time| time >= 0.0);
                time = Some(duration(value.ok_or_else(|| Failure::syntax(what))?));
            }
            _ => return Err(Failure::syntax(what)),
        }
    }
    let limits = Limits {
        time,
        ..Limits::default()
    };
    // It has a goal of its own: a script waits for it.
    let patience = Patience::Bounded;
    let watch = Watch::new(&frontend.inbox, &frontend.output, call.number, patience);
    match frontend.session.solve(all, &limits, &watch) {
        Some(solution) => Ok(solution_text(&solution).into()),
        None => Err(Failure::new("not solved within the limit")),
    }
}

/// The three lines of a solved position: `score S` or `win N`, `loss N`,
/// `draw`; then `moves ...`; then `pv ...`.
pub fn solution_text(solution: &Solution) -> String {
    let mut text = match solution.value {
        Value::Margin(margin) => format!("score {margin}"),
        value => value.to_string(),
    };
    for (name, moves) in [("moves", &solution.moves), ("pv", &solution.pv)] {
        let _ = write!(text, "\n{name}");
        for mv in moves {
            let _ = write!(text, " {mv}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn limits_are_read_in_any_order_and_only_whole() {
        let wish = Wish::parse("time 0.5 depth 3 nodes 100").expect("good");
        let limits = wish.limits.expect("limits");
        assert_eq!(limits.depth, Some(3));
        assert_eq!(limits.nodes, Some(100));
        assert_eq!(limits.time, Some(Duration::from_millis(500)));
        assert!(Wish::parse("").is_ok_and(|wish| wish.limits.is_none()));
        for bad in [
            "depth", "depth 0", "depth x", "nodes -1", "time -1", "fast 1",
        ] {
            assert!(Wish::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_solution_has_three_lines() {
        let mut solution = Solution {
            value: Value::Margin(-4),
            moves: vec!["a1".to_string()],
            pv: vec!["a1".to_string(), "pass".to_string()],
            nodes: 5,
            time: Duration::ZERO,
        };
        assert_eq!(solution_text(&solution), "score -4\nmoves a1\npv a1 pass");
        solution.value = Value::Win(2);
        assert_eq!(solution_text(&solution), "win 2\nmoves a1\npv a1 pass");
    }
}
