//! The games: this is the one list of them.

pub mod discs;
pub mod gobblet;
pub mod tiles;
