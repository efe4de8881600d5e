//! The rules extension, by which GoGui learns a game from us.

use super::drawing;
use super::layout::{Layout, name};
use crate::game::{Outcome, Side};
use crate::protocol::gtp::analyze::vertex;
use crate::protocol::gtp::answer::Answer;
use crate::protocol::gtp::commands::Command;
use crate::protocol::gtp::frontend::Frontend;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("gogui-rules_game_id", "", "a name for the rules", |f, _| {
        answer(f, |f| capitalised(f.session.variant().name))
    }),
    Command::new("gogui-rules_board_size", "", "points in a row", |f, _| {
        answer(f, |f| Layout::of(f.session.picture()).size().to_string())
    }),
    Command::new(
        "gogui-rules_board",
        "",
        "the board, top row first",
        |f, _| answer(f, board),
    ),
    Command::new(
        "gogui-rules_legal_moves",
        "",
        "points in capitals, and pass",
        |f, _| answer(f, legal_moves),
    ),
    Command::new("gogui-rules_side_to_move", "", "black or white", |f, _| {
        answer(f, |f| f.session.side_to_move().to_string())
    }),
    Command::new("gogui-rules_final_result", "", "who won", |f, _| {
        answer(f, final_result)
    }),
    Command::new(
        "gogui-rules_captured_count",
        "",
        "the discs of White and of Black, for GoGui's counters",
        |f, _| {
            answer(f, |f| {
                drawing::disc_counts(f)
                    .map(|count| count.to_string())
                    .join(" ")
            })
        },
    )
    .for_discs(),
    Command::new(
        "gogui-rules_board_gfx",
        "",
        "draws what stones cannot show",
        |f, _| answer(f, drawing::with_prompt),
    ),
];

/// Only a controller that plays point by point asks for the rules.
fn answer(frontend: &mut Frontend, body: impl FnOnce(&Frontend) -> String) -> Answer {
    frontend.half_moves.activate();
    Ok(body(frontend).into())
}

pub(super) fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// GoGui counts rows from the bottom, so its top row is our last.
fn board(frontend: &Frontend) -> String {
    let layout = drawing::in_hand(frontend);
    let rows: Vec<String> = layout
        .rows()
        .map(|row| {
            let points = row.map(|point| match layout.top(point) {
                None => "?",
                Some(None) => ".",
                Some(Some(piece)) if piece.side == Side::Black => "X",
                Some(Some(_)) => "O",
            });
            points.collect::<Vec<_>>().join(" ")
        })
        .collect();
    rows.join("\n")
}

fn legal_moves(frontend: &Frontend) -> String {
    let moves: Vec<String> = if frontend.has_half_moves() {
        frontend.next_points().into_iter().map(name).collect()
    } else {
        let moves = frontend.session.legal_moves();
        moves.iter().map(|mv| vertex(mv, true)).collect()
    };
    moves.join(" ")
}

pub(super) fn final_result(frontend: &Frontend) -> String {
    match frontend.session.outcome() {
        None => "The game is not finished.".to_string(),
        Some(Outcome::Draw) => "The game is drawn.".to_string(),
        Some(Outcome::Win { side, margin }) => {
            let winner = capitalised(&side.to_string());
            if frontend.session.variant().discs {
                format!("{winner} wins by {margin}.")
            } else {
                format!("{winner} wins.")
            }
        }
    }
}
