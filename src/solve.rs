//! `quadrille solve`: the exact result of a position.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use crate::cli::SolveArgs;
use crate::command::{Failure, first_position, load_weights, open, write_json};
use crate::protocol::gtp::solution_text;
use crate::prove::{Proof, Sitting};
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Session, Solution, Unwatched};

/// What is said when a limit came before the result, here and in the
/// protocol.
pub const NOT_SOLVED: &str = "not solved within the limit";

#[derive(Serialize)]
struct Report<'a> {
    game: &'static str,
    position: String,
    /// `score`, `win`, `loss` or `draw`, for the side to move.
    result: &'static str,
    /// The margin, or the plies to the end.
    value: i64,
    moves: &'a [String],
    pv: &'a [String],
    nodes: u64,
    seconds: f64,
}

/// Prints the result, as the protocol's `solve` does.
///
/// # Errors
/// If the position is wrong, a limit comes first or the answer cannot be
/// written.
pub fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let settings = args.search.settings();
    let position = first_position(args.game, args.position.as_deref(), args.size)?;
    let mut session = open(args.game, &settings, position.as_deref())?;
    load_weights(session.as_mut(), args.weights.as_deref())?;
    if let Some(file) = &args.prove {
        // Elsewhere games are drawn, or come back to where they were.
        if args.game.sized.is_none() {
            let name = args.game.info.name;
            return Err(Failure::Usage(format!(
                "--prove: for tiles, not for {name}"
            )));
        }
        return prove(session.as_mut(), file, args, start, out);
    }
    let limits = Limits {
        time: args.time,
        nodes: args.nodes,
        outcome_only: args.wld,
        start: Instant::now(),
        ..Limits::default()
    };
    let solution = session
        .solve(args.all, &limits, &Unwatched)
        .ok_or_else(|| Failure::Refused(NOT_SOLVED.to_string()))?;
    if args.json {
        return write_json(
            out,
            &report(args.game.info.name, session.position(), &solution),
        );
    }
    writeln!(out, "{}", solution_text(&solution))?;
    Ok(())
}

/// One sitting of a long proof.
fn prove(
    session: &mut dyn Session,
    file: &Path,
    args: &SolveArgs,
    start: Instant,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut proof = Proof::open(session, file)?;
    let sitting = Sitting {
        leaf_nodes: args.leaf_nodes,
        start,
        time: args.time,
    };
    let wins = proof.work(&sitting)?;
    let summary = proof.summary();
    let Some(wins) = wins else {
        return Err(Failure::Refused(format!("{NOT_SOLVED}: {summary}")));
    };
    writeln!(out, "{summary}\n{}", if wins { "win" } else { "loss" })?;
    Ok(())
}

fn report<'a>(game: &'static str, position: String, solution: &'a Solution) -> Report<'a> {
    let (result, value) = match solution.value {
        Value::Eval(units) | Value::Margin(units) => ("score", units.into()),
        Value::Win(plies) => ("win", plies.into()),
        Value::Loss(plies) => ("loss", plies.into()),
        Value::Draw => ("draw", 0),
    };
    Report {
        game,
        position,
        result,
        value,
        moves: &solution.moves,
        pv: &solution.pv,
        nodes: solution.nodes,
        seconds: solution.time.as_secs_f64(),
    }
}
