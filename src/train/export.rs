//! `quadrille train export`: fitted weights as a weight file.

use std::io::Write;

use super::Trainable;
use super::args::ExportArgs;
use super::data::refused;
use super::fit::load_phase;
use super::network::load;
use crate::command::{Failure, read};
use crate::weights::{Packed, Weights, WeightsError};

/// Writes the phases of a fit into the weight file, which keeps what it has
/// of other boards.
///
/// # Errors
/// If a phase is missing, or the file cannot be read or written.
pub fn run<G: Trainable>(start: G, args: &ExportArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let mut file = if args.file.exists() {
        let weights =
            Weights::parse(&read(&args.file)?).map_err(|error| refused(&args.file, error))?;
        weights
            .expect_game(G::WEIGHTS_NAME)
            .map_err(|error| refused(&args.file, error))?;
        Packed::from(&weights)
    } else {
        Packed::new(G::WEIGHTS_NAME)
    };
    file.set_version(&args.version);
    let fitted = (0..start.phases())
        .map(|phase| load_phase(&args.fit, args.game.info.name, phase))
        .collect::<Result<Vec<_>, Failure>>()?;
    if start.network().is_some() {
        start.put_network(&load(&start, &args.fit, args.game.info.name)?, &mut file);
    } else {
        put(&start, &fitted, &mut file);
    }
    // Until it is measured, nothing foretells anything.
    if let Some((section, numbers)) = start.probcut_section(&|_, _| 0.0)
        && !file.has_plain(&section)
    {
        file.set_plain(&section, &numbers);
    }
    let bytes = file.to_bytes();
    std::fs::write(&args.file, &bytes).map_err(|error| refused(&args.file, error))?;
    writeln!(out, "{} bytes in {}", bytes.len(), args.file.display())?;
    Ok(())
}

/// Puts the phases into their sections, rounded to hundredths of the unit.
/// Earlier phases of the game that are missing are like the first there is.
fn put<G: Trainable>(start: &G, fitted: &[Vec<f32>], file: &mut Packed) {
    let tied = start.tied();
    for phase in 0..start.phases() {
        let weights = &fitted[phase.min(fitted.len() - 1)];
        let numbers: Vec<i16> = (0..)
            .zip(&tied)
            .zip(weights)
            .filter(|((index, first), _)| index == *first)
            .map(|(_, weight)| (weight * 100.0).round() as i16)
            .collect();
        file.set(&start.section(phase), &numbers);
    }
}

/// The tables of some phases, for a search.
pub(super) fn decoded<G: Trainable>(start: &G, fitted: &[Vec<f32>]) -> Result<G::Tables, Failure> {
    let refuse = |error: WeightsError| Failure::Refused(error.to_string());
    // Sections of other boards are not used, but must be there.
    let mut file = Packed::from(&Weights::parse(G::embedded_weights()).map_err(refuse)?);
    put(start, fitted, &mut file);
    let weights = Weights::parse(&file.to_bytes()).map_err(refuse)?;
    G::decode_weights(&weights).map_err(refuse)
}
