//! What the search knows about the game beyond its rules.

use super::board::{Squares, bit, each, neighbours};
use super::count::{Empties, has_turn, turns};
use super::evaluation::Tables;
use super::rules::{Tiles, Turn};
use crate::game::Game;
use crate::search::heuristics::{Depth, Heuristics, Tactics};
use crate::weights::{Weights, WeightsError};

impl Heuristics for Tiles {
    type Tables = Tables;
    type Accumulator = ();

    const WEIGHTS_NAME: &'static str = "tiles";

    fn embedded_weights() -> &'static [u8] {
        include_bytes!("tiles.weights")
    }

    fn decode_weights(weights: &Weights) -> Result<Tables, WeightsError> {
        Tables::decode(weights)
    }

    fn refresh(&self, _tables: &Tables) {}

    fn advance(&self, _before: &Self, _turn: Turn, _accumulator: &(), _tables: &Tables) {}

    fn evaluate(&self, _accumulator: &(), tables: &Tables) -> i32 {
        self.value(tables)
    }

    fn tactics(&self) -> Tactics<Turn> {
        self.winning_turn().map_or(Tactics::Quiet, Tactics::WinsNow)
    }

    /// Few turns for the opponent, many for oneself.
    fn hint(&self, moves: &[Turn], hints: &mut [i32], _depth: Depth) {
        let mover = self.side.index();
        for (hint, &turn) in hints.iter_mut().zip(moves) {
            let after = self.play(turn);
            let empties = after.empties();
            let [own, other] = [mover, 1 - mover]
                .map(|side| turns(&empties, after.disks[side], after.light) as i32);
            *hint = HINT * (own - other);
        }
    }

    const KILLER_BONUS: i32 = 8 * HINT;

    const HISTORY_SHIFT: u32 = 4;

    fn reduction(depth: Depth, number: usize) -> Depth {
        match number {
            0..4 => 0,
            _ if depth < 3 => 0,
            4..16 => 1,
            _ => 2,
        }
    }

    /// Each turn uses up half a tile, and a disk stands on a tile at the end.
    fn depth_to_end(&self) -> Option<Depth> {
        let disks = (self.disks[0] | self.disks[1]).count_ones();
        Some((self.tile_value() - disks) as Depth)
    }

    fn moves_to_go(&self) -> u32 {
        (self.tile_value().saturating_sub(22) / 2).max(2)
    }
}

/// What a turn more or less is worth in ordering.
const HINT: i32 = 100;

impl Tiles {
    /// A turn that leaves the opponent without one, if there is any.
    ///
    /// A turn takes at most two steps from the opponent for certain: the one
    /// to the tile it enters and the one to the tile it changes. Steps that
    /// keep a disk's colour always begin a turn; so with three of them left to
    /// different tiles the opponent will be able to move.
    pub(super) fn winning_turn(&self) -> Option<Turn> {
        let empties = self.empties();
        let mover = self.side.index();
        let other = self.disks[1 - mover];
        let sure = self.sure_steps(&empties, other);
        let mut entries = !0;
        match sure.count_ones() {
            0 | 1 => {}
            2 => entries = sure,
            _ => return None,
        }
        for from in each(self.disks[mover]) {
            let (to_light, to_dark) = self.steps(from, &empties);
            for to in each((to_light | to_dark) & entries) {
                let flips = to_light & bit(to) != 0;
                for changed in each(self.changes(from, to, &empties)) {
                    let turn = Turn { from, to, changed };
                    let after = empties.after(self.light, turn, flips);
                    if !has_turn(&after, other, self.light) {
                        return Some(turn);
                    }
                }
            }
        }
        None
    }

    /// The tiles that `disks` can enter without changing colour.
    fn sure_steps(&self, empties: &Empties, disks: Squares) -> Squares {
        each(disks).fold(0, |set, from| {
            let tiles = if self.light & bit(from) != 0 {
                empties.light
            } else {
                empties.dark
            };
            set | neighbours(from) & tiles
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::playouts;
    use super::*;
    use crate::game::Outcome;
    use crate::search::heuristics::legal_moves;

    #[test]
    fn a_winning_turn_is_found_exactly_when_there_is_one() {
        let mut found = 0;
        playouts::unfinished(3000, |position| {
            let moves = legal_moves(position);
            let wins = |turn: &Turn| position.play(*turn).outcome().is_some();
            match position.tactics() {
                Tactics::WinsNow(turn) => {
                    found += 1;
                    assert!(
                        moves.contains(&turn) && wins(&turn),
                        "{position:?} {turn:?}"
                    );
                }
                _ => assert!(!moves.iter().any(wins), "{position:?}"),
            }
        });
        assert!(found > 1000, "{found} wins are too few to mean anything");
    }

    #[test]
    fn hints_are_differences_of_turns() {
        playouts::unfinished(100, |position| {
            let moves = legal_moves(position);
            let mut hints = vec![0; moves.len()];
            position.hint(&moves, &mut hints, 5);
            for (&turn, &hint) in moves.iter().zip(&hints) {
                let after = position.play(turn);
                let own = after.turns_of(position.side) as i32;
                let other = after.turns_of(!position.side) as i32;
                assert_eq!(hint, HINT * (own - other));
                assert!(hint.abs() <= 30_000);
            }
        });
    }

    #[test]
    fn no_game_outlasts_its_bound() {
        let mut bounds = Vec::new();
        playouts::unfinished(1000, |position| {
            let bound = position.depth_to_end().expect("always known");
            // The last position of the game before, too: it has a turn left.
            assert!(bound >= 1);
            bounds.push((position.tile_value(), bound));
        });
        for game in bounds.chunk_by(|a, b| a.0 > b.0) {
            for (ply, &(_, bound)) in game.iter().enumerate() {
                assert!(game.len() - ply <= bound as usize);
            }
        }
    }

    #[test]
    fn the_first_position_ends_within_46_turns() {
        assert_eq!(Tiles::start().depth_to_end(), Some(46));
        assert_eq!(Tiles::start().outcome(), None::<Outcome>);
    }
}
