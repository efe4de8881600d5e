//! The arena: engines against each other, and what the results mean.
//!
//! [`stats`] turns counts into strengths with their errors, and [`sprt`] says
//! when enough has been played; [`stats_command`] prints both and [`args`] is
//! the command line.

pub mod args;
pub mod sprt;
pub mod stats;
pub mod stats_command;
