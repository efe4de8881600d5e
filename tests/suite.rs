//! All integration tests, in one binary so that it links once.

#![allow(clippy::unwrap_used)]

mod discs;
mod gobblet;
mod oracle;
mod protocol;
mod solve;
mod tiles;
