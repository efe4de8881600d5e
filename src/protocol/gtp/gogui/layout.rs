//! GoGui's board: a square of points, with the reserves beside the game's own
//! board.
//!
//! The squares keep their names, since the board fills the lower left corner.
//! The reserves stand in the last column, White's from the bottom up, Black's
//! from the top down, and a column between is left out:
//!
//! ```text
//!  6  ?  ?  ?  ?  ?  b     Black's three stacks are F6, F5 and F4,
//!  5  ?  ?  ?  ?  ?  b     White's are F1, F2 and F3.
//!  4  .  .  .  .  ?  b
//!  3  .  .  .  .  ?  w
//!  2  .  .  .  .  ?  w
//!  1  .  .  .  .  ?  w
//!     A  B  C  D  E  F
//! ```

use crate::depict::{Cell, Picture, Piece, Point, Tile};
use crate::game::Side;

/// A picture as GoGui has room for it.
pub(in crate::protocol::gtp) struct Layout {
    picture: Picture,
    size: u8,
}

impl Layout {
    pub(in crate::protocol::gtp) fn of(picture: Picture) -> Self {
        let board = picture.width.max(picture.height);
        let stacks: usize = picture.reserves.iter().map(Vec::len).sum();
        let size = if stacks == 0 {
            board
        } else {
            (board + 2).max(stacks as u8)
        };
        Self { picture, size }
    }

    /// Points in a row.
    pub(in crate::protocol::gtp) fn size(&self) -> u8 {
        self.size
    }

    /// All points, the top row first.
    pub(super) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Point>> {
        let size = self.size;
        (0..size)
            .rev()
            .map(move |row| (0..size).map(move |column| Point { column, row }))
    }

    /// The point of that name, upper or lower case.
    pub(super) fn read(&self, name: &str) -> Option<Point> {
        let (&letter, digits) = name.as_bytes().split_first()?;
        let column = letter.to_ascii_lowercase().checked_sub(b'a')?;
        let [digit @ b'1'..=b'9'] = digits else {
            return None;
        };
        let row = digit - b'1';
        (column < self.size && row < self.size).then_some(Point { column, row })
    }

    /// The square at a point; none beside the board.
    pub(super) fn square(&self, point: Point) -> Option<&Cell> {
        let on_board = point.column < self.picture.width && point.row < self.picture.height;
        on_board.then(|| self.picture.cell(point))
    }

    /// The stack in reserve at a point, from bottom to top; none if no stack
    /// has its place there.
    pub(super) fn reserve(&self, point: Point) -> Option<&[Piece]> {
        let [black, white] = &self.picture.reserves;
        if point.column + 1 != self.size {
            return None;
        }
        let from_top = usize::from(self.size - 1 - point.row);
        let stack = white
            .get(usize::from(point.row))
            .or_else(|| black.get(from_top))?;
        Some(stack)
    }

    /// The points of the stacks in reserve that have this piece on top.
    pub(super) fn stacks_under(&self, piece: Piece) -> impl Iterator<Item = Point> {
        let stacks = self.picture.reserves[piece.side.index()].iter().enumerate();
        stacks
            .filter(move |(_, stack)| stack.last() == Some(&piece))
            .map(move |(index, _)| {
                let row = match piece.side {
                    Side::Black => self.size - 1 - index as u8,
                    Side::White => index as u8,
                };
                Point {
                    column: self.size - 1,
                    row,
                }
            })
    }

    /// Shows a piece on its way: what lies on top of `from` stands on `to`.
    pub(super) fn carry(&mut self, from: Point, to: Point) {
        let width = usize::from(self.picture.width);
        let index = |point: Point| usize::from(point.row) * width + usize::from(point.column);
        if self.square(from).is_none() || self.square(to).is_none() {
            return;
        }
        if let Some(mut piece) = self.picture.cells[index(from)].stack.pop() {
            let target = &mut self.picture.cells[index(to)];
            piece.dark |= target.tile == Tile::Dark;
            target.stack.push(piece);
        }
    }

    /// What is seen at a point: no point at all, or what lies on top.
    pub(super) fn top(&self, point: Point) -> Option<Option<Piece>> {
        match (self.square(point), self.reserve(point)) {
            (Some(cell), _) if cell.tile == Tile::Gone => None,
            (Some(cell), _) => Some(cell.stack.last().copied()),
            (None, Some(stack)) => Some(stack.last().copied()),
            (None, None) => None,
        }
    }
}

/// The name of a point, as GoGui writes it.
pub(super) fn name(point: Point) -> String {
    format!("{}{}", char::from(b'A' + point.column), point.row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::search::Settings;

    fn layout(game: &str) -> Layout {
        let settings = Settings {
            hash: 0,
            ..Settings::default()
        };
        let session = games::find(game)
            .expect("a game")
            .open(&settings)
            .expect("a session");
        Layout::of(session.picture())
    }

    #[test]
    fn reserves_enlarge_the_board_and_nothing_else_does() {
        for (game, size) in [
            ("othello6", 6),
            ("othello8", 8),
            ("tiles", 5),
            ("gobblet", 6),
        ] {
            assert_eq!(layout(game).size(), size, "{game}");
        }
    }

    #[test]
    fn points_are_named_as_they_are_read() {
        let layout = layout("gobblet");
        for point in layout.rows().flatten() {
            assert_eq!(layout.read(&name(point)), Some(point));
            assert_eq!(layout.read(&name(point).to_lowercase()), Some(point));
        }
        for bad in ["", "a", "a0", "a7", "g1", "a11", "4@b2", "pass", "1a", "é1"] {
            assert_eq!(layout.read(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_stacks_of_a_side_are_the_points_that_show_them() {
        let layout = layout("gobblet");
        for (side, names) in [(Side::Black, "F6 F5 F4"), (Side::White, "F1 F2 F3")] {
            let piece = Piece {
                side,
                size: 4,
                dark: false,
            };
            let points: Vec<Point> = layout.stacks_under(piece).collect();
            let found: Vec<String> = points.iter().copied().map(name).collect();
            assert_eq!(found.join(" "), names);
            for point in points {
                assert_eq!(
                    layout.reserve(point).expect("a reserve").last(),
                    Some(&piece)
                );
            }
        }
    }
}
