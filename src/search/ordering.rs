//! In which order the moves of a node are tried.

use arrayvec::ArrayVec;

use crate::game::{Game, MAX_MOVES, MoveList};
use crate::search::MAX_PLY;
use crate::search::heuristics::{Depth, Heuristics};

/// What a thread has learned about moves while searching.
pub struct Experience {
    /// By side and move code.
    history: Box<[i16]>,
    codes: usize,
    killers: Box<[[Option<u16>; 2]]>,
}

/// History scores stay within this.
const HISTORY_LIMIT: i32 = 16_384;

impl Experience {
    /// Knows nothing yet about a game with so many move codes.
    pub fn new(codes: usize) -> Self {
        Self {
            history: vec![0; 2 * codes].into_boxed_slice(),
            codes,
            killers: vec![[None; 2]; MAX_PLY + 1].into_boxed_slice(),
        }
    }

    /// `best` refuted the opponent's move at a node of `depth`; those in
    /// `failed` were tried before it and did not.
    pub fn learn<G: Game>(
        &mut self,
        position: &G,
        ply: usize,
        depth: Depth,
        best: G::Move,
        failed: &[G::Move],
    ) {
        let code = G::encode(best);
        let killers = &mut self.killers[ply];
        if killers[0] != Some(code) {
            *killers = [Some(code), killers[0]];
        }
        let side = position.side_to_move().index();
        let bonus = (depth * depth).clamp(1, 400);
        self.adjust(side, code, bonus);
        for &mv in failed {
            self.adjust(side, G::encode(mv), -bonus);
        }
    }

    /// The nearer to the limit, the less a bonus adds: recent experience
    /// outweighs old.
    fn adjust(&mut self, side: usize, code: u16, bonus: i32) {
        let score = &mut self.history[side * self.codes + usize::from(code)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    fn history(&self, side: usize, code: u16) -> i32 {
        i32::from(self.history[side * self.codes + usize::from(code)])
    }
}

/// Which sources of order are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderSwitches {
    /// The game's own hints.
    pub hints: bool,
    /// Moves that refuted others at the same ply.
    pub killers: bool,
    /// Moves that refuted others anywhere.
    pub history: bool,
}

/// The score of the move to be tried first.
const FIRST: i32 = i32::MAX;

/// The moves of a node, best first.
#[derive(Clone)]
pub struct Ordered<M> {
    moves: MoveList<M>,
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
}

impl<M: Copy> Ordered<M> {
    /// All legal moves of `position`: the table's first, the others by hint,
    /// killers and history.
    pub fn new<H: Heuristics<Move = M>>(
        position: &H,
        table_move: Option<u16>,
        experience: &Experience,
        switches: OrderSwitches,
        ply: usize,
        depth: Depth,
    ) -> Self {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        Self::some(
            moves, position, table_move, experience, switches, ply, depth,
        )
    }

    /// The same for some of the legal moves.
    pub fn some<H: Heuristics<Move = M>>(
        moves: MoveList<M>,
        position: &H,
        table_move: Option<u16>,
        experience: &Experience,
        switches: OrderSwitches,
        ply: usize,
        depth: Depth,
    ) -> Self {
        let mut scores = ArrayVec::new();
        scores.extend(std::iter::repeat_n(0, moves.len()));
        if moves.len() > 1 {
            if switches.hints {
                position.hint(&moves, &mut scores, depth);
            }
            let side = position.side_to_move().index();
            for (score, &mv) in scores.iter_mut().zip(&moves) {
                let code = H::encode(mv);
                if table_move == Some(code) {
                    *score = FIRST;
                    continue;
                }
                if switches.killers && experience.killers[ply].contains(&Some(code)) {
                    *score += H::KILLER_BONUS;
                }
                if switches.history {
                    *score += experience.history(side, code) >> H::HISTORY_SHIFT;
                }
            }
        }
        Self {
            moves,
            scores,
            next: 0,
        }
    }

    /// Adds to what speaks for each move but the one that is sure to be tried
    /// first.
    pub fn promise(&mut self, mut promise: impl FnMut(M) -> i32) {
        for (score, &mv) in self.scores.iter_mut().zip(&self.moves) {
            if *score != FIRST {
                *score = score.saturating_add(promise(mv));
            }
        }
    }

    /// The moves of `list` in the order in which they stand there.
    pub fn given(list: &[M]) -> Self {
        let mut moves = MoveList::new();
        let mut scores = ArrayVec::new();
        for (index, &mv) in list.iter().enumerate() {
            moves.push(mv);
            scores.push(if index == 0 { FIRST } else { -(index as i32) });
        }
        Self {
            moves,
            scores,
            next: 0,
        }
    }

    /// How many moves have not been handed out yet.
    pub fn remaining(&self) -> usize {
        self.moves.len() - self.next
    }

    /// The moves handed out so far, in that order.
    pub fn tried(&self) -> &[M] {
        &self.moves[..self.next]
    }

    /// The best of the remaining moves, with its number from 0.
    #[expect(clippy::should_implement_trait, reason = "also counts")]
    pub fn next(&mut self) -> Option<(usize, M)> {
        let number = self.next;
        let best = (number..self.moves.len()).reduce(|best, index| {
            if self.scores[index] > self.scores[best] {
                index
            } else {
                best
            }
        })?;
        // Rotating instead of swapping keeps equal moves in generated order.
        self.moves[number..=best].rotate_right(1);
        self.scores[number..=best].rotate_right(1);
        self.next += 1;
        Some((number, self.moves[number]))
    }
}
