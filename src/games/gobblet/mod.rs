//! Gobblet on the 4x4 board.
//!
//! Each side has twelve gobblets of four sizes, which begin in three nested
//! stacks beside the board. A turn puts the top of one of them on the board or
//! moves a gobblet that is there; a larger one may cover ("gobble") smaller
//! ones of either colour. Four visible gobblets of one's colour in a row,
//! column or long diagonal win.
//!
//! - `board`: bits and what is visible of them; no colours, only the
//!   side to move ("mover") and the other one.
//! - `lines`: the ten lines, as bit tricks on a set of squares.
//! - `position`: the rules, as [`crate::game::Game`].

mod board;
mod lines;
mod moves;
mod notation;
mod perft;
mod picture;
mod position;

pub use moves::{Kind, Move};
pub use position::Gobblet;
