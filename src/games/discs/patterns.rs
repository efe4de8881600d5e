//! The groups of squares that the evaluation looks at.
//!
//! A shape is a list of squares; its instances are what the symmetries of the
//! board make of it, and all share one table of weights. A filled instance is
//! a number in balanced ternary: a disc of the side to move is 1, an empty
//! square 0, a disc of the opponent -1. So the opponent sees the same number
//! with the other sign, and a disc more or less changes it by a power of 3.
//!
//! CITE: M. Buro, Logistello: a strong learning Othello program, 1995
//! (patterns in ternary, by phase); <https://github.com/abulmo/edax-reversi>
//! (which squares).

use super::Board;
use crate::game::Symmetry;

/// Room for the instances of one board, as processors like it.
pub(super) const LANES: usize = 48;

/// The most squares a shape has: 3^10 still fits 16 bits with its sign.
const MOST_SQUARES: usize = 10;

/// The shapes of a board that have most.
const MOST_SHAPES: usize = 12;

/// A number for each instance.
pub(super) type Lanes = [i16; LANES];

/// The shapes of a board and what follows from them.
pub(super) struct Layout {
    /// How many shapes there are.
    pub(super) shapes: usize,
    /// By shape, how many squares it has.
    pub(super) squares: [usize; MOST_SHAPES],
    /// By shape, where its weights begin.
    pub(super) start: [usize; MOST_SHAPES],
    /// By shape and square, the place of the square's mirror image in the
    /// shape; the same place if the shape is not symmetric.
    pub(super) mirror: [[usize; MOST_SQUARES]; MOST_SHAPES],
    /// How many instances there are.
    pub(super) instances: usize,
    /// By instance, where the weight of the empty pattern is. Lanes without
    /// an instance point to the end of the weights.
    pub(super) centre: [i32; LANES],
    /// By square, what a disc of the side to move there adds to each number.
    pub(super) powers: [Lanes; 64],
    /// Weights of all shapes together.
    pub(super) weights: usize,
}

/// What the evaluation of a board looks at.
pub(super) const fn layout(board: Board) -> &'static Layout {
    static SIX: Layout = Layout::new(&SHAPES_SIX, Board::Six);
    static EIGHT: Layout = Layout::new(&SHAPES_EIGHT, Board::Eight);
    match board {
        Board::Six => &SIX,
        Board::Eight => &EIGHT,
    }
}

/// Squares counted from a corner, at most [`MOST_SQUARES`]. Their order is that
/// of the weights.
type Shape = &'static str;

/// How many squares a shape has.
const fn squares_of(shape: Shape) -> usize {
    (shape.len() + 1) / 3
}

/// The column and row of the square in that place of a shape.
const fn square_of(shape: Shape, place: usize) -> (usize, usize) {
    let text = shape.as_bytes();
    let at = 3 * place;
    ((text[at] - b'a') as usize, (text[at + 1] - b'1') as usize)
}

const CORNER_3X3: Shape = "a1 b1 c1 a2 b2 c2 a3 b3 c3";
const CORNER_5X2: Shape = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2";

static SHAPES_EIGHT: [Shape; 11] = [
    // An edge with the X-squares.
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    CORNER_3X3,
    CORNER_5X2,
    // Rows 2 to 4.
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    // Diagonals of 8 to 4.
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "e1 f2 g3 h4",
];

static SHAPES_SIX: [Shape; 9] = [
    // An edge with the X-squares.
    "a1 b1 c1 d1 e1 f1 b2 e2",
    CORNER_3X3,
    CORNER_5X2,
    // A corner in steps.
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    // Rows 2 and 3.
    "a2 b2 c2 d2 e2 f2",
    "a3 b3 c3 d3 e3 f3",
    // Diagonals of 6 to 4.
    "a1 b2 c3 d4 e5 f6",
    "b1 c2 d3 e4 f5",
    "c1 d2 e3 f4",
];

/// What a symmetry of the board makes of a square.
const fn image(square: u8, symmetry: Symmetry) -> u8 {
    let (column, row) = symmetry.apply(square % 8, square / 8, 8, 8);
    row * 8 + column
}

impl Layout {
    const fn new(shapes: &[Shape], board: Board) -> Self {
        let mut layout = Self {
            shapes: shapes.len(),
            squares: [0; MOST_SHAPES],
            start: [0; MOST_SHAPES],
            mirror: [[0; MOST_SQUARES]; MOST_SHAPES],
            instances: 0,
            centre: [0; LANES],
            powers: [[0; LANES]; 64],
            weights: 0,
        };
        let mut number = 0;
        while number < shapes.len() {
            layout.add(number, shapes[number], board);
            number += 1;
        }
        let mut lane = layout.instances;
        while lane < LANES {
            layout.centre[lane] = layout.weights as i32;
            lane += 1;
        }
        layout
    }

    /// Adds the instances of a shape.
    const fn add(&mut self, number: usize, shape: Shape, board: Board) {
        let size = 3_usize.pow(squares_of(shape) as u32);
        let first = self.instances;
        let mut seen = [0_u64; 8];
        self.squares[number] = squares_of(shape);
        self.start[number] = self.weights;
        let mut symmetry = 0;
        while symmetry < 8 {
            let (squares, mask) = placed(shape, board, Symmetry::ALL[symmetry]);
            let mut known = false;
            let mut earlier = 0;
            while earlier < self.instances - first {
                known |= seen[earlier] == mask;
                earlier += 1;
            }
            if !known {
                seen[self.instances - first] = mask;
                let mut place = 0;
                while place < squares_of(shape) {
                    let power = 3_i16.pow(place as u32);
                    self.powers[squares[place] as usize][self.instances] = power;
                    place += 1;
                }
                self.centre[self.instances] = (self.weights + size / 2) as i32;
                self.instances += 1;
            }
            symmetry += 1;
        }
        self.mirror[number] = mirror(shape, board);
        self.weights += size;
    }
}

/// The squares of a shape under a symmetry, in order and as a set.
const fn placed(shape: Shape, board: Board, symmetry: Symmetry) -> ([u8; MOST_SQUARES], u64) {
    let mut squares = [0; MOST_SQUARES];
    let mut mask = 0;
    let mut place = 0;
    while place < squares_of(shape) {
        let (column, row) = square_of(shape, place);
        squares[place] = image(board.square(column, row), symmetry);
        mask |= 1 << squares[place];
        place += 1;
    }
    (squares, mask)
}

/// By place, where the symmetry that leaves the shape where it is puts it.
const fn mirror(shape: Shape, board: Board) -> [usize; MOST_SQUARES] {
    let (squares, mask) = placed(shape, board, Symmetry::ALL[0]);
    let mut result = [0; MOST_SQUARES];
    let mut symmetry = 0;
    while symmetry < 8 {
        let (images, image_mask) = placed(shape, board, Symmetry::ALL[symmetry]);
        let mut moved = false;
        if image_mask == mask {
            let mut images_of = [0; MOST_SQUARES];
            let mut place = 0;
            while place < squares_of(shape) {
                let mut other = 0;
                while squares[other] != images[place] {
                    other += 1;
                }
                images_of[place] = other;
                moved |= other != place;
                place += 1;
            }
            if moved || symmetry == 0 {
                result = images_of;
            }
        }
        symmetry += 1;
    }
    result
}

impl Layout {
    /// By weight, the index of the weight of the mirror image, which must be
    /// the same.
    pub(super) fn mirrored(&self) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.weights);
        for shape in 0..self.shapes {
            let first = all.len();
            all.push(first as u32);
            for place in 0..self.squares[shape] {
                let added = 3_u32.pow(self.mirror[shape][place] as u32);
                let so_far = all.len() - first;
                for digit in 1..3 {
                    for index in first..first + so_far {
                        all.push(all[index] + digit * added);
                    }
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_instances_as_the_board_has() {
        for (board, instances) in [(Board::Six, 38), (Board::Eight, 46)] {
            let layout = layout(board);
            assert_eq!(layout.instances, instances);
            assert_eq!(layout.mirrored().len(), layout.weights);
            for square in 0..64 {
                let seen = layout.powers[square].iter().any(|&power| power != 0);
                assert_eq!(seen, board.mask() >> square & 1 != 0, "{square}");
            }
        }
    }

    #[test]
    fn a_mirror_image_twice_is_the_pattern_itself() {
        for board in [Board::Six, Board::Eight] {
            let mirrored = layout(board).mirrored();
            let symmetric = mirrored
                .iter()
                .enumerate()
                .filter(|&(index, &other)| {
                    assert_eq!(mirrored[other as usize] as usize, index);
                    other as usize == index
                })
                .count();
            assert!(symmetric < mirrored.len());
        }
    }
}
