//! `quadrille stats`: what counts of results mean.

use std::io::Write;

use serde::Serialize;

use super::args::StatsArgs;
use super::sprt::{Sprt, Verdict};
use super::stats::Counts;
use crate::command::{Failure, write_json};

/// Most results of one kind; their sum still fits.
const MOST: u64 = 1 << 53;

#[derive(Serialize)]
struct Report {
    /// `games` or `pairs`.
    unit: &'static str,
    /// Games lost, drawn, won; or pairs, the worst first.
    counts: Vec<u64>,
    score: f64,
    elo: f64,
    elo_error: f64,
    nelo: f64,
    nelo_error: f64,
    /// 0 to 1.
    los: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    /// `H0`, `H1` or nothing.
    accepted: Option<&'static str>,
    #[serde(flatten)]
    sprt: Sprt,
}

/// Prints them.
///
/// # Errors
/// If the numbers make no sense or the answer cannot be written.
pub fn run(args: &StatsArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let counts = counts(args)?;
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)
        .map_err(Failure::Usage)?;
    let report = report(&counts, sprt);
    if args.json {
        return write_json(out, &report);
    }
    let (unit, classes) = (report.unit, &report.counts);
    match counts {
        Counts::Games([l, d, w]) => writeln!(out, "{unit} {}: +{w} ={d} -{l}", counts.total())?,
        Counts::Pairs(_) => writeln!(
            out,
            "{unit} {}, by points 0 to 2: {classes:?}",
            counts.total()
        )?,
    }
    writeln!(out, "score {:.6}", report.score)?;
    writeln!(out, "elo {:.4} ± {:.4}", report.elo, report.elo_error)?;
    writeln!(out, "nelo {:.4} ± {:.4}", report.nelo, report.nelo_error)?;
    writeln!(out, "los {:.4} %", 100.0 * report.los)?;
    write!(out, "llr {:.6} ", report.llr)?;
    write!(out, "[{:.6}, {:.6}], ", report.lower, report.upper)?;
    write!(out, "elo0 {} elo1 {} ", sprt.elo0, sprt.elo1)?;
    write!(out, "({} model)", sprt.model)?;
    match report.accepted {
        Some(hypothesis) => writeln!(out, ": {hypothesis} is accepted")?,
        None => writeln!(out)?,
    }
    Ok(())
}

fn counts(args: &StatsArgs) -> Result<Counts, Failure> {
    let too_many = || Failure::Usage(format!("counts go up to {MOST}"));
    let small = |counts: &[u64]| counts.iter().all(|&count| count <= MOST);
    if let Some(pairs) = &args.pairs {
        let pairs: [u64; 5] = pairs.as_slice().try_into().map_err(|_| too_many())?;
        return small(&pairs)
            .then_some(Counts::Pairs(pairs))
            .ok_or_else(too_many);
    }
    match args.games[..] {
        [w, d, l] if small(&[w, d, l]) => Ok(Counts::Games([l, d, w])),
        _ => Err(too_many()),
    }
}

fn report(counts: &Counts, sprt: Sprt) -> Report {
    let summary = counts.summary();
    let (lower, upper) = sprt.bounds();
    Report {
        unit: match counts {
            Counts::Games(_) => "games",
            Counts::Pairs(_) => "pairs",
        },
        counts: counts.classes().to_vec(),
        score: summary.score,
        elo: summary.elo,
        elo_error: summary.elo_error,
        nelo: summary.nelo,
        nelo_error: summary.nelo_error,
        los: summary.los,
        llr: sprt.llr(counts),
        lower,
        upper,
        accepted: match sprt.verdict(counts) {
            Verdict::H0 => Some("H0"),
            Verdict::H1 => Some("H1"),
            Verdict::Undecided => None,
        },
        sprt,
    }
}
