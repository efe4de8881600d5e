//! Commands that keep games in files, in the forms of the field or in ours,
//! and that take them from there.

use super::answer::{Answer, Failure, Reply};
use super::commands::Command;
use super::frontend::{Call, Frontend};
use super::options::read_file;
use super::records::{LARGEST_RECORD, unquoted};
use crate::games;
use crate::protocol::setup;
use crate::records::text::Named;
use crate::records::{Record, ggf, sgf, text};
use crate::search::Settings;
use crate::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("printsgf", "", "the game as SGF", |f, _| {
        Ok(as_sgf(f).into())
    })
    .for_discs(),
    Command::new("savesgf", "FILE", "writes the game as SGF", |f, c| {
        write(c, "savesgf", &as_sgf(f))
    })
    .for_discs(),
    Command::new("printggf", "", "the game of 8x8 as GGF", |f, _| {
        Ok(as_ggf(f)?.into())
    })
    .for_discs(),
    Command::new(
        "saveggf",
        "FILE",
        "writes the game of 8x8 as GGF",
        |f, c| {
            let text = as_ggf(f)? + "\n";
            write(c, "saveggf", &text)
        },
    )
    .for_discs(),
    Command::new("loadggf", "FILE", "loads a record in GGF", loadggf).for_discs(),
    Command::new("save", "FILE", "writes the game in our own form", |f, c| {
        write(c, "save", &as_text(f))
    }),
    Command::new("load", "FILE", "loads a game in our own form", load),
    Command::new(
        "set_tag",
        "NAME TEXT",
        "says something about the game for its record",
        set_tag,
    ),
];

/// The game so far.
fn record(frontend: &Frontend) -> Record {
    let session = frontend.session.as_ref();
    let result = session.outcome().map(|outcome| outcome.to_string());
    frontend.notes.record(session, result)
}

fn as_sgf(frontend: &Frontend) -> String {
    let session = frontend.session.as_ref();
    let (name, start) = (session.variant().name, session.beginning());
    sgf::write(&record(frontend), name, &start)
}

fn as_ggf(frontend: &Frontend) -> Result<String, Failure> {
    if frontend.session.variant().size != 8 {
        return Err(Failure::new("GGF is for boards of 8x8 here"));
    }
    Ok(ggf::write(&record(frontend), &frontend.session.beginning()))
}

fn as_text(frontend: &Frontend) -> String {
    text::write(&Named {
        game: frontend.session.variant().name.to_string(),
        record: record(frontend),
    })
}

fn write(call: &Call<'_>, name: &str, text: &str) -> Answer {
    if call.rest.is_empty() {
        return Err(Failure::syntax(format!("{name} takes a file")));
    }
    let file = unquoted(call.rest);
    std::fs::write(file, text)
        .map_err(|error| Failure::new(format!("cannot save file: {file}: {error}")))?;
    Reply::empty()
}

/// A board of that game at its start, without an engine's memory.
fn fresh(game: &str) -> Result<Box<dyn Session>, String> {
    let variant = games::find(game).ok_or_else(|| super::frontend::unknown_game(game))?;
    variant.open(&Settings {
        hash: 0,
        ..Settings::default()
    })
}

fn read(call: &Call<'_>, name: &str) -> Result<String, Failure> {
    if call.rest.is_empty() {
        return Err(Failure::syntax(format!("{name} takes a file")));
    }
    let bytes = read_file(unquoted(call.rest), LARGEST_RECORD).map_err(cannot)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cannot(reason: String) -> Failure {
    Failure::new(format!("cannot load file: {reason}"))
}

fn loadggf(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let record = ggf::parse(&read(call, "loadggf")?).map_err(cannot)?;
    // Othello, unless the game at hand is another on a board of that size.
    let variant = frontend.session.variant();
    let game = if variant.discs && variant.size == 8 {
        variant.name
    } else {
        "othello8"
    };
    take(
        frontend,
        Named {
            game: game.to_string(),
            record,
        },
    )
}

fn load(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let named = text::parse(&read(call, "load")?, |game, position| {
        let mut session = fresh(game)?;
        if let Some(position) = position {
            session.set_position(position)?;
        }
        Ok(session.side_to_move())
    });
    take(frontend, named.map_err(cannot)?)
}

/// Plays a record through, first on a board of its own.
fn take(frontend: &mut Frontend, named: Named) -> Answer {
    let mut trial = fresh(&named.game).map_err(cannot)?;
    let start = named.record.position.clone().unwrap_or(trial.position());
    let moves = named.record.turns();
    setup::set_up(trial.as_mut(), &start, &moves).map_err(cannot)?;
    if trial.variant().name != frontend.session.variant().name {
        frontend.open(trial.variant().name)?;
    }
    frontend.session.reset();
    setup::set_up(frontend.session.as_mut(), &start, &moves).map_err(cannot)?;
    frontend.clocks.restart();
    frontend.half_moves.forget();
    let history = frontend.session.history();
    frontend.notes.load(named.record, history);
    Reply::empty()
}

fn set_tag(frontend: &mut Frontend, call: &Call<'_>) -> Answer {
    let (name, value) = super::line::split_word(call.rest);
    let Some(tag) = text::tag_named(name) else {
        let names = text::tag_names().join(", ");
        return Err(Failure::syntax(format!(
            "set_tag takes one of {names}, and a text"
        )));
    };
    frontend.notes.set_tag(tag, value);
    Reply::empty()
}
