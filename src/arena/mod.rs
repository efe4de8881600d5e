//! The arena: engines against each other, and what the results mean.
//!
//! * [`player`] is an engine as a child process, whatever it does, and
//!   [`engine`] is what it is told and asked in a game of ours;
//! * [`custody`] sees to it that no engine outlives the arena;
//! * [`schedule`] says who meets whom, [`opening`] where the games begin, and
//!   [`clock`] keeps the time;
//! * [`referee`] leads one game, [`tournament`] all of them;
//! * [`record`] is what is kept of a game, with the forms that others read
//!   beside it, and from records alone follow the [`standings`], by way of
//!   [`stats`], [`sprt`] and [`ratings`], and the [`report`];
//! * [`args`] and [`spec`] are the command line, and [`stats_command`] prints
//!   what counts from elsewhere mean.

mod answer;
pub mod args;
pub mod clock;
pub mod custody;
pub mod engine;
mod export;
pub mod opening;
mod plan;
pub mod player;
pub mod ratings;
pub mod record;
pub mod referee;
mod replay;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod stats_command;
pub mod tournament;
mod worker;
