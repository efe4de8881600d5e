//! The position as a picture.

use super::board::{self, SQUARES};
use super::moves::{Kind, Move};
use super::notation::stack;
use super::position::Gobblet;
use crate::depict::{Cell, Depict, Picture, Piece, Point, Tile};
use crate::game::{Game as _, Side};

const fn point(square: u8) -> Point {
    Point {
        column: square % 4,
        row: square / 4,
    }
}

const fn piece(side: Side, size: u8) -> Piece {
    Piece {
        side,
        size,
        dark: false,
    }
}

impl Depict for Gobblet {
    fn picture(&self) -> Picture {
        let cell = |square| Cell {
            tile: Tile::Plain,
            stack: stack(self, square)
                .map(|(side, size)| piece(side, size))
                .collect(),
        };
        let reserve = |side| {
            board::heights(self.layers(side))
                .into_iter()
                .map(|height| (1..=height).map(|size| piece(side, size)).collect())
                .collect()
        };
        Picture {
            width: 4,
            height: 4,
            row_one_on_top: false,
            cells: (0..SQUARES).map(cell).collect(),
            reserves: [Side::Black, Side::White].map(reserve),
            notes: Vec::new(),
        }
    }

    fn move_points(&self, mv: Move) -> Vec<Point> {
        match mv.kind() {
            Kind::Placement { square, .. } => vec![point(square)],
            Kind::Shift { from, to } => vec![point(from), point(to)],
        }
    }

    fn taken_piece(&self, mv: Move) -> Option<Piece> {
        match mv.kind() {
            Kind::Placement { size, .. } => Some(piece(self.side_to_move(), size)),
            Kind::Shift { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_drawn_from_bottom_to_top() {
        let position = Gobblet::start()
            .parse_position(".,.,.,./.,.,.,./.,.,.,./.,b3w4,.,b4 443 442 w")
            .expect("a legal position");
        let picture = position.picture();
        let at = |column, row| &picture.cell(Point { column, row }).stack;
        assert_eq!(*at(1, 0), [piece(Side::Black, 3), piece(Side::White, 4)]);
        assert_eq!(*at(3, 0), [piece(Side::Black, 4)]);
        assert_eq!(*at(0, 3), []);
        let [black, white] = &picture.reserves;
        assert_eq!(black.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 2]);
        assert_eq!(white[2], [1, 2, 3].map(|size| piece(Side::White, size)));
    }
}
