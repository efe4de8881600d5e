//! Counting move sequences, in pieces small enough to be stopped between.

use super::answer::{Answer, Failure};
use super::frontend::{Call, Frontend};
use crate::games;
use crate::protocol::service::Watch;
use crate::protocol::stream::Patience;
use crate::search::Settings;
use crate::session::{Session, Watcher};

/// About as many leaves as are counted between two looks at the input.
const PIECE: u64 = 20_000_000;

/// Sequences of no game of ours are longer without the count exceeding what
/// a lifetime can count.
const DEEPEST: u32 = 60;

pub(super) fn perft(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let depth: u32 = call
        .words()
        .next()
        .and_then(|word| word.parse().ok())
        .filter(|&depth| depth <= DEEPEST)
        .ok_or_else(|| Failure::syntax(format!("perft takes a depth up to {DEEPEST}")))?;
    // It has a goal of its own: a script waits for it.
    let patience = Patience::Bounded;
    let watch = Watch::new(&frontend.inbox, &frontend.output, call.number, patience);
    if is_piece(frontend.session.as_ref(), depth) {
        return Ok(frontend.session.perft(depth).to_string().into());
    }
    // Positions are walked in a game of their own, without a history: perft
    // knows no repetition.
    let variant = frontend.session.variant().name;
    let settings = Settings {
        hash: 0,
        ..Settings::default()
    };
    let mut scratch = games::find(variant)
        .ok_or_else(Failure::unknown_command)
        .and_then(|variant| variant.open(&settings).map_err(Failure::new))?;
    let root = frontend.session.position();
    match count(scratch.as_mut(), &root, depth, &watch) {
        Some(count) => Ok(count.to_string().into()),
        None => Err(Failure::new("stopped")),
    }
}

/// Whether the count is small enough to be made in one go. Games widen on the
/// way, hence the four.
fn is_piece(session: &dyn Session, depth: u32) -> bool {
    let width = session.legal_moves().len() as u64 + 4;
    width
        .checked_pow(depth)
        .is_some_and(|leaves| leaves <= PIECE)
}

/// The count at `position`; none if stopped.
fn count(
    scratch: &mut dyn Session,
    position: &str,
    depth: u32,
    watch: &dyn Watcher,
) -> Option<u64> {
    if watch.stop() {
        return None;
    }
    // The text was printed by the same game, so it is read without fail.
    scratch.set_position(position).ok()?;
    let moves = scratch.legal_moves();
    if moves.is_empty() || is_piece(scratch, depth) {
        return Some(scratch.perft(depth));
    }
    let side = scratch.side_to_move();
    let mut total = 0_u64;
    for mv in moves {
        scratch.set_position(position).ok()?;
        scratch.play(side, &mv).ok()?;
        let next = scratch.position();
        total = total.saturating_add(count(scratch, &next, depth - 1, watch)?);
    }
    Some(total)
}
