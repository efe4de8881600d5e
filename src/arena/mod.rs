//! The arena: engines against each other, and what the results mean.
//!
//! * [`player`] is an engine as a child process, whatever it does, and
//!   [`engine`] is what it is told and asked in a game of ours, in GTP or in
//!   NBoard's protocol;
//! * [`custody`] sees to it that no engine outlives the arena;
//! * [`schedule`] says who meets whom, [`opening`] where the games begin,
//!   drawn ([`opening_draw`]) or read ([`opening_file`]), and [`clock`] keeps
//!   the time;
//! * [`referee`] leads one game, [`adjudication`] may end it early, and
//!   [`tournament`] plays all of them;
//! * [`record`] is what is kept of a game, with the forms that others read
//!   beside it, and from records alone follow the [`standings`], by way of
//!   [`stats`], [`sprt`] and [`ratings`], and the [`report`];
//! * [`merge`] joins what was played on several machines;
//! * [`args`] and [`spec`] are the command line, [`config`] is a file that
//!   stands for it, and [`stats_command`] prints
//!   what counts from elsewhere mean.

pub mod adjudication;
mod answer;
pub mod args;
pub mod clock;
pub mod config;
pub mod custody;
pub mod engine;
mod export;
mod gtp;
mod identity;
pub mod merge;
mod nboard;
pub mod opening;
pub mod opening_draw;
pub mod opening_file;
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
