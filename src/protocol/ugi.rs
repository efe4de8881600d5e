//! UGI, the protocol of runners of abstract games: UCI of chess, for any game
//! of ours.
//!
//! Player 1 is the one who begins from the game's start. Moves and positions
//! are written as everywhere here.
//!
//! CITE: the Universal Game Interface, <https://github.com/kz04px/ugi>.

use std::sync::Arc;
use std::time::Duration;

use super::service::{Attention, Options, Service, Watch, cap_if_unlimited, depth_limit, serve};
use super::setup;
use super::stream::{Inbox, LONGEST_LINE, Line, Meanwhile, Output, Patience, Syntax, split_word};
use crate::cli::{MAX_HASH, MAX_THREADS};
use crate::game::{Outcome, Side};
use crate::games;
use crate::search::Limits;
use crate::search::clock::Clock;
use crate::search::score::{Score, Value};
use crate::session::{Info, Session};

/// What stands for a move where there is none.
const NO_MOVE: &str = "0000";

/// Speaks UGI on standard input and output.
///
/// # Errors
/// One line, if it cannot start or cannot write.
pub fn run(options: Options) -> Result<(), String> {
    let mut options = options;
    // The specification wants it so; `OwnBook` is there to change it.
    options.settings.book = false;
    serve(SYNTAX, |inbox, output| {
        let session = options.open()?;
        Ok(Ugi {
            start: session.position(),
            first: session.side_to_move(),
            session,
            options,
            inbox,
            output,
        })
    })
}

const SYNTAX: Syntax = Syntax {
    name: |text| Some(split_word(text).0).filter(|name| !name.is_empty()),
    comments: false,
};

struct Ugi {
    session: Box<dyn Session>,
    /// The game's start.
    start: String,
    /// Who begins there.
    first: Side,
    options: Options,
    inbox: Arc<Inbox>,
    output: Arc<Output>,
}

impl Service for Ugi {
    fn take(&mut self, line: &Line) -> bool {
        let (name, rest) = split_word(&line.text);
        let done = if line.overlong {
            Err(format!("a line is longer than {LONGEST_LINE} bytes"))
        } else {
            match name {
                "ugi" => self.introduce(),
                "isready" => self.say("readyok"),
                "setoption" => self.set_option(rest),
                "uginewgame" => {
                    self.session.reset();
                    Ok(())
                }
                "position" => self.position(rest),
                "go" => self.go(line.number, rest),
                "query" => self.query(rest),
                "stop" => Ok(()),
                "quit" => return true,
                _ => Err(format!("no command `{name}`")),
            }
        };
        if let Err(reason) = done {
            let _ = self.say(&format!("info string {reason}"));
        }
        false
    }
}

impl Ugi {
    /// Never fails: it is what commands come to that only tell something.
    fn say(&self, line: &str) -> Result<(), String> {
        self.output.send(&format!("{line}\n"));
        Ok(())
    }

    fn introduce(&self) -> Result<(), String> {
        let settings = &self.options.settings;
        let games: String = games::names()
            .iter()
            .map(|name| format!(" var {name}"))
            .collect();
        let game = self.session.variant().name;
        let lines = [
            format!("id name Quadrille {}", env!("CARGO_PKG_VERSION")),
            "id author the authors of Quadrille".to_string(),
            format!("option name Game type combo default {game}{games}"),
            format!(
                "option name Threads type spin default {} min 1 max {MAX_THREADS}",
                settings.threads
            ),
            format!(
                "option name Hash type spin default {} min 0 max {MAX_HASH}",
                settings.hash
            ),
            format!(
                "option name Seed type spin default {} min 0 max {}",
                settings.seed,
                i64::MAX
            ),
            format!(
                "option name Level type spin default {} min 1 max 10",
                settings.level
            ),
            format!("option name OwnBook type check default {}", settings.book),
            "ugiok".to_string(),
        ];
        self.say(&lines.join("\n"))
    }

    /// `name NAME value VALUE`; names in upper or lower case, as in UCI.
    fn set_option(&mut self, rest: &str) -> Result<(), String> {
        let what = "setoption takes `name NAME value VALUE`";
        let (name, value) = rest
            .strip_prefix("name ")
            .and_then(|rest| rest.split_once(" value "))
            .ok_or(what)?;
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        if name == "game" {
            return self.open(value);
        }
        let mut settings = self.options.settings.clone();
        match name.as_str() {
            "threads" => settings.threads = in_range(value, 1, MAX_THREADS)?,
            "hash" => settings.hash = in_range(value, 0, MAX_HASH)?,
            "seed" => settings.seed = in_range(value, 0, u64::MAX)?,
            "level" => settings.level = value.parse()?,
            "ownbook" => {
                settings.book = value
                    .parse()
                    .map_err(|_| format!("`{value}` is neither true nor false"))?;
            }
            _ => {
                return Err(format!(
                    "no option `{name}`; there are Game, Threads, Hash, Seed, Level, OwnBook"
                ));
            }
        }
        self.session.configure(&settings)?;
        self.options.settings = settings;
        Ok(())
    }

    fn open(&mut self, game: &str) -> Result<(), String> {
        let options = Options {
            game: game.to_string(),
            // Those of one game are for no other.
            weights: None,
            ..self.options.clone()
        };
        let session = options.open()?;
        self.start = session.position();
        self.first = session.side_to_move();
        self.session = session;
        self.options = options;
        Ok(())
    }

    fn position(&mut self, rest: &str) -> Result<(), String> {
        let (position, moves) = match rest.split_once("moves") {
            Some((position, moves)) => (position.trim(), moves),
            None => (rest, ""),
        };
        let position = match split_word(position) {
            ("startpos", "") => &self.start,
            ("fen", fen) if !fen.is_empty() => fen,
            _ => return Err("position takes `startpos` or `fen POSITION`, then `moves …`".into()),
        };
        let moves: Vec<(Option<Side>, &str)> = moves
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|mv| (None, mv))
            .collect();
        setup::set_up(self.session.as_mut(), position, &moves)
    }

    fn query(&self, what: &str) -> Result<(), String> {
        let outcome = self.session.outcome();
        let response = match what {
            "gameover" => outcome.is_some().to_string(),
            "p1turn" => (self.session.side_to_move() == self.first).to_string(),
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win { side, .. }) if side == self.first => "p1win",
                Some(Outcome::Win { .. }) => "p2win",
            }
            .to_string(),
            _ => return Err("query takes gameover, p1turn or result".to_string()),
        };
        self.say(&format!("response {response}"))
    }

    fn go(&mut self, number: u64, rest: &str) -> Result<(), String> {
        let wish = Wish::parse(rest)?;
        if self.session.outcome().is_some() {
            return self.say(&format!("bestmove {NO_MOVE}"));
        }
        let side = self.session.side_to_move();
        let limits = wish.limits(&self.options, side == self.first);
        let patience = if wish.infinite {
            Patience::Unbounded
        } else {
            Patience::Bounded
        };
        let (inbox, output) = (Arc::clone(&self.inbox), Arc::clone(&self.output));
        let attention = Attention {
            watch: Watch::new(&inbox, &output, number, patience),
            show: |info: &Info| output.send(&info_line(info)),
        };
        inbox.set_meanwhile(Some(says_ready(Arc::clone(&output))));
        let thought = if wish.infinite {
            let thought = self.session.think(&limits, &attention);
            inbox.wait_end(number, patience);
            Ok(thought)
        } else {
            self.session.reg_genmove(side, &limits, &attention)
        };
        inbox.set_meanwhile(None);
        let thought = thought.map_err(|error| error.to_string())?;
        if let Some(info) = &thought.info {
            // The last report again, as the specification wants it at the
            // end; a move that was known has had none yet.
            output.send(&info_line(info));
        }
        self.say(&format!("bestmove {}", thought.best))
    }
}

/// A search does not keep anyone waiting who only asks whether we are there.
fn says_ready(output: Arc<Output>) -> Meanwhile {
    Box::new(move |text| {
        let asked = text == "isready";
        if asked {
            output.send("readyok\n");
        }
        asked
    })
}

/// What `go` is asked for; times in milliseconds.
#[derive(Default)]
struct Wish {
    times: [Option<u64>; 2],
    increments: [u64; 2],
    movetime: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    infinite: bool,
}

impl Wish {
    fn parse(text: &str) -> Result<Self, String> {
        let what = "go takes p1time, p2time, p1inc, p2inc, movetime (milliseconds), depth, nodes, \
            each with a whole number, or infinite";
        let mut wish = Self::default();
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            if word == "infinite" {
                wish.infinite = true;
                continue;
            }
            // Runners may tell of a clock that has run out.
            let number: i64 = words
                .next()
                .and_then(|word| word.parse().ok())
                .ok_or(what)?;
            let number = number.max(0) as u64;
            match word {
                "p1time" => wish.times[0] = Some(number),
                "p2time" => wish.times[1] = Some(number),
                "p1inc" => wish.increments[0] = number,
                "p2inc" => wish.increments[1] = number,
                "movetime" => wish.movetime = Some(number),
                "depth" => wish.depth = Some(u32::try_from(number).unwrap_or(u32::MAX).max(1)),
                "nodes" => wish.nodes = Some(number.max(1)),
                _ => return Err(what.to_string()),
            }
        }
        Ok(wish)
    }

    /// The limits for player 1 or 2; those the program was started with where
    /// nothing is asked for.
    fn limits(&self, options: &Options, first: bool) -> Limits {
        let player = usize::from(!first);
        let clock = self.times[player].map(|main| Clock {
            main: Duration::from_millis(main),
            increment: Duration::from_millis(self.increments[player]),
            overtime: None,
        });
        let usual = options.limits();
        let limits = Limits {
            depth: self.depth.map(depth_limit),
            nodes: self.nodes,
            time: self.movetime.map(Duration::from_millis),
            clock,
            ..usual
        };
        let asked = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || clock.is_some();
        match (self.infinite, asked) {
            (true, _) => Limits {
                play_forced: false,
                ..limits
            },
            (false, true) => limits,
            (false, false) => cap_if_unlimited(options.limits()),
        }
    }
}

/// `info depth …` as in UCI: centipawns are hundredths of a disc or point. A
/// mate is counted in plies, unlike in UCI.
fn info_line(info: &Info) -> String {
    let score = match info.value {
        Value::Eval(hundredths) => format!("cp {hundredths}"),
        Value::Margin(units) => format!("cp {}", i64::from(units) * i64::from(Score::UNIT)),
        Value::Win(plies) => format!("mate {plies}"),
        Value::Loss(plies) => format!("mate -{plies}"),
        Value::Draw => "cp 0".to_string(),
    };
    format!(
        "info depth {} score {score} nodes {} nps {} time {} hashfull {} pv {}\n",
        info.depth,
        info.nodes,
        info.nps(),
        info.time.as_millis(),
        info.hashfull,
        info.pv.join(" ")
    )
}

fn in_range<T>(word: &str, least: T, most: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    word.parse()
        .ok()
        .filter(|value| (&least..=&most).contains(&value))
        .ok_or_else(|| format!("`{word}` is no whole number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_player_to_move() {
        let wish = Wish::parse("p1time 1000 p2time 2000 p1inc 5 p2inc -7 depth 3").expect("good");
        let options = Options::default();
        let clock = |first| wish.limits(&options, first).clock.expect("a clock");
        assert_eq!(clock(true).main, Duration::from_secs(1));
        assert_eq!(clock(true).increment, Duration::from_millis(5));
        assert_eq!(clock(false).main, Duration::from_secs(2));
        assert_eq!(clock(false).increment, Duration::ZERO);
        assert_eq!(wish.limits(&options, true).depth, Some(3));
        for wrong in ["depth", "depth x", "fast 1", "p1time"] {
            assert!(Wish::parse(wrong).is_err(), "{wrong}");
        }
        let free = Wish::parse("infinite")
            .expect("good")
            .limits(&options, true);
        assert!(free.time.is_none() && free.clock.is_none());
        let usual = Wish::parse("").expect("good").limits(&options, true);
        assert!(usual.time.is_some());
    }
}
