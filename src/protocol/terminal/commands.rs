//! What a person can type.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::{Mover, Table, minutes};
use crate::game::Side;
use crate::protocol::clocks::Control;
use crate::protocol::words::{told, worth};
use crate::search::Limits;
use crate::search::level::Level;
use crate::search::score::{Score, Value};
use crate::session::{Info, PlayError};

/// A command: its name, its arguments, what it does.
type Help = (&'static str, &'static str, &'static str);

const COMMANDS: [Help; 16] = [
    ("moves", "", "the moves there are"),
    ("hint", "", "the best move, and why"),
    ("analyse", "", "what the last move was worth"),
    ("go", "", "the engine makes this move for you"),
    ("undo", "", "takes back your last move and what followed"),
    ("swap", "", "you take the other side"),
    ("level", "[1-10]", "how strong the engine plays, 10 at most"),
    (
        "clock",
        "[MINUTES [SECONDS] | off]",
        "time for the game, and more for each move",
    ),
    ("resign", "", "gives up the game"),
    ("new", "[GAME]", "a new game, of the same kind or another"),
    ("save", "FILE", "keeps the game"),
    ("load", "FILE", "goes on with a game that was kept"),
    ("board", "", "shows the board"),
    ("history", "", "the moves so far"),
    ("help", "", "this"),
    ("quit", "", "leaves"),
];

/// How long advice may take.
const ADVICE: Duration = Duration::from_millis(950);

/// Some say it otherwise.
fn usual(name: &str) -> &str {
    match name {
        "analyze" | "analysis" => "analyse",
        "exit" | "bye" | "q" => "quit",
        "?" | "h" => "help",
        "show" => "board",
        "u" | "back" => "undo",
        "time" => "clock",
        name => name,
    }
}

impl Table {
    /// Everything that can be typed now.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = self.session.legal_moves();
        words.extend(COMMANDS.iter().map(|(name, _, _)| (*name).to_string()));
        words.extend(crate::games::names().iter().map(|name| (*name).to_string()));
        words
    }

    /// Does what a line says; false if that is to leave.
    pub(super) fn obey(&mut self, line: &str, out: &mut dyn Write) -> io::Result<bool> {
        let line = line.trim();
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (lower, rest) = (name.to_ascii_lowercase(), rest.trim());
        let shown = match usual(&lower) {
            "" => return Ok(true),
            "quit" => return Ok(false),
            "moves" => self.list_moves(),
            "hint" => self.hint(),
            "analyse" => self.analyse(),
            "level" => self.level(rest),
            "clock" => self.clock(rest),
            "history" => Ok(self.history()),
            "help" => Ok(self.help()),
            "save" => self.save(rest),
            "board" => return self.show(out).map(|()| true),
            "go" if !self.is_over() => {
                self.engine_moves(out)?;
                return self.show(out).map(|()| true);
            }
            "go" => Err("the game is over; `new` begins another".to_string()),
            "undo" => return self.then_show(Self::undo, rest, out),
            "swap" => return self.then_show(Self::swap, rest, out),
            "resign" => return self.then_show(Self::resign, rest, out),
            "new" => return self.then_show(Self::new_game, rest, out),
            "load" => return self.then_show(Self::load, rest, out),
            _ => return self.then_show(Self::person_moves, line, out),
        };
        writeln!(out, "{}", fitted(&shown.unwrap_or_else(|reason| reason)))?;
        Ok(true)
    }

    /// Shows the board if the command was good.
    fn then_show(
        &mut self,
        command: impl FnOnce(&mut Self, &str) -> Result<String, String>,
        rest: &str,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        match command(self, rest) {
            Ok(said) => {
                if !said.is_empty() {
                    writeln!(out, "{}", fitted(&said))?;
                }
                self.show(out)?;
            }
            Err(reason) => writeln!(out, "{}", fitted(&reason))?,
        }
        Ok(true)
    }

    fn person_moves(&mut self, typed: &str) -> Result<String, String> {
        let text = typed.to_ascii_lowercase();
        if self.is_over() {
            let known = self.near(&text, false);
            return Err(match known {
                Some(word) => format!("`{typed}` is nothing I know; did you mean `{word}`?"),
                None => "the game is over; `new` begins another".to_string(),
            });
        }
        match self.make(&text, None) {
            Ok(()) => Ok(String::new()),
            Err(PlayError::Illegal) => Err(match self.near(&text, true) {
                Some(mv) => {
                    format!("{text} is not legal here; did you mean {mv}? `moves` lists all")
                }
                None => format!("{text} is not legal here; {}", self.what_is_legal()),
            }),
            Err(PlayError::Syntax(_)) if self.begins_moves(&text).next().is_some() => {
                let moves: Vec<String> = self.begins_moves(&text).collect();
                Err(format!("{text} is not all of a move: {}", moves.join(" ")))
            }
            Err(PlayError::Syntax(form)) => Err(match self.near(&text, false) {
                Some(word) => format!("`{typed}` is nothing I know; did you mean `{word}`?"),
                None => {
                    let form = form_of_moves(&form);
                    format!("`{typed}` is neither a command nor a move: {form}; `help` says more")
                }
            }),
        }
    }

    /// The legal moves that begin like this.
    fn begins_moves(&self, typed: &str) -> impl Iterator<Item = String> {
        let moves = self.session.legal_moves().into_iter();
        moves.filter(move |mv| mv.starts_with(typed))
    }

    /// All legal moves if they are few, or how to see them.
    fn what_is_legal(&self) -> String {
        const FEW: usize = 20;
        let moves = self.session.legal_moves();
        if moves.len() <= FEW {
            format!("these are: {}", moves.join(" "))
        } else {
            "`moves` lists what is".to_string()
        }
    }

    fn help(&self) -> String {
        // What is wrong with no move at all is how a move is written.
        let form = match self.session.move_points("") {
            Err(form) => {
                let form = form_of_moves(&form);
                format!("{form}. `moves` lists all, Tab completes.")
            }
            Ok(_) => "`moves` lists all, Tab completes.".to_string(),
        };
        let mut lines = vec![capitalised(&form)];
        lines.extend(COMMANDS.iter().map(|(name, arguments, what)| {
            let form = format!("{name} {arguments}");
            format!("  {:<32} {what}", form.trim_end())
        }));
        lines.push("Ctrl-C while the engine thinks makes it move at once.".to_string());
        lines.join("\n")
    }

    /// The move, or the command or move, that looks most like what was typed.
    fn near(&self, typed: &str, moves_only: bool) -> Option<String> {
        let words = if moves_only {
            self.session.legal_moves()
        } else {
            self.words()
        };
        let first = typed.split(' ').next().unwrap_or_default();
        let distance = |word: &String| strsim::damerau_levenshtein(first, word);
        let (best, away) = words
            .into_iter()
            .map(|word| {
                let away = distance(&word);
                (word, away)
            })
            .min_by_key(|(_, away)| *away)?;
        let near = away <= (first.chars().count() / 2).min(2);
        near.then_some(best)
    }

    fn list_moves(&self) -> Result<String, String> {
        let moves = self.session.legal_moves();
        if self.is_over() {
            return Err("the game is over; `new` begins another".to_string());
        }
        let width = moves.iter().map(String::len).max().unwrap_or(1) + 1;
        let columns = (78 / width).max(1);
        let lines: Vec<String> = moves
            .chunks(columns)
            .map(|row| {
                row.iter()
                    .map(|mv| format!("{mv:<width$}"))
                    .collect::<String>()
            })
            .map(|line| line.trim_end().to_string())
            .collect();
        Ok(lines.join("\n"))
    }

    fn advice_limits(&self, candidates: usize) -> Limits {
        let limits = self.options.limits();
        let asked = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        Limits {
            time: if asked { limits.time } else { Some(ADVICE) },
            candidates,
            play_forced: false,
            ..limits
        }
    }

    fn hint(&mut self) -> Result<String, String> {
        if self.is_over() {
            return Err("the game is over".to_string());
        }
        let candidates = self.session.legal_moves().len().clamp(1, 3);
        let limits = self.advice_limits(candidates);
        let infos = self.advise(&limits);
        let lines: Vec<String> = infos
            .iter()
            .map(|info| {
                let mv = info.pv.first().map_or("pass", String::as_str);
                format!("{mv}: {}", told(info))
            })
            .collect();
        Ok(lines.join("\n"))
    }

    /// Compares the last move with the best one.
    fn analyse(&mut self) -> Result<String, String> {
        let history = self.session.history();
        let Some((side, mv)) = history.last().cloned() else {
            return Err("no move was made yet".to_string());
        };
        self.session.undo();
        let candidates = self.session.legal_moves().len().max(1);
        let limits = self.advice_limits(candidates);
        let infos = self.advise(&limits);
        // It was legal before, and so was a pass that came with it.
        let _ = self.session.play(side, &mv);
        Ok(judged(side, &mv, &infos))
    }

    fn level(&mut self, rest: &str) -> Result<String, String> {
        if rest.is_empty() {
            return Ok(format!("level {} of 10", self.options.settings.level));
        }
        let level: Level = rest.parse()?;
        let mut settings = self.options.settings.clone();
        settings.level = level;
        self.session.configure(&settings)?;
        self.options.settings = settings;
        Ok(format!("level {level} of 10"))
    }

    fn clock(&mut self, rest: &str) -> Result<String, String> {
        let what = "a clock is MINUTES for the game, perhaps SECONDS more for each move, or off";
        if rest.is_empty() {
            let told = |side| match self.time_left(side) {
                Some(left) => format!("{side} {}", minutes(left)),
                None => format!("{side} unlimited"),
            };
            return Ok(format!("{}, {}", told(Side::Black), told(Side::White)));
        }
        if rest.eq_ignore_ascii_case("off") {
            self.timed = false;
            self.clocks.set(None);
            return Ok("no clock".to_string());
        }
        let mut numbers = rest.split_whitespace().map(|word| {
            let number = word.parse::<f64>().ok();
            number
                .filter(|number| (0.0..=1e6).contains(number))
                .ok_or(what)
        });
        let main = numbers.next().ok_or(what)??;
        let increment = numbers.next().transpose()?.unwrap_or(0.0);
        if main + increment <= 0.0 {
            return Err(what.to_string());
        }
        let seconds = Duration::from_secs_f64;
        let control = Control::fischer(seconds(60.0 * main), seconds(increment));
        self.clocks.set(Some(control));
        self.timed = true;
        self.since = Instant::now();
        self.clock("")
    }

    fn history(&self) -> String {
        let moves = self.session.history();
        if moves.is_empty() {
            return "no move was made yet".to_string();
        }
        let first = moves[0].0;
        let mut text = String::new();
        for (index, (side, mv)) in moves.iter().enumerate() {
            if *side == first || index == 0 {
                text += &format!("{}{}.", if index == 0 { "" } else { "  " }, index / 2 + 1);
            }
            text += &format!(" {mv}");
        }
        wrapped(&text, 78)
    }

    /// Back to before the person's last move.
    fn undo(&mut self, _: &str) -> Result<String, String> {
        // Who has given up is still at the board.
        if self.given_up.take().is_none() {
            if !self.session.undo() {
                return Err("there is nothing to take back".to_string());
            }
            let alone = !self.movers.contains(&Mover::Person);
            while !alone && self.is_engines_turn() && self.session.undo() {}
        }
        self.marked.clear();
        self.since = Instant::now();
        Ok(String::new())
    }

    fn swap(&mut self, _: &str) -> Result<String, String> {
        self.movers.swap(0, 1);
        Ok(match self.movers {
            [Mover::Person, Mover::Engine] => "you are black".to_string(),
            [Mover::Engine, Mover::Person] => "you are white".to_string(),
            _ => "nothing changes: the sides are not yours and the engine's".to_string(),
        })
    }

    fn resign(&mut self, _: &str) -> Result<String, String> {
        if self.is_over() {
            return Err("the game is over".to_string());
        }
        self.given_up = Some((self.session.side_to_move(), "resigns"));
        Ok(String::new())
    }

    fn new_game(&mut self, rest: &str) -> Result<String, String> {
        if rest.is_empty() {
            self.session.reset();
        } else {
            self.open(rest)?;
        }
        self.forget();
        Ok(self.greeting())
    }

    /// Another game; the same person begins who began before.
    pub(super) fn open(&mut self, game: &str) -> Result<(), String> {
        let options = crate::protocol::Options {
            game: game.to_string(),
            // Those of one game are for no other.
            weights: None,
            ..self.options.clone()
        };
        self.session = options.open()?;
        self.options = options;
        Ok(())
    }

    /// Nothing is left of an earlier game.
    pub(super) fn forget(&mut self) {
        self.given_up = None;
        self.marked.clear();
        self.notes.clear();
        self.clocks.restart();
        self.since = Instant::now();
    }
}

/// How a move is written, without the words that say what is none.
fn form_of_moves(reason: &str) -> &str {
    reason.rsplit(": ").next().unwrap_or(reason)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// What a move was worth beside the others.
fn judged(side: Side, mv: &str, infos: &[Info]) -> String {
    let is = |info: &&Info| info.pv.first().is_some_and(|first| first == mv);
    let (Some(best), Some(played)) = (infos.first(), infos.iter().find(is)) else {
        return format!("{side} {mv}: there was no time to say");
    };
    let best_move = best.pv.first().map_or("pass", String::as_str);
    if best_move == mv {
        return match infos.get(1) {
            Some(second) => format!(
                "{side} {mv} was the best move: {}; next best {}",
                told(best),
                told(second)
            ),
            None => format!("{side} {mv} was the only move: {}", told(best)),
        };
    }
    let lost = rough(best.value) - rough(played.value);
    if lost <= 0 {
        return format!("{side} {mv} was as good as any: {}", told(best));
    }
    let guesses = |value| matches!(value, Value::Eval(_));
    let margins = |value| matches!(value, Value::Margin(_));
    let (b, p) = (best.value, played.value);
    let verdict = if (guesses(b) && guesses(p)) || (margins(b) && margins(p)) {
        format!("gave away {:.2}", lost as f64 / f64::from(Score::UNIT))
    } else {
        "was a mistake".to_string()
    };
    format!(
        "{side} {mv} {verdict}: it is worth {}; better was {best_move}: {}",
        worth(played.value),
        told(best)
    )
}

/// A value as a number to compare.
fn rough(value: Value) -> i64 {
    const WON: i64 = 1_000_000;
    match value {
        Value::Eval(hundredths) => hundredths.into(),
        Value::Margin(units) => i64::from(units) * i64::from(Score::UNIT),
        Value::Win(_) => WON,
        Value::Loss(_) => -WON,
        Value::Draw => 0,
    }
}

/// What a terminal shows of a line, before it breaks it in the middle of a
/// word.
const WIDTH: usize = 79;

/// The same text, with lines that are too long broken at blanks.
pub(super) fn fitted(text: &str) -> String {
    let fit = |line: &str| match line.chars().count() {
        0..=WIDTH => line.to_string(),
        _ => wrapped(line, WIDTH),
    };
    text.lines().map(fit).collect::<Vec<_>>().join("\n")
}

/// Broken at blanks into lines of at most so many letters.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let line = lines.last_mut().expect("there is one");
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(word.to_string());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
