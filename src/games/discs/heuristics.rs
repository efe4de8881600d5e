//! What the search may ask a disc game for beyond its rules.

use super::endgame::{EXACT_EMPTIES, MOST_EMPTIES, Memory, Solver};
use super::evaluation::{self, FIRST_DEPTH, Indices, Tables};
use super::{Board, Discs, Move, stability};
use crate::book::Book;
use crate::search::heuristics::{Depth, Heuristics, Preview, Probe, Shared};
use crate::search::score::{Score, Window};
use crate::weights::{Weights, WeightsError};

/// Solved opening lines of 6x6: a best move against every reply, down to
/// where a search proves its move at once.
static SIX: Book = Book::embedded(include_bytes!("six.book"));

/// Openings of 8x8 searched by this engine (`scripts/eight-book`).
static EIGHT: Book = Book::embedded(include_bytes!("eight.book"));

impl Heuristics for Discs {
    type Tables = Tables;
    type Accumulator = Indices;
    type Memory = Memory;

    const WEIGHTS_NAME: &'static str = "discs";

    fn embedded_weights() -> &'static [u8] {
        include_bytes!("discs.weights")
    }

    fn shared() -> Option<&'static Shared<Self>> {
        static SHARED: Shared<Discs> = Shared::new();
        Some(&SHARED)
    }

    fn decode_weights(weights: &Weights) -> Result<Tables, WeightsError> {
        Tables::decode(weights)
    }

    fn book(&self) -> Option<&'static Book> {
        match self.board {
            Board::Six => Some(&SIX),
            Board::Eight => Some(&EIGHT),
        }
    }

    fn refresh(&self, tables: &Tables) -> Indices {
        evaluation::refresh(self, tables)
    }

    fn prepare(&self, tables: &Tables) {
        tables.prepare_game(self);
    }

    fn advance(&self, before: &Self, mv: Move, indices: &Indices, _tables: &Tables) -> Indices {
        indices.advance(before, mv, self)
    }

    fn evaluate(&self, indices: &Indices, tables: &Tables) -> i32 {
        tables.evaluate(self, indices)
    }

    fn hint(&self, moves: &[Move], hints: &mut [i32], depth: Depth) {
        self.order(moves, hints, depth);
    }

    // Between two moves of the same merit the search may decide by what it has
    // seen elsewhere; on a board where every disc changes hands that says less
    // than the mobility of the position at hand.
    const KILLER_BONUS: i32 = 0;
    const HISTORY_SHIFT: u32 = 7;

    fn depth_to_end(&self) -> Option<Depth> {
        Some(self.empty().count_ones() as Depth)
    }

    fn preview(depth: Depth, exact: bool) -> Option<Preview> {
        let (depth, percent) = match (depth, exact) {
            (18.., true) => (1, 200),
            (13.., true) => (0, 200),
            // Far from the end a good position is looked for, near it also
            // one that leaves the opponent few moves.
            (5.., false) => (0, 800),
            _ => return None,
        };
        Some(Preview { depth, percent })
    }

    const TABLE_DEPTH: Depth = 2;

    fn skips_to_end(&self, depth: Depth) -> bool {
        let empties = self.empty().count_ones() as Depth;
        let end_in_reach = match self.board {
            Board::Six => true,
            Board::Eight => empties <= SKIP_EMPTIES,
        };
        depth >= (empties - SKIPPED_DEPTHS).clamp(1, DEEPEST_BEFORE_END) && end_in_reach
    }

    fn static_bounds(&self, window: Window) -> Option<(Score, Score)> {
        let size = (self.board.size() * self.board.size()) as i32;
        let threshold = stability::threshold(self.board, self.empty().count_ones());
        let (alpha, beta) = in_discs(window, size);
        let bound = |own, opponent| {
            let stable = stability::stable(own, opponent, self.board);
            size - 2 * stable.count_ones() as i32
        };
        // Counting is not free: it is done only where enough stable discs for
        // a cut-off are likely.
        if alpha >= threshold {
            let upper = bound(self.opponent, self.own);
            Some((Score::margin(-size), Score::margin(upper)))
        } else if beta <= -threshold {
            let lower = -bound(self.own, self.opponent);
            Some((Score::margin(lower), Score::margin(size)))
        } else {
            None
        }
    }

    fn solve(
        &self,
        window: Window,
        memory: &mut Memory,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Score> {
        let near = self.empty().count_ones() <= EXACT_EMPTIES;
        near.then(|| self.solved(window, memory, watch))
    }

    const SELECTIVE: bool = true;

    const MOST_EVAL: i32 = 6_400;

    fn probcut(&self, depth: Depth, tables: &Tables) -> Option<Probe> {
        let (measured, percent) = match depth {
            ..2 => return None,
            2 => (FIRST_DEPTH, UNMEASURED),
            3.. => (depth, 100),
        };
        let error = tables.probcut_error(self.board, self.empty().count_ones(), measured)?;
        Some(Probe::new(depth, error * percent / 100))
    }

    /// On 6x6 the end is seen so early that nothing need be given away.
    fn wins_count(&self) -> bool {
        self.board == Board::Eight
    }

    fn moves_to_go(&self) -> u32 {
        self.empty().count_ones().saturating_sub(SEEN_EMPTIES) / 2 + SPARE_MOVES
    }
}

impl Discs {
    /// What [`Heuristics::solve`] finds, with up to [`MOST_EMPTIES`] empty
    /// squares.
    pub(super) fn solved(
        &self,
        window: Window,
        memory: &mut Memory,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Score {
        debug_assert!(self.empty().count_ones() <= MOST_EMPTIES);
        let (alpha, beta) = in_discs(window, (self.board.size() * self.board.size()) as i32);
        let mut solver = Solver::new(self.board, memory, watch);
        Score::margin(solver.solve(self.own, self.opponent, alpha, beta))
    }
}

/// The error of the evaluation against a search of two plies, in hundredths of
/// that of the least depth it was measured for. The same error again would
/// leave out too much.
const UNMEASURED: i32 = 175;

/// So many iterations before the exact one would take longer than it does.
const SKIPPED_DEPTHS: Depth = 8;

/// Deeper than this it is always worth trying to see the end.
const DEEPEST_BEFORE_END: Depth = 17;

/// With more empty squares the end of a game of 8x8 is out of reach.
const SKIP_EMPTIES: Depth = 26;

/// Once the end of the game has been seen, the moves up to it take no time;
/// with so many empty squares it has been.
const SEEN_EMPTIES: u32 = 16;

/// Moves for which time is kept beyond those before that.
const SPARE_MOVES: u32 = 4;

/// The smallest window of whole discs around a window of scores, within what
/// margins there are on a board of `size` squares.
fn in_discs(window: Window, size: i32) -> (i32, i32) {
    let alpha = window.alpha.0.div_euclid(Score::UNIT);
    let beta = -(-window.beta.0).div_euclid(Score::UNIT);
    (alpha.clamp(-size - 1, size), beta.clamp(-size, size + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn window(alpha: i32, beta: i32) -> Window {
        Window {
            alpha: Score(alpha),
            beta: Score(beta),
        }
    }

    #[test]
    fn a_window_of_discs_holds_the_window_of_scores() {
        assert_eq!(in_discs(window(-200, 200), 64), (-2, 2));
        assert_eq!(in_discs(window(150, 151), 64), (1, 2));
        assert_eq!(in_discs(window(-151, -150), 64), (-2, -1));
        assert_eq!(in_discs(window(-1, 1), 64), (-1, 1));
        assert_eq!(in_discs(Window::FULL, 36), (-37, 37));
        assert_eq!(in_discs(window(7000, 7001), 64), (64, 65));
        assert_eq!(in_discs(window(-7001, -7000), 64), (-65, -64));
    }

    #[test]
    fn the_clock_is_for_the_moves_up_to_where_the_end_is_seen() {
        assert_eq!(Discs::othello8().moves_to_go(), 26);
        assert_eq!(Discs::othello6().moves_to_go(), 12);
        let text = "OOOO-O/XXXXXO/XXOXOO/XOXXOO/XXXOOX/XXXOOX O";
        let end = Discs::othello6().parse_position(text).expect("a position");
        assert_eq!(end.moves_to_go(), SPARE_MOVES);
    }

    #[test]
    fn solves_near_the_end_only() {
        let start = Discs::othello6();
        let mut memory = Memory::default();
        let mut nodes = 0;
        let mut watch = |entered| {
            nodes += entered;
            false
        };
        let mut solve = |position: &Discs, window| position.solve(window, &mut memory, &mut watch);
        assert_eq!(solve(&start, Window::FULL), None);
        // One empty square: e1 is worth 2 to White.
        let text = "OOOO-O/XXXXXO/XXOXOO/XOXXOO/XXXOOX/XXXOOX O";
        let end = start.parse_position(text).expect("a position");
        assert_eq!(solve(&end, Window::FULL), Some(Score(200)));
        let low = solve(&end, window(-500, -499));
        assert!(low >= Some(Score(-499)) && low <= Some(Score(200)));
        assert_eq!(nodes, 3, "two null windows, and one");
    }

    #[test]
    fn stable_discs_bound_the_margin() {
        // White has the whole upper half for good.
        let text = "OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/---XX---/--------/--------/-------- X";
        let position = Discs::othello8().parse_position(text).expect("a position");
        assert_eq!(position.static_bounds(window(-100, 100)), None);
        let (lower, upper) = position
            .static_bounds(window(6200, 6300))
            .expect("alpha is high");
        assert_eq!(lower, Score(-6400));
        assert!(upper <= Score(3200) && upper >= Score(0), "{upper:?}");
        let text = text.replace(" X", " O");
        let position = Discs::othello8().parse_position(&text).expect("a position");
        let (lower, upper) = position
            .static_bounds(window(-6300, -6200))
            .expect("beta is low");
        assert_eq!(upper, Score(6400));
        assert!(lower >= Score(-3200) && lower <= Score(0), "{lower:?}");
    }
}
