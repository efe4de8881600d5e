//! Games kept in files.

use super::Table;
use crate::games;
use crate::protocol::setup;
use crate::records::text::Named;
use crate::records::{Record, text};
use crate::search::Settings;
use crate::session::Session;

/// How our records begin.
const BEGIN: &[u8] = b"[Game ";

impl Table {
    pub(super) fn save(&mut self, file: &str) -> Result<String, String> {
        if file.is_empty() {
            return Err("save takes the name of a file".to_string());
        }
        // A slip of the tongue must not cost anyone a letter.
        if std::fs::read(file).is_ok_and(|known| !known.is_empty() && !known.starts_with(BEGIN)) {
            return Err(format!(
                "{file} is there already, and no game of ours; it stays"
            ));
        }
        let text = text::write(&Named {
            game: self.session.variant().name.to_string(),
            record: self.record(),
        });
        std::fs::write(file, text).map_err(|error| format!("{file}: {error}"))?;
        Ok(format!("kept in {file}"))
    }

    fn record(&self) -> Record {
        let result = match (self.given_up, self.session.outcome()) {
            (Some((loser, how)), _) => Some(format!("{} wins, {loser} {how}", !loser)),
            (None, outcome) => outcome.map(|outcome| outcome.to_string()),
        };
        self.notes.record(self.session.as_ref(), result)
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
        let count = named.record.moves.len();
        self.notes.load(named.record, self.session.history());
        Ok(format!("{file}: {count} moves"))
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
