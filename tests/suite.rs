//! All integration tests, in one binary so that it links once.

#![allow(clippy::unwrap_used)]

mod arena;
mod book;
mod client;
mod command_line;
mod contract;
mod discs;
mod gobblet;
mod gobblet_peer;
mod gobblet_repetition;
mod gobblet_wins;
mod oracle;
mod perft;
mod protocol;
mod readme;
mod search;
mod signature;
mod solve;
mod table;
mod tiles;
mod train;
