//! The command line of `quadrille book`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};

use crate::cli::{MAX_HASH, MAX_THREADS, parse_game};
use crate::games::Variant;

/// `quadrille book`
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = false,
    after_help = "\
A book begins as a text of positions and moves, which its maker goes on with when begun again, and \
is exported to the file that is built into the engine.

Examples:
  quadrille book solve othello6 six.lines --threads 2 --hash 1024
  quadrille book export othello6 six.lines six.book --proved
  quadrille book check othello6 six.book"
)]
pub struct BookArgs {
    /// What to do
    #[command(subcommand)]
    pub command: BookCommand,
}

/// A part of making a book.
#[derive(Debug, Subcommand)]
pub enum BookCommand {
    /// Prove opening lines of a game that can be solved to its end
    Solve(SolveLinesArgs),
    /// Search the openings of a game that cannot
    Grow(GrowArgs),
    /// Make the file the engine reads
    Export(ExportArgs),
    /// See that proved lines lose nothing against any reply
    Check(CheckArgs),
}

/// `quadrille book solve`
#[derive(Debug, Args)]
#[command(after_help = "\
Follows every reply of either opponent, and one best move of ours, from the start down to where a \
search without help proves its move within --leaf-nodes.")]
pub struct SolveLinesArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Text of lines, made or gone on with
    pub lines: PathBuf,
    /// Begin here instead of at the start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Positions after which the search must be done for a line to end
    #[arg(long, value_name = "N", default_value_t = 20_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub leaf_nodes: u64,
    /// Search threads for the proofs
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub threads: usize,
    /// Size of the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_HASH as u64))]
    pub hash: usize,
}

/// `quadrille book grow`
#[derive(Debug, Args)]
#[command(after_help = "\
Searches the start, then again and again the position that the least bad play leads to, and last \
of all carries the values of the leaves back to the start.")]
pub struct GrowArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Text of lines, made or gone on with
    pub lines: PathBuf,
    /// Positions in the book
    #[arg(long, value_name = "N", default_value_t = 1_000,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub positions: usize,
    /// Positions to search for each
    #[arg(long, value_name = "N", default_value_t = 5_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Moves of a position that are searched
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub moves: usize,
    /// Positions searched at a time; the book is the same for any
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub concurrency: usize,
}

/// `quadrille book export`
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Text of lines
    pub lines: PathBuf,
    /// File to write
    pub book: PathBuf,
    /// The values are proved
    #[arg(long)]
    pub proved: bool,
    /// Leave out moves so many hundredths worse than the best
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 100,
          value_parser = clap::value_parser!(i32).range(0..=i64::from(i16::MAX)))]
    pub leeway: i32,
}

/// `quadrille book check`
#[derive(Debug, Args)]
#[command(after_help = "\
Plays a proved book as either side against every reply. Each of its values must be kept, and where \
the book ends a search within --leaf-nodes must prove that what it promised is there.

Every position of a book that was searched is searched again, by --leaf-nodes: none of its moves may \
be worse than the best by more than --leeway. With --mend such moves are left out instead, and what \
remains is written to FILE.")]
pub struct CheckArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// The book [default: the engine's own]
    pub book: Option<PathBuf>,
    /// Begin here instead of at the start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Positions a search may take [default: 20000000, or 2000000 where nothing is proved]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub leaf_nodes: Option<u64>,
    /// Hundredths by which a move of a searched book may be worse than the best
    #[arg(long, value_name = "HUNDREDTHS", default_value_t = 200,
          value_parser = clap::value_parser!(i32).range(0..=i64::from(i16::MAX)))]
    pub leeway: i32,
    /// Search only one in so many of the positions that are to be searched
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: u64,
    /// Positions of a searched book judged at a time; the verdict is the same for any
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub concurrency: usize,
    /// Write a searched book without the moves that are too bad to FILE
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub mend: Option<PathBuf>,
}
