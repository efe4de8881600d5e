//! The arena's part of the command line: definitions only.

use clap::Args;

use super::sprt::Model;

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
