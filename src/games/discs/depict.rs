//! A picture of the board.

use super::{Discs, Move};
use crate::depict::{Cell, Depict, Picture, Piece, Point};
use crate::game::Side;

impl Depict for Discs {
    fn picture(&self) -> Picture {
        let size = self.board.size();
        let cell = |index: usize| {
            let bit = 1 << self.board.square(index % size, index / size);
            let side = [Side::Black, Side::White]
                .into_iter()
                .find(|&side| self.discs(side) & bit != 0);
            Cell {
                stack: side.into_iter().map(disc).collect(),
                ..Cell::default()
            }
        };
        Picture {
            width: size as u8,
            height: size as u8,
            row_one_on_top: true,
            cells: (0..size * size).map(cell).collect(),
            reserves: [Vec::new(), Vec::new()],
            notes: vec![format!(
                "black {}, white {}",
                self.discs(Side::Black).count_ones(),
                self.discs(Side::White).count_ones()
            )],
        }
    }

    fn move_points(&self, mv: Move) -> Vec<Point> {
        if mv == Move::PASS {
            return Vec::new();
        }
        let margin = self.board.margin() as u8;
        vec![Point {
            column: mv.0 % 8 - margin,
            row: mv.0 / 8 - margin,
        }]
    }
}

fn disc(side: Side) -> Piece {
    Piece {
        side,
        size: 0,
        dark: false,
    }
}
