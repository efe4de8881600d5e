//! Counting games on bare boards: no keys, and the last ply is counted, not
//! played.

use super::{Bits, kernels, squares};

/// The number of sequences of `depth` moves on the squares of `mask`. A forced
/// pass is a move; a game that has ended before counts once.
pub(super) fn count(own: Bits, opponent: Bits, mask: Bits, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = kernels::moves(own, opponent) & mask;
    if depth == 1 {
        // Without a move it is one pass or one finished game.
        return u64::from(moves.count_ones().max(1));
    }
    if moves == 0 {
        return if kernels::moves(opponent, own) & mask == 0 {
            1
        } else {
            count(opponent, own, mask, depth - 1)
        };
    }
    squares(moves)
        .map(|square| {
            let flipped = kernels::flips(square, own, opponent);
            let own = own | flipped | 1 << square;
            count(opponent & !flipped, own, mask, depth - 1)
        })
        .sum()
}
