//! The lowest rungs of the ladder: up to five empty squares.

use super::{Bits, MOBILITY_EMPTIES, NEIGHBOURS, NONE, Node, QUADRANTS, Solver, kernels, squares};

/// What `own` flips with a disc on the empty `square`.
#[inline(always)]
fn flips(square: u8, own: Bits, opponent: Bits) -> Bits {
    // Most of the last empty squares touch no disc of one of the sides.
    if NEIGHBOURS[usize::from(square)] & opponent == 0 {
        0
    } else {
        kernels::flips(square, own, opponent)
    }
}

impl Solver<'_> {
    /// Goes to the rung for `count` empty squares, fewer than
    /// [`MOBILITY_EMPTIES`].
    pub(super) fn low_step(&mut self, node: &Node, count: u32, alpha: i32) -> i32 {
        debug_assert!(count < MOBILITY_EMPTIES);
        let &Node {
            own,
            opponent,
            empty,
            odd,
        } = node;
        match count {
            0 => {
                self.nodes += 1;
                self.margin(own, 0)
            }
            1 => self.last(own, empty.trailing_zeros() as u8),
            2 => {
                let [a, b] = in_order(empty, odd);
                self.last_two(own, opponent, a, b, alpha)
            }
            3 => self.last_three(own, opponent, empty, odd, alpha, false),
            4 => self.last_four(own, opponent, empty, odd, alpha, false),
            _ => self.by_parity(node, count, alpha),
        }
    }

    /// One empty square.
    #[inline(always)]
    fn last(&mut self, own: Bits, square: u8) -> i32 {
        self.nodes += 1;
        let discs = own.count_ones() as i32;
        let flipped = kernels::last_flips(square, own) as i32;
        if flipped != 0 {
            return 2 * (discs + flipped + 1) - self.size;
        }
        let opponent = !(own | 1 << square) & self.board.mask();
        let flipped = kernels::last_flips(square, opponent) as i32;
        if flipped != 0 {
            return 2 * (discs - flipped) - self.size;
        }
        self.margin(own, 1)
    }

    /// Two empty squares.
    #[inline(always)]
    fn last_two(&mut self, own: Bits, opponent: Bits, a: u8, b: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        let flipped = flips(a, own, opponent);
        if flipped != 0 {
            best = -self.last(opponent ^ flipped, b);
            if best > alpha {
                return best;
            }
        }
        let flipped = flips(b, own, opponent);
        if flipped != 0 {
            best = best.max(-self.last(opponent ^ flipped, a));
        }
        if best > NONE {
            return best;
        }
        self.last_two_after_pass(own, opponent, a, b, alpha)
    }

    /// Two empty squares for the opponent, after a pass of `own`.
    fn last_two_after_pass(&mut self, own: Bits, opponent: Bits, a: u8, b: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let mut best = -NONE;
        let flipped = flips(a, opponent, own);
        if flipped != 0 {
            best = self.last(own ^ flipped, b);
            if best <= alpha {
                return best;
            }
        }
        let flipped = flips(b, opponent, own);
        if flipped != 0 {
            best = best.min(self.last(own ^ flipped, a));
        }
        if best < -NONE {
            best
        } else {
            self.margin(own, 2)
        }
    }

    /// Three empty squares; `passed` says that the opponent has no move.
    fn last_three(
        &mut self,
        own: Bits,
        opponent: Bits,
        empty: Bits,
        odd: Bits,
        alpha: i32,
        passed: bool,
    ) -> i32 {
        self.nodes += 1;
        let [mut first, mut second, mut third] = in_order(empty, odd);
        let mut best = NONE;
        for _ in 0..3 {
            let flipped = flips(first, own, opponent);
            if flipped != 0 {
                let after = own | flipped | 1 << first;
                let value = -self.last_two(opponent ^ flipped, after, second, third, -alpha - 1);
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
            // Turned in registers: an array of the three orders would be
            // written and read in pieces of other sizes, which stalls.
            (first, second, third) = (second, third, first);
        }
        if best > NONE {
            best
        } else if passed {
            self.margin(own, 3)
        } else {
            -self.last_three(opponent, own, empty, odd, -alpha - 1, true)
        }
    }

    /// Four empty squares; `passed` says that the opponent has no move.
    fn last_four(
        &mut self,
        own: Bits,
        opponent: Bits,
        empty: Bits,
        odd: Bits,
        alpha: i32,
        passed: bool,
    ) -> i32 {
        self.nodes += 1;
        let node = Node {
            own,
            opponent,
            empty,
            odd,
        };
        if let Some(most) = self.stability_cut(&node, 4, alpha) {
            return most;
        }
        let order: [u8; 4] = in_order(empty, odd);
        let mut best = NONE;
        for square in order {
            let flipped = flips(square, own, opponent);
            if flipped != 0 {
                let bit = 1 << square;
                let value = -self.last_three(
                    opponent ^ flipped,
                    own | flipped | bit,
                    empty ^ bit,
                    odd ^ QUADRANTS[usize::from(square)],
                    -alpha - 1,
                    false,
                );
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            best
        } else if passed {
            self.margin(own, 4)
        } else {
            -self.last_four(opponent, own, empty, odd, -alpha - 1, true)
        }
    }

    /// The moves into quadrants with an odd number of empty squares first.
    fn by_parity(&mut self, node: &Node, count: u32, alpha: i32) -> i32 {
        self.nodes += 1;
        let moves = kernels::moves(node.own, node.opponent) & node.empty;
        if moves == 0 {
            return self.pass(node, count, alpha);
        }
        if let Some(most) = self.stability_cut(node, count, alpha) {
            return most;
        }
        let mut best = NONE;
        for group in [moves & node.odd, moves & !node.odd] {
            for square in squares(group) {
                let flipped = kernels::flips(square, node.own, node.opponent);
                let child = node.play(square, flipped);
                let value = -self.low_step(&child, count - 1, -alpha - 1);
                best = best.max(value);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }
}

/// The empty squares, those in odd quadrants first; there must be `N`.
#[inline(always)]
fn in_order<const N: usize>(empty: Bits, odd: Bits) -> [u8; N] {
    let mut first = empty & odd;
    let mut second = empty & !odd;
    std::array::from_fn(|_| {
        let from = if first != 0 { &mut first } else { &mut second };
        let square = from.trailing_zeros() as u8;
        *from &= from.wrapping_sub(1);
        square
    })
}
