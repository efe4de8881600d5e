//! The arena's part of the command line: definitions only.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::clock::{Fischer, parse_fischer};
use super::report::args::RatingArgs;
use super::schedule::{Format, Shard};
use super::spec::split;
use super::sprt::Model;
use crate::cli::{parse_game, parse_seconds};
use crate::games::Variant;

/// `quadrille stats`
#[derive(Debug, Args)]
#[command(
    override_usage = "quadrille stats <W> <D> <L> [OPTIONS]\n       \
        quadrille stats --pairs <LL> <LD> <MIX> <WD> <WW> [OPTIONS]",
    after_help = "\
Prints the score, the Elo difference and the normalised Elo difference with 95 % intervals, the \
likelihood of superiority, and the log-likelihood ratio of the sequential test of elo1 against \
elo0 with the bounds at which it ends. Counts that show no spread, such as ten wins out of ten, \
give a cautious bound.

Examples:
  quadrille stats 136 111 96
  quadrille stats --pairs 34 54 63 64 75 --elo1 10 --model logistic"
)]
pub struct StatsArgs {
    /// Games won, drawn and lost
    #[arg(value_names = ["W", "D", "L"], num_args = 3, required_unless_present = "pairs")]
    pub games: Vec<u64>,
    /// Pairs of games with the sides exchanged instead: both lost; lost and drawn; one each or
    /// both drawn; won and drawn; both won
    #[arg(long, value_names = ["LL", "LD", "MIX", "WD", "WW"], num_args = 5,
          conflicts_with = "games")]
    pub pairs: Option<Vec<u64>>,
    /// Elo of the hypothesis H0
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub elo0: f64,
    /// Elo of the hypothesis H1
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 5.0,
        allow_negative_numbers = true
    )]
    pub elo1: f64,
    /// Chance to accept H1 wrongly
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance to accept H0 wrongly
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05)]
    pub beta: f64,
    /// What the Elo of the hypotheses means
    #[arg(long, value_enum, default_value_t)]
    pub model: Model,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `quadrille tournament`
#[derive(Debug, Args)]
#[command(after_help = "\
An engine is any program that speaks GTP and plays the game. Each --engine describes one, either \
in one quoted word or in several words: cmd= the program, name= what it is called, args= its \
arguments, dir= where it runs, option.NAME= an option it is sent by set_option, and tc=, st=, nodes=, depth= if its \
limits are its own. The arena keeps the rules and the time. An engine that crashes, hangs, floods \
its output, plays an illegal move or oversteps its time loses that game and no other.

Every opening is played twice with the sides exchanged, and such pairs are what the statistics are \
made from. With --out every finished game is a line of DIR/games.jsonl; the same call with --resume \
goes on after an interruption.

Examples:
  quadrille tournament --game tiles --rounds 50 --st 0.02 --concurrency 2 \\
      --engine cmd=./new name=new --engine cmd=./old name=old
  quadrille tournament --game othello8 --rounds 20000 --sprt elo0=0 elo1=5 \\
      --engine 'cmd=quadrille name=A nodes=4000' --engine 'cmd=quadrille name=B nodes=1000'")]
pub struct TournamentArgs {
    // First of all: what the others are read from is gone then.
    /// What was given, for the record.
    #[command(flatten)]
    pub given: Given,
    /// The game
    #[arg(long, value_name = "NAME", default_value = "othello6", value_parser = parse_game)]
    pub game: &'static Variant,
    /// The engines.
    #[command(flatten)]
    pub engines: EngineGroups,
    /// Who meets whom [default: match between two engines, round-robin among more]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// How often all that meet play each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(1))]
    pub rounds: u64,
    /// Games of two engines in a round
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = at_least(1))]
    pub games: u64,
    /// Games at a time, no more than there are processors
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub concurrency: usize,
    /// Play more games at a time than there are processors
    #[arg(long)]
    pub force_concurrency: bool,
    /// Clock of each engine: seconds for the game, and added a move
    #[arg(long, value_name = "[MIN:]SEC[+INC]", value_parser = parse_fischer, conflicts_with = "st")]
    pub tc: Option<Fischer>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub st: Option<Duration>,
    /// Positions for each move
    #[arg(long, value_name = "N", value_parser = at_least(1))]
    pub nodes: Option<u64>,
    /// Plies for each move
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=127))]
    pub depth: Option<u32>,
    /// Milliseconds an engine may be late in each move
    #[arg(long, value_name = "MS", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    pub timemargin: u64,
    /// Longest wait for an answer where no time is set, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub patience: Duration,
    /// File of openings, a position or a sequence of moves a line; or file= order=sequential or
    /// random, start=
    #[arg(long, value_name = "FILE", num_args = 1..=3)]
    pub openings: Option<Vec<String>>,
    /// Begin with that opening of the file, counted from 1
    #[arg(long, value_name = "N", requires = "openings",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub opening_start: Option<usize>,
    /// Without a file of openings: begin with so many random plies
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "openings",
          value_parser = RangedU64ValueParser::<usize>::new().range(0..=40))]
    pub opening_plies: usize,
    /// Random openings are kept if a search finds the value within window= of 0, in hundredths,
    /// by nodes= or depth=; `off` keeps all [default: nodes=5000, and window=300 in the disc
    /// games, 250 in gobblet, 100 in tiles]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=3, conflicts_with = "openings")]
    pub opening_balance: Option<Vec<String>>,
    /// Chooses the random openings, and the order of those of a file
    #[arg(long, value_name = "N", default_value_t = 0, alias = "srand")]
    pub seed: u64,
    /// Give a game up for the side that is behind: movecount=3 moves in a row it calls itself
    /// score= or more behind, with twosided=true the other side agrees
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=3)]
    pub resign: Option<Vec<String>>,
    /// Call a game a draw: from movenumber=1 on both call it within score= of even in movecount=4
    /// moves in a row
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=3)]
    pub draw: Option<Vec<String>>,
    /// Call a game of so many plies a draw
    #[arg(long, value_name = "PLIES",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub maxmoves: Option<usize>,
    /// Whether an engine that has failed is started again; if not, the tournament ends
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, action = ArgAction::Set)]
    pub recover: bool,
    /// End as soon as the first of two engines is proved to be elo1 better rather than elo0, or
    /// the other way round: elo0= elo1= alpha= beta= model=
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..=5)]
    pub sprt: Option<Vec<String>>,
    /// Directory for the records of the games and the logs of the engines
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the tournament in that directory
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Play one of several shares of the tournament, for `quadrille merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// What is known of ratings beforehand.
    #[command(flatten)]
    pub ratings: RatingArgs,
    /// Print the standings after so many games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least(1),
          visible_alias = "every")]
    pub ratinginterval: u64,
    /// Print the score with every so many games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(1))]
    pub scoreinterval: u64,
    /// Milliseconds each board waits between games
    #[arg(long, value_name = "MS", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    pub wait: u64,
    /// TOML file with these options, which those of the command line override [it may also be
    /// named alone]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// `quadrille merge`
#[derive(Debug, Args)]
#[command(after_help = "\
Each DIR is what `quadrille tournament --shard I/N --out DIR` has written, with the same options \
else and the same N. OUT gets the records of all games, as if one machine had played them, and \
the standings are printed; a sequential test is evaluated over all games.

Example:
  quadrille merge whole part1 part2 part3")]
pub struct MergeArgs {
    /// Directory for the whole
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// The shares
    #[arg(value_name = "DIR", required = true)]
    pub dirs: Vec<PathBuf>,
    /// Merge also if games are missing
    #[arg(long)]
    pub partial: bool,
    /// What is known of ratings beforehand.
    #[command(flatten)]
    pub ratings: RatingArgs,
}

fn at_least(least: u64) -> RangedU64ValueParser {
    clap::value_parser!(u64).range(least..)
}

/// The words behind each `--engine`, which clap's own derived types would run
/// together.
///
/// What `--each` says stands before every engine's own words.
#[derive(Clone, Debug, Default)]
pub struct EngineGroups(pub Vec<Vec<String>>);

impl Args for EngineGroups {
    fn augment_args(command: Command) -> Command {
        let group = |name: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
        };
        command
            .arg(group("engine").required(true).help(
                "An engine: cmd= name= args= dir= proto=gtp or nboard, option.NAME= tc= st= \
                 nodes= depth=",
            ))
            .arg(group("each").help("What all engines have in common"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineGroups {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let groups = |name: &str| -> Result<Vec<Vec<String>>, clap::Error> {
            let groups = matches.get_occurrences::<String>(name);
            let groups = groups.into_iter().flatten();
            groups
                .map(|words| {
                    split(&words.cloned().collect::<Vec<_>>()).map_err(|what| {
                        clap::Error::raw(ErrorKind::InvalidValue, format!("--{name}: {what}\n"))
                    })
                })
                .collect()
        };
        let each = groups("each")?.concat();
        let mut engines = groups("engine")?;
        for engine in &mut engines {
            engine.splice(0..0, each.iter().cloned());
        }
        Ok(Self(engines))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options that were given, as they were given, in the order of the help.
#[derive(Clone, Debug, Default)]
pub struct Given(pub Vec<(String, Vec<Vec<String>>)>);

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let command = TournamentArgs::augment_args(Command::new("tournament"));
        let given = command.get_arguments().filter_map(|argument| {
            let id = argument.get_id().as_str();
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                return None;
            }
            let occurrences = matches.get_raw_occurrences(id)?.map(|words| {
                let words = words.map(|word| word.to_string_lossy().into_owned());
                words.collect()
            });
            Some((argument.get_long()?.to_string(), occurrences.collect()))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
