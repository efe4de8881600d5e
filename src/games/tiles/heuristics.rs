//! What the search knows about the game beyond its rules.

use super::board::{Squares, bit, each, neighbours};
use super::count::{Around, Empties, Movers, has_turn};
use super::evaluation::Tables;
use super::prover::{Bounds, Prover};
use super::rules::{Tiles, Turn};
use crate::search::heuristics::{Depth, Heuristics, Shared, Tactics};
use crate::search::proof::{Kept, Proof, Task};
use crate::weights::{Weights, WeightsError};

impl Heuristics for Tiles {
    type Tables = Tables;
    type Accumulator = ();
    type Memory = ();

    const WEIGHTS_NAME: &'static str = "tiles";

    fn embedded_weights() -> &'static [u8] {
        include_bytes!("tiles.weights")
    }

    fn shared() -> Option<&'static Shared<Self>> {
        static SHARED: Shared<Tiles> = Shared::new();
        Some(&SHARED)
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

    /// Few turns for the opponent, many for oneself. Where only leaves follow,
    /// looking at them costs less than putting them in order.
    fn hint(&self, moves: &[Turn], hints: &mut [i32], depth: Depth) {
        if depth < 2 {
            hints.fill(0);
            return;
        }
        // Turns come listed by steps: what a step does to the counts is
        // computed once, and each change adds its part.
        let mut done = 0;
        for turns in moves.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
            let balance = StepBalance::new(self, turns[0].from, turns[0].to);
            for (hint, turn) in hints[done..].iter_mut().zip(turns) {
                *hint = balance.after_change(turn.changed);
            }
            done += turns.len();
        }
    }

    const KILLER_BONUS: i32 = 8 * OTHER_TURN;

    const HISTORY_SHIFT: u32 = 4;

    /// Measured in games at 20,000 nodes a move: the first moves are better
    /// than the others by far, and what is left out is seen again sooner.
    fn reduction(depth: Depth, number: usize) -> Depth {
        match number {
            0 => 0,
            _ if depth < 2 => 0,
            1..3 => 1,
            3..8 => 2,
            _ => 3,
        }
    }

    /// An evaluation so good is rarely lost again in a turn or two.
    fn stand_margin(depth: Depth) -> Option<i32> {
        (depth <= 2).then(|| 50 + 50 * depth)
    }

    /// Each turn uses up half a tile, and a disk stands on a tile at the end.
    fn depth_to_end(&self) -> Option<Depth> {
        let disks = (self.disks[0] | self.disks[1]).count_ones();
        Some((self.tile_value() - disks) as Depth)
    }

    /// Measured on positions of good games: 500 positions in the middle where
    /// the tile value is 32, and ten times as many two turns before.
    fn proof_effort(&self) -> Option<u64> {
        let turns = self.tile_value().saturating_sub(32);
        let halves = if turns % 2 == 1 { 1_600 } else { 500 };
        Some(10_u64.saturating_pow(turns / 2).saturating_mul(halves))
    }

    fn prove(&self, kept: &mut Kept, task: &Task<'_>) -> Proof<Turn> {
        let nothing = Proof {
            proved: None,
            nodes: 0,
            full: 0,
        };
        // One that is as large as it may be stays.
        let old = kept.take().and_then(|kept| kept.downcast::<Prover>().ok());
        let prover = old
            .filter(|prover| prover.mebibytes() == task.hash.max(1))
            .or_else(|| Prover::new(task.hash.max(1)).map(Box::new));
        let Some(prover) = prover else {
            return nothing;
        };
        let bounds = Bounds {
            nodes: task.nodes,
            stop: task.stop,
        };
        let outcome = prover.prove(self, &bounds, task.threads, task.together);
        let proved = outcome
            .wins
            .and_then(|wins| Some((wins, prover.line(self, wins, task.stop)?)));
        let full = prover.full();
        *kept = Some(prover);
        Proof {
            proved,
            nodes: outcome.nodes,
            full,
        }
    }

    /// Until the rest of the game can be seen through.
    fn moves_to_go(&self) -> u32 {
        (self.tile_value().saturating_sub(SOLVED_VALUE) / 2).max(2)
    }
}

/// The tile value at which most positions are solved within a second.
const SOLVED_VALUE: u32 = 30;

/// What a turn of one's own is worth in ordering, and one taken from the
/// opponent.
const OWN_TURN: i32 = 25;
const OTHER_TURN: i32 = 100;

/// The turns of both sides after a step of the mover.
struct StepBalance {
    empties: Empties,
    own: Movers,
    other: Movers,
    flips: bool,
    balance: i32,
}

impl StepBalance {
    fn new(position: &Tiles, from: u8, to: u8) -> Self {
        let mut empties = position.empties();
        empties.step(position.light, from, to);
        let around = Around::new(&empties);
        let mover = position.side.index();
        let own = Movers::new(
            position.disks[mover] ^ (bit(from) | bit(to)),
            position.light,
        );
        let other = position.movers(!position.side);
        Self {
            empties,
            own,
            other,
            flips: position.light & bit(to) != 0,
            balance: weigh(own.turns(&around) as i32, other.turns(&around) as i32),
        }
    }

    /// The hint for the turn that changes `tile`.
    fn after_change(&self, tile: u8) -> i32 {
        let gain = |movers: &Movers| {
            if self.flips {
                movers.gain_by_flip(&self.empties, tile)
            } else {
                -movers.loss_by_removal(&self.empties, tile)
            }
        };
        self.balance + weigh(gain(&self.own), gain(&self.other))
    }
}

fn weigh(own: i32, other: i32) -> i32 {
    OWN_TURN * own - OTHER_TURN * other
}

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
    use crate::game::{Game, Outcome};
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
    fn hints_are_the_turns_after_the_move() {
        playouts::unfinished(100, |position| {
            let moves = legal_moves(position);
            let mut hints = vec![0; moves.len()];
            position.hint(&moves, &mut hints, 5);
            for (&turn, &hint) in moves.iter().zip(&hints) {
                let after = position.play(turn);
                let own = after.turns_of(position.side) as i32;
                let other = after.turns_of(!position.side) as i32;
                assert_eq!(hint, weigh(own, other));
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
