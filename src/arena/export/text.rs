//! A game in our own notation, with the tags and comments of a chess player's
//! portable game notation, for the games that no format of the field knows.

use std::fmt::Write as _;

use super::sgf::comment;
use crate::arena::record::GameRecord;
use crate::arena::replay::Replay;
use crate::game::Side;
use crate::records::text::escaped;

/// Moves on a line.
const MOVES_A_LINE: usize = 2;

/// The whole game, with an empty line at its end.
pub(super) fn game(record: &GameRecord, replay: &Replay<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
    };
    tag("Game", &record.game);
    tag("Number", &record.id.to_string());
    tag("Round", &(record.round + 1).to_string());
    tag("Black", &record.black);
    tag("White", &record.white);
    tag("Result", &record.result());
    tag("Termination", &record.reason.to_string());
    if let Some(detail) = &record.detail {
        tag("Detail", detail);
    }
    tag("First", &replay.first.to_string());
    if let Some(position) = &record.opening.position {
        tag("Position", position);
    }
    for (number, ply) in replay.plies.iter().enumerate() {
        text.push(if number % MOVES_A_LINE == 0 {
            '\n'
        } else {
            ' '
        });
        if ply.side == replay.first || number == 0 {
            let _ = write!(text, "{}. ", number / 2 + 1);
        }
        text.push_str(&ply.mv);
        let comment = comment(ply);
        if !comment.is_empty() {
            let _ = write!(text, " {{{}}}", comment.replace(['{', '}'], "|"));
        }
    }
    let points = match record.winner.as_deref() {
        None => "1/2-1/2",
        Some(side) if side == Side::to_string(&replay.first) => "1-0",
        Some(_) => "0-1",
    };
    let _ = write!(text, "\n{points}\n\n");
    text
}
