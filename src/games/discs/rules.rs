//! The rules of the disc games.

use super::{DISC_KEYS, Discs, Move, WHITE_TO_MOVE, kernels, perft, squares};
use crate::game::{Game, MoveList, Outcome, Side, Symmetry};

impl Game for Discs {
    type Move = Move;

    const HAS_MARGIN: bool = true;
    const MOVE_CODES: usize = 65;
    const PERFT_FINISHED: u64 = 1;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList<Move>) {
        let mask = self.moves();
        if mask != 0 {
            moves.extend(squares(mask).map(Move));
        } else if self.opponent_moves() != 0 {
            moves.push(Move::PASS);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if mv == Move::PASS {
            self.moves() == 0 && self.opponent_moves() != 0
        } else {
            mv.0 < 64 && self.moves() >> mv.0 & 1 != 0
        }
    }

    fn play(&self, mv: Move) -> Self {
        let mut next = Self {
            own: self.opponent,
            opponent: self.own,
            key: self.key ^ WHITE_TO_MOVE,
            side: !self.side,
            board: self.board,
        };
        if mv != Move::PASS {
            debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.print_position());
            let flipped = kernels::flips(mv.0, self.own, self.opponent);
            next.opponent |= flipped | 1 << mv.0;
            next.own &= !flipped;
            next.key ^= DISC_KEYS[self.side.index()][usize::from(mv.0)];
            for square in squares(flipped) {
                let square = usize::from(square);
                next.key ^= DISC_KEYS[0][square] ^ DISC_KEYS[1][square];
            }
        }
        next
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::PASS
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.moves() != 0 || self.opponent_moves() != 0 {
            return None;
        }
        let own = self.own.count_ones();
        let opponent = self.opponent.count_ones();
        let size = self.board.size() as u32;
        let (side, loser) = match own.cmp(&opponent) {
            std::cmp::Ordering::Greater => (self.side, opponent),
            std::cmp::Ordering::Less => (!self.side, own),
            std::cmp::Ordering::Equal => return Some(Outcome::Draw),
        };
        // All squares that are not the loser's count for the winner.
        let margin = size * size - 2 * loser;
        Some(Outcome::Win { side, margin })
    }

    /// Who of two equal players is to move makes no difference: othello8 and
    /// reversi8 are one game to a book.
    fn canonical_key(&self) -> u64 {
        let same = Self::new(self.board, Side::Black, self.own, self.opponent);
        let images = Symmetry::ALL
            .into_iter()
            .map(|symmetry| same.image(symmetry).key);
        images.min().unwrap_or(same.key)
    }

    fn image(&self, symmetry: Symmetry) -> Self {
        // The small board is the middle of the large one and stays there.
        let image = |set| {
            squares(set).fold(0, |image, square| {
                let (column, row) = symmetry.apply(square % 8, square / 8, 8, 8);
                image | 1 << (8 * row + column)
            })
        };
        Self::new(self.board, self.side, image(self.own), image(self.opponent))
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        self.compute_key()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft::count(self.own, self.opponent, self.board.mask(), depth)
    }

    fn encode(mv: Move) -> u16 {
        u16::from(mv.0)
    }

    fn decode(code: u16) -> Option<Move> {
        (code <= 64).then_some(Move(code as u8))
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        self.read_move(text)
    }

    fn print_move(&self, mv: Move) -> String {
        self.write_move(mv)
    }

    fn parse_position(&self, text: &str) -> Result<Self, String> {
        self.read_position(text)
    }

    fn print_position(&self) -> String {
        self.write_position()
    }
}
