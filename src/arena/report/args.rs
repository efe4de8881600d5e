//! The command line of `quadrille report`: definitions only.

use std::path::PathBuf;

use clap::Args;

use crate::arena::ratings::Anchor;

/// What is known of ratings beforehand.
#[derive(Debug, Args)]
pub struct RatingArgs {
    /// Give an engine this rating, and the others theirs in relation to it; may be repeated
    #[arg(long = "anchor", value_name = "NAME=ELO")]
    pub anchors: Vec<Anchor>,
}

/// `quadrille report`
#[derive(Debug, Args)]
#[command(after_help = "\
Reads what `quadrille tournament --out DIR` has kept, also while the tournament goes on, and writes \
one HTML page that needs nothing else: standings, ratings, crosstable, openings, failures, and every \
game to be played through on a board. Several directories make one report.

Examples:
  quadrille report DIR                       writes DIR/report.html
  quadrille report DIR --anchor old=1500 --text
  quadrille report A B C --out all.html")]
pub struct ReportArgs {
    /// Directories of tournaments
    #[arg(value_name = "DIR", required = true)]
    pub dirs: Vec<PathBuf>,
    /// The page to write [default: report.html in the first directory]; - for standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print standings, crosstable and ratings as text instead
    #[arg(long, conflicts_with_all = ["out", "json"])]
    pub text: bool,
    /// Print all numbers as JSON instead
    #[arg(long, conflicts_with = "out")]
    pub json: bool,
    /// What is known of ratings beforehand.
    #[command(flatten)]
    pub ratings: RatingArgs,
}
