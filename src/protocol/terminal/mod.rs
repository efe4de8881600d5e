//! A person plays at a terminal.

mod commands;
mod files;
mod reader;
mod view;

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::clocks::Clocks;
use super::notes::Notes;
use super::service::{Options, cap_if_unlimited};
use super::words::told;
use crate::depict::Point;
use crate::game::Side;
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Info, Session, Watcher};
use commands::fitted;
use reader::{Reader, Typed, Words};
use view::Look;

/// Who moves for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// Whoever sits at the terminal.
    Person,
    /// The engine.
    Engine,
}

/// Which sides the person has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Seats {
    /// The side that begins.
    First,
    /// The side that does not.
    Second,
    /// Black.
    Black,
    /// White.
    White,
    /// Both: two people play each other.
    Both,
    /// None: the engine plays itself.
    None,
}

/// Plays until the person leaves.
///
/// # Errors
/// One line, if it cannot start or cannot write.
pub fn run(options: Options, seats: Seats, file: Option<&str>) -> Result<(), String> {
    let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let look = Look::of(io::stdout().is_terminal(), |name| std::env::var(name).ok());
    let interrupted = Arc::new(AtomicBool::new(false));
    if on_terminal {
        let flag = Arc::clone(&interrupted);
        // Without it Ctrl-C ends the program, which is bearable.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    }
    let mut table = Table::new(options, seats, look, interrupted)?;
    if on_terminal && table.options.settings.seed == 0 {
        // A person wants to see other games.
        table.options.settings.seed = rand::random::<u64>().max(1);
        let settings = table.options.settings.clone();
        table.session.configure(&settings)?;
    }
    let words: Words = Rc::default();
    let mut reader = Reader::new(on_terminal, Rc::clone(&words));
    let written = table.play(&mut reader, &words, file);
    match written {
        // Whoever closes the pipe has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write the answer: {error}"))
        }
        _ => Ok(()),
    }
}

/// The board, who sits at it, and the clocks.
struct Table {
    session: Box<dyn Session>,
    options: Options,
    movers: [Mover; 2],
    look: Look,
    clocks: Clocks,
    /// Whether the clocks limit anything.
    timed: bool,
    /// Who has lost other than by the rules, and how.
    given_up: Option<(Side, &'static str)>,
    /// What the last move touched.
    marked: Vec<Point>,
    /// What is known of the game, for its record.
    notes: Notes,
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
    /// When the side to move began to think.
    since: Instant,
}

impl Table {
    fn new(
        options: Options,
        seats: Seats,
        look: Look,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, String> {
        let session = options.open()?;
        let first = session.side_to_move();
        Ok(Self {
            session,
            options,
            movers: movers(seats, first),
            look,
            clocks: Clocks::default(),
            timed: false,
            given_up: None,
            marked: Vec::new(),
            notes: Notes::default(),
            interrupted,
            since: Instant::now(),
        })
    }

    fn play(
        &mut self,
        reader: &mut Reader,
        words: &RefCell<Vec<String>>,
        file: Option<&str>,
    ) -> io::Result<()> {
        let out = &mut io::stdout();
        writeln!(out, "{}", fitted(&self.greeting()))?;
        if let Some(file) = file {
            match self.load(file) {
                Ok(said) => writeln!(out, "{said}")?,
                Err(reason) => writeln!(out, "{reason}")?,
            }
        }
        self.show(out)?;
        self.since = Instant::now();
        loop {
            if self.is_engines_turn() {
                self.engine_moves(out)?;
                self.show(out)?;
                continue;
            }
            if self.pass_if_forced(out)? {
                continue;
            }
            words.borrow_mut().clone_from(&self.words());
            match reader.read(&self.prompt()) {
                Typed::End => {
                    writeln!(out)?;
                    return Ok(());
                }
                Typed::Interrupted => {
                    writeln!(out, "`quit` leaves the game.")?;
                }
                Typed::Line(line) => {
                    if !self.obey(&line, out)? {
                        return Ok(());
                    }
                }
            }
            out.flush()?;
        }
    }

    fn greeting(&self) -> String {
        let info = self.session.variant();
        let who = match self.movers {
            [Mover::Person, Mover::Person] => "Both sides are yours.".to_string(),
            [Mover::Engine, Mover::Engine] => "The engine plays itself.".to_string(),
            [Mover::Person, _] => "You are black.".to_string(),
            [_, Mover::Person] => "You are white.".to_string(),
        };
        format!(
            "{}: {}. {who} Level {} of 10. `help` says what can be typed.",
            info.name, info.title, self.options.settings.level
        )
    }

    fn prompt(&self) -> String {
        let side = self.session.side_to_move();
        if self.is_over() {
            return "over> ".to_string();
        }
        match self.time_left(side) {
            Some(left) => format!("{side} {}> ", minutes(left)),
            None => format!("{side}> "),
        }
    }

    fn is_over(&self) -> bool {
        self.given_up.is_some() || self.session.outcome().is_some()
    }

    fn is_engines_turn(&self) -> bool {
        let side = self.session.side_to_move();
        !self.is_over() && self.movers[side.index()] == Mover::Engine
    }

    /// What a side has left on its clock now, if there is one.
    fn time_left(&self, side: Side) -> Option<Duration> {
        if !self.timed {
            return None;
        }
        let left = self.clocks.of(side)?.main;
        if side == self.session.side_to_move() && !self.is_over() {
            Some(left.saturating_sub(self.since.elapsed()))
        } else {
            Some(left)
        }
    }

    /// The board, and how the game stands.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let picture = self.session.picture();
        write!(out, "{}", view::board(&picture, &self.marked, self.look))?;
        writeln!(out, "{}", self.state())?;
        out.flush()
    }

    fn state(&self) -> String {
        if let Some((loser, how)) = self.given_up {
            return format!("{loser} {how}: {} wins", !loser);
        }
        match self.session.outcome() {
            Some(outcome) => format!("the game is over: {outcome}"),
            None => format!("{} to move", self.session.side_to_move()),
        }
    }

    /// Plays a move of the side to move, and stops its clock.
    fn make(&mut self, mv: &str, value: Option<Value>) -> Result<(), crate::session::PlayError> {
        let side = self.session.side_to_move();
        let points = self.session.move_points(mv).unwrap_or_default();
        self.session.play(side, mv)?;
        let time = self.since.elapsed();
        if self.timed && self.clocks.of(side).is_some_and(|clock| time > clock.main) {
            self.given_up = Some((side, "has overstepped the time"));
        }
        self.clocks.spend(side, time);
        self.marked = points;
        self.notes
            .remember(self.session.history(), value, Some(time));
        self.since = Instant::now();
        Ok(())
    }

    /// A side that can only pass is not asked.
    fn pass_if_forced(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        if self.is_over() || self.session.legal_moves() != ["pass"] {
            return Ok(false);
        }
        writeln!(out, "{} has to pass", self.session.side_to_move())?;
        // It is legal: it is the only move.
        let _ = self.make("pass", None);
        Ok(true)
    }

    fn engine_moves(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let side = self.session.side_to_move();
        let mut limits = self.options.limits();
        if self.timed {
            limits.clock = self.clocks.of(side);
        }
        let limits = cap_if_unlimited(limits);
        let thought = self
            .session
            .reg_genmove(side, &limits, &Attending::new(&self.interrupted));
        let Ok(thought) = thought else {
            // It is the turn of this side.
            return Ok(());
        };
        let info = thought.info.as_ref();
        let said = info.map_or(String::new(), |info| format!(" ({})", told(info)));
        let _ = self.make(&thought.best, info.map(|info| info.value));
        let line = fitted(&format!("{side} plays {}{said}", thought.best));
        let bold = self.look.paint("1", &thought.best);
        writeln!(out, "{}", line.replacen(&thought.best, &bold, 1))
    }

    /// Searches at full strength, for advice.
    fn advise(&mut self, limits: &Limits) -> Vec<Info> {
        let watcher = Attending::new(&self.interrupted);
        self.session.think(limits, &watcher);
        watcher.last()
    }
}

/// Who has which side.
fn movers(seats: Seats, first: Side) -> [Mover; 2] {
    let person_at = |side: Side| {
        let mut movers = [Mover::Engine; 2];
        movers[side.index()] = Mover::Person;
        movers
    };
    match seats {
        Seats::First => person_at(first),
        Seats::Second => person_at(!first),
        Seats::Black => person_at(Side::Black),
        Seats::White => person_at(Side::White),
        Seats::Both => [Mover::Person; 2],
        Seats::None => [Mover::Engine; 2],
    }
}

/// Stops at Ctrl-C, and keeps the reports of the last iteration.
struct Attending<'a> {
    interrupted: &'a AtomicBool,
    reports: Mutex<Vec<Info>>,
}

impl<'a> Attending<'a> {
    fn new(interrupted: &'a AtomicBool) -> Self {
        interrupted.store(false, Ordering::Relaxed);
        Self {
            interrupted,
            reports: Mutex::default(),
        }
    }

    /// The last iteration's reports, best first.
    fn last(&self) -> Vec<Info> {
        let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let depth = reports.last().map_or(0, |info| info.depth);
        let mut last: Vec<Info> = reports
            .iter()
            .filter(|info| info.depth == depth)
            .cloned()
            .collect();
        last.sort_by_key(|info| info.rank);
        last.dedup_by_key(|info| info.rank);
        last
    }
}

impl Watcher for Attending<'_> {
    fn progress(&self, info: &Info) {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        reports.retain(|known| known.depth + 1 >= info.depth);
        reports.push(info.clone());
    }

    fn stop(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// `4:05`, and tenths below ten seconds.
fn minutes(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        return format!("0:{:04.1}", time.as_secs_f64());
    }
    // A clock shows what has begun.
    let seconds = time.as_millis().div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
