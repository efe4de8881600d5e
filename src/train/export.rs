//! `quadrille train export`: fitted weights as a weight file.

use std::io::Write;
use std::path::Path;

use super::Trainable;
use super::args::ExportArgs;
use super::data::refused;
use super::fit::load_phase;
use super::network::load;
use crate::command::{Failure, read};
use crate::weights::{Packed, Weights, unpack};

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
        .map(|phase| load_phase(&start, &args.fit, args.game.info.name, phase))
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
fn put<G: Trainable>(start: &G, fitted: &[Vec<f32>], file: &mut Packed) {
    let tied = start.tied();
    for (phase, weights) in fitted.iter().enumerate() {
        if start.steps() > 0 {
            start.put_hidden(phase, weights, file);
            continue;
        }
        let numbers: Vec<i16> = (0..)
            .zip(&tied)
            .zip(weights)
            .filter(|((index, first), _)| index == *first)
            .map(|(_, weight)| (weight * 100.0).round() as i16)
            .collect();
        file.set(&start.section(phase), &numbers);
    }
}

/// The weights of a phase as a weight file has them: the inverse of [`put`].
///
/// # Errors
/// If the file cannot be read, is damaged or of another game.
pub(super) fn of_file<G: Trainable>(
    start: &G,
    path: &Path,
    phase: usize,
) -> Result<Vec<f32>, Failure> {
    let weights = Weights::parse(&read(path)?).map_err(|error| refused(path, error))?;
    weights
        .expect_game(G::WEIGHTS_NAME)
        .map_err(|error| refused(path, error))?;
    let tied = start.tied();
    let firsts = (0..).zip(&tied).filter(|(index, first)| index == *first);
    let packed = weights
        .packed(&start.section(phase), firsts.count())
        .map_err(|error| refused(path, error))?;
    let mut numbers = unpack(packed);
    let mut fitted: Vec<f32> = Vec::with_capacity(tied.len());
    for (index, &first) in (0..).zip(&tied) {
        let weight = if index == first {
            numbers.next().map(|number| f32::from(number) / 100.0)
        } else {
            fitted.get(first as usize).copied()
        };
        fitted.push(weight.unwrap_or_default());
    }
    Ok(fitted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gobblet::Gobblet;

    fn comes_back<G: Trainable>(start: &G) {
        let name = format!("quadrille-prior-{}-{}", G::WEIGHTS_NAME, std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, G::embedded_weights()).expect("written");
        let fitted: Vec<Vec<f32>> = (0..start.phases())
            .map(|phase| of_file(start, &path, phase).expect("a phase"))
            .collect();
        std::fs::remove_file(&path).expect("removed");
        let before = Weights::parse(G::embedded_weights()).expect("weights");
        let mut file = Packed::from(&before);
        put(start, &fitted, &mut file);
        let after = Weights::parse(&file.to_bytes()).expect("weights");
        let tied = start.tied();
        let count = (0..).zip(&tied).filter(|(index, first)| index == *first);
        let count = count.count();
        for phase in 0..start.phases() {
            let section = start.section(phase);
            let numbers = |weights: &Weights| -> Vec<i16> {
                unpack(weights.packed(&section, count).expect("a section")).collect()
            };
            assert_eq!(numbers(&after), numbers(&before), "{section}");
        }
        assert!(fitted.iter().flatten().any(|&weight| weight != 0.0));
    }

    #[test]
    fn a_fit_may_begin_with_a_weight_file() {
        comes_back(&Gobblet::start());
    }
}
