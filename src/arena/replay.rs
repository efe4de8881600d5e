//! Plays recorded games again, for all that shows or exports them.

use std::collections::HashMap;

use super::opening::rules_of;
use super::record::{GameRecord, MoveRecord};
use crate::depict::{Picture, Point};
use crate::game::Side;
use crate::games;
use crate::session::{Session, VariantInfo};

/// Holds a board for each game it has met.
#[derive(Default)]
pub(super) struct Replayer {
    boards: HashMap<String, Box<dyn Session>>,
}

/// A game played again.
pub(super) struct Replay<'a> {
    /// Which game it is.
    pub(super) variant: &'static VariantInfo,
    /// The position before the first move.
    pub(super) start: Picture,
    /// Who makes the first move.
    pub(super) first: Side,
    /// Its moves, those of the opening first.
    pub(super) plies: Vec<Ply<'a>>,
}

/// A move of a game played again.
pub(super) struct Ply<'a> {
    /// Who made it.
    pub(super) side: Side,
    /// The move in notation.
    pub(super) mv: String,
    /// The position before it.
    pub(super) before: String,
    /// Whether there was no choice but to pass.
    pub(super) is_pass: bool,
    /// The points it touched.
    pub(super) points: Vec<Point>,
    /// The board after it.
    pub(super) after: Picture,
    /// What is known of it, if an engine played it.
    pub(super) record: Option<&'a MoveRecord>,
}

impl Replayer {
    /// Plays a game again.
    ///
    /// # Errors
    /// If it is none; the text says why.
    pub(super) fn replay<'a>(&mut self, record: &'a GameRecord) -> Result<Replay<'a>, String> {
        let wrong = |what: String| format!("game {}: {what}", record.id);
        if !self.boards.contains_key(&record.game) {
            let variant = games::find(&record.game)
                .ok_or_else(|| wrong(format!("`{}` is no game of ours", record.game)))?;
            let board = rules_of(variant).map_err(wrong)?;
            self.boards.insert(record.game.clone(), board);
        }
        let board = self.boards.get_mut(&record.game);
        let board = board.expect("just put there").as_mut();
        let opening = record.opening.set_up(board).map_err(wrong)?;
        board.reset();
        if let Some(position) = &record.opening.position {
            board.set_position(position).map_err(wrong)?;
        }
        let (start, first) = (board.picture(), board.side_to_move());
        let played = record
            .moves
            .iter()
            .map(|mv| (None, mv.mv.as_str(), Some(mv)));
        let opening = opening
            .iter()
            .map(|(side, mv)| (Some(*side), mv.as_str(), None));
        let mut plies = Vec::new();
        for (side, mv, known) in opening.chain(played) {
            let side = side.unwrap_or_else(|| board.side_to_move());
            plies.push(ply(board, side, mv, known).map_err(wrong)?);
        }
        Ok(Replay {
            variant: board.variant(),
            start,
            first,
            plies,
        })
    }
}

fn ply<'a>(
    board: &mut dyn Session,
    side: Side,
    mv: &str,
    record: Option<&'a MoveRecord>,
) -> Result<Ply<'a>, String> {
    let before = board.position();
    let points = board.move_points(mv)?;
    board
        .play(side, mv)
        .map_err(|error| format!("`{mv}` cannot be played: {error}"))?;
    Ok(Ply {
        side,
        mv: mv.to_string(),
        before,
        is_pass: mv == "pass",
        points,
        after: board.picture(),
        record,
    })
}

/// What an engine said of a move it made, for people: `eval 325` in hundredths
/// becomes `+3.25`.
pub(super) fn value_for_people(value: &str) -> String {
    let hundredths = value.strip_prefix("eval ");
    let hundredths = hundredths.and_then(|number| number.parse::<f64>().ok());
    match hundredths {
        Some(hundredths) => format!("{:+.2}", hundredths / 100.0),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_units_and_others_as_they_are() {
        assert_eq!(value_for_people("eval 325"), "+3.25");
        assert_eq!(value_for_people("eval -7"), "-0.07");
        assert_eq!(value_for_people("margin 4"), "margin 4");
        assert_eq!(value_for_people("eval soon"), "eval soon");
    }
}
