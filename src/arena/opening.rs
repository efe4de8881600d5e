//! Where games begin.

use serde::{Deserialize, Serialize};

use super::opening_draw::Draw;

use crate::game::Side;
use crate::games::Variant;
use crate::search::Settings;
use crate::session::Session;

/// A session that keeps the rules and never searches.
///
/// # Errors
/// If its memory or thread cannot be had.
pub(super) fn rules_of(game: &'static Variant) -> Result<Box<dyn Session>, String> {
    game.open(&Settings {
        threads: 1,
        hash: 0,
        ..Settings::default()
    })
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// The position before the moves, if it is not the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves played for the engines.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Opening {
    /// Reads a position, or moves separated by blanks; in the disc games they
    /// may also stand in one run.
    ///
    /// # Errors
    /// One line that says what is wrong, if it is neither or ends the game.
    pub fn parse(line: &str, session: &mut dyn Session, discs: bool) -> Result<Self, String> {
        let opening = if session.set_position(line).is_ok() {
            Self {
                position: Some(line.to_string()),
                moves: Vec::new(),
            }
        } else {
            Self {
                position: None,
                moves: split_moves(line, discs),
            }
        };
        opening.set_up(session)?;
        if session.outcome().is_some() {
            return Err("the game is over after it".to_string());
        }
        Ok(opening)
    }

    /// Plays it. The moves with who made them, forced passes included.
    ///
    /// # Errors
    /// One line that says what cannot be played.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<Vec<(Side, String)>, String> {
        session.reset();
        if let Some(position) = &self.position {
            session.set_position(position)?;
        }
        for mv in &self.moves {
            let forced = session.legal_moves() == ["pass"] && !mv.eq_ignore_ascii_case("pass");
            let side = if forced {
                !session.side_to_move()
            } else {
                session.side_to_move()
            };
            session
                .play(side, mv)
                .map_err(|error| format!("`{mv}` cannot be played: {error}"))?;
        }
        Ok(session.history())
    }
}

fn split_moves(line: &str, discs: bool) -> Vec<String> {
    let line = line.to_ascii_lowercase();
    let words = line.split_whitespace();
    if !discs || line.contains("pass") {
        return words.map(str::to_string).collect();
    }
    let run: Vec<char> = words.flat_map(str::chars).collect();
    run.chunks(2)
        .map(|square| square.iter().collect())
        .collect()
}

/// All openings of a tournament.
pub struct Openings {
    known: Vec<Opening>,
    /// Where more come from.
    draw: Option<Draw>,
}

impl Openings {
    /// These, in this order; at least one.
    pub fn fixed(known: Vec<Opening>) -> Self {
        Self { known, draw: None }
    }

    /// As many as can be drawn.
    ///
    /// # Errors
    /// If there is none.
    pub fn drawn(mut draw: Draw) -> Result<Self, String> {
        let first = draw.next().ok_or_else(|| draw.nothing_found())?;
        Ok(Self {
            known: vec![first],
            draw: Some(draw),
        })
    }

    /// The opening with that number. When all have been used, they come
    /// again in the same order.
    ///
    /// # Panics
    /// Never: there is always one.
    pub fn get(&mut self, number: usize) -> &Opening {
        while self.known.len() <= number
            && let Some(draw) = &mut self.draw
        {
            match draw.next() {
                Some(opening) => self.known.push(opening),
                None => self.exhausted(),
            }
        }
        &self.known[number % self.known.len()]
    }

    fn exhausted(&mut self) {
        if let Some(draw) = self.draw.take() {
            log::warn!("{}", draw.exhausted(self.known.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find;

    #[test]
    fn moves_are_read_in_one_run_or_several_words() {
        let othello = find("othello8").expect("a game");
        let mut session = rules_of(othello).expect("opens");
        let mut moves =
            |line: &str| Opening::parse(line, session.as_mut(), true).map(|opening| opening.moves);
        let three = Ok(vec!["f5".to_string(), "d6".to_string(), "c3".to_string()]);
        assert_eq!(moves("f5d6c3"), three);
        assert_eq!(moves("F5 d6 C3"), three);
        assert!(moves("f5 f5").is_err());
    }

    #[test]
    fn known_openings_come_again() {
        let opening = |mv: &str| Opening {
            position: None,
            moves: vec![mv.to_string()],
        };
        let mut openings = Openings::fixed(vec![opening("c4"), opening("d3")]);
        assert_eq!(openings.get(3), &opening("d3"));
        assert_eq!(openings.get(4), &opening("c4"));
    }
}
