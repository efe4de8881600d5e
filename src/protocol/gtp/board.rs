//! Commands that choose a game and a position, or show them.

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frontend::{Call, Frontend, unknown_game};
use super::gogui::Layout;
use crate::game::{Outcome, Side};
use crate::games;
use crate::protocol::drawing;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "boardsize",
        "N",
        "the size of the board; chooses between the sizes of a game",
        boardsize,
    ),
    Command::new(
        "clear_board",
        "",
        "a new game, with full clocks and an empty memory",
        clear_board,
    ),
    Command::new("komi", "KOMI", "accepted and without meaning here", komi),
    Command::new("list_games", "", "the games' names", |_, _| {
        Ok(games::names().join("\n").into())
    }),
    Command::new("set_game", "NAME", "a new game of that name", set_game),
    Command::new("get_game", "", "the name of the game at hand", |f, _| {
        Ok(f.session.variant().name.into())
    }),
    Command::new(
        "set_position",
        "POSITION",
        "sets up a position; see the manual for its form",
        set_position,
    ),
    Command::new("get_position", "", "the position as text", |f, _| {
        Ok(f.session.position().into())
    }),
    Command::new("showboard", "", "a drawing of the board", showboard),
    Command::new("legal_moves", "", "the legal moves, sorted", |f, _| {
        Ok(f.session.legal_moves().join(" ").into())
    }),
    Command::new(
        "book",
        "",
        "the moves known beforehand, best first, one `MOVE VALUE` a line",
        book,
    ),
    Command::new("side_to_move", "", "black or white", |f, _| {
        Ok(f.session.side_to_move().to_string().into())
    }),
    Command::new(
        "history",
        "",
        "the moves so far, one `COLOUR MOVE` a line",
        history,
    ),
    Command::new(
        "result",
        "",
        "unfinished, black+N, white+N or draw",
        |f, _| Ok(result(f.session.outcome()).into()),
    ),
    Command::new("final_score", "", "B+N, W+N or 0", final_score),
];

fn boardsize(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let word = call.first("boardsize takes a number")?;
    let size = match word.parse::<i64>() {
        Ok(size) => usize::try_from(size).unwrap_or_default(),
        Err(_) if is_number(word) => 0,
        Err(_) => return Err(Failure::syntax("boardsize takes a number")),
    };
    let variant = frontend.session.variant();
    let layout = Layout::of(frontend.session.picture());
    let whole = usize::from(layout.size());
    if variant.size == size || whole == size {
        frontend.restart();
        if variant.size != size {
            // Only who shows the reserves beside the board asks for this.
            frontend.half_moves.activate();
        }
        return Reply::empty();
    }
    match resized(variant.name, size) {
        Some(name) => frontend.open(name).and_then(|()| Reply::empty()),
        None => Err(Failure::new("unacceptable size")),
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) && word.parse::<f64>().is_ok()
}

/// The same game on a board of `size`: its name is the same but for the
/// number at its end.
pub(super) fn resized(name: &str, size: usize) -> Option<&'static str> {
    let stem = |name: &'_ str| {
        name.trim_end_matches(|c: char| c.is_ascii_digit())
            .to_string()
    };
    games::VARIANTS
        .iter()
        .map(|variant| &variant.info)
        .find(|info| info.size == size && stem(info.name) == stem(name))
        .map(|info| info.name)
}

fn clear_board(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    frontend.restart();
    Reply::empty()
}

fn komi(_: &mut Frontend, call: &Call<'_>) -> Answer {
    call.first("komi takes a number")?;
    Reply::empty()
}

fn set_game(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let name = call
        .words()
        .next()
        .ok_or_else(|| Failure::syntax(unknown_game("")))?;
    frontend.open(name)?;
    Reply::empty()
}

fn set_position(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    frontend
        .session
        .set_position(call.rest)
        .map_err(Failure::syntax)?;
    frontend.half_moves.forget();
    Reply::empty()
}

fn showboard(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let session = &frontend.session;
    let state = match session.outcome() {
        None => format!("{} to move", session.side_to_move()),
        Some(_) => result(session.outcome()),
    };
    // The first line stays beside the sign, so that all rows line up.
    let drawing = drawing::board(&session.picture());
    Ok(format!("\n{drawing}{state}").into())
}

fn history(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let moves: Vec<String> = frontend
        .session
        .history()
        .into_iter()
        .map(|(side, mv)| format!("{side} {mv}"))
        .collect();
    Ok(moves.join("\n").into())
}

fn result(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "unfinished".to_string(), |outcome| outcome.to_string())
}

/// What the book has for the position, whether it is used or not.
fn book(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let session = &frontend.session;
    let moves = match session.book() {
        Some(book) => session.moves_in(book),
        None => Vec::new(),
    };
    let lines: Vec<String> = moves
        .iter()
        .map(|(mv, value)| format!("{mv} {value}"))
        .collect();
    Ok(lines.join("\n").into())
}

fn final_score(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    match frontend.session.outcome() {
        None => Err(Failure::new("cannot score")),
        Some(Outcome::Draw) => Ok("0".into()),
        Some(Outcome::Win { side, margin }) => {
            let letter = match side {
                Side::Black => 'B',
                Side::White => 'W',
            };
            Ok(format!("{letter}+{margin}").into())
        }
    }
}
