//! Othello and Reversi: one source for both board sizes.
