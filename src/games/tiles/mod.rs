//! The 5x5 game of tiles that are flipped and taken away.
