//! What GoGui asks of an engine that brings its own game, for the disc games.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use super::analyze::{decimal, vertex};
use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frontend::{Call, Frontend, colour, words};
use super::options::{self, SETTINGS};
use super::play::PLAY_SEQUENCE;
use super::records::{position_text, with_side};
use super::sgf::read_move;
use super::think::Watch;
use crate::depict::Point;
use crate::game::{Outcome, Side};
use crate::protocol::stream::Patience;
use crate::search::score::Value;
use crate::session::{Info, Watcher};

pub(super) const COMMANDS: &[Command] = &[
    PLAY_SEQUENCE.for_discs(),
    discs("gogui-rules_game_id", "", "a name for the rules", |f, _| {
        Ok(capitalised(f.session.variant().name).into())
    }),
    discs("gogui-rules_board_size", "", "squares in a row", |f, _| {
        Ok(f.session.variant().size.to_string().into())
    }),
    discs(
        "gogui-rules_board",
        "",
        "the board, top row first",
        rules_board,
    ),
    discs(
        "gogui-rules_legal_moves",
        "",
        "squares in capitals, and pass",
        |f, _| Ok(vertices(&f.session.legal_moves()).join(" ").into()),
    ),
    discs("gogui-rules_side_to_move", "", "black or white", |f, _| {
        Ok(f.session.side_to_move().to_string().into())
    }),
    discs("gogui-rules_final_result", "", "who won", final_result),
    discs(
        "gogui-setup",
        "COLOUR SQUARE [COLOUR SQUARE ...]",
        "sets up these discs and no others, at the beginning of a game",
        setup,
    ),
    discs(
        "gogui-setup_player",
        "COLOUR",
        "who moves in that position",
        setup_player,
    ),
    discs(
        "gogui-interrupt",
        "",
        "known: the comment `# interrupt` ends a search",
        |_, _| Reply::empty(),
    ),
    discs("gogui-title", "", "a title for the window", |f, _| {
        Ok(format!("Quadrille: {}", f.session.variant().title).into())
    }),
    discs(
        "gogui-analyze_commands",
        "",
        "what GoGui's analysis menu offers",
        |_, _| Ok(ANALYZE_COMMANDS.into()),
    ),
    discs(
        "quadrille-gfx_moves",
        "",
        "the value of every legal move, as labels",
        gfx_moves,
    ),
    discs(
        "quadrille-gfx_pv",
        "",
        "the principal variation, as numbered discs",
        gfx_pv,
    ),
    discs(
        "quadrille-legal_points",
        "",
        "the squares a disc may be put on",
        legal_points,
    ),
    discs(
        "quadrille-param",
        "[NAME VALUE]",
        "the options in GoGui's form, or changes one",
        param,
    ),
];

const ANALYZE_COMMANDS: &str = "\
gfx/Move Values/quadrille-gfx_moves
gfx/Principal Variation/quadrille-gfx_pv
plist/Legal Moves/quadrille-legal_points
string/Evaluation/evaluate
string/Last Search/last_search
string/Position/get_position
hstring/Board/showboard
param/Search Parameters/quadrille-param";

const fn discs(
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&mut Frontend, &Call<'_>) -> Answer,
) -> Command {
    Command::new(name, arguments, help, run).for_discs()
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn vertices(moves: &[String]) -> Vec<String> {
    moves.iter().map(|mv| vertex(mv, true)).collect()
}

/// GoGui counts rows from the bottom, so its top row is our last.
fn rules_board(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let picture = frontend.session.picture();
    let square = |row, column| match picture.cell(Point { column, row }).stack.last() {
        None => ".",
        Some(piece) if piece.side == Side::Black => "X",
        Some(_) => "O",
    };
    let rows: Vec<String> = (0..picture.height)
        .rev()
        .map(|row| {
            let squares: Vec<&str> = (0..picture.width).map(|c| square(row, c)).collect();
            squares.join(" ")
        })
        .collect();
    Ok(rows.join("\n").into())
}

fn final_result(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let text = match frontend.session.outcome() {
        None => "The game is not finished.".to_string(),
        Some(Outcome::Draw) => "The game is drawn.".to_string(),
        Some(Outcome::Win { side, margin }) => {
            format!("{} wins by {margin}.", capitalised(&side.to_string()))
        }
    };
    Ok(text.into())
}

fn only_at_the_beginning(frontend: &Frontend) -> Result<(), Failure> {
    if frontend.session.undo_depth() == 0 {
        Ok(())
    } else {
        Err(Failure::new("a position is set up after clear_board"))
    }
}

fn setup(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    only_at_the_beginning(frontend)?;
    let size = frontend.session.variant().size;
    let mut words = words(call.rest);
    let mut discs = Vec::new();
    while let Some(word) = words.next() {
        let side = colour(word);
        let square = words.next().and_then(|w| read_move(w, size, false).ok()?);
        match (side, square) {
            (Some(side), Some(square)) => discs.push((side, square)),
            _ => {
                return Err(Failure::syntax(
                    "a set-up is COLOUR SQUARE COLOUR SQUARE ...",
                ));
            }
        }
    }
    let to_move = frontend.session.side_to_move();
    let position = position_text(size, &discs, to_move).map_err(Failure::syntax)?;
    frontend
        .session
        .set_position(&position)
        .map_err(Failure::syntax)?;
    Reply::empty()
}

fn setup_player(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (side, _) = call.colour()?;
    only_at_the_beginning(frontend)?;
    let position = with_side(&frontend.session.position(), side);
    frontend
        .session
        .set_position(&position)
        .map_err(Failure::syntax)?;
    Reply::empty()
}

fn legal_points(frontend: &mut Frontend, _: &Call<'_>) -> Answer {
    let mut moves = frontend.session.legal_moves();
    moves.retain(|mv| mv != "pass");
    Ok(vertices(&moves).join(" ").into())
}

fn param(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (name, value) = super::line::split_word(call.rest);
    if !name.is_empty() {
        return options::set(frontend, name, value);
    }
    let lines: Vec<String> = SETTINGS
        .iter()
        .map(|setting| format!("[string] {} {}", setting.name, (setting.get)(frontend)))
        .collect();
    Ok(lines.join("\n").into())
}

/// Keeps the reports of the last complete iteration.
struct Collector<'a> {
    watch: Watch<'a>,
    expected: usize,
    /// Of the iteration under way, and of the last one.
    reports: Mutex<[Vec<Info>; 2]>,
}

impl Watcher for Collector<'_> {
    fn progress(&self, info: &Info) {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let [current, last] = &mut *reports;
        if info.rank == 1 {
            current.clear();
        }
        current.push(info.clone());
        if current.len() == self.expected {
            std::mem::swap(current, last);
        }
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}

/// Searches for as long as a move may take without a clock. The reports of
/// the last iteration, best first; none in a finished game.
fn look(frontend: &mut Frontend, call: &Call<'_>, candidates: usize) -> Vec<Info> {
    let mut limits = frontend.cap_if_unlimited(frontend.limits(&frontend.defaults));
    limits.candidates = candidates;
    let collector = Collector {
        watch: Watch {
            inbox: &frontend.inbox,
            output: &frontend.output,
            number: call.number,
            patience: Patience::Bounded,
            stream: None,
        },
        expected: candidates,
        reports: Mutex::default(),
    };
    frontend.session.think(&limits, &collector);
    let [_, last] = collector
        .reports
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    last
}

fn gfx_moves(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let candidates = frontend.session.legal_moves().len();
    let infos = look(frontend, call, candidates.max(1));
    let mut labels = String::from("LABEL");
    for info in &infos {
        if let Some(first) = info.pv.first().filter(|mv| *mv != "pass") {
            let _ = write!(labels, " {} {}", vertex(first, true), label(info.value));
        }
    }
    Ok(graphics(&infos, &labels).into())
}

fn gfx_pv(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let infos = look(frontend, call, 1);
    let mut variation = String::from("VAR");
    let mut side = frontend.session.side_to_move();
    for mv in infos.first().map_or(&[][..], |info| &info.pv) {
        let colour = if side == Side::Black { 'b' } else { 'w' };
        let _ = write!(variation, " {colour} {}", mv.to_ascii_uppercase());
        side = !side;
    }
    Ok(graphics(&infos, &variation).into())
}

/// A graphics line with the best report below it.
fn graphics(infos: &[Info], line: &str) -> String {
    match infos.first() {
        Some(best) => format!("{line}\nTEXT {best}"),
        None => "TEXT The game is over.".to_string(),
    }
}

/// A value short enough for a square.
fn label(value: Value) -> String {
    let text = match value {
        Value::Eval(hundredths) => decimal(hundredths / 10, 1),
        Value::Margin(units) => units.to_string(),
        Value::Win(plies) => format!("win{plies}"),
        Value::Loss(plies) => format!("loss{plies}"),
        Value::Draw => "0".to_string(),
    };
    match value {
        Value::Eval(1..) | Value::Margin(1..) => format!("+{text}"),
        _ => text,
    }
}
