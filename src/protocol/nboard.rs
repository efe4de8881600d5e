//! The protocol of NBoard and other GUIs for Othello on 8x8.
//!
//! Commands have no answers of their own; what comes of thinking is told in
//! lines, and `ping` says how far the engine has read.
//!
//! CITE: C. Welty, NBoard Protocol, version 2.

use std::sync::{Arc, Mutex, PoisonError};

use super::service::{Attention, Options, Service, Watch, cap_if_unlimited, serve};
use super::setup;
use super::stream::{Inbox, LONGEST_LINE, Line, Output, Patience, Syntax, split_word};
use crate::game::Side;
use crate::records::ggf;
use crate::search::Limits;
use crate::search::score::{Score, Value};
use crate::session::{Info, PlayError, Session};

/// The only game this protocol knows.
const GAME: &str = "othello8";

/// Positions searched for each position of `analyze` at most.
const NODES_OF_ANALYSIS: u64 = 300_000;

/// Speaks NBoard's protocol on standard input and output; the game of the
/// options is of no account.
///
/// # Errors
/// One line, if it cannot start or cannot write.
pub fn run(options: Options) -> Result<(), String> {
    let options = Options {
        game: GAME.to_string(),
        ..options
    };
    serve(SYNTAX, |inbox, output| {
        let session = options.open()?;
        Ok(NBoard {
            start: session.position(),
            session,
            options,
            inbox,
            output,
        })
    })
}

const SYNTAX: Syntax = Syntax {
    name: |text| match split_word(text).0 {
        "" => None,
        "ping" => Some("stop"),
        "quit" => Some("quit"),
        _ => Some("another"),
    },
    comments: false,
};

struct NBoard {
    session: Box<dyn Session>,
    /// The usual start.
    start: String,
    options: Options,
    inbox: Arc<Inbox>,
    output: Arc<Output>,
}

impl Service for NBoard {
    fn take(&mut self, line: &Line) -> bool {
        let (name, rest) = split_word(&line.text);
        if line.overlong {
            self.status(&format!("a line is longer than {LONGEST_LINE} bytes"));
            return false;
        }
        match name {
            "nboard" => self.say_name(),
            "set" => self.set(rest),
            "move" => self.play(rest),
            "hint" => self.hint(line.number, rest),
            "go" => self.go(line.number),
            "analyze" => self.analyze(line.number),
            "learn" => self.say("learned"),
            "ping" => self.say(format!("pong {rest}").trim_end()),
            "quit" => return true,
            // Old GUIs send a move alone.
            _ if is_move(name) && rest.is_empty() => self.play(name),
            _ => {}
        }
        false
    }
}

impl NBoard {
    fn say(&self, line: &str) {
        self.output.send(&format!("{line}\n"));
    }

    fn status(&self, text: &str) {
        self.say(format!("status {text}").trim_end());
    }

    fn say_name(&self) {
        let level = self.options.settings.level;
        let name = match self.options.depth {
            _ if level.is_below_full() => format!("Quadrille level {level}"),
            Some(depth) => format!("Quadrille {depth}"),
            None => "Quadrille".to_string(),
        };
        self.say(&format!("set myname {name}"));
    }

    fn set(&mut self, rest: &str) {
        let (name, value) = split_word(rest);
        match name {
            "game" => {
                if let Err(reason) = self.set_game(value) {
                    self.status(&format!("the game was not taken: {reason}"));
                }
            }
            "depth" => match value.parse() {
                Ok(depth) if depth > 0 => {
                    self.options.depth = Some(depth);
                    self.say_name();
                }
                _ => self.status("set depth takes a whole number from 1"),
            },
            // No draw is worth more than another here.
            "contempt" => {}
            "level" => match value.parse() {
                Ok(level) => {
                    self.options.settings.level = level;
                    match self.session.configure(&self.options.settings) {
                        Ok(()) => self.say_name(),
                        Err(reason) => self.status(&reason),
                    }
                }
                Err(reason) => self.status(&format!("set level: {reason}")),
            },
            _ => {}
        }
    }

    fn set_game(&mut self, text: &str) -> Result<(), String> {
        let record = ggf::parse(text)?;
        let position = record.position.as_deref().unwrap_or(&self.start);
        let moves: Vec<(Option<Side>, &str)> = record
            .moves
            .iter()
            .map(|mv| (Some(mv.side), mv.text.as_str()))
            .collect();
        setup::set_up(self.session.as_mut(), position, &moves)
    }

    fn play(&mut self, text: &str) {
        let side = self.session.side_to_move();
        let played = ggf::read_move(side, text).and_then(|mv| {
            let played = self.session.play(side, &mv.text);
            played.map_err(|error| match error {
                PlayError::Illegal => format!("{} is not legal", ggf::square(&mv.text)),
                PlayError::Syntax(reason) => reason,
            })
        });
        if let Err(reason) = played {
            self.status(&format!("the move was not played: {reason}"));
        }
    }

    fn hint(&mut self, number: u64, rest: &str) {
        let wanted = rest.split(' ').next().and_then(|word| word.parse().ok());
        let legal = self.session.legal_moves().len();
        if legal == 0 {
            return self.status("the game is over");
        }
        let candidates = wanted.unwrap_or(1).clamp(1, legal);
        self.tell_book(candidates);
        let limits = Limits {
            candidates,
            play_forced: false,
            ..self.options.limits()
        };
        let bounded = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        let patience = if bounded {
            Patience::UntilNext
        } else {
            Patience::Analysis
        };
        self.status("Analyzing");
        self.think(number, patience, |session, watcher| {
            session.think(&limits, watcher);
        });
        self.status("");
    }

    /// The best moves of the book, if it is used and knows some.
    fn tell_book(&self, wanted: usize) {
        let book = self.session.book();
        let Some(book) = book.filter(|_| self.options.settings.book) else {
            return;
        };
        for (mv, value) in self.session.moves_in(book).iter().take(wanted) {
            let depth = match value {
                Value::Margin(_) => "100%",
                _ => "1",
            };
            self.say(&format!(
                "book {} {} 0 {depth}",
                ggf::square(mv),
                discs(*value)
            ));
        }
    }

    fn go(&mut self, number: u64) {
        if self.session.outcome().is_some() {
            return self.say("=== PA");
        }
        let limits = cap_if_unlimited(self.options.limits());
        let side = self.session.side_to_move();
        self.status("Thinking");
        let mut thought = None;
        self.think(number, Patience::Bounded, |session, watcher| {
            thought = session.reg_genmove(side, &limits, watcher).ok();
        });
        self.status("");
        let Some(thought) = thought else {
            return;
        };
        let mut answer = format!("=== {}", ggf::square(&thought.best));
        if let Some(info) = &thought.info {
            answer += &format!(
                "/{}/{:.2}",
                discs(info.value),
                limits.start.elapsed().as_secs_f64()
            );
        }
        self.say(&answer);
    }

    /// The value of every position of the game for Black, from the last to the
    /// first. The protocol does not say whose value it is; NBoard draws them
    /// all in one curve, with those of Black's moves.
    fn analyze(&mut self, number: u64) {
        let moves = self.session.history();
        let mut undone = Vec::new();
        self.status("Analyzing the game");
        loop {
            let limits = Limits {
                nodes: Some(NODES_OF_ANALYSIS),
                ..self.options.limits()
            };
            let value = match self.session.outcome() {
                Some(_) => Some(self.session.evaluate()),
                None => {
                    let (inbox, output) = (Arc::clone(&self.inbox), Arc::clone(&self.output));
                    let watch = Watch::new(&inbox, &output, number, Patience::UntilNext);
                    let thought = self.session.think(&limits, &watch);
                    thought.info.map(|info| info.value)
                }
            };
            let made = self.session.history().len();
            let ended = self.inbox.signals.ends(number, Patience::UntilNext);
            if ended || self.output.is_broken() {
                break;
            }
            if let Some(value) = value {
                let for_black = match self.session.side_to_move() {
                    Side::Black => hundredths(value),
                    Side::White => -hundredths(value),
                };
                self.say(&format!("analysis {made} {}", in_discs(for_black)));
            }
            if !self.session.undo() {
                break;
            }
            undone.push(self.session.history().len());
        }
        if let Some(&left) = undone.last() {
            for (side, mv) in &moves[left..] {
                // They were legal before.
                let _ = self.session.play(*side, mv);
            }
        }
        self.status("");
    }

    /// Thinks and tells what comes of it.
    fn think(
        &mut self,
        number: u64,
        patience: Patience,
        think: impl FnOnce(&mut dyn Session, &dyn crate::session::Watcher),
    ) {
        let (inbox, output) = (Arc::clone(&self.inbox), Arc::clone(&self.output));
        let last = Mutex::new(None);
        let attention = Attention {
            watch: Watch::new(&inbox, &output, number, patience),
            show: |info: &Info| {
                output.send(&search_line(info));
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                *last = Some((info.nodes, info.time));
            },
        };
        think(self.session.as_mut(), &attention);
        let last = *last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((nodes, time)) = last {
            self.say(&format!("nodestats {nodes} {:.2}", time.as_secs_f64()));
        }
    }
}

/// `search PV VALUE 0 DEPTH`.
fn search_line(info: &Info) -> String {
    let line: String = info.pv.iter().map(|mv| ggf::square(mv)).collect();
    let depth = if info.exact {
        "100%".to_string()
    } else {
        info.depth.to_string()
    };
    format!("search {line} {} 0 {depth}\n", discs(info.value))
}

/// A value in discs for the side to move.
fn discs(value: Value) -> String {
    in_discs(hundredths(value))
}

fn hundredths(value: Value) -> i64 {
    match value {
        Value::Eval(hundredths) => i64::from(hundredths),
        Value::Margin(discs) => i64::from(discs) * i64::from(Score::UNIT),
        Value::Win(_) => 6_400,
        Value::Loss(_) => -6_400,
        Value::Draw => 0,
    }
}

fn in_discs(hundredths: i64) -> String {
    format!("{:.2}", hundredths as f64 / 100.0)
}

fn is_move(text: &str) -> bool {
    matches!(text.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'] | b"PA" | b"pa")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_discs() {
        assert_eq!(discs(Value::Eval(-325)), "-3.25");
        assert_eq!(discs(Value::Margin(64)), "64.00");
        assert_eq!(discs(Value::Draw), "0.00");
    }

    #[test]
    fn only_squares_and_the_pass_are_moves() {
        for text in ["F5", "a1", "PA", "h8"] {
            assert!(is_move(text), "{text}");
        }
        for text in ["go", "F9", "i1", "F", ""] {
            assert!(!is_move(text), "{text}");
        }
    }
}
