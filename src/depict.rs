//! One neutral picture of a position, from which everything that shows a
//! board is drawn: `showboard`, a terminal, a GUI's graphics, a web page.

use crate::game::{Game, Side};

/// A point of the board: column 0 is `a`, row 0 is row 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// From 0 at the left.
    pub column: u8,
    /// From 0 at row 1.
    pub row: u8,
}

/// What a square is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Tile {
    /// A board with only one kind of square.
    #[default]
    Plain,
    /// A tile with its light side up.
    Light,
    /// A tile with its dark side up.
    Dark,
    /// No tile any more.
    Gone,
}

/// A piece on a square or in reserve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Its size, from 1; 0 where pieces have no sizes.
    pub size: u8,
    /// Whether it shows its dark face (a converted disk of the tile game).
    pub dark: bool,
}

/// One square.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cell {
    /// The square itself.
    pub tile: Tile,
    /// What stands on it, from bottom to top.
    pub stack: Vec<Piece>,
}

/// The whole board, and what lies beside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Picture {
    /// Squares in a row.
    pub width: u8,
    /// Squares in a column.
    pub height: u8,
    /// Whether row 1 is drawn at the top, as Othello players do.
    pub row_one_on_top: bool,
    /// `cells[row * width + column]`.
    pub cells: Vec<Cell>,
    /// The stacks beside the board by side (Black's first), each stack from
    /// bottom to top.
    pub reserves: [Vec<Vec<Piece>>; 2],
    /// Facts worth a line of text beside the board, such as a disc count.
    pub notes: Vec<String>,
}

impl Picture {
    /// The square at `point`.
    ///
    /// # Panics
    /// If the point is off the board.
    pub fn cell(&self, point: Point) -> &Cell {
        assert!(point.column < self.width && point.row < self.height);
        &self.cells[usize::from(point.row) * usize::from(self.width) + usize::from(point.column)]
    }
}

/// A game that can be drawn.
pub trait Depict: Game {
    /// The position as a picture.
    fn picture(&self) -> Picture;

    /// The points a move touches, in the order in which a hand would touch
    /// them: the square of a placement; from, to; from, to, changed tile. None
    /// for a pass.
    fn move_points(&self, mv: Self::Move) -> Vec<Point>;

    /// The piece that a move takes from the reserve, where a hand would touch
    /// it first. None for moves on the board.
    fn taken_piece(&self, _mv: Self::Move) -> Option<Piece> {
        None
    }
}
