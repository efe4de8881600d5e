//! What GoGui's stones cannot show: the sizes of pieces and what lies under
//! them, the state of tiles, and the turn that has begun.

use std::fmt::Write as _;

use super::layout::{Layout, name};
use super::rules::{capitalised, final_result};
use crate::depict::{Piece, Point, Tile};
use crate::game::Side;
use crate::protocol::gtp::frontend::Frontend;

/// GoGui mixes these half and half with its board.
const LIGHT: &str = "#fff4d8";
const DARK: &str = "#603000";
const NOTHING: &str = "#404850";

/// The board as a hand has left it in the middle of a turn: with a third
/// point to come, the piece has moved already.
pub(super) fn in_hand(frontend: &Frontend) -> Layout {
    let mut layout = Layout::of(frontend.session.picture());
    if let [from, to] = *frontend.half_moves.touched() {
        layout.carry(from, to);
    }
    layout
}

/// Graphics of the board and of the turn that has begun, one a line, and a
/// word about what comes next.
pub(super) fn with_prompt(frontend: &Frontend) -> String {
    let mut text = board(frontend);
    if must_pass(frontend) {
        // GoGui says no more than `Illegal move` wherever one clicks.
        let layout = in_hand(frontend);
        let points = layout.rows().flatten();
        let empty = points.filter(|&point| layout.top(point) == Some(None));
        let labels: String = empty
            .map(|point| format!(" {} pass", name(point)))
            .collect();
        let _ = writeln!(text, "LABEL{labels}");
    }
    let _ = write!(text, "TEXT {}", prompt(frontend));
    text
}

/// The same without the word. Every line ends in a line feed; in games that
/// stones can show there is none.
pub(super) fn board(frontend: &Frontend) -> String {
    let layout = in_hand(frontend);
    let mut text = String::new();
    if !frontend.has_half_moves() {
        return text;
    }
    for colour in [LIGHT, DARK, NOTHING] {
        let points = layout.rows().flatten();
        let such = points.filter(|&point| ground(&layout, point) == Some(colour));
        line(&mut text, &format!("COLOR {colour}"), such);
    }
    labels(&mut text, &layout);
    let touched = frontend.half_moves.touched();
    if let Some(&at) = touched.last() {
        line(&mut text, "SQUARE", [at].into_iter());
        line(&mut text, "CIRCLE", frontend.next_points().into_iter());
    }
    text
}

/// The colour under a point; GoGui's own under a reserve.
fn ground(layout: &Layout, point: Point) -> Option<&'static str> {
    match (layout.square(point), layout.reserve(point)) {
        (Some(cell), _) => Some(match cell.tile {
            Tile::Plain | Tile::Light => LIGHT,
            Tile::Dark => DARK,
            Tile::Gone => NOTHING,
        }),
        (None, Some(_)) => None,
        (None, None) => Some(NOTHING),
    }
}

/// Adds a line of graphics with its points, unless there are none.
pub(super) fn line(text: &mut String, what: &str, points: impl Iterator<Item = Point>) {
    let mut points = points.peekable();
    if points.peek().is_none() {
        return;
    }
    text.push_str(what);
    for point in points {
        let _ = write!(text, " {}", name(point));
    }
    text.push('\n');
}

/// The sizes of pieces.
fn labels(text: &mut String, layout: &Layout) {
    let mut labels = String::new();
    for point in layout.rows().flatten() {
        let label = match (layout.square(point), layout.reserve(point)) {
            (Some(cell), _) => stack_label(&cell.stack),
            // What is nested in a reserve is known.
            (None, Some(stack)) => stack_label(&stack[stack.len().saturating_sub(1)..]),
            (None, None) => None,
        };
        if let Some(label) = label {
            let _ = write!(labels, " {} {label}", name(point));
        }
    }
    if !labels.is_empty() {
        let _ = writeln!(text, "LABEL{labels}");
    }
}

/// The size on top, then what lies under it: `4/b2w1`.
fn stack_label(stack: &[Piece]) -> Option<String> {
    let (top, under) = stack.split_last()?;
    if top.size == 0 {
        return None;
    }
    let mut label = top.size.to_string();
    if !under.is_empty() {
        label.push('/');
    }
    for piece in under.iter().rev() {
        let letter = match piece.side {
            Side::Black => 'b',
            Side::White => 'w',
        };
        let _ = write!(label, "{letter}{}", piece.size);
    }
    Some(label)
}

/// How the game stands: GoGui itself counts no discs, and does not say that a
/// side has to pass.
fn prompt(frontend: &Frontend) -> String {
    if frontend.session.outcome().is_some() {
        return final_result(frontend);
    }
    let side = capitalised(&frontend.session.side_to_move().to_string());
    if !frontend.has_half_moves() {
        let [white, black] = disc_counts(frontend);
        let what = if must_pass(frontend) {
            "has to pass"
        } else {
            "to move"
        };
        return format!("Black {black}, White {white}. {side} {what}");
    }
    let what = match *frontend.half_moves.touched() {
        [] => "to move",
        [_] => "moves: where to?",
        [_, to, ..] => {
            let layout = Layout::of(frontend.session.picture());
            match layout.square(to).map(|cell| cell.tile) {
                Some(Tile::Dark) => "moves: which dark tile goes?",
                _ => "moves: which light tile turns dark?",
            }
        }
    };
    format!("{side} {what}")
}

/// Whether the side to move of a disc game has nothing but a pass.
fn must_pass(frontend: &Frontend) -> bool {
    !frontend.has_half_moves() && frontend.session.legal_moves() == ["pass"]
}

/// The discs of White and of Black.
pub(super) fn disc_counts(frontend: &Frontend) -> [usize; 2] {
    let picture = frontend.session.picture();
    [Side::White, Side::Black].map(|side| {
        let tops = picture.cells.iter().filter_map(|cell| cell.stack.last());
        tops.filter(|piece| piece.side == side).count()
    })
}
