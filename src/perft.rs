//! `quadrille perft`: counts the sequences of moves from a position.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::cli::PerftArgs;
use crate::command::{Failure, first_position, open, write_json};
use crate::search::Settings;
use crate::session::Session;

/// A count is quiet for this long before it shows how far it is.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Report {
    game: &'static str,
    position: String,
    depth: u32,
    count: u64,
    seconds: f64,
    per_second: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveCount>>,
}

#[derive(Serialize)]
struct MoveCount {
    #[serde(rename = "move")]
    mv: String,
    count: u64,
}

/// Prints the count, after those of the first moves if asked for.
///
/// # Errors
/// If the position is wrong or the answer cannot be written.
pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let position = first_position(args.game, args.position.as_deref(), args.size)?;
    let mut session = open(args.game, &Settings::default(), position.as_deref())?;
    let start = Instant::now();
    let moves = count_moves(session.as_mut(), args.depth);
    // Depth 0 and finished games have no first move to add up.
    let count = if moves.is_empty() {
        session.perft(args.depth)
    } else {
        moves.iter().map(|entry| entry.count).sum()
    };
    let elapsed = start.elapsed();
    if args.json {
        let report = Report {
            game: args.game.info.name,
            position: session.position(),
            depth: args.depth,
            count,
            seconds: elapsed.as_secs_f64(),
            per_second: per_second(count, elapsed),
            moves: args.divide.then_some(moves),
        };
        return write_json(out, &report);
    }
    if args.divide {
        for entry in &moves {
            writeln!(out, "{} {}", entry.mv, entry.count)?;
        }
    }
    writeln!(out, "{count}")?;
    Ok(())
}

/// Events a second, rounded down.
pub(crate) fn per_second(count: u64, elapsed: Duration) -> u64 {
    (u128::from(count) * 1_000_000 / elapsed.as_micros().max(1)) as u64
}

/// The count below each first move, sorted by move. Two plies are played here
/// and not in the game's own count, so that progress can be shown.
fn count_moves(session: &mut dyn Session, depth: u32) -> Vec<MoveCount> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = session.legal_moves();
    let progress = Progress::new(moves.len());
    moves
        .into_iter()
        .map(|mv| {
            let count = after(session, &mv, |session| match below.checked_sub(1) {
                Some(rest) if rest > 0 => count_replies(session, rest, &progress),
                _ => session.perft(below),
            });
            progress.finish_move();
            MoveCount { mv, count }
        })
        .collect()
}

fn count_replies(session: &mut dyn Session, rest: u32, progress: &Progress) -> u64 {
    let replies = session.legal_moves();
    if replies.is_empty() {
        return session.perft(rest + 1);
    }
    let share = 1.0 / replies.len() as f64;
    replies
        .iter()
        .enumerate()
        .map(|(done, reply)| {
            progress.show(done as f64 * share);
            after(session, reply, |session| session.perft(rest))
        })
        .sum()
}

/// What `count` gives after a legal move.
fn after(
    session: &mut dyn Session,
    mv: &str,
    mut count: impl FnMut(&mut dyn Session) -> u64,
) -> u64 {
    let side = session.side_to_move();
    session
        .play(side, mv)
        .expect("the session has listed this move as legal");
    let result = count(session);
    session.undo();
    result
}

/// A bar on the terminal; nothing where standard error is no terminal.
struct Progress {
    bar: ProgressBar,
    start: Instant,
}

/// Steps of the bar that stand for one first move.
const STEPS: u64 = 1_000;

impl Progress {
    fn new(moves: usize) -> Self {
        let bar =
            ProgressBar::with_draw_target(Some(moves as u64 * STEPS), ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {percent} % {elapsed} (eta {eta})")
        {
            bar.set_style(style);
        }
        Self {
            bar,
            start: Instant::now(),
        }
    }

    fn reveal(&self) {
        if self.bar.is_hidden() && self.start.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Shows what part of the present move is done.
    fn show(&self, part: f64) {
        self.reveal();
        let whole = self.bar.position() / STEPS * STEPS;
        self.bar.set_position(whole + (part * STEPS as f64) as u64);
    }

    fn finish_move(&self) {
        self.reveal();
        self.bar
            .set_position((self.bar.position() / STEPS + 1) * STEPS);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
