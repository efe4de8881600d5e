//! Games kept in files.

use super::{Made, Table};
use crate::games;
use crate::protocol::setup;
use crate::records::text::Named;
use crate::records::{Move, Record, Tag, text};
use crate::search::Settings;
use crate::search::score::{Score, Value};
use crate::session::Session;

impl Table {
    pub(super) fn save(&mut self, file: &str) -> Result<String, String> {
        if file.is_empty() {
            return Err("save takes the name of a file".to_string());
        }
        let text = text::write(&Named {
            game: self.session.variant().name.to_string(),
            record: self.record(),
        });
        std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
        Ok(format!("kept in {file}"))
    }

    fn record(&self) -> Record {
        let mut tags = self.tags.clone();
        tags.retain(|(tag, _)| *tag != Tag::Result);
        if self.is_over() {
            let result = match (self.given_up, self.session.outcome()) {
                (Some((loser, how)), _) => format!("{} wins, {loser} {how}", !loser),
                (None, Some(outcome)) => outcome.to_string(),
                (None, None) => "unfinished".to_string(),
            };
            tags.push((Tag::Result, result));
        }
        let history = self.session.history();
        // Understood passes have no entry of their own; they come first.
        let without = history.len().saturating_sub(self.made.len());
        let moves = history
            .into_iter()
            .enumerate()
            .map(|(index, (side, text))| {
                let made = index.checked_sub(without).and_then(|at| self.made.get(at));
                Move {
                    side,
                    text,
                    value: made.and_then(|made| made.value).and_then(number),
                    seconds: made.map(|made| made.time.as_secs_f64()),
                }
            });
        Record {
            tags,
            position: self.position.clone(),
            moves: moves.collect(),
        }
    }

    pub(super) fn load(&mut self, file: &str) -> Result<String, String> {
        const LARGEST: u64 = 16 << 20;
        if file.is_empty() {
            return Err("load takes the name of a file".to_string());
        }
        let about = std::fs::metadata(file).map_err(|error| format!("{file}: {error}"))?;
        if !about.is_file() || about.len() > LARGEST {
            return Err(format!("{file} is no record of a game"));
        }
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        let text = String::from_utf8_lossy(&bytes);
        let wrong = |reason: String| format!("{file}: {reason}");
        let named = text::parse(&text, |game, position| {
            let session = start_of(game, position)?;
            Ok(session.side_to_move())
        })
        .map_err(wrong)?;
        let mut session = start_of(&named.game, named.record.position.as_deref()).map_err(wrong)?;
        let start = session.position();
        let moves = named.record.turns();
        // On a board of its own first: if it is no game, nothing changes.
        setup::set_up(session.as_mut(), &start, &moves).map_err(wrong)?;
        if session.variant().name != self.session.variant().name {
            self.open(&named.game)?;
        }
        setup::set_up(self.session.as_mut(), &start, &moves).map_err(wrong)?;
        self.forget();
        self.made = named
            .record
            .moves
            .iter()
            .map(|mv| Made {
                value: None,
                time: std::time::Duration::from_secs_f64(mv.seconds.unwrap_or(0.0).clamp(0.0, 1e9)),
            })
            .collect();
        self.position = named.record.position;
        self.tags = named.record.tags;
        Ok(format!("{file}: {} moves", named.record.moves.len()))
    }
}

/// A board without an engine's memory.
fn start_of(game: &str, position: Option<&str>) -> Result<Box<dyn Session>, String> {
    let variant = games::find(game).ok_or_else(|| crate::protocol::service::unknown_game(game))?;
    let mut session = variant.open(&Settings {
        hash: 0,
        ..Settings::default()
    })?;
    if let Some(position) = position {
        session.set_position(position)?;
    }
    Ok(session)
}

/// A guess or margin in units; other values have no number.
fn number(value: Value) -> Option<f64> {
    match value {
        Value::Eval(hundredths) => Some(f64::from(hundredths) / f64::from(Score::UNIT)),
        Value::Margin(units) => Some(f64::from(units)),
        Value::Win(_) | Value::Loss(_) | Value::Draw => None,
    }
}
