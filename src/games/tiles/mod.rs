//! The 5x5 game of tiles that are flipped and taken away, and its smaller
//! boards.
//!
//! A turn moves a disk to an adjacent tile and then uses up half a tile
//! beside it: a light disk flips a light tile to dark, a dark disk takes a
//! dark tile away, and a light disk that enters a dark tile turns dark for
//! ever. Whoever cannot complete a turn has lost.
//!
//! What the rules imply, and the code leans on:
//! 1. a disk is light exactly if its tile is light, so a disk's colour is not
//!    stored;
//! 2. only a light disk entering a dark tile can be left without a tile to
//!    change: any other disk can at least change the tile it has just left;
//! 3. the sum of all tile values (light 2, dark 1) falls by one a turn, so
//!    nothing repeats and a game ends within 46 turns.

mod board;
mod count;
mod depict;
mod evaluation;
mod heuristics;
mod network;
mod notation;
#[cfg(test)]
mod playouts;
mod prover;
mod rules;
mod training;

pub use evaluation::{DiskFeatures, SideFeatures, Tables};
pub use rules::{Tiles, Turn};
