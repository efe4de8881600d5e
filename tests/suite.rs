//! All integration tests, in one binary so that it links once.

#![allow(clippy::unwrap_used)]

mod contract;
mod discs;
mod gobblet;
mod perft;
