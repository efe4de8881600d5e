//! The arena, as a user calls it.

mod stats;
