//! `quadrille train fit`: the weights that come nearest to the labels.
//!
//! Games with hidden units or a network have fits of their own ([`hidden`],
//! [`network`]). For the others, in each phase, the sum of the squared errors
//! plus `ridge` times the sum of the squared weights is made as small as it
//! gets ([`super::logistic`] makes results likely instead): weights that few
//! positions know stay near 0 (or near what `prior` says of the phases beside
//! it). Positions of the phases before and after count too, the less the
//! farther they are, so that weights change little from phase to phase.
//!
//! CITE: M. Hestenes, E. Stiefel, Methods of conjugate gradients for solving
//! linear systems, 1952; M. Buro, Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello, 1997 (weights of patterns by
//! least squares).

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::args::FitArgs;
use super::data::{Chunk, Kind, chunks, keep_settings, refused};
use super::export::of_file;
use super::hidden::{self, Net};
use super::logistic::foretold;
use super::network::{self, Shape};
use super::progress::Progress;
use super::report::{Errors, Report};
use super::{Feature, Trainable};
use crate::command::Failure;

/// One chunk in so many is held out.
const HELD_OUT: u64 = 20;

/// Fits every phase that the directory does not have yet, and reports.
///
/// # Errors
/// If there is no data, or files cannot be read or written.
pub fn run<G: Trainable>(start: G, args: &FitArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.info.name;
    if let Some(prior) = &args.prior {
        // Before the directory is begun with it.
        if start.steps() > 0 && prior.is_file() {
            return Err(Failure::Usage(format!(
                "{}: in {game} --prior is the directory of an earlier fit",
                prior.display()
            )));
        }
        if prior.is_file() {
            of_file(&start, prior, 0)?;
        } else {
            load_phase(&start, prior, game, 0)?;
        }
    }
    let data = Data::<G>::load(&start, &args.data, game)?;
    let settings = format!(
        "fit {game} positions {} held out {} ridge {} iterations {} prior {}\n",
        data.training.len(),
        data.held_out.len(),
        args.ridge,
        args.iterations,
        args.prior
            .as_ref()
            .map_or("none".into(), |path| path.display().to_string()),
    );
    keep_settings(&args.fit, &settings)?;
    if let Some(shape) = start.network() {
        let errors = fit_network(&start, shape, &data, args)?;
        return Report::new(game, settings.trim_end(), data.training.len(), &errors)
            .write(&args.fit, out);
    }
    let phases = start.phases();
    let progress = Progress::new("phases", phases as u64);
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()
        .map_err(|error| Failure::Refused(format!("cannot start threads: {error}")))?;
    let errors = pool.install(|| {
        (0..phases)
            .into_par_iter()
            .map(|phase| {
                let weights = match load_phase(&start, &args.fit, game, phase) {
                    Ok(weights) => weights,
                    Err(_) => {
                        let weights = fit_phase(&start, &data, phase, args)?;
                        save_phase(&args.fit, game, phase, &weights)?;
                        weights
                    }
                };
                progress.advance(1);
                Ok(measure(&start, &data, phase, &weights))
            })
            .collect::<Result<Vec<_>, Failure>>()
    })?;
    let mut all = Errors::default();
    for of_phase in &errors {
        all.merge(of_phase);
    }
    Report::new(game, settings.trim_end(), data.training.len(), &all).write(&args.fit, out)
}

/// Weights of a phase, all together.
fn phase_weights<G: Trainable>(start: &G) -> usize {
    match start.steps() {
        0 => start.parameters(),
        steps => (start.parameters() + steps) * hidden::WIDTH,
    }
}

/// Seed of the network's first weights and of the order of its examples.
const NETWORK_SEED: u64 = 1;

fn fit_network<G: Trainable>(
    start: &G,
    shape: Shape,
    data: &Data<G>,
    args: &FitArgs,
) -> Result<Errors, Failure> {
    let game = args.game.info.name;
    let weights = match load_phase(start, &args.fit, game, 0) {
        Ok(weights) => weights,
        Err(_) => {
            let weights = network::train(shape, &data.training, args.iterations, NETWORK_SEED);
            save_phase(&args.fit, game, 0, &weights)?;
            weights
        }
    };
    Ok(network::measure(shape, &weights, &data.held_out))
}

/// A position with its label.
#[derive(Clone, Copy)]
pub(super) struct Example<G> {
    pub(super) position: G,
    /// In units, for the side to move.
    pub(super) label: f32,
    pub(super) kind: Kind,
}

impl<G: Trainable> Example<G> {
    /// What the position should be found to be worth: how the game is expected
    /// to end.
    pub(super) fn target(&self) -> f32 {
        match self.kind {
            Kind::Searched => foretold::<G>(self.label),
            Kind::Exact | Kind::Played => self.label,
        }
    }

    /// The chance of a win that the value is to foretell, in a game that is
    /// won or lost.
    pub(super) fn chance(&self) -> f32 {
        (self.target() / 200.0 + 0.5).clamp(0.0, 1.0)
    }

    /// Those of a chunk.
    pub(super) fn all(start: &G, chunk: &Chunk) -> impl Iterator<Item = Self> {
        chunk.records().filter_map(|record| {
            Some(Self {
                position: start.unpack(record.position)?,
                label: f32::from(record.label) / 100.0,
                kind: record.kind,
            })
        })
    }
}

/// Everything there is to learn from, in memory.
struct Data<G> {
    training: Vec<Example<G>>,
    held_out: Vec<Example<G>>,
}

impl<G: Trainable> Data<G> {
    fn load(start: &G, directories: &[PathBuf], game: &str) -> Result<Self, Failure> {
        let mut data = Self {
            training: Vec::new(),
            held_out: Vec::new(),
        };
        for directory in directories {
            for (number, path) in chunks(directory)? {
                let chunk = Chunk::load(&path, G::PACKED, game)?;
                let examples = Example::all(start, &chunk);
                if number % HELD_OUT == HELD_OUT - 1 {
                    data.held_out.extend(examples);
                } else {
                    data.training.extend(examples);
                }
            }
        }
        if data.training.is_empty() {
            return Err(Failure::Usage("there are no positions in the data".into()));
        }
        Ok(data)
    }
}

/// The rows of a phase: a sparse matrix and what each row should give, both
/// times a scale of the row's.
pub(super) struct System {
    /// Where the entries of each row begin, and where the last ends.
    pub(super) starts: Vec<usize>,
    pub(super) entries: Vec<Feature>,
    pub(super) targets: Vec<f32>,
    /// By row, the root of how much it counts.
    pub(super) scales: Vec<f32>,
    pub(super) columns: usize,
}

impl System {
    fn new<'a, G: Trainable>(
        start: &G,
        examples: impl Iterator<Item = &'a Example<G>>,
        phase: usize,
        tied: &[u32],
    ) -> Self {
        let mut system = Self {
            starts: vec![0],
            entries: Vec::new(),
            targets: Vec::new(),
            scales: Vec::new(),
            columns: start.parameters(),
        };
        let mut features = Vec::new();
        for example in examples {
            let share = example.position.share(phase);
            if share <= 0.0 {
                continue;
            }
            let scale = share.sqrt();
            features.clear();
            example.position.features(&mut features);
            system
                .entries
                .extend(features.iter().map(|feature| Feature {
                    index: tied[feature.index as usize],
                    value: feature.value * scale,
                }));
            system.starts.push(system.entries.len());
            system.targets.push(example.target() * scale);
            system.scales.push(scale);
        }
        system
    }

    fn rows(&self) -> impl Iterator<Item = &[Feature]> {
        self.starts
            .windows(2)
            .map(|ends| &self.entries[ends[0]..ends[1]])
    }

    /// What each row gives with these weights.
    pub(super) fn apply(&self, weights: &[f32], result: &mut [f32]) {
        for (row, value) in self.rows().zip(result) {
            *value = row
                .iter()
                .map(|entry| entry.value * weights[entry.index as usize])
                .sum();
        }
    }

    /// What these values of the rows ask of each weight.
    fn apply_transposed(&self, values: &[f32], result: &mut [f32]) {
        result.fill(0.0);
        for (row, value) in self.rows().zip(values) {
            for entry in row {
                result[entry.index as usize] += entry.value * value;
            }
        }
    }

    /// The sum of the squares in each column.
    fn diagonal(&self) -> Vec<f32> {
        let mut diagonal = vec![0.0; self.columns];
        for entry in &self.entries {
            diagonal[entry.index as usize] += entry.value * entry.value;
        }
        diagonal
    }

    /// The best weights, by conjugate gradients scaled with the diagonal,
    /// beginning with `weights`.
    pub(super) fn solve(
        &self,
        mut weights: Vec<f32>,
        prior: &[f32],
        ridge: f32,
        iterations: u32,
    ) -> Vec<f32> {
        let scale: Vec<f32> = self.diagonal().iter().map(|d| 1.0 / (d + ridge)).collect();
        let mut image = vec![0.0; self.targets.len()];
        self.apply(&weights, &mut image);
        let mut residual: Vec<f32> = self
            .targets
            .iter()
            .zip(&image)
            .map(|(t, i)| t - i)
            .collect();
        let mut gradient = vec![0.0; self.columns];
        self.apply_transposed(&residual, &mut gradient);
        pull(&mut gradient, ridge, &weights, prior);
        let mut direction: Vec<f32> = gradient.iter().zip(&scale).map(|(g, s)| g * s).collect();
        let mut size = dot(&gradient, &direction);
        let enough = size * 1e-8;
        for _ in 0..iterations {
            if size <= enough {
                break;
            }
            self.apply(&direction, &mut image);
            let curvature = dot(&image, &image) + f64::from(ridge) * dot(&direction, &direction);
            let step = (size / curvature) as f32;
            add(&mut weights, step, &direction);
            add(&mut residual, -step, &image);
            self.apply_transposed(&residual, &mut gradient);
            pull(&mut gradient, ridge, &weights, prior);
            let before = size;
            size = gradient
                .iter()
                .zip(&scale)
                .map(|(g, s)| f64::from(g * g * s))
                .sum();
            let keep = (size / before) as f32;
            for ((d, g), s) in direction.iter_mut().zip(&gradient).zip(&scale) {
                *d = g * s + keep * *d;
            }
        }
        let count = residual.len().max(1) as f64;
        let error = (dot(&residual, &residual) / count).sqrt();
        log::info!("{count} positions, weighted error {error:.3}");
        weights
    }
}

/// Adds to the gradient what holds the weights back to `prior`.
fn pull(gradient: &mut [f32], ridge: f32, weights: &[f32], prior: &[f32]) {
    for ((g, w), p) in gradient.iter_mut().zip(weights).zip(prior) {
        *g -= ridge * (w - p);
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
}

fn add(to: &mut [f32], factor: f32, what: &[f32]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

/// The weights of a phase that come nearest to the examples.
fn fit_examples<'a, G: Trainable>(
    start: &G,
    examples: impl Iterator<Item = &'a Example<G>>,
    phase: usize,
    prior: Option<Vec<f32>>,
    ridge: f32,
    iterations: u32,
) -> Vec<f32> {
    let tied = start.tied();
    let system = System::new(start, examples, phase, &tied);
    let prior = prior.unwrap_or_else(|| vec![0.0; system.columns]);
    let mut weights = match G::LOGISTIC {
        None => system.solve(prior.clone(), &prior, ridge, iterations),
        Some(unit) => system.solve_logistic(&prior, ridge, iterations, unit),
    };
    for index in 0..weights.len() {
        weights[index] = weights[tied[index] as usize];
    }
    weights
}

fn fit_phase<G: Trainable>(
    start: &G,
    data: &Data<G>,
    phase: usize,
    args: &FitArgs,
) -> Result<Vec<f32>, Failure> {
    if start.steps() > 0 {
        let before = match &args.prior {
            None => None,
            Some(fit) => Some(load_phase(start, fit, args.game.info.name, phase)?),
        };
        return Ok(hidden::train(
            start,
            data.training.iter(),
            phase,
            before.as_deref(),
            args.iterations,
        ));
    }
    let prior = match &args.prior {
        None => None,
        Some(file) if file.is_file() => Some(of_file(start, file, phase)?),
        Some(fit) => Some(beside(start, fit, args.game.info.name, phase)?),
    };
    let examples = data.training.iter();
    Ok(fit_examples(
        start,
        examples,
        phase,
        prior,
        args.ridge,
        args.iterations,
    ))
}

/// The mean of an earlier fit's phases before and after.
fn beside<G: Trainable>(
    start: &G,
    fit: &Path,
    game: &str,
    phase: usize,
) -> Result<Vec<f32>, Failure> {
    let before = load_phase(start, fit, game, phase.saturating_sub(1))?;
    let after = load_phase(start, fit, game, (phase + 1).min(start.phases() - 1))?;
    Ok(before
        .iter()
        .zip(&after)
        .map(|(a, b)| (a + b) / 2.0)
        .collect())
}

/// What the weights of a phase make of a position, in units.
fn judge<'a, G: Trainable>(
    start: &G,
    phase: usize,
    weights: &'a [f32],
) -> Box<dyn Fn(&G) -> f32 + 'a> {
    if start.steps() > 0 {
        let tied = start.tied();
        let net = Net::from_weights(weights, tied.len());
        return Box::new(move |position| {
            let (mut spare, mut rows) = (Vec::new(), Vec::new());
            hidden::features(position, &tied, &mut spare, &mut rows);
            net.value(&rows, position.step(phase))
        });
    }
    Box::new(|position| {
        let mut features = Vec::new();
        position.features(&mut features);
        let products = features
            .iter()
            .map(|feature| feature.value * weights[feature.index as usize]);
        products.sum()
    })
}

/// The errors on the held-out positions that the evaluation judges with this
/// phase.
fn measure<G: Trainable>(start: &G, data: &Data<G>, phase: usize, weights: &[f32]) -> Errors {
    let mut errors = Errors::default();
    let value_of = judge(start, phase, weights);
    for example in &data.held_out {
        if start.phase_of(&example.position) != phase {
            continue;
        }
        let value = value_of(&example.position);
        let moves = example.position.moves_left();
        let (label, value) = (example.target(), foretold::<G>(value));
        errors.add(moves, example.kind, label, value);
    }
    errors
}

fn phase_path(fit: &Path, phase: usize) -> PathBuf {
    fit.join(format!("phase-{phase:02}.fit"))
}

fn header(game: &str, phase: usize, body: &[u8]) -> String {
    let count = body.len() / 4;
    let crc = crc32fast::hash(body);
    format!("quadrille-fit 1 {game} {phase} {count} {crc:08x}\n")
}

/// Keeps the weights of a phase.
///
/// # Errors
/// If they cannot be written.
pub(super) fn save_phase(
    fit: &Path,
    game: &str,
    phase: usize,
    weights: &[f32],
) -> Result<(), Failure> {
    let path = phase_path(fit, phase);
    let body: Vec<u8> = weights.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut bytes = header(game, phase, &body).into_bytes();
    bytes.extend(body);
    let temporary = path.with_extension("part");
    std::fs::write(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, &path))
        .map_err(|error| refused(&path, error))
}

/// The weights of a phase as they were fitted.
///
/// # Errors
/// If the file cannot be read, is damaged or of another game.
pub(super) fn load_phase<G: Trainable>(
    start: &G,
    fit: &Path,
    game: &str,
    phase: usize,
) -> Result<Vec<f32>, Failure> {
    let path = phase_path(fit, phase);
    let bytes = std::fs::read(&path).map_err(|error| refused(&path, error))?;
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let (line, body) = bytes.split_at(end.map_or(0, |end| end + 1));
    if line != header(game, phase, body).as_bytes() {
        return Err(refused(&path, format!("no fit of phase {phase} of {game}")));
    }
    let (words, _) = body.as_chunks::<4>();
    if words.len() != phase_weights(start) {
        return Err(refused(&path, "the fit of another evaluation"));
    }
    Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjugate_gradients_find_the_least_squares() {
        // Two weights, three rows: a = 1, b = 2, a + 2b = 6; the least squares
        // are at a = 7/6, b = 7/3.
        let entry = |index, value| Feature { index, value };
        let system = System {
            starts: vec![0, 1, 2, 4],
            entries: vec![entry(0, 1.0), entry(1, 1.0), entry(0, 1.0), entry(1, 2.0)],
            targets: vec![1.0, 2.0, 6.0],
            scales: vec![1.0; 3],
            columns: 2,
        };
        let weights = system.solve(vec![0.0; 2], &[0.0; 2], 0.0, 10);
        assert!((weights[0] - 7.0 / 6.0).abs() < 1e-4, "{weights:?}");
        assert!((weights[1] - 7.0 / 3.0).abs() < 1e-4, "{weights:?}");
        // A strong pull towards what was known before.
        let weights = system.solve(vec![5.0, -5.0], &[5.0, -5.0], 1e6, 10);
        assert!((weights[0] - 5.0).abs() < 1e-3 && (weights[1] + 5.0).abs() < 1e-3);
    }
}
