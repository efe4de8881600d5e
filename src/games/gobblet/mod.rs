//! Gobblet on the 4x4 board.
