//! Quadrille: one engine for four board games.

pub mod depict;
pub mod game;
pub mod games;
pub mod protocol;
pub mod search;
pub mod session;
pub mod sys;
pub mod weights;
pub mod zobrist;
