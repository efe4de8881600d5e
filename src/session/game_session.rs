//! The session of any game.

mod choosing;
mod solving;

use crate::book::{self, Book, Entry};
use crate::depict::{Depict, Picture, Piece, Point};
use crate::game::{Outcome, Side};
use crate::search::heuristics::{Heuristics, Knowledge, legal_moves};
use crate::search::score::{Score, Value};
use crate::search::{Engine, Handler, Limits, Report, Settings, terminal_score};
use crate::session::{Info, PlayError, Session, Solution, Thought, VariantInfo, Watcher};

/// One entry of the game's history.
#[derive(Clone, Copy)]
struct Turn<G: Heuristics> {
    side: Side,
    /// None for a pass after the end of the game.
    mv: Option<G::Move>,
    before: G,
}

/// A [`Session`] of one game.
pub struct GameSession<G: Heuristics + Depict> {
    info: &'static VariantInfo,
    start: G,
    position: G,
    turns: Vec<Turn<G>>,
    /// How many turns each `undo` takes back.
    groups: Vec<usize>,
    engine: Engine<G>,
}

impl<G: Heuristics + Depict> GameSession<G> {
    /// The position in which the game began.
    fn first_position(&self) -> &G {
        self.turns
            .first()
            .map_or(&self.position, |turn| &turn.before)
    }

    /// A game at its start.
    ///
    /// # Errors
    /// If the memory or the threads of the settings cannot be had.
    pub fn new(info: &'static VariantInfo, start: G, settings: &Settings) -> Result<Self, String> {
        Ok(Self {
            info,
            start,
            position: start,
            turns: Vec::new(),
            groups: Vec::new(),
            engine: Engine::new(Knowledge::embedded(), settings.clone())?,
        })
    }

    /// The earlier positions that can still come back, latest first.
    fn recent(&self) -> impl Iterator<Item = &G> {
        self.turns
            .iter()
            .rev()
            .take_while(|turn| {
                G::CAN_REPEAT && turn.mv.is_some_and(|mv| !turn.before.is_irreversible(mv))
            })
            .map(|turn| &turn.before)
    }

    fn past_keys(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.recent().map(G::key).collect();
        keys.reverse();
        keys
    }

    fn push(&mut self, side: Side, mv: Option<G::Move>) {
        self.turns.push(Turn {
            side,
            mv,
            before: self.position,
        });
        if let Some(mv) = mv {
            self.position = self.position.play(mv);
        }
    }

    fn pop(&mut self, turns: usize) {
        for _ in 0..turns {
            if let Some(turn) = self.turns.pop() {
                self.position = turn.before;
            }
        }
    }

    /// Gives the move to `side`, by the other side's forced pass if need be.
    /// How many turns that took.
    fn give_turn_to(&mut self, side: Side) -> Result<usize, PlayError> {
        let to_move = self.position.side_to_move();
        if side == to_move {
            return Ok(0);
        }
        match legal_moves(&self.position).as_slice() {
            [only] if G::is_pass(*only) => {
                self.push(to_move, Some(*only));
                Ok(1)
            }
            _ => Err(PlayError::Illegal),
        }
    }

    fn search(&mut self, limits: &Limits, watcher: &dyn Watcher) -> Vec<Report<G::Move>> {
        let past = self.past_keys();
        let relay = Relay {
            position: &self.position,
            watcher,
            ranked: limits.candidates > 1,
        };
        self.engine.think(&self.position, &past, limits, &relay)
    }

    /// The value of a finished game for the side to move.
    fn finished_value(&self, outcome: Outcome) -> Value {
        let score = terminal_score(outcome, &self.position, 0).0;
        match outcome {
            Outcome::Draw if !G::HAS_MARGIN => Value::Draw,
            _ if G::HAS_MARGIN => Value::Margin(score / Score::UNIT),
            _ if score > 0 => Value::Win(0),
            _ => Value::Loss(0),
        }
    }

    fn print_line(&self, line: &[G::Move]) -> Vec<String> {
        print_line(&self.position, line)
    }
}

fn print_line<G: Heuristics>(position: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = *position;
    line.iter()
        .map(|&mv| {
            let text = position.print_move(mv);
            position = position.play(mv);
            text
        })
        .collect()
}

/// What a book says of a move, as a search would.
fn book_value(hundredths: i32, proved: bool) -> Value {
    if proved {
        Value::Margin(hundredths / Score::UNIT)
    } else {
        Value::Eval(hundredths)
    }
}

/// Passes reports on in notation.
struct Relay<'a, G> {
    position: &'a G,
    watcher: &'a dyn Watcher,
    ranked: bool,
}

impl<G: Heuristics> Handler<G::Move> for Relay<'_, G> {
    fn progress(&self, report: &Report<G::Move>) {
        self.watcher
            .progress(&info_of(self.position, report, self.ranked));
    }

    fn stop(&self) -> bool {
        self.watcher.stop()
    }
}

fn info_of<G: Heuristics>(position: &G, report: &Report<G::Move>, ranked: bool) -> Info {
    Info {
        depth: report.depth,
        rank: report.rank,
        ranked,
        value: report.value,
        exact: report.exact,
        nodes: report.nodes,
        hits: report.hits,
        time: report.time,
        hashfull: report.hashfull,
        pv: print_line(position, &report.pv),
    }
}

impl<G: Heuristics + Depict> Session for GameSession<G> {
    fn variant(&self) -> &'static VariantInfo {
        self.info
    }

    fn configure(&mut self, settings: &Settings) -> Result<(), String> {
        self.engine.configure(settings.clone())
    }

    fn weights_identity(&self) -> String {
        self.engine.knowledge().identity.clone()
    }

    fn load_weights(&mut self, bytes: &[u8]) -> Result<(), String> {
        let knowledge = Knowledge::read(bytes).map_err(|error| error.to_string())?;
        self.engine.set_knowledge(knowledge);
        Ok(())
    }

    fn reset_weights(&mut self) {
        self.engine.set_knowledge(Knowledge::embedded());
    }

    fn reset(&mut self) {
        self.position = self.start;
        self.turns.clear();
        self.groups.clear();
        self.engine.clear();
        self.engine.get_ready(&self.position);
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.position = self.start.parse_position(text)?;
        self.turns.clear();
        self.groups.clear();
        self.engine.get_ready(&self.position);
        Ok(())
    }

    fn position(&self) -> String {
        self.position.print_position()
    }

    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn legal_moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves: Vec<String> = legal_moves(&self.position)
            .iter()
            .map(|&mv| self.position.print_move(mv))
            .collect();
        moves.sort_unstable();
        moves
    }

    fn play(&mut self, side: Side, text: &str) -> Result<(), PlayError> {
        let is_pass = text.eq_ignore_ascii_case("pass");
        if self.outcome().is_some() {
            if !is_pass {
                self.position.parse_move(text).map_err(PlayError::Syntax)?;
                return Err(PlayError::Illegal);
            }
            self.push(side, None);
            self.groups.push(1);
            return Ok(());
        }
        let mv = match self.position.parse_move(text) {
            Ok(mv) => mv,
            Err(_) if is_pass => return Err(PlayError::Illegal),
            Err(message) => return Err(PlayError::Syntax(message)),
        };
        let passes = self.give_turn_to(side)?;
        if self.position.outcome().is_some() || !self.position.is_legal(mv) {
            self.pop(passes);
            return Err(PlayError::Illegal);
        }
        self.push(side, Some(mv));
        self.groups.push(passes + 1);
        self.engine.get_ready(&self.position);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        match self.groups.pop() {
            Some(turns) => {
                self.pop(turns);
                true
            }
            None => false,
        }
    }

    fn undo_depth(&self) -> usize {
        self.groups.len()
    }

    fn beginning(&self) -> String {
        self.first_position().print_position()
    }

    fn begins_as_usual(&self) -> bool {
        *self.first_position() == self.start
    }

    fn history(&self) -> Vec<(Side, String)> {
        self.turns
            .iter()
            .map(|turn| {
                let text = match turn.mv {
                    Some(mv) => turn.before.print_move(mv),
                    None => "pass".to_string(),
                };
                (turn.side, text)
            })
            .collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        // Passes after the end leave the position as it was, so they are
        // skipped before looking for repetitions.
        self.position.outcome().or_else(|| {
            let played = self.turns.iter().rev().skip_while(|turn| turn.mv.is_none());
            let earlier = played
                .take_while(|turn| {
                    G::CAN_REPEAT && turn.mv.is_some_and(|mv| !turn.before.is_irreversible(mv))
                })
                .filter(|turn| turn.before == self.position)
                .count();
            (earlier >= 2).then_some(Outcome::Draw)
        })
    }

    fn picture(&self) -> Picture {
        self.position.picture()
    }

    fn move_points(&self, text: &str) -> Result<Vec<Point>, String> {
        let mv = self.position.parse_move(text)?;
        Ok(self.position.move_points(mv))
    }

    fn taken_piece(&self, text: &str) -> Result<Option<Piece>, String> {
        let mv = self.position.parse_move(text)?;
        Ok(self.position.taken_piece(mv))
    }

    fn perft(&self, depth: u32) -> u64 {
        self.position.perft(depth)
    }

    fn perft_divide(&self, depth: u32) -> Vec<(String, u64)> {
        let below = depth.saturating_sub(1);
        let mut counts: Vec<(String, u64)> = legal_moves(&self.position)
            .iter()
            .map(|&mv| {
                let count = self.position.play(mv).perft(below);
                (self.position.print_move(mv), count)
            })
            .collect();
        counts.sort_unstable();
        counts
    }

    fn book(&self) -> Option<&'static Book> {
        self.start.book()
    }

    fn moves_in(&self, book: &Book) -> Vec<(String, Value)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        book.moves(&self.position)
            .iter()
            .map(|known| {
                let value = book_value(known.value, book.is_proved());
                (self.position.print_move(known.mv), value)
            })
            .collect()
    }

    fn canonical_key(&self) -> u64 {
        self.position.canonical_key()
    }

    fn book_entry(&self, text: &str, value: i16) -> Result<Entry, String> {
        let mv = self.position.parse_move(text)?;
        if self.outcome().is_some() || !self.position.is_legal(mv) {
            return Err(format!("{text} is not legal in {}", self.position()));
        }
        Ok(book::entry_of(&self.position, mv, value))
    }

    fn think(&mut self, limits: &Limits, watcher: &dyn Watcher) -> Thought {
        let reports = if self.outcome().is_some() {
            Vec::new()
        } else {
            self.search(limits, watcher)
        };
        let best = reports.first().and_then(|report| report.pv.first());
        Thought {
            best: best.map_or_else(|| "pass".to_string(), |&mv| self.position.print_move(mv)),
            info: reports
                .first()
                .map(|report| info_of(&self.position, report, false)),
        }
    }

    fn genmove(
        &mut self,
        side: Side,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Result<Thought, PlayError> {
        let finished = self.outcome().is_some();
        let passes = if finished {
            0
        } else {
            self.give_turn_to(side)?
        };
        let thought = self.choose(limits, watcher);
        // After an understood pass the game may be over for both.
        let mv = if self.outcome().is_some() {
            None
        } else {
            self.position.parse_move(&thought.best).ok()
        };
        self.push(side, mv);
        self.groups.push(passes + 1);
        Ok(thought)
    }

    fn reg_genmove(
        &mut self,
        side: Side,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Result<Thought, PlayError> {
        let passes = if self.outcome().is_some() {
            0
        } else {
            self.give_turn_to(side)?
        };
        let thought = self.choose(limits, watcher);
        self.pop(passes);
        Ok(thought)
    }

    fn solve(&mut self, all: bool, limits: &Limits, watcher: &dyn Watcher) -> Option<Solution> {
        self.solution(all, limits, watcher)
    }

    fn evaluate(&self) -> Value {
        match self.outcome() {
            Some(outcome) => self.finished_value(outcome),
            None => {
                let tables = &self.engine.knowledge().tables;
                Value::Eval(
                    self.position
                        .evaluate(&self.position.refresh(tables), tables),
                )
            }
        }
    }
}
