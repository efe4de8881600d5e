//! The trainer's part of the command line: definitions only.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::parse_game;
use crate::games::Variant;
use crate::search::heuristics::Depth;

/// `quadrille train`
#[derive(Debug, Args)]
#[command(after_help = "\
Each step takes up where it was stopped, and depends on its seed alone.

Example, a tiny run:
  quadrille train data othello6 runs/six --games 2000 --seed 1")]
pub struct TrainArgs {
    /// The step
    #[command(subcommand)]
    pub command: TrainCommand,
}

/// A step of the training.
#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Play games and keep their positions with what they turned out to be worth
    Data(DataArgs),
}

impl TrainCommand {
    /// The game that is trained.
    pub fn game(&self) -> &'static Variant {
        match self {
            Self::Data(args) => args.game,
        }
    }
}

/// `quadrille train data`
#[derive(Debug, Args)]
pub struct DataArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Directory for the positions
    pub directory: PathBuf,
    /// Games to play, in chunks of 256
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub games: u64,
    /// Decides the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Plies to search for a move
    #[arg(long, value_name = "PLIES", default_value_t = 4,
          value_parser = clap::value_parser!(Depth).range(1..=20))]
    pub depth: Depth,
    /// Moves before the end from which on positions are solved [default: the game's]
    #[arg(long, value_name = "MOVES")]
    pub reach: Option<u32>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// File of evaluation weights to play with, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}
