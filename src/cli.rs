//! The command line: definitions only.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::arena::args::{MergeArgs, StatsArgs, TournamentArgs};
use crate::arena::custody;
use crate::arena::report::args::ReportArgs;
use crate::bookmaker::args::BookArgs;
use crate::games::{self, Variant};
use crate::protocol::terminal::Seats;
use crate::search::Settings;
use crate::search::heuristics::Depth;
use crate::search::level::Level;
use crate::train::args::TrainArgs;

/// Most search threads one may ask for.
pub const MAX_THREADS: usize = 256;

/// Largest table one may ask for, in MiB.
pub const MAX_HASH: usize = 1 << 20;

/// What `quadrille` is called with.
#[derive(Debug, Parser)]
#[command(
    name = "quadrille",
    version,
    about = "Plays Othello, Reversi, Gobblet and a game of flipped tiles over GTP",
    long_about = "Plays Othello, Reversi, Gobblet and a game of flipped tiles.\n\n\
        Without a subcommand it reads commands of the Go Text Protocol on standard input and \
        answers on standard output, as GUIs and tournament programs expect. protocol.md \
        describes every command. What it logs goes to standard error: RUST_LOG=debug shows more.",
    after_help = ENGINE_EXAMPLES,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// The engine's defaults.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Another job than playing.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const ENGINE_EXAMPLES: &str = "Examples:
  quadrille                                   play othello6 by the default limit of 1 s a move
  quadrille --game gobblet --time 5           play Gobblet at 5 s a move
  quadrille --threads 4 --hash 1024           four search threads and a table of 1 GiB
  echo genmove black | quadrille --depth 10   one move, from a script
  quadrille solve othello8 --help             help on a subcommand";

/// A job of its own.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play in this terminal
    Play(Box<PlayArgs>),
    /// Play Othello in NBoard and other GUIs that speak its protocol
    #[command(name = "nboard")]
    NBoard(Box<EngineArgs>),
    /// Speak UGI, for programs that let engines play abstract games
    Ugi(Box<EngineArgs>),
    /// List the games
    Games(GamesArgs),
    /// Count the sequences of moves from a position
    Perft(PerftArgs),
    /// Find the exact result of a position, and the moves that reach it
    Solve(SolveArgs),
    /// Measure the search
    Bench(BenchArgs),
    /// Let engines play each other
    Tournament(Box<TournamentArgs>),
    /// Join the shares of a tournament played on several machines
    Merge(MergeArgs),
    /// Show what a tournament has come to, on a page for a browser
    Report(ReportArgs),
    /// Outlives a tournament that is killed, to end its engines
    #[command(name = custody::GUARD, hide = true)]
    ArenaGuard,
    /// Tell strengths from counts of results
    Stats(StatsArgs),
    /// Make and check opening books
    Book(BookArgs),
    /// Check a file of evaluation weights
    Weights(WeightsArgs),
    /// Fit evaluation weights to games of the engine against itself
    Train(TrainArgs),
}

/// How the engine plays if the protocol says nothing else.
#[derive(Debug, Args)]
pub struct EngineArgs {
    /// The game to begin with: othello6, othello8, reversi8, gobblet or tiles
    #[arg(long, value_name = "NAME", default_value = "othello6", value_parser = parse_game)]
    pub game: &'static Variant,
    /// How it plays.
    #[command(flatten)]
    pub strength: StrengthArgs,
}

/// `quadrille play`
#[derive(Debug, Args)]
#[command(after_help = "\
A move is typed as it is written, and `help` lists the commands. Lines may also come from a pipe.

Examples:
  quadrille play othello6                         you begin
  quadrille play gobblet --side second --level 3  the engine begins, and plays not too well
  quadrille play tiles --side both                two people, one board
  quadrille play othello8 --load evening.txt      goes on with a game that was kept")]
pub struct PlayArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// The side that is yours
    #[arg(long, value_enum, default_value_t = Seats::First)]
    pub side: Seats,
    /// Go on with the game kept in this file
    #[arg(long, value_name = "FILE")]
    pub load: Option<String>,
    /// How the engine plays.
    #[command(flatten)]
    pub strength: StrengthArgs,
}

/// How the engine plays.
#[derive(Debug, Args)]
pub struct StrengthArgs {
    /// Threads, table and seed.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Seconds a move takes at most [default: 1, if nothing else limits it]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<Duration>,
    /// Plies to search for a move
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(Depth).range(1..=127))]
    pub depth: Option<Depth>,
    /// Positions to search for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// How strong to play, from 1 for beginners to 10 for all it can
    #[arg(long, value_name = "1-10", default_value_t = Level::FULL)]
    pub level: Level,
    /// File of evaluation weights, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Search every move, also those that are known beforehand
    #[arg(long)]
    pub no_book: bool,
}

/// What every search needs.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Search threads; one always gives the same result
    #[arg(long, value_name = "N", default_value_t = Settings::default().threads,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub threads: usize,
    /// Size of the table in MiB; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_HASH as u64))]
    pub hash: usize,
    /// 0 plays the same move each time; others vary among equal moves
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    pub seed: u64,
}

impl SearchArgs {
    /// As the search takes them.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads,
            hash: self.hash,
            seed: self.seed,
            ..Settings::default()
        }
    }
}

/// `quadrille games`
#[derive(Debug, Args)]
#[command(
    after_help = "The names are what --game, the subcommands and the protocol's set_game take.
With --json every game comes with its other names, its title and the size of its board."
)]
pub struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `quadrille perft`
#[derive(Debug, Args)]
#[command(after_help = "\
A forced pass is one move. Whether a game that ends earlier counts is the field's custom: once in \
the disc games, not at all in the others.

Examples:
  quadrille perft othello8 9                                 3005288
  quadrille perft tiles 3 --divide                           count below each first move
  quadrille perft tiles 6 --size 3x4                         on a small board")]
pub struct PerftArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Number of moves
    #[arg(value_parser = clap::value_parser!(u32).range(0..=127))]
    pub depth: u32,
    /// Count from here instead of the start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Count from the start on a smaller board, as 4x3 (tiles only)
    #[arg(long, value_name = "WxH", value_parser = parse_size, conflicts_with = "position", allow_hyphen_values = true)]
    pub size: Option<(u8, u8)>,
    /// Print the count below each first move, then the total
    #[arg(long)]
    pub divide: bool,
    /// Print JSON, with the time taken
    #[arg(long)]
    pub json: bool,
}

/// `quadrille solve`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints the result for the side to move (`score MARGIN` in the disc games, else and with `--wld` \
`win PLIES`, `loss PLIES` or `draw`), the moves proved to reach it and a line of best play. PLIES is \
the length of that line; in tiles it was looked for by who wins, and there may be shorter ones. If a \
limit comes first the exit code is 1.

--prove keeps the proof in a file, sitting by sitting; --time is all that a sitting takes, with reading \
the file.

Examples:
  quadrille solve tiles --size 3x4 --all
  quadrille solve othello6 --position 'OOOOOO/OXXXX-/OXOXXX/OOXXOX/OOOOX-/-OOO-- X' --all
  quadrille solve gobblet --time 10 --threads 2
  quadrille solve tiles --prove tiles.proof --hash 4096 --threads 2 --time 36000")]
pub struct SolveArgs {
    /// The game
    #[arg(value_parser = parse_game)]
    pub game: &'static Variant,
    /// Solve this position instead of the start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Solve the start on a smaller board, as 4x3: columns, then rows (tiles only)
    #[arg(long, value_name = "WxH", value_parser = parse_size, conflicts_with = "position", allow_hyphen_values = true)]
    pub size: Option<(u8, u8)>,
    /// Find every move that reaches the result, not just one
    #[arg(long)]
    pub all: bool,
    /// Find out only who wins, not by how much: win, loss or draw
    #[arg(long)]
    pub wld: bool,
    /// Give up after this time [default: never]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time: Option<Duration>,
    /// Give up after so many positions [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Find out who wins over several sittings, kept in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["all", "json", "nodes"])]
    pub prove: Option<PathBuf>,
    /// With --prove, positions to search before a leaf of the proof grows
    #[arg(long, value_name = "N", requires = "prove", default_value_t = 2_000_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub leaf_nodes: u64,
    /// Threads, table and seed.
    #[command(flatten)]
    pub search: SearchArgs,
    /// File of evaluation weights, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Print JSON, with nodes and time
    #[arg(long)]
    pub json: bool,
}

/// `quadrille bench`
#[derive(Debug, Args)]
#[command(after_help = "\
Without a game it searches fixed positions of every game to fixed depths on one thread and prints \
a signature: a number that is the same on every machine and in every run, and changes with any \
change of what the search does. With a game it prints a table of what each depth costs, over the \
same positions.

Examples:
  quadrille bench                                        speed and signature
  quadrille bench --game gobblet --depth 8 --threads 2   a table by depth")]
pub struct BenchArgs {
    /// Measure this game alone, depth by depth
    #[arg(long, value_name = "NAME", value_parser = parse_game)]
    pub game: Option<&'static Variant>,
    /// Last depth of the table [default: that of the fixed positions]
    #[arg(long, value_name = "PLIES", requires = "game",
          value_parser = clap::value_parser!(Depth).range(1..=127))]
    pub depth: Option<Depth>,
    /// Search threads
    #[arg(long, value_name = "N", requires = "game", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    pub threads: usize,
    /// Size of the table in MiB
    #[arg(long, value_name = "MIB", requires = "game", default_value_t = Settings::default().hash,
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=MAX_HASH as u64))]
    pub hash: usize,
    /// File of evaluation weights, instead of the built-in ones
    #[arg(long, value_name = "FILE", requires = "game")]
    pub weights: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `quadrille weights`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints the game, the version and the checksum of the file, or says what is wrong with it. A file \
changed by hand needs a new checksum: --seal writes it.

Example:
  quadrille weights my.weights --seal && quadrille --game tiles --weights my.weights")]
pub struct WeightsArgs {
    /// The weight file
    pub file: PathBuf,
    /// Rewrite the checksum in the file's last line first
    #[arg(long)]
    pub seal: bool,
}

/// Finds a game by name or alias.
pub(crate) fn parse_game(name: &str) -> Result<&'static Variant, String> {
    games::find(name).ok_or_else(|| format!("the games are {}", games::names().join(", ")))
}

/// Reads columns and rows of a board.
fn parse_size(text: &str) -> Result<(u8, u8), String> {
    let sides = text.split_once(['x', 'X']);
    sides
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
        .ok_or_else(|| "a size is columns and rows, such as 3x4".to_string())
}

/// Reads a positive number of seconds.
/// Lets every option take what looks like a negative number, so that it is
/// refused by the words of that option. A flag of that name would be looked
/// for else.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            arg.allow_negative_numbers(takes_values)
        })
        .mut_subcommands(with_negative_numbers)
}

impl Cli {
    /// Reads the words of a command line, the program's name first.
    ///
    /// # Errors
    /// If they are wrong, or ask for help or the version.
    pub fn read(words: Vec<OsString>) -> Result<Self, clap::Error> {
        let command = with_negative_numbers(Self::command());
        let mut matches = command.try_get_matches_from(words)?;
        Self::from_arg_matches_mut(&mut matches)
    }
}

pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "a time is a positive number of seconds, such as 0.5".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_time_is_positive_and_finite() {
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["", "0", "-1", "nan", "inf", "1e300", "1 s", "1e-12"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
