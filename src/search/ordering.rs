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

/// What a move promises, and after that how early it was generated: of equal
/// moves the first generated comes first. Together they are one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    /// Of the move to be tried first.
    const FIRST: Self = Self(i32::MAX);

    /// Promises stay within this.
    const MOST: i32 = (1 << 22) - 1;

    /// `index` is below [`MAX_MOVES`].
    fn new(promise: i32, index: usize) -> Self {
        let late = index as i32 & 255;
        Self(promise.clamp(-Self::MOST, Self::MOST) << 8 | (255 - late))
    }

    const fn promise(self) -> i32 {
        self.0 >> 8
    }

    const fn index(self) -> usize {
        255 - (self.0 & 255) as usize
    }
}

const _: () = assert!(MAX_MOVES <= 256);

/// The moves of a node, best first.
#[derive(Clone)]
pub struct Ordered<M> {
    moves: MoveList<M>,
    ranks: ArrayVec<Rank, MAX_MOVES>,
    next: usize,
    /// Where the best of the remaining moves stands, once looked for.
    ahead: Option<usize>,
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
        let mut ordered = Self::unranked();
        position.legal_moves(&mut ordered.moves);
        ordered.rank(position, table_move, experience, switches, ply, depth);
        ordered
    }

    /// No moves yet. They are put into [`Ordered::moves_mut`] and then ranked
    /// where they are: what is as large as this had better not be moved.
    pub fn unranked() -> Self {
        Self {
            moves: MoveList::new(),
            ranks: ArrayVec::new(),
            next: 0,
            ahead: None,
        }
    }

    /// The moves, in any order, before they are ranked.
    pub fn moves_mut(&mut self) -> &mut MoveList<M> {
        &mut self.moves
    }

    /// Ranks the moves, which are legal ones of `position` and of which none
    /// has been handed out.
    pub fn rank<H: Heuristics<Move = M>>(
        &mut self,
        position: &H,
        table_move: Option<u16>,
        experience: &Experience,
        switches: OrderSwitches,
        ply: usize,
        depth: Depth,
    ) {
        let Self { moves, ranks, .. } = self;
        // Filled where it is: `collect` would move it there.
        let mut hints = ArrayVec::<i32, MAX_MOVES>::new();
        hints.extend(moves.iter().map(|_| 0));
        if switches.hints && moves.len() > 1 {
            position.hint(moves, &mut hints, depth);
        }
        let side = position.side_to_move().index();
        let killers = experience.killers[ply];
        let rank = |(index, (&mv, &hint)): (usize, (&M, &i32))| {
            let code = H::encode(mv);
            if table_move == Some(code) {
                return Rank::FIRST;
            }
            let mut promise = hint;
            if switches.killers && killers.contains(&Some(code)) {
                promise += H::KILLER_BONUS;
            }
            if switches.history {
                promise += experience.history(side, code) >> H::HISTORY_SHIFT;
            }
            Rank::new(promise, index)
        };
        ranks.extend(moves.iter().zip(&hints).enumerate().map(rank));
    }

    /// Adds to what speaks for each move but the one that is sure to be tried
    /// first.
    pub fn promise(&mut self, mut promise: impl FnMut(M) -> i32) {
        for (rank, &mv) in self.ranks.iter_mut().zip(&self.moves) {
            if *rank != Rank::FIRST {
                *rank = Rank::new(rank.promise() + promise(mv), rank.index());
            }
        }
    }

    /// The moves of `list` in the order in which they stand there. The first
    /// is sure to be tried first.
    pub fn given(list: &[M]) -> Self {
        let rank = |index| match index {
            0 => Rank::FIRST,
            _ => Rank::new(0, index),
        };
        Self {
            moves: list.iter().copied().collect(),
            ranks: (0..list.len()).map(rank).collect(),
            next: 0,
            ahead: None,
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
        let best = self.find_best()?;
        self.moves.swap(number, best);
        self.ranks.swap(number, best);
        self.next += 1;
        self.ahead = None;
        Some((number, self.moves[number]))
    }

    /// The move that will be handed out next.
    pub fn peek(&mut self) -> Option<M> {
        self.find_best().map(|best| self.moves[best])
    }

    fn find_best(&mut self) -> Option<usize> {
        if self.ahead.is_none() {
            let rest = self.ranks.get(self.next..)?;
            // Two simple loops are faster than one that keeps the place.
            let most = rest.iter().map(|rank| rank.0).max()?;
            let best = rest.iter().position(|rank| rank.0 == most)?;
            self.ahead = Some(self.next + best);
        }
        self.ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_first_at_the_root_stays_there() {
        let mut ordered = Ordered::given(&[7_u16, 8, 9]);
        ordered.promise(|mv| 1_000 * i32::from(mv));
        let order: Vec<u16> = std::iter::from_fn(|| {
            let next = ordered.peek();
            assert_eq!(ordered.peek(), next);
            let mv = ordered.next().map(|(_, mv)| mv);
            assert_eq!(mv, next);
            mv
        })
        .collect();
        assert_eq!(order, [7, 9, 8]);
    }
}
