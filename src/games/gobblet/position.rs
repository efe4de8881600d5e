//! The rules of the game.

use super::board::{self, Board, View};
use super::lines::{self, squares};
use super::moves::{Kind, Move};
use super::{notation, perft};
use crate::game::{Game, MoveList, Outcome, Side, Symmetry};
use crate::zobrist;

/// A position: the gobblets on the board and whose turn it is. What stands
/// beside the board follows from these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Gobblet {
    board: Board,
    key: u64,
    side: Side,
}

/// One key for each gobblet of each side on each square, and one for the turn.
const KEYS: [u64; 129] = zobrist::keys(0x060b_b1e7);
const TURN_KEY: u64 = KEYS[128];

fn piece_key(side: Side, size: u8, square: u8) -> u64 {
    KEYS[64 * side.index() + usize::from(16 * (size - 1) + square)]
}

impl Gobblet {
    /// The start of a game: an empty board, and White begins.
    pub const fn start() -> Self {
        Self {
            board: Board { mover: 0, other: 0 },
            key: TURN_KEY,
            side: Side::White,
        }
    }

    /// A position with these gobblets on the board; the board must be one
    /// that three nested stacks a side can lead to.
    pub(super) fn new(board: Board, side: Side) -> Self {
        let mut position = Self {
            board,
            key: 0,
            side,
        };
        position.key = position.key_from_scratch();
        position
    }

    /// The gobblets, seen by the side to move.
    pub(super) const fn board(&self) -> Board {
        self.board
    }

    /// The gobblets of one side.
    pub(super) fn layers(&self, side: Side) -> board::Layers {
        if side == self.side {
            self.board.mover
        } else {
            self.board.other
        }
    }

    /// The same board with the other side to move.
    pub(super) fn passed(&self) -> Self {
        self.after(self.board.flip(), 0)
    }

    fn after(&self, board: Board, key_change: u64) -> Self {
        Self {
            board,
            key: self.key ^ key_change ^ TURN_KEY,
            side: !self.side,
        }
    }
}

impl Default for Gobblet {
    fn default() -> Self {
        Self::start()
    }
}

/// The size of the visible gobblet on `square`, 0 if there is none: it is
/// closed to as many sizes.
pub(super) const fn top_size(view: &View, square: u8) -> u8 {
    ((view.closed >> square) & board::FIRST_SQUARES).count_ones() as u8
}

fn push_placements(board: Board, view: &View, moves: &mut MoveList<Move>) {
    let exposed = view.exposed();
    let tops = board::reserve_tops(board.mover);
    for size in (1..=4).rev().filter(|&size| tops[usize::from(size) - 1]) {
        let targets = view.empty() | (exposed & view.open(size));
        moves.extend(squares(targets).map(|square| Move::placement(size, square)));
    }
}

fn push_shifts(view: &View, moves: &mut MoveList<Move>) {
    for size in (1..=4).rev() {
        let targets = view.open(size);
        for from in squares(board::lane(view.mover, size)) {
            moves.extend(squares(targets).map(|to| Move::shift(from, to)));
        }
    }
}

impl Game for Gobblet {
    type Move = Move;

    const HAS_MARGIN: bool = false;
    const CAN_REPEAT: bool = true;
    const MOVE_CODES: usize = Move::CODES;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList<Move>) {
        let view = self.board.view();
        if !view.is_over() {
            push_placements(self.board, &view, moves);
            push_shifts(&view, moves);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let view = self.board.view();
        if view.is_over() {
            return false;
        }
        match mv.kind() {
            Kind::Placement { size, square } => {
                let targets = view.empty() | (view.exposed() & view.open(size));
                board::reserve_tops(self.board.mover)[usize::from(size) - 1]
                    && targets >> square & 1 != 0
            }
            Kind::Shift { from, to } => {
                view.mover_tops() >> from & 1 != 0
                    && view.open(top_size(&view, from)) >> to & 1 != 0
            }
        }
    }

    fn play(&self, mv: Move) -> Self {
        let key = |size, square| piece_key(self.side, size, square);
        match mv.kind() {
            Kind::Placement { size, square } => {
                self.after(self.board.place(size, square), key(size, square))
            }
            Kind::Shift { from, to } => {
                let size = top_size(&self.board.view(), from);
                self.after(
                    self.board.shift(size, from, to),
                    key(size, from) ^ key(size, to),
                )
            }
        }
    }

    /// A gobblet never leaves the board.
    fn is_irreversible(&self, mv: Move) -> bool {
        mv.is_placement()
    }

    /// Whoever has just moved is the opponent of the side to move. If he has
    /// uncovered a line he has lost, even if he shows one of his own.
    fn outcome(&self) -> Option<Outcome> {
        let view = self.board.view();
        let side = if lines::has_line(view.mover_tops()) {
            self.side
        } else if lines::has_line(view.other_tops()) {
            !self.side
        } else {
            return None;
        };
        Some(Outcome::Win { side, margin: 1 })
    }

    fn image(&self, symmetry: Symmetry) -> Self {
        let image = |layers: board::Layers| {
            (1..=4).fold(0, |image, size| {
                squares(board::lane(layers, size)).fold(image, |image, square| {
                    let (column, row) = symmetry.apply(square % 4, square / 4, 4, 4);
                    image | board::bit(size, 4 * row + column)
                })
            })
        };
        let board = Board {
            mover: image(self.board.mover),
            other: image(self.board.other),
        };
        Self::new(board, self.side)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = match self.side {
            Side::White => TURN_KEY,
            Side::Black => 0,
        };
        let mut key = turn;
        for side in [Side::Black, Side::White] {
            for size in 1..=4 {
                for square in squares(board::lane(self.layers(side), size)) {
                    key ^= piece_key(side, size, square);
                }
            }
        }
        key
    }

    fn perft(&self, depth: u32) -> u64 {
        perft::perft(self.board, depth)
    }

    fn encode(mv: Move) -> u16 {
        mv.code()
    }

    fn decode(code: u16) -> Option<Move> {
        Move::from_code(code)
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        notation::parse_move(text)
    }

    fn print_move(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_position(&self, text: &str) -> Result<Self, String> {
        notation::parse_position(text)
    }

    fn print_position(&self) -> String {
        notation::print_position(self)
    }
}
