//! What the engine knows about the game, for the search.

use super::board;
use super::evasions;
use super::features::{Patterns, phase};
use super::moves::Move;
use super::ordering;
use super::position::Gobblet;
use super::tactics::winning_move;
use super::weights::Tables;
use crate::game::MoveList;
use crate::search::heuristics::{Depth, Heuristics, Shared, Tactics};
use crate::weights::{Weights, WeightsError};

/// Evaluations stay within this: an advantage seen without search is never
/// near a proof.
const LIMIT: i32 = 5_000;

impl Heuristics for Gobblet {
    type Tables = Tables;
    type Accumulator = Patterns;
    type Memory = ();

    const WEIGHTS_NAME: &'static str = "gobblet";

    fn embedded_weights() -> &'static [u8] {
        include_bytes!("gobblet.weights")
    }

    fn shared() -> Option<&'static Shared<Self>> {
        static SHARED: Shared<Gobblet> = Shared::new();
        Some(&SHARED)
    }

    fn decode_weights(weights: &Weights) -> Result<Tables, WeightsError> {
        Tables::decode(weights)
    }

    fn refresh(&self, _tables: &Tables) -> Patterns {
        self.patterns()
    }

    fn advance(
        &self,
        before: &Self,
        mv: Move,
        accumulator: &Patterns,
        _tables: &Tables,
    ) -> Patterns {
        self.patterns_after(before, mv, accumulator)
    }

    fn evaluate(&self, accumulator: &Patterns, tables: &Tables) -> i32 {
        let weights = tables.of_phase(phase(self.gobblets()));
        let mut sum = 0;
        self.terms(accumulator, |place, times| {
            sum += i32::from(weights[place]) * times;
        });
        sum.clamp(-LIMIT, LIMIT)
    }

    /// In an unfinished game.
    fn tactics(&self) -> Tactics<Move> {
        let (board, view) = (self.board(), self.board().view());
        if let Some(mv) = winning_move(board, &view) {
            Tactics::WinsNow(mv)
        } else if winning_move(board.flip(), &view.flip()).is_some() {
            Tactics::Threatened
        } else {
            Tactics::Quiet
        }
    }

    fn retain_evasions(&self, moves: &mut MoveList<Move>) {
        evasions::retain(self.board(), moves);
    }

    fn retain_harmless(&self, moves: &mut MoveList<Move>) {
        evasions::retain_harmless(self.board(), moves);
    }

    const MAX_EXTENSION: Depth = 4;

    const THREATENS: bool = true;

    fn hint(&self, moves: &[Move], hints: &mut [i32], _depth: Depth) {
        ordering::hint(self.board(), moves, hints);
    }

    /// Threats are searched deeper by themselves, so late quiet moves can be
    /// looked at briefly.
    fn reduction(depth: Depth, number: usize) -> Depth {
        match (depth, number) {
            (..3, _) | (_, ..4) => 0,
            (3..5, _) | (_, ..10) => 1,
            (5..8, _) | (_, ..24) => 2,
            _ => 3,
        }
    }

    /// Whoever has something to place can improve his position. With all on
    /// the board each move gives something up.
    fn pass_turn(&self) -> Option<Self> {
        let board = self.board();
        let can_place = board::reserve_tops(board.mover).contains(&true);
        can_place.then(|| self.passed())
    }

    fn stand_margin(depth: Depth) -> Option<i32> {
        (depth <= 3).then(|| 600 * depth)
    }

    /// Games between strong players last some 40 plies, but may go on for
    /// long with all gobblets on the board.
    fn moves_to_go(&self) -> u32 {
        let placed: u8 = board::counts(self.board().mover).iter().sum();
        20 - u32::from(placed) / 2
    }
}
