//! All integration tests, in one binary so that they build quickly.

#![allow(clippy::unwrap_used)]

mod discs;
mod gobblet;
mod oracle;
mod tiles;
