//! Gobblet on the 4x4 board.
//!
//! Each side has twelve gobblets of four sizes, which begin in three nested
//! stacks beside the board. A turn puts the top of one of them on the board or
//! moves a gobblet that is there; a larger one may cover ("gobble") smaller
//! ones of either colour. Four visible gobblets of one's colour in a row,
//! column or long diagonal win.
//!
//! From the rules upwards:
//!
//! - `lines`: the ten lines, as bit tricks on a set of squares.
//! - `board`: the gobblets as bits, and what is visible of them; it knows no
//!   colours, only the side to move ("mover") and the other one.
//! - `moves`, `notation`, `position`, `perft`: the rules, as [`crate::game::Game`].
//! - `tactics`, `evasions`: wins in one move, and what prevents them.
//! - `features`, `weights`: the evaluation, a sum of weights; `training`: how
//!   they are fitted.
//! - `ordering`, `heuristics`: the rest of what the search wants to know, as
//!   [`crate::search::heuristics::Heuristics`].
//! - `picture`: the position as [`crate::depict::Depict`] shows it.

mod board;
mod evasions;
mod features;
mod heuristics;
mod lines;
mod moves;
mod notation;
mod ordering;
mod perft;
mod picture;
mod position;
mod tactics;
mod training;
mod weights;

pub use features::Patterns;
pub use moves::{Kind, Move};
pub use position::Gobblet;
pub use weights::Tables;
