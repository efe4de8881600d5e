//! Positions with the moves that follow, taken whole or not at all.

use crate::game::Side;
use crate::session::Session;

/// Sets up a position and plays moves from there, each for its side or for
/// whoever is to move. What the engine remembers is kept.
///
/// # Errors
/// One line that says what is wrong; the game is as it was then.
pub(super) fn set_up(
    session: &mut dyn Session,
    position: &str,
    moves: &[(Option<Side>, &str)],
) -> Result<(), String> {
    let before = session.history();
    let start = session.beginning();
    let result = play_through(session, position, moves);
    if result.is_err() {
        // Both were good before.
        let moves: Vec<(Option<Side>, &str)> = before
            .iter()
            .map(|(side, mv)| (Some(*side), mv.as_str()))
            .collect();
        let _ = play_through(session, &start, &moves);
    }
    result
}

fn play_through(
    session: &mut dyn Session,
    position: &str,
    moves: &[(Option<Side>, &str)],
) -> Result<(), String> {
    session.set_position(position)?;
    for (index, (side, mv)) in moves.iter().enumerate() {
        let side = side.unwrap_or_else(|| session.side_to_move());
        session
            .play(side, mv)
            .map_err(|error| format!("move {}, {side} {mv}: {error}", index + 1))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::search::Settings;

    #[test]
    fn a_wrong_move_leaves_the_game_as_it_was() {
        let settings = Settings {
            hash: 0,
            ..Settings::default()
        };
        let mut session = games::VARIANTS[0].open(&settings).expect("a game");
        let start = session.position();
        let moves = [(None, "e4"), (Some(Side::White), "e3")];
        set_up(session.as_mut(), &start, &moves).expect("a good game");
        let (position, history) = (session.position(), session.history());
        assert_eq!(history.len(), 2);
        for (position_, mv) in [(start.as_str(), "a1"), (start.as_str(), "?"), ("x", "e4")] {
            assert!(set_up(session.as_mut(), position_, &[(None, mv)]).is_err());
            assert_eq!(session.position(), position);
            assert_eq!(session.history(), history);
        }
    }
}
