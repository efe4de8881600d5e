//! Positions for the unit tests.

use super::Tiles;
use crate::game::Game;
use crate::search::heuristics::legal_moves;
use crate::zobrist::splitmix64;

/// Calls `each` with every unfinished position of random games.
pub(super) fn unfinished(games: u64, mut each: impl FnMut(&Tiles)) {
    for game in 0..games {
        let mut random = (game, 0);
        let mut position = Tiles::start();
        while position.outcome().is_none() {
            each(&position);
            let moves = legal_moves(&position);
            random = splitmix64(random.0);
            position = position.play(moves[random.1 as usize % moves.len()]);
        }
    }
}
