//! Commands that play moves and take them back.

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frontend::{Call, Frontend, colour, words};
use super::line::split_word;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("play", "COLOUR MOVE", "plays a move", play),
    Command::new("undo", "", "takes back the last move", undo),
    Command::new("gg-undo", "[N]", "takes back N moves, or one", gg_undo),
];

/// All or nothing, as GoGui has it.
pub(super) const PLAY_SEQUENCE: Command = Command::new(
    "gogui-play_sequence",
    "COLOUR MOVE [COLOUR MOVE ...]",
    "plays all these moves, or none of them",
    play_sequence,
);

fn play(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (side, rest) = call.colour()?;
    let (mv, _) = split_word(rest);
    if mv.is_empty() {
        return Err(Failure::syntax("play takes a colour and a move"));
    }
    frontend.play(side, mv)?;
    Reply::empty()
}

fn undo(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    if frontend.undo() {
        Reply::empty()
    } else {
        Err(Failure::new("cannot undo"))
    }
}

fn gg_undo(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let count = match call.words().next() {
        None => 1,
        // A number too large to hold is more moves than there are.
        Some(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
            word.parse().unwrap_or(usize::MAX)
        }
        Some(_) => return Err(Failure::syntax("gg-undo takes a number of moves")),
    };
    if frontend.undo_depth() < count {
        return Err(Failure::new("cannot undo"));
    }
    for _ in 0..count {
        frontend.undo();
    }
    Reply::empty()
}

fn play_sequence(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let before = frontend.undo_depth();
    let played = play_all(frontend, call.rest);
    if played.is_err() {
        for _ in before..frontend.undo_depth() {
            frontend.undo();
        }
    }
    played.and_then(|()| Reply::empty())
}

fn play_all(frontend: &mut Frontend, moves: &str) -> Result<(), Failure> {
    let mut words = words(moves);
    while let Some(word) = words.next() {
        let (Some(side), Some(mv)) = (colour(word), words.next()) else {
            return Err(Failure::syntax("a sequence is COLOUR MOVE COLOUR MOVE ..."));
        };
        frontend.play(side, mv)?;
    }
    Ok(())
}
