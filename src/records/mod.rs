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
    /// What is said about it, if anything.
    pub comment: String,
    /// What else the record has of it.
    pub extra: Vec<Property>,
}

impl Move {
    /// A move of which nothing more is known.
    pub fn new(side: Side, text: String) -> Self {
        Self {
            side,
            text,
            value: None,
            seconds: None,
            comment: String::new(),
            extra: Vec::new(),
        }
    }
}

/// Something that only the form of a record gives a name, with its values:
/// kept as it is, so that it is not lost.
pub type Property = (String, Vec<String>);

/// A game on record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// What is said about it, in the order of the record.
    pub tags: Vec<(Tag, String)>,
    /// What else it says about the game.
    pub extra: Vec<Property>,
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

/// Adds a property, or another value of one that is there.
pub(crate) fn add_property(extra: &mut Vec<Property>, name: &str, value: String) {
    match extra.iter_mut().find(|(known, _)| known == name) {
        Some((_, values)) => values.push(value),
        None => extra.push((name.to_string(), vec![value])),
    }
}

/// Whether a property can be written in the forms that know only capitals.
pub(crate) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase())
}
