//! Positions set up disc by disc, as GoGui does for its set-up mode and for
//! game records.

use crate::protocol::gtp::answer::{Answer, Failure, Reply};
use crate::protocol::gtp::commands::Command;
use crate::protocol::gtp::frontend::{Call, Frontend, colour, words};
use crate::protocol::gtp::records::{position_text, with_side};
use crate::protocol::gtp::sgf::read_move;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "gogui-setup",
        "COLOUR SQUARE [COLOUR SQUARE ...]",
        "sets up these discs and no others, at the beginning of a game",
        setup,
    )
    .for_discs(),
    Command::new(
        "gogui-setup_player",
        "COLOUR",
        "who moves in that position",
        setup_player,
    )
    .for_discs(),
];

fn only_at_the_beginning(frontend: &Frontend) -> Result<(), Failure> {
    if frontend.session.undo_depth() == 0 {
        Ok(())
    } else {
        Err(Failure::new("a position is set up after clear_board"))
    }
}

fn setup(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    only_at_the_beginning(frontend)?;
    let size = frontend.session.variant().size;
    let mut words = words(call.rest);
    let mut discs = Vec::new();
    while let Some(word) = words.next() {
        let side = colour(word);
        let square = words.next().and_then(|w| read_move(w, size, false).ok()?);
        match (side, square) {
            (Some(side), Some(square)) => discs.push((side, square)),
            _ => {
                return Err(Failure::syntax(
                    "a set-up is COLOUR SQUARE COLOUR SQUARE ...",
                ));
            }
        }
    }
    let to_move = frontend.session.side_to_move();
    let position = position_text(size, &discs, to_move).map_err(Failure::syntax)?;
    frontend
        .session
        .set_position(&position)
        .map_err(Failure::syntax)?;
    Reply::empty()
}

fn setup_player(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (side, _) = call.colour()?;
    only_at_the_beginning(frontend)?;
    let position = with_side(&frontend.session.position(), side);
    frontend
        .session
        .set_position(&position)
        .map_err(Failure::syntax)?;
    Reply::empty()
}
