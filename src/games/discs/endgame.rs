//! The exact value of a position with few empty squares.
//!
//! A ladder by the number of empty squares: the last three by hand, then the
//! moves in the order of parity, then the opponent's mobility first. Values
//! are margins in discs for the side to move, searched fail-soft: a result at
//! or below alpha is an upper bound of the value, one at or above beta a lower
//! bound, and one between is the value.
//!
//! CITE: G. Andersson, J.-C. Weill, R. Feldmann, endgame.c, 1990-1998 (a few
//! empty squares by hand, parity, fastest first); <https://github.com/abulmo/edax-reversi>
//! (the ladder by empty squares).

use arrayvec::ArrayVec;

use super::{Bits, Board, around, kernels, squares, stability};

/// With this many empty squares or fewer a position is solved here and not by
/// the search: on 8x8 about 5,000 nodes a call, the worst of 10,000 random
/// positions 60,000.
pub(super) const EXACT_EMPTIES: u32 = 10;

/// Below every margin.
const NONE: i32 = -127;

/// Up to this many empty squares the moves are tried in the order of parity,
/// above it those first that leave the opponent the fewest moves.
const PARITY_EMPTIES: u32 = 6;

/// The most empty squares a position given to the solver may have.
const MOST_EMPTIES: usize = 32;

/// The solver of one board size, with what it has counted.
pub(super) struct Solver {
    board: Board,
    /// Squares of the board.
    pub(super) size: i32,
    /// Positions entered so far, the last few squares included.
    pub(super) nodes: u64,
}

/// A position on its way down the ladder.
#[derive(Clone, Copy)]
struct Node {
    own: Bits,
    opponent: Bits,
    empty: Bits,
    /// The quadrants with an odd number of empty squares: whoever moves first
    /// there is likely to move last there too.
    odd: Bits,
}

impl Node {
    /// The opponent's position after a disc on `square` flips `flipped`.
    #[inline(always)]
    fn play(&self, square: u8, flipped: Bits) -> Self {
        let bit = 1 << square;
        Self {
            own: self.opponent ^ flipped,
            opponent: self.own | flipped | bit,
            empty: self.empty ^ bit,
            odd: self.odd ^ QUADRANTS[usize::from(square)],
        }
    }

    #[inline(always)]
    fn pass(&self) -> Self {
        Self {
            own: self.opponent,
            opponent: self.own,
            ..*self
        }
    }

    /// What a disc on the empty `square` flips.
    #[inline(always)]
    fn flips(&self, square: u8) -> Bits {
        // Most of the last empty squares touch no disc of one of the sides.
        if NEIGHBOURS[usize::from(square)] & self.opponent == 0 {
            0
        } else {
            kernels::flips(square, self.own, self.opponent)
        }
    }
}

/// The margins asked for, as in [`crate::search::score::Window`].
#[derive(Clone, Copy)]
struct Bounds {
    alpha: i32,
    beta: i32,
}

impl Bounds {
    /// As the opponent sees them when the side to move already has `best`.
    #[inline(always)]
    fn flip(self, best: i32) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha.max(best),
        }
    }
}

impl Solver {
    pub(super) fn new(board: Board) -> Self {
        Self {
            board,
            size: (board.size() * board.size()) as i32,
            nodes: 0,
        }
    }

    /// The margin for the side that owns `own` and is to move, with at most
    /// [`MOST_EMPTIES`] empty squares.
    pub(super) fn solve(&mut self, own: Bits, opponent: Bits, alpha: i32, beta: i32) -> i32 {
        let empty = self.board.mask() & !(own | opponent);
        let odd = squares(empty).fold(0, |odd, square| odd ^ QUADRANTS[usize::from(square)]);
        let node = Node {
            own,
            opponent,
            empty,
            odd,
        };
        self.step(node, empty.count_ones(), Bounds { alpha, beta })
    }

    /// Goes to the rung of the ladder for `count` empty squares.
    #[inline]
    fn step(&mut self, node: Node, count: u32, bounds: Bounds) -> i32 {
        match count {
            0 => {
                self.nodes += 1;
                self.margin(node.own, 0)
            }
            1 => self.last(node.own, node.empty.trailing_zeros() as u8),
            2 => {
                let [a, b] = in_order(node);
                self.last_two(node, a, b, bounds, false)
            }
            3 => self.last_three(node, bounds, false),
            4..=PARITY_EMPTIES => self.by_parity(node, count, bounds),
            _ => self.by_mobility(node, count, bounds),
        }
    }

    /// The margin of a finished game with `count` empty squares.
    #[inline(always)]
    fn margin(&self, own: Bits, count: i32) -> i32 {
        let own = own.count_ones() as i32;
        let lead = 2 * own - (self.size - count);
        lead + lead.signum() * count
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
    fn last_two(&mut self, node: Node, a: u8, b: u8, bounds: Bounds, passed: bool) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        let flipped = node.flips(a);
        if flipped != 0 {
            best = -self.last(node.opponent ^ flipped, b);
            if best >= bounds.beta {
                return best;
            }
        }
        let flipped = node.flips(b);
        if flipped != 0 {
            best = best.max(-self.last(node.opponent ^ flipped, a));
        }
        if best > NONE {
            best
        } else if passed {
            self.margin(node.own, 2)
        } else {
            -self.last_two(node.pass(), a, b, bounds.flip(NONE), true)
        }
    }

    /// Three empty squares.
    fn last_three(&mut self, node: Node, bounds: Bounds, passed: bool) -> i32 {
        self.nodes += 1;
        let [a, b, c] = in_order(node);
        let mut best = NONE;
        for (first, second, third) in [(a, b, c), (b, a, c), (c, a, b)] {
            let flipped = node.flips(first);
            if flipped != 0 {
                let child = node.play(first, flipped);
                let value = -self.last_two(child, second, third, bounds.flip(best), false);
                best = best.max(value);
                if best >= bounds.beta {
                    return best;
                }
            }
        }
        if best > NONE {
            best
        } else if passed {
            self.margin(node.own, 3)
        } else {
            -self.last_three(node.pass(), bounds.flip(NONE), true)
        }
    }

    /// The moves into quadrants with an odd number of empty squares first.
    fn by_parity(&mut self, node: Node, count: u32, bounds: Bounds) -> i32 {
        self.nodes += 1;
        let moves = kernels::moves(node.own, node.opponent) & node.empty;
        if moves == 0 {
            return self.pass(node, count, bounds);
        }
        if let Some(most) = self.stability_cut(&node, count, bounds) {
            return most;
        }
        let mut best = NONE;
        for group in [moves & node.odd, moves & !node.odd] {
            for square in squares(group) {
                let flipped = kernels::flips(square, node.own, node.opponent);
                let child = node.play(square, flipped);
                let value = if count == 4 {
                    -self.last_three(child, bounds.flip(best), false)
                } else {
                    -self.by_parity(child, count - 1, bounds.flip(best))
                };
                best = best.max(value);
                if best >= bounds.beta {
                    return best;
                }
            }
        }
        best
    }

    /// The moves that leave the opponent the fewest first.
    fn by_mobility(&mut self, node: Node, count: u32, bounds: Bounds) -> i32 {
        self.nodes += 1;
        let moves = kernels::moves(node.own, node.opponent) & node.empty;
        if moves == 0 {
            return self.pass(node, count, bounds);
        }
        if let Some(most) = self.stability_cut(&node, count, bounds) {
            return most;
        }
        let mut best = NONE;
        for (_, child) in self.children(&node, moves) {
            let value = self.search_child(child, count - 1, bounds, best);
            best = best.max(value);
            if best >= bounds.beta {
                break;
            }
        }
        best
    }

    /// The value of a child for the side that moved to it: the first with the
    /// whole window, the others only if they are better than `best`.
    fn search_child(&mut self, child: Node, count: u32, bounds: Bounds, best: i32) -> i32 {
        if child.own == 0 {
            return self.size;
        }
        let alpha = bounds.alpha.max(best);
        if best > NONE && bounds.beta - alpha > 1 {
            let null = Bounds {
                alpha: -alpha - 1,
                beta: -alpha,
            };
            let value = -self.step(child, count, null);
            if value <= alpha || value >= bounds.beta {
                return value;
            }
        }
        -self.step(child, count, bounds.flip(best))
    }

    /// The positions after `moves`, the most promising first.
    fn children(&self, node: &Node, moves: Bits) -> ArrayVec<(i32, Node), MOST_EMPTIES> {
        let mut children = ArrayVec::<(i32, Node), MOST_EMPTIES>::new();
        for square in squares(moves) {
            let child = node.play(square, kernels::flips(square, node.own, node.opponent));
            let mobility = kernels::moves(child.own, child.opponent) & child.empty;
            let corners = mobility & self.board.corners();
            let mut cost = 4 * (mobility.count_ones() + 2 * corners.count_ones()) as i32;
            if node.odd >> square & 1 == 0 {
                cost += 2;
            }
            let place = children.partition_point(|&(other, _)| other <= cost);
            children.insert(place, (cost, child));
        }
        children
    }

    /// No move for the side to move.
    #[cold]
    fn pass(&mut self, node: Node, count: u32, bounds: Bounds) -> i32 {
        if kernels::moves(node.opponent, node.own) & node.empty == 0 {
            self.margin(node.own, count as i32)
        } else {
            -self.step(node.pass(), count, bounds.flip(NONE))
        }
    }

    /// The most that the opponent's stable discs leave, if that is no more
    /// than alpha.
    #[inline]
    fn stability_cut(&self, node: &Node, count: u32, bounds: Bounds) -> Option<i32> {
        if bounds.alpha < stability::threshold(self.board, count) {
            return None;
        }
        let stable = stability::stable(node.opponent, node.own, self.board);
        let most = self.size - 2 * stable.count_ones() as i32;
        (most <= bounds.alpha).then_some(most)
    }
}

/// The empty squares, those in odd quadrants first; there must be `N`.
#[inline(always)]
fn in_order<const N: usize>(node: Node) -> [u8; N] {
    let mut first = node.empty & node.odd;
    let mut second = node.empty & !node.odd;
    std::array::from_fn(|_| {
        let from = if first != 0 { &mut first } else { &mut second };
        let square = from.trailing_zeros() as u8;
        *from &= from.wrapping_sub(1);
        square
    })
}

/// By square, the quadrant it is in.
static QUADRANTS: [Bits; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let quadrant: Bits = 0x0f0f_0f0f << (square & 0x24);
        table[square] = quadrant;
        square += 1;
    }
    table
};

/// By square, the squares around it.
static NEIGHBOURS: [Bits; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = around(1 << square);
        square += 1;
    }
    table
};

#[cfg(test)]
mod tests;
