//! The session of any game.

use crate::book::{self, Book, Entry, Known};
use crate::depict::{Depict, Picture, Piece, Point};
use crate::game::{MAX_MOVES, Outcome, Side};
use crate::search::heuristics::{Heuristics, Knowledge, legal_moves};
use crate::search::level::Strength;
use crate::search::score::Value;
use crate::search::{Engine, Handler, Limits, Report, Settings, terminal_score};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

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

    /// Continues a proved line to the end of the game, each time by proving
    /// the position it has reached.
    fn line_to_end(
        &mut self,
        line: &[G::Move],
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Option<Vec<G::Move>> {
        let mut whole = Vec::new();
        let mut next = line.to_vec();
        loop {
            for mv in next.drain(..) {
                self.push(self.position.side_to_move(), Some(mv));
                whole.push(mv);
            }
            if self.outcome().is_some() {
                break;
            }
            let report = self.search(limits, &Silent(watcher)).into_iter().next();
            match report {
                Some(report) if report.exact && whole.len() < LONGEST_LINE => next = report.pv,
                _ => break,
            }
        }
        let finished = self.outcome().is_some();
        self.pop(whole.len());
        finished.then_some(whole)
    }

    /// The moves that reach `value`, by solving what follows each.
    fn moves_reaching(
        &mut self,
        value: Value,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Option<Vec<G::Move>> {
        let mut reaching = Vec::new();
        for mv in legal_moves(&self.position) {
            let side = self.position.side_to_move();
            self.push(side, Some(mv));
            let reply = match self.outcome() {
                Some(outcome) if limits.outcome_only => {
                    Some(self.finished_value(outcome).winner(0))
                }
                Some(outcome) => Some(self.finished_value(outcome)),
                None => self
                    .search(limits, &Silent(watcher))
                    .first()
                    .and_then(|report| report.exact.then_some(report.value)),
            };
            let same_side = self.position.side_to_move() == side;
            self.pop(1);
            let reached = if same_side { reply? } else { negate(reply?) };
            if same_worth(reached, value) {
                reaching.push(mv);
            }
        }
        Some(reaching)
    }

    /// The value of a finished game for the side to move.
    fn finished_value(&self, outcome: Outcome) -> Value {
        let score = terminal_score(outcome, &self.position, 0).0;
        match outcome {
            Outcome::Draw if !G::HAS_MARGIN => Value::Draw,
            _ if G::HAS_MARGIN => Value::Margin(score / crate::search::score::Score::UNIT),
            _ if score > 0 => Value::Win(0),
            _ => Value::Loss(0),
        }
    }

    /// A move of the book if it is used and knows one, or what a search finds.
    fn choose(&mut self, limits: &Limits, watcher: &dyn Watcher) -> Thought {
        if let Some(index) = self.engine.settings().level.index()
            && self.outcome().is_none()
        {
            return self.choose_below_full(self.info.levels[index], limits, watcher);
        }
        match self.book_choice() {
            Some((known, proved)) => {
                let best = self.position.print_move(known.mv);
                Thought {
                    info: Some(Info {
                        depth: 0,
                        rank: 1,
                        ranked: false,
                        value: book_value(known.value, proved),
                        exact: proved,
                        nodes: 0,
                        hits: 0,
                        time: limits.start.elapsed(),
                        hashfull: 0,
                        pv: vec![best.clone()],
                    }),
                    best,
                }
            }
            None => self.think(limits, watcher),
        }
    }

    /// A move of less than the full strength.
    fn choose_below_full(
        &mut self,
        strength: Strength,
        limits: &Limits,
        watcher: &dyn Watcher,
    ) -> Thought {
        let moves = if strength.noise > 0 { MAX_MOVES } else { 1 };
        let limits = Limits {
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(strength.nodes)),
            candidates: moves.min(legal_moves(&self.position).len()).max(1),
            ..limits.clone()
        };
        let reports = self.search(&limits, watcher);
        let values: Vec<Value> = reports.iter().map(|report| report.value).collect();
        let seed = self.engine.settings().seed ^ self.position.key();
        let chosen = &reports[strength.choose(&values, seed)];
        Thought {
            best: chosen
                .pv
                .first()
                .map_or_else(|| "pass".to_string(), |&mv| self.position.print_move(mv)),
            info: Some(info_of(&self.position, chosen, false)),
        }
    }

    /// The best move the book knows here, or with a seed any that is hardly
    /// worse, and whether it is proved.
    fn book_choice(&self) -> Option<(Known<G::Move>, bool)> {
        let settings = self.engine.settings();
        if !settings.book || self.outcome().is_some() {
            return None;
        }
        let book = self.start.book()?;
        let known = book.moves(&self.position);
        let best = *known.first()?;
        if settings.seed == 0 {
            return Some((best, book.is_proved()));
        }
        let leeway = if book.is_proved() { 0 } else { BOOK_LEEWAY };
        let good = known.partition_point(|known| known.value >= best.value - leeway);
        let mut rng = StdRng::seed_from_u64(settings.seed ^ self.position.key());
        let chosen = known[..good].choose(&mut rng).copied();
        Some((chosen.unwrap_or(best), book.is_proved()))
    }

    fn print_line(&self, line: &[G::Move]) -> Vec<String> {
        print_line(&self.position, line)
    }
}

/// No game of ours lasts longer without being drawn by repetition.
const LONGEST_LINE: usize = 1_000;

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

/// By how much a move of the book may be worse than the best and still be
/// chosen for variety, in hundredths.
const BOOK_LEEWAY: i32 = 50;

/// What a book says of a move, as a search would.
fn book_value(hundredths: i32, proved: bool) -> Value {
    if proved {
        Value::Margin(hundredths / crate::search::score::Score::UNIT)
    } else {
        Value::Eval(hundredths)
    }
}

fn negate(value: Value) -> Value {
    match value {
        Value::Eval(hundredths) => Value::Eval(-hundredths),
        Value::Margin(units) => Value::Margin(-units),
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Draw => Value::Draw,
    }
}

/// Wins are equally good however long they take, and so are losses.
fn same_worth(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Win(_), Value::Win(_)) | (Value::Loss(_), Value::Loss(_)) => true,
        _ => a == b,
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

/// Lets a watcher stop a search without seeing it.
struct Silent<'a>(&'a dyn Watcher);

impl Watcher for Silent<'_> {
    fn progress(&self, _info: &Info) {}

    fn stop(&self) -> bool {
        self.0.stop()
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
    }

    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.position = self.start.parse_position(text)?;
        self.turns.clear();
        self.groups.clear();
        Ok(())
    }

    fn position(&self) -> String {
        self.position.print_position()
    }

    fn position_up_to_symmetry(&self) -> String {
        self.position.print_up_to_symmetry()
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
        if let Some(outcome) = self.outcome() {
            let value = self.finished_value(outcome);
            return Some(Solution {
                value: if limits.outcome_only {
                    value.winner(0)
                } else {
                    value
                },
                moves: Vec::new(),
                pv: Vec::new(),
                nodes: 0,
                time: limits.start.elapsed(),
            });
        }
        let report = self.search(limits, watcher).into_iter().next()?;
        if !report.exact {
            return None;
        }
        let line = self.line_to_end(&report.pv, limits, watcher)?;
        let plies = line.len() as u32;
        let value = match report.value {
            Value::Win(_) => Value::Win(plies),
            Value::Loss(_) => Value::Loss(plies),
            value => value,
        };
        let reaching = if all {
            self.moves_reaching(value, limits, watcher)?
        } else {
            line.first().copied().into_iter().collect()
        };
        let mut moves: Vec<String> = reaching
            .iter()
            .map(|&mv| self.position.print_move(mv))
            .collect();
        moves.sort_unstable();
        Some(Solution {
            value,
            moves,
            pv: self.print_line(&line),
            nodes: report.nodes,
            time: limits.start.elapsed(),
        })
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
