//! `quadrille train error`: how far an evaluation is from labels.

use std::io::Write;

use super::Trainable;
use super::args::ErrorArgs;
use super::data::{Chunk, chunks};
use super::fit::Example;
use super::logistic::foretold;
use super::report::{Errors, Report};
use super::selfplay::knowledge;
use crate::command::Failure;

/// Measures the evaluation without any search.
///
/// # Errors
/// If files cannot be read or written.
pub fn run<G: Trainable>(start: G, args: &ErrorArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.info.name;
    let knowledge = knowledge::<G>(args.weights.as_deref())?;
    let tables = &knowledge.tables;
    let mut errors = Errors::default();
    let mut positions = 0;
    for (_, path) in chunks(&args.directory)? {
        let chunk = Chunk::load(&path, G::PACKED, game)?;
        for example in Example::all(&start, &chunk) {
            let position = &example.position;
            let value = position.evaluate(&position.refresh(tables), tables) as f32 / 100.0;
            let (label, value) = (example.target(), foretold::<G>(value));
            errors.add(position.moves_left(), example.kind, label, value);
            positions += 1;
        }
    }
    let settings = format!("weights {}", knowledge.identity);
    Report::new(game, &settings, positions, &errors).write(&args.directory, out)
}
