//! What a position seems to be worth: a few signs that players go by, each
//! with a weight that changes in the course of the game.

use super::{Bits, Board, Discs, around, odd_quadrants, stability};
use crate::weights::{Weights, WeightsError};

/// The signs by which a position is judged, for the side to move. Those that
/// compare the sides are the mover's number less the opponent's.
///
/// 0. 1: having the move.
/// 1. 1 if an odd number of squares is empty, so that the mover may move last.
/// 2. Discs.
/// 3. Corners.
/// 4. X-squares (diagonally inside a corner) whose corner is empty.
/// 5. C-squares (beside a corner) whose corner is empty.
/// 6. Stable discs on the edges, corners included.
/// 7. Other discs on the edges.
/// 8. Moves, as four times the logarithm: the first ones count most.
/// 9. Moves.
/// 10. Empty squares beside the other side's discs: moves to come.
/// 11. Discs beside empty squares: the frontier.
/// 12. Corners the mover can take.
/// 13. Corners the opponent could take.
/// 14. Quadrants with an odd number of empty squares.
/// 15. Discs on the sixteen squares of the centre.
pub const FEATURES: usize = 16;

/// The weights are given at this many points of the game, evenly spread by the
/// number of empty squares, and interpolated between.
pub const PHASES: usize = 9;

/// The decoded weights, in hundredths of a disc.
#[derive(Debug)]
pub struct Tables {
    six: Phases,
    eight: Phases,
}

/// By the number of empty squares.
type Phases = Box<[[i32; FEATURES]]>;

impl Tables {
    pub(super) fn decode(weights: &Weights) -> Result<Self, WeightsError> {
        Ok(Self {
            six: interpolate(weights.section("six", PHASES * FEATURES)?, Board::Six),
            eight: interpolate(weights.section("eight", PHASES * FEATURES)?, Board::Eight),
        })
    }

    pub(super) fn evaluate(&self, position: &Discs) -> i32 {
        let phases = match position.board {
            Board::Six => &self.six,
            Board::Eight => &self.eight,
        };
        let weights = &phases[position.empty().count_ones() as usize];
        let value: i32 = position
            .features()
            .iter()
            .zip(weights)
            .map(|(feature, weight)| feature * weight)
            .sum();
        let most = 100 * (position.board.size() * position.board.size()) as i32;
        value.clamp(-most, most)
    }
}

/// Empty squares from one point with given weights to the next. On 6x6 the
/// start has 32 empty squares, on 8x8 it has 60.
const fn phase_length(board: Board) -> usize {
    match board {
        Board::Six => 4,
        Board::Eight => 8,
    }
}

/// Weights for every number of empty squares.
fn interpolate(given: &[i16], board: Board) -> Phases {
    let length = phase_length(board);
    let (points, _) = given.as_chunks::<FEATURES>();
    let at = |empties: usize| {
        let phase = (empties / length).min(points.len() - 1);
        let next = (phase + 1).min(points.len() - 1);
        let far = (empties - phase * length).min(length) as i32;
        std::array::from_fn(|feature| {
            let (here, there) = (
                i32::from(points[phase][feature]),
                i32::from(points[next][feature]),
            );
            here + (there - here) * far / length as i32
        })
    };
    (0..=board.size() * board.size()).map(at).collect()
}

impl Discs {
    /// What the evaluation sees, in the order of [`FEATURES`].
    pub fn features(&self) -> [i32; FEATURES] {
        let board = self.board;
        let (own, opponent, empty) = (self.own, self.opponent, self.empty());
        let corners = board.corners();
        let places = places(board);
        let open = open_corners(corners & empty, board);
        let own_moves = self.moves();
        let opponent_moves = self.opponent_moves();
        let own_stable = stability::stable_on_edges(own, opponent, board);
        let opponent_stable = stability::stable_on_edges(opponent, own, board);
        let loose = places.edges & !(own_stable | opponent_stable);
        let frontier = around(empty);
        [
            1,
            (empty.count_ones() % 2) as i32,
            difference(own, opponent),
            difference(own & corners, opponent & corners),
            difference(own & places.x & open, opponent & places.x & open),
            difference(own & places.c & open, opponent & places.c & open),
            difference(own_stable, opponent_stable),
            difference(own & loose, opponent & loose),
            worth_of(own_moves) - worth_of(opponent_moves),
            difference(own_moves, opponent_moves),
            difference(around(opponent) & empty, around(own) & empty),
            difference(own & frontier, opponent & frontier),
            (own_moves & corners).count_ones() as i32,
            (opponent_moves & corners).count_ones() as i32,
            (odd_quadrants(empty) & CENTRES).count_ones() as i32,
            difference(own & CENTRE, opponent & CENTRE),
        ]
    }
}

/// Kinds of squares.
struct Places {
    edges: Bits,
    x: Bits,
    c: Bits,
}

const fn places(board: Board) -> &'static Places {
    const fn all(board: Board) -> Places {
        let outer = around(!board.mask());
        let edges = match board {
            Board::Six => board.mask() & outer,
            Board::Eight => 0xff81_8181_8181_81ff,
        };
        let beside = around(board.corners()) & board.mask();
        Places {
            edges,
            x: beside & !edges,
            c: beside & edges,
        }
    }
    const SIX: Places = all(Board::Six);
    const EIGHT: Places = all(Board::Eight);
    match board {
        Board::Six => &SIX,
        Board::Eight => &EIGHT,
    }
}

/// The squares around empty corners.
#[inline]
fn open_corners(empty_corners: Bits, board: Board) -> Bits {
    around(empty_corners) & board.mask()
}

/// The sixteen squares in the middle.
const CENTRE: Bits = 0x0000_3c3c_3c3c_0000;

/// One square of each quadrant.
const CENTRES: Bits = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36;

/// By how many squares one set is larger than another.
fn difference(a: Bits, b: Bits) -> i32 {
    a.count_ones() as i32 - b.count_ones() as i32
}

/// What the freedom of so many moves is worth: 4 log2(1 + n), rounded.
fn worth_of(moves: Bits) -> i32 {
    const WORTH: [u8; 65] = {
        let mut table = [0; 65];
        let mut n = 0;
        while n < 65 {
            // 4 log2 x is the logarithm of x^4; squared once more, its last
            // bit rounds.
            let power = (n as u128 + 1).pow(8);
            table[n] = (power.ilog2() as u8).div_ceil(2);
            n += 1;
        }
        table
    };
    i32::from(WORTH[moves.count_ones() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::search::heuristics::{Heuristics, Knowledge, legal_moves};
    use crate::zobrist::splitmix64;

    fn random_positions(start: Discs) -> Vec<Discs> {
        let mut state = 3;
        let mut positions = Vec::new();
        for _ in 0..200 {
            let mut position = start;
            loop {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                positions.push(position);
                let (next, value) = splitmix64(state);
                state = next;
                position = position.play(moves[(value % moves.len() as u64) as usize]);
            }
        }
        positions
    }

    fn mirrored(position: &Discs) -> Discs {
        // Upside down.
        Discs::new(
            position.board,
            position.side,
            position.own.swap_bytes(),
            position.opponent.swap_bytes(),
        )
    }

    fn turned(position: &Discs) -> Discs {
        // Along the main diagonal.
        let turn = |set: Bits| {
            super::super::squares(set)
                .map(|square| 1 << (square % 8 * 8 + square / 8))
                .sum()
        };
        let (own, opponent) = (turn(position.own), turn(position.opponent));
        Discs::new(position.board, position.side, own, opponent)
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        let knowledge = Knowledge::<Discs>::embedded();
        let value = |position: &Discs| position.evaluate(&(), &knowledge.tables);
        for start in [Discs::othello6(), Discs::othello8()] {
            for position in random_positions(start) {
                assert_eq!(position.features(), mirrored(&position).features());
                assert_eq!(position.features(), turned(&position).features());
                assert_eq!(value(&position), value(&turned(&position)));
            }
        }
    }

    #[test]
    fn what_compares_the_sides_is_opposite_for_the_opponent() {
        for position in random_positions(Discs::othello8()) {
            let here = position.features();
            let there = Discs {
                own: position.opponent,
                opponent: position.own,
                ..position
            }
            .features();
            for feature in 0..FEATURES {
                let expected = match feature {
                    0 | 1 | 14 => here[feature],
                    12 => here[13],
                    13 => here[12],
                    _ => -here[feature],
                };
                assert_eq!(there[feature], expected, "feature {feature}");
            }
        }
    }

    #[test]
    fn features_counted_by_hand() {
        // Black: corner a1 with b1; X-square e5. White: C-square f2.
        let text = "XX----/-----O/--OX--/--XO--/----X-/------ X";
        let position = Discs::othello6().parse_position(text).expect("a position");
        let features = position.features();
        assert_eq!(&features[..4], [1, 0, 5 - 3, 1]);
        assert_eq!(features[4], 1, "e5, as f6 is empty");
        assert_eq!(features[5], -1, "f2, as f1 is empty");
        assert_eq!(features[6], 2, "a1 and b1");
        assert_eq!(features[7], -1, "f2");
        assert_eq!(features[15], 3 - 2, "e5 is in the centre of 6x6");
    }

    #[test]
    fn logarithms_are_rounded() {
        for n in 0..=64_u32 {
            let moves = if n == 64 { !0 } else { (1 << n) - 1 };
            let exact = 4.0 * f64::from(n + 1).log2();
            assert_eq!(f64::from(worth_of(moves)), exact.round(), "{n}");
        }
    }
}
