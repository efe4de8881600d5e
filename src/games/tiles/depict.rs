//! The picture of a position.

use super::board::{bit, column, row, square};
use super::rules::{Tiles, Turn};
use crate::depict::{Cell, Depict, Picture, Piece, Point, Tile};
use crate::game::Side;

impl Depict for Tiles {
    fn picture(&self) -> Picture {
        let cells = (0..self.height)
            .flat_map(|row| (0..self.width).map(move |column| square(column, row)))
            .map(|square| self.cell(square))
            .collect();
        let turns = |side| format!("{side} {}", self.turns_of(side));
        Picture {
            width: self.width,
            height: self.height,
            row_one_on_top: false,
            cells,
            reserves: [Vec::new(), Vec::new()],
            notes: vec![format!(
                "turns: {}, {}",
                turns(Side::Black),
                turns(Side::White)
            )],
        }
    }

    fn move_points(&self, turn: Turn) -> Vec<Point> {
        [turn.from, turn.to, turn.changed]
            .map(|square| Point {
                column: column(square),
                row: row(square),
            })
            .to_vec()
    }
}

impl Tiles {
    fn cell(&self, square: u8) -> Cell {
        let dark = self.dark & bit(square) != 0;
        let tile = if dark {
            Tile::Dark
        } else if self.light & bit(square) != 0 {
            Tile::Light
        } else {
            Tile::Gone
        };
        let stack = [Side::Black, Side::White]
            .into_iter()
            .filter(|side| self.disks[side.index()] & bit(square) != 0)
            .map(|side| Piece {
                side,
                size: 0,
                dark,
            })
            .collect();
        Cell { tile, stack }
    }
}
