//! Records of games in the forms that others read and write.
//!
//! A [`Record`] is what all of them have in common; it knows nothing of the
//! rules, so that whoever reads one plays it through to see whether it is a
//! game.

use crate::game::Side;

pub mod ggf;
pub mod sgf;
pub mod text;

/// What a record says about a game besides its moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// Who played Black.
    Black,
    /// Who played White.
    White,
    /// Black's rating.
    BlackRating,
    /// White's rating.
    WhiteRating,
    /// The tournament.
    Event,
    /// Where it was played.
    Place,
    /// When, best as `2026-11-30`.
    Date,
    /// The round of the tournament.
    Round,
    /// The time for the game, in the words of whoever wrote it.
    Time,
    /// The result, in the words of whoever wrote it.
    Result,
    /// Anything else.
    Comment,
}

/// One move of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// Whose it is.
    pub side: Side,
    /// The move in our notation, or what the record has instead.
    pub text: String,
    /// What it was thought to be worth to the mover, in discs or points.
    pub value: Option<f64>,
    /// The seconds it took.
    pub seconds: Option<f64>,
}

/// A game on record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// What is said about it, in the order of the record.
    pub tags: Vec<(Tag, String)>,
    /// Where it begins, in our notation; none for the usual start.
    pub position: Option<String>,
    /// Its moves.
    pub moves: Vec<Move>,
}

impl Record {
    /// What the record says, if anything.
    pub fn tag(&self, tag: Tag) -> Option<&str> {
        self.tags
            .iter()
            .find(|(found, _)| *found == tag)
            .map(|(_, text)| text.as_str())
    }

    /// The moves as they are played, each for its side.
    pub fn turns(&self) -> Vec<(Option<Side>, &str)> {
        self.moves
            .iter()
            .map(|mv| (Some(mv.side), mv.text.as_str()))
            .collect()
    }
}
