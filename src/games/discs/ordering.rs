//! Which moves to try first.

use super::{Bits, Board, Discs, Move, around, kernels, odd_quadrants, stability};
use crate::search::heuristics::Depth;

/// A move of the opponent less, in the unit of the hints.
const MOBILITY: i32 = 256;

/// An empty square less next to one's own discs, where the opponent may find
/// a move later.
const FRONTIER: i32 = 256;

/// The last move in a quadrant is likely to be one's own.
const PARITY: i32 = 96;

/// A stable disc on an edge.
const EDGE: i32 = 80;

/// From this depth on the costlier signs are looked at.
const DEEP: Depth = 2;

impl Discs {
    /// Writes into `hints[i]` how good `moves[i]` looks, for a node of `depth`.
    pub(super) fn order(&self, moves: &[Move], hints: &mut [i32], depth: Depth) {
        if moves.len() <= 1 {
            hints.fill(0);
            return;
        }
        if depth <= 1 {
            // To look at the moves closer would cost more than to try them.
            for (mv, hint) in moves.iter().zip(hints) {
                *hint = square_value(self.board, 1 << (mv.0 & 63));
            }
            return;
        }
        let odd = odd_quadrants(self.empty());
        for (mv, hint) in moves.iter().zip(hints) {
            *hint = self.promise(mv.0, depth);
            if odd >> mv.0 & 1 != 0 {
                *hint += PARITY;
            }
        }
    }

    fn promise(&self, square: u8, depth: Depth) -> i32 {
        let board = self.board;
        let bit: Bits = 1 << square;
        let flipped = kernels::flips(square, self.own, self.opponent);
        let own = self.own | flipped | bit;
        let opponent = self.opponent & !flipped;
        if opponent == 0 {
            return WIPE_OUT;
        }
        let empty = self.empty() & !bit;
        let replies = kernels::moves(opponent, own) & empty;
        let corners = replies & board.corners();
        let mobility = replies.count_ones() + 2 * corners.count_ones();
        let mut hint = square_value(board, bit) - MOBILITY * mobility as i32;
        if depth >= DEEP {
            hint -= FRONTIER * (around(own) & empty).count_ones() as i32;
            let stable = stability::stable_on_edges(own, opponent, board);
            hint += EDGE * stable.count_ones() as i32;
        }
        hint
    }
}

/// A move that takes the opponent's last disc.
const WIPE_OUT: i32 = 20_000;

/// What the square itself promises.
fn square_value(board: Board, bit: Bits) -> i32 {
    let corners = board.corners();
    if bit & corners != 0 {
        128
    } else if bit & around(corners) != 0 {
        -32
    } else {
        0
    }
}
