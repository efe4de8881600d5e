//! The exact value of a position with few empty squares.
//!
//! A ladder by the number of empty squares: the last four by hand (`last`),
//! then the moves in the order of parity, then the opponent's mobility first,
//! with a memory of positions (`memory`). Every rung answers one question
//! only, whether the margin for the side to move, in discs, exceeds `alpha`,
//! and answers it fail-soft: a result at or below alpha is an upper bound of
//! the value, one above it a lower bound.
//!
//! CITE: G. Andersson, J.-C. Weill, R. Feldmann, endgame.c, 1990-1998 (a few
//! empty squares by hand, parity, fastest first); <https://github.com/abulmo/edax-reversi>
//! (the ladder by empty squares, enhanced transposition cut-offs).

mod last;
mod memory;

use arrayvec::ArrayVec;

use super::{Bits, Board, around, kernels, squares, stability};
pub(super) use memory::Memory;
use memory::NO_MOVE;

/// With this many empty squares or fewer a position is solved here and not by
/// the search. With more, the search's better order of moves is worth its
/// price.
pub(super) const EXACT_EMPTIES: u32 = 11;

/// With more empty squares than this the solver has no room for the moves.
pub(super) const MOST_EMPTIES: u32 = 13;

const _: () = assert!(EXACT_EMPTIES <= MOST_EMPTIES && MOST_EMPTIES as usize <= MOST_MOVES);

/// Below every margin.
const NONE: i32 = -127;

/// From this many empty squares on the moves are tried in the order of the
/// opponent's mobility, and what was found is remembered.
const MOBILITY_EMPTIES: u32 = 6;

/// What a move of the opponent costs in the order of the moves; a corner he
/// may take counts as three.
const MOVE_COST: u16 = 4;

/// What a move into a quadrant with an even number of empty squares costs.
const PARITY_COST: u16 = 2;

/// From this many empty squares on the solver looks up whether it is to stop.
const WATCHED_EMPTIES: u32 = 10;

/// The most moves a position given to the solver may have.
const MOST_MOVES: usize = 16;

/// The solver of one board size, with what it has counted.
pub(super) struct Solver<'a> {
    board: Board,
    /// Squares of the board.
    size: i32,
    /// Positions entered since the watch was last called.
    nodes: u64,
    memory: &'a mut Memory,
    /// Takes the number of positions entered since its last call; whether the
    /// result is no longer wanted.
    watch: &'a mut dyn FnMut(u64) -> bool,
    halted: bool,
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
}

/// The positions after a node's moves, in no order, each with what speaks
/// against it.
struct Children {
    nodes: ArrayVec<(Node, u8), MOST_MOVES>,
    /// What speaks against each, and its index in the lowest four bits;
    /// [`TAKEN`] for one that has been tried, or that there is not.
    costs: [u16; MOST_MOVES],
}

/// Above every cost.
const TAKEN: u16 = u16::MAX;

const _: () = assert!(MOST_MOVES == 16, "an index has four bits");

impl Children {
    #[inline(always)]
    fn new() -> Self {
        Self {
            nodes: ArrayVec::new(),
            costs: [TAKEN; MOST_MOVES],
        }
    }

    /// Takes the most promising of those that are left.
    #[inline(always)]
    fn next(&mut self) -> Option<&(Node, u8)> {
        let least = self.costs.iter().copied().fold(TAKEN, u16::min);
        let index = usize::from(least % MOST_MOVES as u16);
        let child = self.nodes.get(index).filter(|_| least != TAKEN)?;
        self.costs[index] = TAKEN;
        Some(child)
    }
}

impl<'a> Solver<'a> {
    /// A solver that calls `watch` from time to time with the number of
    /// positions entered since the last call, and gives up if it says so.
    pub(super) fn new(
        board: Board,
        memory: &'a mut Memory,
        watch: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        memory.prepare();
        Self {
            board,
            size: (board.size() * board.size()) as i32,
            nodes: 0,
            memory,
            watch,
            halted: false,
        }
    }

    /// The margin for the side that owns `own` and is to move, fail-soft
    /// within the window; anything if the watch said stop.
    ///
    /// The question is narrowed down by null windows, each next to what the
    /// one before has found.
    ///
    /// CITE: A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, Best-first
    /// fixed-depth minimax algorithms, Artificial Intelligence 87, 1996.
    pub(super) fn solve(&mut self, own: Bits, opponent: Bits, alpha: i32, beta: i32) -> i32 {
        let empty = self.board.mask() & !(own | opponent);
        let odd = squares(empty).fold(0, |odd, square| odd ^ QUADRANTS[usize::from(square)]);
        let node = Node {
            own,
            opponent,
            empty,
            odd,
        };
        let (mut low, mut high) = (-self.size, self.size);
        let mut asked = 0.clamp(alpha, (beta - 1).max(alpha));
        let result = loop {
            let found = self.step(&node, empty.count_ones(), asked);
            if self.halted {
                break found;
            }
            if found <= asked {
                high = found;
                asked = found - 1;
            } else {
                low = found;
                asked = found;
            }
            if low >= high || high <= alpha || low >= beta {
                break found;
            }
        };
        (self.watch)(std::mem::take(&mut self.nodes));
        result
    }

    /// Goes to the rung of the ladder for `count` empty squares.
    #[inline]
    fn step(&mut self, node: &Node, count: u32, alpha: i32) -> i32 {
        if count >= MOBILITY_EMPTIES {
            self.by_mobility(node, count, alpha)
        } else {
            self.low_step(node, count, alpha)
        }
    }

    /// The margin of a finished game with `count` empty squares.
    #[inline(always)]
    fn margin(&self, own: Bits, count: i32) -> i32 {
        let own = own.count_ones() as i32;
        let lead = 2 * own - (self.size - count);
        lead + lead.signum() * count
    }

    /// The moves that leave the opponent the fewest first.
    fn by_mobility(&mut self, node: &Node, count: u32, alpha: i32) -> i32 {
        self.nodes += 1;
        if count >= WATCHED_EMPTIES && (self.watch)(std::mem::take(&mut self.nodes)) {
            self.halted = true;
        }
        if self.halted {
            return 0;
        }
        let moves = kernels::moves(node.own, node.opponent) & node.empty;
        if moves == 0 {
            return self.pass(node, count, alpha);
        }
        if let Some(most) = self.stability_cut(node, count, alpha) {
            return most;
        }
        let mut table_move = NO_MOVE;
        if let Some(known) = self.memory.find(node.own, node.opponent) {
            if i32::from(known.upper) <= alpha {
                return known.upper.into();
            }
            if i32::from(known.lower) > alpha {
                return known.lower.into();
            }
            table_move = known.best;
        }
        let mut children = Children::new();
        let remembered = count > MOBILITY_EMPTIES;
        if let Some(wiped_out) = self.expand(node, moves, remembered, &mut children) {
            return wiped_out;
        }
        // By the time the moves are weighed the memory is there.
        self.weigh(node, table_move, &mut children);
        if remembered && let Some(value) = self.enhanced_cut(&children, alpha) {
            return value;
        }
        let (value, best) = self.search(&mut children, count, alpha);
        if !self.halted {
            self.memory
                .keep(node.own, node.opponent, value, alpha, best);
        }
        value
    }

    /// The best value of the children, and the square of the move that
    /// exceeds alpha.
    #[inline(always)]
    fn search(&mut self, children: &mut Children, count: u32, alpha: i32) -> (i32, u8) {
        let mut best = NONE;
        while let Some(&(ref child, square)) = children.next() {
            let value = -self.step(child, count - 1, -alpha - 1);
            if value > best {
                best = value;
                if value > alpha {
                    return (best, square);
                }
            }
        }
        (best, NO_MOVE)
    }

    /// Whether a position after one of the moves is known to be too bad for
    /// the opponent.
    fn enhanced_cut(&self, children: &Children, alpha: i32) -> Option<i32> {
        children.nodes.iter().find_map(|(child, _)| {
            let known = self.memory.find(child.own, child.opponent)?;
            let value = -i32::from(known.upper);
            (value > alpha).then_some(value)
        })
    }

    /// The positions after `moves`; memory is asked for ahead if such are
    /// `remembered`. The value, if one of them ends the game by taking the
    /// last disc of the opponent.
    #[inline(always)]
    fn expand(
        &self,
        node: &Node,
        moves: Bits,
        remembered: bool,
        children: &mut Children,
    ) -> Option<i32> {
        for square in squares(moves) {
            let flipped = kernels::flips(square, node.own, node.opponent);
            if flipped == node.opponent {
                return Some(self.size);
            }
            let child = node.play(square, flipped);
            if remembered {
                self.memory.prefetch(child.own, child.opponent);
            }
            children.nodes.push((child, square));
        }
        None
    }

    /// Writes down what speaks against each move; nothing against the one
    /// that the memory knows.
    #[inline(always)]
    fn weigh(&self, node: &Node, table_move: u8, children: &mut Children) {
        let Children { nodes, costs } = children;
        if nodes.len() == 1 {
            costs[0] = 0;
            return;
        }
        for (index, ((child, square), cost)) in nodes.iter().zip(costs).enumerate() {
            *cost = index as u16;
            if *square != table_move {
                *cost += self.cost(node, child, *square) * MOST_MOVES as u16;
            }
        }
    }

    /// What speaks against a move: what it leaves the opponent.
    #[inline(always)]
    fn cost(&self, node: &Node, child: &Node, square: u8) -> u16 {
        let mobility = kernels::moves(child.own, child.opponent) & child.empty;
        let corners = mobility & self.board.corners();
        let mut cost = MOVE_COST * (mobility.count_ones() + 2 * corners.count_ones()) as u16;
        if node.odd >> square & 1 == 0 {
            cost += PARITY_COST;
        }
        cost
    }

    /// No move for the side to move.
    #[cold]
    fn pass(&mut self, node: &Node, count: u32, alpha: i32) -> i32 {
        if kernels::moves(node.opponent, node.own) & node.empty == 0 {
            self.margin(node.own, count as i32)
        } else {
            -self.step(&node.pass(), count, -alpha - 1)
        }
    }

    /// The most that the opponent's stable discs leave, if that is no more
    /// than alpha.
    #[inline]
    fn stability_cut(&self, node: &Node, count: u32, alpha: i32) -> Option<i32> {
        if alpha < stability::threshold(self.board, count) {
            return None;
        }
        let stable = stability::stable(node.opponent, node.own, self.board);
        let most = self.size - 2 * stable.count_ones() as i32;
        (most <= alpha).then_some(most)
    }
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
