//! What is known about the game at hand besides its moves, for its record.

use std::time::Duration;

use super::words::worth;
use crate::game::Side;
use crate::records::{Move, Property, Record, Tag};
use crate::search::score::{Score, Value};
use crate::session::Session;

/// A move as a session tells it.
type Played = (Side, String);

/// Notes about a game. Those about moves hold as far as the game still goes
/// the way they were made for.
#[derive(Default)]
pub(super) struct Notes {
    tags: Vec<(Tag, String)>,
    extra: Vec<Property>,
    line: Vec<Move>,
    /// The length of the game that was loaded, if one was.
    loaded: Option<usize>,
}

impl Notes {
    /// Nothing is known of a new game.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes over what a record says of the game that was played from it.
    /// Passes that the record has left out have no notes.
    pub(super) fn load(&mut self, record: Record, history: Vec<Played>) {
        self.tags = record.tags;
        self.extra = record.extra;
        self.loaded = Some(history.len());
        self.line.clear();
        let mut known = record.moves.into_iter().peekable();
        for (side, text) in history {
            let is_it = |mv: &Move| mv.side == side && mv.text.eq_ignore_ascii_case(&text);
            let noted = known.next_if(is_it);
            let bare = Move::new(side, text);
            self.line.push(Move {
                text: bare.text.clone(),
                ..noted.unwrap_or(bare)
            });
        }
    }

    /// Says something about the game, or nothing any more.
    pub(super) fn set_tag(&mut self, tag: Tag, value: &str) {
        self.tags.retain(|(known, _)| *known != tag);
        if !value.is_empty() {
            self.tags.push((tag, value.to_string()));
        }
    }

    /// The last move was just made: what whoever made it thought of it, and
    /// how long.
    pub(super) fn remember(
        &mut self,
        history: Vec<Played>,
        value: Option<Value>,
        time: Option<Duration>,
    ) {
        let same = self.common(&history);
        self.line.truncate(same);
        let new = history.into_iter().skip(same);
        self.line
            .extend(new.map(|(side, text)| Move::new(side, text)));
        if let Some(last) = self.line.last_mut() {
            last.value = value.and_then(number);
            last.seconds = time.map(|time| time.as_secs_f64());
            if let (Some(value), None) = (value, last.value) {
                last.comment = worth(value);
            }
        }
    }

    /// How many moves of the game the notes are about.
    fn common(&self, history: &[Played]) -> usize {
        let pairs = self.line.iter().zip(history);
        pairs
            .take_while(|(mv, (side, text))| mv.side == *side && mv.text == *text)
            .count()
    }

    /// The record of the game; `result` is how it ended, if it has.
    pub(super) fn record(&self, session: &dyn Session, result: Option<String>) -> Record {
        let history = session.history();
        let noted = self.common(&history);
        let as_loaded = self.loaded == Some(history.len()) && noted == history.len();
        let mut tags = self.tags.clone();
        if result.is_some() || !as_loaded {
            tags.retain(|(tag, _)| *tag != Tag::Result || self.loaded.is_none());
        }
        if let Some(result) = result {
            tags.retain(|(tag, _)| *tag != Tag::Result);
            tags.push((Tag::Result, result));
        }
        let mut moves = self.line[..noted].to_vec();
        let bare = history.into_iter().skip(noted);
        moves.extend(bare.map(|(side, text)| Move::new(side, text)));
        Record {
            tags,
            extra: self.extra.clone(),
            position: (!session.begins_as_usual()).then(|| session.beginning()),
            moves,
        }
    }
}

/// A guess or margin in units; other values have no number.
fn number(value: Value) -> Option<f64> {
    match value {
        Value::Eval(hundredths) => Some(f64::from(hundredths) / f64::from(Score::UNIT)),
        Value::Margin(units) => Some(f64::from(units)),
        Value::Win(_) | Value::Loss(_) | Value::Draw => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::search::Settings;

    fn session() -> Box<dyn Session> {
        let settings = Settings {
            hash: 0,
            ..Settings::default()
        };
        games::VARIANTS[0].open(&settings).expect("a game")
    }

    fn values(notes: &Notes, session: &dyn Session) -> Vec<Option<f64>> {
        let record = notes.record(session, None);
        record.moves.iter().map(|mv| mv.value).collect()
    }

    #[test]
    fn notes_go_with_the_moves_they_were_made_for() {
        let mut session = session();
        let mut notes = Notes::default();
        for mv in ["c2", "d2", "e2"] {
            let side = session.side_to_move();
            session.play(side, mv).expect("legal");
            let value = Value::Eval(100 * session.history().len() as i32);
            notes.remember(session.history(), Some(value), None);
        }
        let of = |notes: &Notes, session: &dyn Session| values(notes, session);
        assert_eq!(
            of(&notes, session.as_ref()),
            [Some(1.0), Some(2.0), Some(3.0)]
        );
        session.undo();
        session.undo();
        assert_eq!(of(&notes, session.as_ref()), [Some(1.0)]);
        // Another move: what is known of the one it replaces is not its own.
        session.play(Side::White, "b2").expect("legal");
        assert_eq!(of(&notes, session.as_ref()), [Some(1.0), None]);
        notes.remember(session.history(), Some(Value::Win(5)), None);
        let record = notes.record(session.as_ref(), None);
        assert_eq!(record.moves[1].comment, "wins in 5");
    }

    #[test]
    fn a_result_that_was_loaded_holds_for_that_game_alone() {
        let mut session = session();
        let mut notes = Notes::default();
        session.play(Side::Black, "c2").expect("legal");
        let record = Record {
            tags: vec![(Tag::Result, "B+R".to_string())],
            moves: vec![Move::new(Side::Black, "C2".to_string())],
            ..Record::default()
        };
        notes.load(record, session.history());
        let result = |notes: &Notes, session: &dyn Session| {
            let record = notes.record(session, None);
            record.tag(Tag::Result).map(str::to_string)
        };
        assert_eq!(result(&notes, session.as_ref()).as_deref(), Some("B+R"));
        session.play(Side::White, "d2").expect("legal");
        assert_eq!(result(&notes, session.as_ref()), None);
        notes.set_tag(Tag::Result, "unfinished");
        session.undo();
        assert_eq!(
            result(&notes, session.as_ref()).as_deref(),
            Some("unfinished")
        );
    }
}
