//! Quadrille: one engine for four board games.
//!
//! Bytes come in through a protocol or the command line, go through a
//! [`session`] to the [`search`] and from there to the rules of a [`game`];
//! a report comes back the same way. No arrow points up:
//!
//! * [`game`] says what a game is, [`games`] is the one list of them;
//! * [`search`] plays any of them well, with what [`search::heuristics`] asks
//!   of a game beyond its rules; [`weights`] are the numbers of that, and a
//!   [`book`] is moves known beforehand, which the [`bookmaker`] has found;
//! * [`session`] is a game in progress with its engine, and the only dynamic
//!   boundary: above it nothing knows a game's types;
//! * [`records`] are games in the forms that others read and write;
//! * [`protocol`] speaks to GUIs and other programs, and [`sys`] is the little
//!   it needs of the operating system;
//! * [`arena`] plays engines against each other and says what that proves;
//! * [`train`] fits evaluations to games the engine plays against itself;
//! * [`depict`] is the picture from which every board is drawn;
//! * [`cli`] defines the command line, and [`mod@bench`], [`perft`], [`solve`] and
//!   [`command`] are its subcommands;
//! * [`cpu`] is asked first of all whether this processor can run the build.

pub mod arena;
pub mod bench;
pub mod book;
pub mod bookmaker;
pub mod cli;
pub mod command;
pub mod cpu;
pub mod depict;
pub mod game;
pub mod games;
mod journal;
pub mod perft;
pub mod protocol;
mod prove;
pub mod records;
pub mod search;
pub mod session;
pub mod solve;
pub mod sys;
pub mod train;
pub mod weights;
pub mod zobrist;
