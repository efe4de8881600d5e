//! Loading game records, and positions given disc by disc.

use super::answer::{Answer, Failure, Reply};
use super::board::resized;
use super::commands::Command;
use super::frontend::{Call, Frontend};
use super::options::read_file;
use super::sgf::{Record, read_move};
use super::think::positive;
use crate::game::Side;
use crate::games;
use crate::records::{self, Move};
use crate::search::Settings;
use crate::session::Session;

pub(super) const COMMANDS: &[Command] = &[Command::new(
    "loadsgf",
    "FILE [MOVE]",
    "loads a record, up to before a move number",
    loadsgf,
)
.for_discs()];

/// No record of one game is nearly as long.
pub(super) const LARGEST_RECORD: u64 = 16 << 20;

/// What a record comes to: a game that can be played through.
struct Plan {
    variant: &'static str,
    /// None for the usual start.
    position: Option<String>,
    moves: Vec<(Side, String)>,
    /// Whether row 1 of the record was its last one.
    upside_down: bool,
}

fn loadsgf(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (file, before) = file_and_move(call.rest)?;
    let cannot = |reason: String| Failure::new(format!("cannot load file: {reason}"));
    let bytes = read_file(file, LARGEST_RECORD).map_err(cannot)?;
    let mut record = Record::parse(&bytes).map_err(cannot)?;
    // Whoever moves first begins, also if that move is not to be played.
    let first = record.moves.first().map(|mv| mv.side);
    record.to_move = record.to_move.or(first);
    if let Some(number) = before {
        record.moves.truncate(number - 1);
    }
    let plan = plan(&record, frontend.session.as_ref()).map_err(cannot)?;
    if plan.upside_down {
        record.forget_points();
    }
    // It has been played through already: from here on nothing fails but the
    // opening of a larger board, and that comes first.
    if plan.variant != frontend.session.variant().name {
        frontend.open(plan.variant)?;
    }
    play_through(frontend.session.as_mut(), &plan).map_err(cannot)?;
    frontend.clocks.restart();
    // The name of a game of ours is no name that somebody gave it.
    let is_ours = |values: &[String]| values.iter().all(|name| games::find(name).is_some());
    record
        .extra
        .retain(|(name, values)| name != "GN" || !is_ours(values));
    let squares = plan.moves.into_iter().map(|(_, square)| square);
    let moves = record.moves.into_iter().zip(squares);
    let record = records::Record {
        tags: record.tags,
        extra: record.extra,
        position: plan.position,
        moves: moves.map(|(mv, text)| Move { text, ..mv }).collect(),
    };
    let history = frontend.session.history();
    frontend.notes.load(record, history);
    Reply::empty()
}

/// A number at the end is a move's, unless it is all there is.
fn file_and_move(text: &str) -> Result<(&str, Option<usize>), Failure> {
    let what = "loadsgf takes a file and perhaps a move number from 1";
    if text.is_empty() {
        return Err(Failure::syntax(what));
    }
    match text.rsplit_once(' ') {
        Some((file, word)) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
            let number = positive::<usize>(word).ok_or_else(|| Failure::syntax(what))?;
            Ok((unquoted(file.trim_end()), Some(number)))
        }
        _ => Ok((unquoted(text), None)),
    }
}

/// GoGui quotes names that hold blanks.
pub(super) fn unquoted(name: &str) -> &str {
    name.strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(name)
}

/// Finds the way up in which the record can be played, if there is one.
fn plan(record: &Record, session: &dyn Session) -> Result<Plan, String> {
    let variant = session.variant();
    let size = record.size.unwrap_or(variant.size);
    let name = if size == variant.size {
        Some(variant.name)
    } else {
        resized(variant.name, size)
    };
    let name = name.ok_or_else(|| format!("{} has no board of size {size}", variant.name))?;
    let settings = Settings {
        hash: 0,
        ..Settings::default()
    };
    let mut scratch = games::find(name)
        .ok_or_else(|| super::frontend::unknown_game(name))?
        .open(&settings)?;
    let mut attempt = |upside_down| {
        let plan = plan_one_way(record, scratch.as_mut(), upside_down)?;
        play_through(scratch.as_mut(), &plan).map(|()| plan)
    };
    let first = attempt(record.upside_down);
    first.or_else(|reason| attempt(!record.upside_down).map_err(|_| reason))
}

fn plan_one_way(
    record: &Record,
    scratch: &mut dyn Session,
    upside_down: bool,
) -> Result<Plan, String> {
    scratch.reset();
    let variant = scratch.variant();
    let usual = scratch.side_to_move();
    let side = record.to_move.unwrap_or(usual);
    let square = |text: &str| {
        read_move(text, variant.size, upside_down)?
            .ok_or_else(|| format!("`{text}` is no square to set up"))
    };
    let mut discs = Vec::new();
    for owner in [Side::Black, Side::White] {
        for text in &record.setup[owner.index()] {
            // SGF lets a rectangle be given by two of its corners.
            let (from, to) = text.split_once(':').unwrap_or((text, text));
            for square in rectangle(square(from)?, square(to)?) {
                discs.push((owner, square));
            }
        }
    }
    let position = if !discs.is_empty() {
        Some(position_text(variant.size, &discs, side)?)
    } else if side != usual {
        Some(with_side(&scratch.position(), side))
    } else {
        None
    };
    let mut moves = Vec::new();
    for mv in &record.moves {
        let text = match read_move(&mv.text, variant.size, upside_down)? {
            Some(square) => square_name(square),
            None => "pass".to_string(),
        };
        moves.push((mv.side, text));
    }
    Ok(Plan {
        upside_down,
        variant: variant.name,
        position,
        moves,
    })
}

fn play_through(session: &mut dyn Session, plan: &Plan) -> Result<(), String> {
    session.reset();
    if let Some(position) = &plan.position {
        session.set_position(position)?;
    }
    for (index, (side, mv)) in plan.moves.iter().enumerate() {
        session
            .play(*side, mv)
            .map_err(|error| format!("move {}, {side} {mv}: {error}", index + 1))?;
    }
    Ok(())
}

/// All squares of the rectangle that has these two corners.
fn rectangle(from: (usize, usize), to: (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let span = |a: usize, b: usize| a.min(b)..=a.max(b);
    let columns = span(from.0, to.0);
    span(from.1, to.1).flat_map(move |row| columns.clone().map(move |column| (column, row)))
}

/// `a1`, from column and row.
pub(super) fn square_name((column, row): (usize, usize)) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// The position with these discs and no others.
///
/// # Errors
/// If two of them stand on one square.
pub(super) fn position_text(
    size: usize,
    discs: &[(Side, (usize, usize))],
    to_move: Side,
) -> Result<String, String> {
    let mut rows = vec![vec!['-'; size]; size];
    for &(owner, (column, row)) in discs {
        let square = &mut rows[row][column];
        if *square != '-' {
            return Err(format!("two discs on {}", square_name((column, row))));
        }
        *square = letter(owner);
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    Ok(format!("{} {}", rows.join("/"), letter(to_move)))
}

/// The same position with `side` to move.
pub(super) fn with_side(position: &str, side: Side) -> String {
    let board = position
        .rsplit_once(' ')
        .map_or(position, |(board, _)| board);
    format!("{board} {}", letter(side))
}

fn letter(side: Side) -> char {
    match side {
        Side::Black => 'X',
        Side::White => 'O',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_hold_blanks_and_a_number_may_follow() {
        assert_eq!(file_and_move("a.sgf"), Ok(("a.sgf", None)));
        assert_eq!(file_and_move("a.sgf 5"), Ok(("a.sgf", Some(5))));
        assert_eq!(file_and_move("my game.sgf"), Ok(("my game.sgf", None)));
        assert_eq!(
            file_and_move("\"my game.sgf\" 7"),
            Ok(("my game.sgf", Some(7)))
        );
        assert!(file_and_move("a.sgf 0").is_err());
        assert!(file_and_move("").is_err());
    }

    #[test]
    fn positions_are_written_row_by_row() {
        let discs = [(Side::Black, (1, 0)), (Side::White, (0, 1))];
        assert_eq!(
            position_text(2, &discs, Side::White),
            Ok("-X/O- O".to_string())
        );
        let twice = [(Side::Black, (1, 0)), (Side::White, (1, 0))];
        assert_eq!(
            position_text(2, &twice, Side::White),
            Err("two discs on b1".to_string())
        );
        assert_eq!(with_side("-X/O- O", Side::Black), "-X/O- X");
    }
}
