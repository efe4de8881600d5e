//! Analysis that streams until anything comes in.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frame::Stream;
use super::frontend::{Call, Frontend, colour, words};
use crate::game::Side;
use crate::protocol::service::Watch;
use crate::protocol::stream::Patience;
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Info, Watcher};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "analyze",
        "[COLOUR] [CENTISECONDS] [candidates N]",
        "streams `info` lines until anything comes in",
        |f, c| analyze(f, c, plain),
    ),
    Command::new(
        "lz-analyze",
        "[COLOUR] [CENTISECONDS] [maxmoves N]",
        "the same in the form of Leela Zero",
        |f, c| analyze(f, c, leela),
    ),
    Command::new(
        "kata-analyze",
        "[COLOUR] [CENTISECONDS] [maxmoves N]",
        "the same in the form of KataGo",
        |f, c| analyze(f, c, kata),
    ),
];

/// How many moves are analysed unless more or fewer are asked for.
const CANDIDATES: usize = 5;

/// What an iteration's reports look like. The flag is set where moves are
/// squares, which these protocols write in capitals.
type Form = fn(&[Info], bool) -> String;

fn analyze(frontend: &mut Frontend, call: &Call<'_>, form: Form) -> Answer {
    let wish = Wish::parse(call.rest)?;
    let passed = give_turn(frontend, wish.side)?;
    let output = frontend.output.clone();
    let inbox = frontend.inbox.clone();
    let stream = Stream::new(&output, call.id);
    stream.begin();
    let legal = frontend.session.legal_moves().len();
    let analysis = Analysis {
        watch: Watch::new(&inbox, &output, call.number, Patience::Analysis),
        stream: &stream,
        form,
        squares: frontend.session.variant().discs,
        interval: wish.interval,
        expected: wish.candidates.clamp(1, legal.max(1)),
        pending: AtomicBool::new(false),
        state: Mutex::default(),
    };
    let limits = Limits {
        candidates: analysis.expected,
        ..Limits::default()
    };
    frontend.session.think(&limits, &analysis);
    analysis.send_rest();
    if passed {
        frontend.session.undo();
    }
    // Everything may be known long before anyone asks for something else.
    if !inbox.signals.ends(call.number, Patience::Analysis) {
        inbox.wait_past(call.number);
    }
    stream.end();
    Ok(Reply::Streamed)
}

/// Gives the move to `side` if the other side only has a pass. Whether that
/// pass was played.
fn give_turn(frontend: &mut Frontend, side: Option<Side>) -> Result<bool, Failure> {
    let session = &mut frontend.session;
    let to_move = session.side_to_move();
    if session.outcome().is_some() || side.is_none_or(|side| side == to_move) {
        return Ok(false);
    }
    match session.play(to_move, "pass") {
        Ok(()) => Ok(true),
        Err(_) => Err(Failure::illegal_move()),
    }
}

/// What an analysis is asked for.
struct Wish {
    side: Option<Side>,
    /// The least time between two reports.
    interval: Duration,
    candidates: usize,
}

impl Wish {
    /// Reads what is known and skips the rest, as clients send much that
    /// means something to other engines only.
    fn parse(text: &str) -> Result<Self, Failure> {
        let mut wish = Self {
            side: None,
            interval: Duration::ZERO,
            candidates: CANDIDATES,
        };
        let number = |word: Option<&str>| {
            word.and_then(|word| word.parse::<u32>().ok())
                .ok_or_else(|| Failure::syntax("analysis takes whole numbers"))
        };
        let mut words = words(text);
        while let Some(word) = words.next() {
            match word {
                "interval" => wish.interval = centiseconds(number(words.next())?),
                "maxmoves" | "candidates" => {
                    wish.candidates = number(words.next())?.max(1) as usize;
                }
                "minmoves" => {
                    number(words.next())?;
                }
                _ => {
                    if let Some(side) = colour(word) {
                        wish.side = wish.side.or(Some(side));
                    } else if let Ok(value) = word.parse() {
                        wish.interval = centiseconds(value);
                    } else {
                        break;
                    }
                }
            }
        }
        Ok(wish)
    }
}

fn centiseconds(value: u32) -> Duration {
    Duration::from_millis(u64::from(value) * 10)
}

/// Collects the reports of an iteration and sends them together, not more
/// often than wished.
struct Analysis<'a> {
    watch: Watch<'a>,
    stream: &'a Stream<'a>,
    form: Form,
    squares: bool,
    interval: Duration,
    /// Reports an iteration.
    expected: usize,
    /// Whether a complete iteration waits to be sent.
    pending: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    collected: Vec<Info>,
    sent: Option<Instant>,
}

impl Analysis<'_> {
    fn send_if_due(&self, state: &mut State) {
        let due = state.sent.is_none_or(|at| at.elapsed() >= self.interval);
        if due && self.pending.swap(false, Ordering::Relaxed) {
            self.stream
                .line(&(self.form)(&state.collected, self.squares));
            state.sent = Some(Instant::now());
        }
    }

    /// Sends what is still waiting, due or not.
    fn send_rest(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.sent = None;
        self.send_if_due(&mut state);
    }
}

impl Watcher for Analysis<'_> {
    fn progress(&self, info: &Info) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if info.rank == 1 {
            state.collected.clear();
            self.pending.store(false, Ordering::Relaxed);
        }
        state.collected.push(info.clone());
        if state.collected.len() == self.expected {
            self.pending.store(true, Ordering::Relaxed);
            self.send_if_due(&mut state);
        }
    }

    fn stop(&self) -> bool {
        if self.pending.load(Ordering::Relaxed)
            && let Ok(mut state) = self.state.try_lock()
        {
            self.send_if_due(&mut state);
        }
        self.watch.stop()
    }
}

fn plain(infos: &[Info], _: bool) -> String {
    let lines: Vec<String> = infos.iter().map(Info::to_string).collect();
    lines.join("\n")
}

fn leela(infos: &[Info], squares: bool) -> String {
    candidates(infos, squares, |text, info| {
        let rate = winrate(info.value, squares);
        let _ = write!(
            text,
            " visits {} winrate {rate} prior 0 lcb {rate}",
            info.nodes
        );
    })
}

fn kata(infos: &[Info], squares: bool) -> String {
    candidates(infos, squares, |text, info| {
        let rate = decimal(winrate(info.value, squares), 4);
        let lead = decimal(hundredths(info.value), 2);
        let utility = decimal(winrate(info.value, squares) * 2 - 10_000, 4);
        let _ = write!(
            text,
            " visits {} utility {utility} winrate {rate} scoreMean {lead} scoreStdev 0 \
             scoreLead {lead} prior 0 lcb {rate}",
            info.nodes
        );
    })
}

/// All candidates in one line, each with what `fields` adds to it.
fn candidates(infos: &[Info], squares: bool, fields: impl Fn(&mut String, &Info)) -> String {
    let mut text = String::new();
    for info in infos {
        let Some(first) = info.pv.first() else {
            continue;
        };
        let separator = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{separator}info move {}", vertex(first, squares));
        fields(&mut text, info);
        let _ = write!(text, " order {} pv", info.rank - 1);
        for mv in &info.pv {
            let _ = write!(text, " {}", vertex(mv, squares));
        }
    }
    text
}

/// A move as Go players' programs want it: squares in capitals.
pub(super) fn vertex(mv: &str, squares: bool) -> String {
    if squares && mv != "pass" {
        mv.to_ascii_uppercase()
    } else {
        mv.to_string()
    }
}

/// The chance to win that a value stands for, from 0 to 10,000.
fn winrate(value: Value, margins: bool) -> i32 {
    match value {
        Value::Win(_) => 10_000,
        Value::Loss(_) => 0,
        Value::Draw => 5_000,
        Value::Margin(margin) => 5_000 + 5_000 * margin.signum(),
        // Four discs ahead is three wins in four.
        Value::Eval(e) if margins => {
            5_000 + (5_000 * i64::from(e) / i64::from(e.abs() + 400)) as i32
        }
        // Hundredths of a hundredth of a sure win.
        Value::Eval(e) => (5_000 + e / 2).clamp(1, 9_999),
    }
}

/// The value in hundredths of the game's unit; a proved win is worth a
/// hundred units.
fn hundredths(value: Value) -> i32 {
    match value {
        Value::Eval(hundredths) => hundredths,
        Value::Margin(units) => units * 100,
        Value::Win(_) => 10_000,
        Value::Loss(_) => -10_000,
        Value::Draw => 0,
    }
}

/// `value` with a point before its last `digits` digits.
pub(super) fn decimal(value: i32, digits: usize) -> String {
    let scale = 10_u32.pow(digits as u32);
    let size = value.unsigned_abs();
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:0digits$}", size / scale, size % scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(rank: usize, value: Value, pv: &[&str]) -> Info {
        Info {
            depth: 3,
            rank,
            ranked: true,
            value,
            exact: false,
            nodes: 77,
            hits: 0,
            time: Duration::from_millis(5),
            hashfull: 0,
            pv: pv.iter().map(|mv| (*mv).to_string()).collect(),
        }
    }

    #[test]
    fn leela_puts_all_candidates_in_one_line() {
        let infos = [
            info(1, Value::Eval(400), &["d3", "pass"]),
            info(2, Value::Loss(4), &["c4"]),
        ];
        assert_eq!(
            leela(&infos, true),
            "info move D3 visits 77 winrate 7500 prior 0 lcb 7500 order 0 pv D3 pass \
             info move C4 visits 77 winrate 0 prior 0 lcb 0 order 1 pv C4"
        );
    }

    #[test]
    fn kata_has_fractions() {
        assert_eq!(
            kata(&[info(1, Value::Eval(-150), &["4@b2"])], false),
            "info move 4@b2 visits 77 utility -0.0150 winrate 0.4925 scoreMean -1.50 \
             scoreStdev 0 scoreLead -1.50 prior 0 lcb 0.4925 order 0 pv 4@b2"
        );
    }

    #[test]
    fn winrates_stay_in_range_and_grow_with_the_value() {
        for margins in [false, true] {
            let rates: Vec<i32> = (-200..=200)
                .map(|e| winrate(Value::Eval(e * 100), margins))
                .collect();
            assert!(rates.is_sorted());
            assert!(rates.iter().all(|rate| (0..=10_000).contains(rate)));
            assert_eq!(winrate(Value::Eval(0), margins), 5_000);
        }
    }

    #[test]
    fn wishes_of_other_engines_are_skipped() {
        let wish = Wish::parse("W 50 maxmoves 3 avoid b D4 1").expect("good");
        assert_eq!(wish.side, Some(Side::White));
        assert_eq!(wish.interval, Duration::from_millis(500));
        assert_eq!(wish.candidates, 3);
        let wish = Wish::parse("interval 20 ownership true").expect("good");
        assert_eq!((wish.side, wish.candidates), (None, CANDIDATES));
        assert_eq!(wish.interval, Duration::from_millis(200));
        assert!(Wish::parse("interval x").is_err());
    }
}
