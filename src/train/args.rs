//! The trainer's part of the command line: definitions only.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};

use crate::cli::{MAX_THREADS, parse_game};
use crate::games::Variant;
use crate::search::heuristics::Depth;

/// More chunks than a directory can name have no use.
const MOST_GAMES: u64 = 256_000_000;

/// Long before, nothing changes any more.
const MOST_ITERATIONS: i64 = 100_000;

/// With more moves left nothing is solved in a lifetime.
const MOST_MOVES_LEFT: i64 = 40;

/// How strongly weights are held back: not at all is too little where a weight
/// is known from no position.
fn parse_ridge(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|&ridge: &f32| ridge.is_finite() && ridge > 0.0)
        .ok_or_else(|| "a ridge is a positive number, such as 10".to_string())
}

/// `quadrille train`
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = false,
    after_help = "\
Each step takes up where it was stopped, and depends on its seed alone.

Example, a tiny run:
  quadrille train data othello6 six --games 4096 --seed 1
  quadrille train fit othello6 six-fit --data six
  quadrille train export othello6 six-fit my.weights
  quadrille --weights my.weights"
)]
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
    /// Judge positions anew, by a search
    Label(LabelArgs),
    /// Find the weights that come nearest to the labels
    Fit(FitArgs),
    /// Solve positions of the middle game, to measure evaluations on
    Exact(ExactArgs),
    /// Measure an evaluation on labelled positions
    Error(ErrorArgs),
    /// Measure how far shallow searches are from deeper ones
    Probcut(ProbcutArgs),
    /// Put fitted weights into a weight file
    Export(ExportArgs),
}

impl TrainCommand {
    /// The game that is trained.
    pub fn game(&self) -> &'static Variant {
        match self {
            Self::Data(args) => args.game,
            Self::Label(args) => args.game,
            Self::Fit(args) => args.game,
            Self::Exact(args) => args.game,
            Self::Error(args) => args.game,
            Self::Probcut(args) => args.game,
            Self::Export(args) => args.game,
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
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
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
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub threads: usize,
    /// File of evaluation weights to play with, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

/// `quadrille train label`
#[derive(Debug, Args)]
#[command(after_help = "\
The positions that are not solved get the score of a search. Label and fit in turn, each time with \
the weights that came out before: so what is known about the end of the game gets to its beginning.")]
pub struct LabelArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Directory for the positions with their new labels
    pub directory: PathBuf,
    /// Directory with positions; may be given again
    #[arg(long, value_name = "DIR", required = true)]
    pub data: Vec<PathBuf>,
    /// Plies to search
    #[arg(long, value_name = "PLIES", default_value_t = 4,
          value_parser = clap::value_parser!(Depth).range(1..=20))]
    pub depth: Depth,
    /// Percentage of the positions to keep that are not solved: those of one game are much alike
    #[arg(long, value_name = "PERCENT", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    pub keep: u32,
    /// Fewest moves left: positions nearer to the end are left out
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    pub from: u32,
    /// Most moves left: positions farther from the end are left out
    #[arg(long, value_name = "MOVES", default_value_t = u32::MAX, hide_default_value = true)]
    pub to: u32,
    /// Decides which positions are kept
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// File of evaluation weights to search with, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub threads: usize,
}

/// `quadrille train fit`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints the error on the games held out (one chunk in twenty), in units, by the moves that are left; \
the directory gets it as report.json and error.svg.")]
pub struct FitArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Directory for the fitted weights
    pub fit: PathBuf,
    /// Directory with positions; may be given again
    #[arg(long, value_name = "DIR", required = true)]
    pub data: Vec<PathBuf>,
    /// How strongly weights are held back: as if so many positions said they were 0 (in gobblet)
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = parse_ridge)]
    pub ridge: f32,
    /// Steps of the solver, or rounds through all positions
    #[arg(long, value_name = "N", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(1..=MOST_ITERATIONS))]
    pub iterations: u32,
    /// A weight file, or an earlier fit by whose phases before and after, that weights are held to
    /// instead of 0 (in gobblet); an earlier fit that weights begin with and keep in phases without
    /// positions (in the disc games)
    #[arg(long, value_name = "FILE|DIR")]
    pub prior: Option<PathBuf>,
    /// Threads; each needs some hundred MiB
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub threads: usize,
}

/// `quadrille train export`
#[derive(Debug, Args)]
#[command(after_help = "\
A file that exists keeps its weights of other boards.")]
pub struct ExportArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Directory of the fitted weights
    pub fit: PathBuf,
    /// The weight file
    pub file: PathBuf,
    /// A word for the file's version
    #[arg(long = "set-version", value_name = "WORD", default_value = "trained")]
    pub version: String,
}

/// `quadrille train exact`
#[derive(Debug, Args)]
#[command(after_help = "\
The positions come from games that the engine plays after a random beginning, which a search of the \
same depth finds balanced. No two of them are the same, however the board is turned.")]
pub struct ExactArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Directory for the positions
    pub directory: PathBuf,
    /// Positions to solve, in chunks of 10
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub positions: u64,
    /// Fewest moves left
    #[arg(long, value_name = "MOVES", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=MOST_MOVES_LEFT))]
    pub from: u32,
    /// Most moves left
    #[arg(long, value_name = "MOVES", default_value_t = 24,
          value_parser = clap::value_parser!(u32).range(1..=MOST_MOVES_LEFT))]
    pub to: u32,
    /// Decides the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Plies to search for a move
    #[arg(long, value_name = "PLIES", default_value_t = 8,
          value_parser = clap::value_parser!(Depth).range(1..=20))]
    pub depth: Depth,
}

/// `quadrille train error`
#[derive(Debug, Args)]
pub struct ErrorArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Directory with positions, which gets report.json and error.svg
    pub directory: PathBuf,
    /// File of evaluation weights, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

/// `quadrille train probcut`
#[derive(Debug, Args)]
#[command(after_help = "\
Searches positions with the weights of the file and puts into it how large the error is by which \
a search is told to leave out what a shallower one makes unlikely to matter.")]
pub struct ProbcutArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// The weight file
    pub file: PathBuf,
    /// Directory with positions
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Positions to search
    #[arg(long, value_name = "N", default_value_t = 500,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub positions: usize,
    /// Plies to search
    #[arg(long, value_name = "PLIES", default_value_t = 10,
          value_parser = clap::value_parser!(Depth).range(3..=20))]
    pub depth: Depth,
    /// Decides which positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}
