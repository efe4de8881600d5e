//! `quadrille train fit` for games that are judged by a small network instead
//! of a sum: the weights under which results are likeliest, by descent.
//!
//! A position is some views, each a set of rows of the first layer, added up
//! and clipped. The views of the side to move are added, and those of the other
//! side; from both a second layer and the value are made, by weights of the
//! position's phase.
//!
//! CITE: Y. Nasu, Efficiently updatable neural-network-based evaluation
//! functions for computer shogi, 2018 (clipped units; the view of each side);
//! D. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015.

use std::path::Path;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::Trainable;
use super::fit::Example;
use super::progress::Progress;
use super::report::Errors;
use crate::command::Failure;
use crate::game::Symmetry;

/// What a network is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    /// Rows of the first layer.
    pub rows: usize,
    /// Units of the first layer: numbers in a row.
    pub view: usize,
    /// Units of the second layer.
    pub second: usize,
    /// Phases, each with a second layer of its own.
    pub phases: usize,
    /// What units put out is clipped to 0 and this.
    pub most: f32,
}

impl Shape {
    const fn inputs(&self) -> usize {
        2 * self.view
    }

    const fn phase_weights(&self) -> usize {
        self.second * (self.inputs() + 1) + self.second + self.inputs() + 1
    }

    /// All weights: the first layer row by row, then phase by phase the second
    /// layer, unit by unit with the constant last, and the value's: of the
    /// second layer, of the views, constant.
    pub const fn parameters(&self) -> usize {
        self.rows * self.view + self.phases * self.phase_weights()
    }
}

/// What is seen from one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Whether it is one of the side to move.
    pub own: bool,
    /// The rows of the first layer that are added.
    pub rows: Vec<u32>,
}

/// Positions of one step.
const BATCH: usize = 256;

/// The first step's size, and the last's.
const STEPS: [f32; 2] = [2e-3, 5e-5];

/// Weights of the network that foretells the examples best, after so many
/// rounds through them all.
pub(super) fn train<G: Trainable>(
    shape: Shape,
    examples: &[Example<G>],
    rounds: u32,
    seed: u64,
) -> Vec<f32> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut weights = first_weights(shape, &mut random);
    let mut adam = Adam::new(weights.len());
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let batches = examples.len().div_ceil(BATCH) as u32 * rounds;
    let progress = Progress::new("rounds", rounds.into());
    let mut pass = Pass::new(shape);
    let mut done = 0;
    for round in 0..rounds {
        order.shuffle(&mut random);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            pass.gradient.fill(0.0);
            for &index in batch {
                let symmetry = Symmetry::ALL[random.random_range(0..Symmetry::ALL.len())];
                let example = &examples[index];
                loss +=
                    f64::from(pass.learn(&weights, &example.position, symmetry, example.chance()));
            }
            let part = done as f32 / batches as f32;
            let size = STEPS[1] + (STEPS[0] - STEPS[1]) * (1.0 - part) * (1.0 - part);
            adam.step(&mut weights, &pass.gradient, size, batch.len() as f32);
            done += 1;
        }
        progress.advance(1);
        log::info!(
            "round {round}: loss {:.4}",
            loss / examples.len().max(1) as f64
        );
    }
    weights
}

/// The errors of a network on examples it has not seen.
pub(super) fn measure<G: Trainable>(
    shape: Shape,
    weights: &[f32],
    examples: &[Example<G>],
) -> Errors {
    let mut errors = Errors::default();
    let mut pass = Pass::new(shape);
    for example in examples {
        let value = pass.value(weights, &example.position, Symmetry::ALL[0]);
        let foretold = 200.0 * chance(value) - 100.0;
        let moves = example.position.moves_left();
        errors.add(
            moves,
            example.kind,
            200.0 * example.chance() - 100.0,
            foretold,
        );
    }
    errors
}

/// Puts a fitted network into its file.
pub(super) fn load<G: Trainable>(start: &G, fit: &Path, game: &str) -> Result<Vec<f32>, Failure> {
    super::fit::load_phase(start, fit, game, 0)
}

fn first_weights(shape: Shape, random: &mut StdRng) -> Vec<f32> {
    let mut weights = vec![0.0; shape.parameters()];
    let mut spread = |weights: &mut [f32], most: f32| {
        for weight in weights {
            *weight = random.random_range(-most..most);
        }
    };
    let (first, phases) = weights.split_at_mut(shape.rows * shape.view);
    spread(first, 0.3);
    // All phases begin alike.
    let (one, others) = phases.split_at_mut(shape.phase_weights());
    spread(one, 0.2);
    for phase in others.chunks_mut(shape.phase_weights()) {
        phase.copy_from_slice(one);
    }
    weights
}

fn chance(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// One position after the other: what the units put out, and what the loss
/// asks of each weight.
struct Pass {
    shape: Shape,
    views: Vec<View>,
    /// Of each view, before clipping.
    sums: Vec<Vec<f32>>,
    inputs: Vec<f32>,
    seconds: Vec<f32>,
    phase: usize,
    asked: Vec<f32>,
    gradient: Vec<f32>,
}

impl Pass {
    fn new(shape: Shape) -> Self {
        Self {
            shape,
            views: Vec::new(),
            sums: Vec::new(),
            inputs: vec![0.0; shape.inputs()],
            seconds: vec![0.0; shape.second],
            phase: 0,
            asked: vec![0.0; shape.inputs()],
            gradient: vec![0.0; shape.parameters()],
        }
    }

    fn phase_start(&self) -> usize {
        self.shape.rows * self.shape.view + self.phase * self.shape.phase_weights()
    }

    /// What the network makes of a position.
    fn value<G: Trainable>(&mut self, weights: &[f32], position: &G, symmetry: Symmetry) -> f32 {
        let shape = self.shape;
        self.views.clear();
        self.phase = position.views(symmetry, &mut self.views);
        self.inputs.fill(0.0);
        self.sums.resize(self.views.len(), Vec::new());
        for (view, sums) in self.views.iter().zip(&mut self.sums) {
            sums.clear();
            sums.resize(shape.view, 0.0);
            for &row in &view.rows {
                let start = row as usize * shape.view;
                add(sums, &weights[start..start + shape.view], 1.0);
            }
            let half = if view.own { 0 } else { shape.view };
            for (input, sum) in self.inputs[half..half + shape.view].iter_mut().zip(sums) {
                *input += sum.clamp(0.0, shape.most);
            }
        }
        let phase = &weights[self.phase_start()..][..shape.phase_weights()];
        let (second, rest) = phase.split_at(shape.second * (shape.inputs() + 1));
        let (from_second, rest) = rest.split_at(shape.second);
        let mut value = rest[shape.inputs()] + dot(&self.inputs, rest);
        for (unit, sum) in self.seconds.iter_mut().enumerate() {
            let unit_weights = &second[unit * (shape.inputs() + 1)..];
            *sum = unit_weights[shape.inputs()] + dot(&self.inputs, unit_weights);
            value += sum.clamp(0.0, shape.most) * from_second[unit];
        }
        value
    }

    /// Adds what a position asks of each weight; its loss.
    fn learn<G: Trainable>(
        &mut self,
        weights: &[f32],
        position: &G,
        symmetry: Symmetry,
        target: f32,
    ) -> f32 {
        let shape = self.shape;
        let foretold = chance(self.value(weights, position, symmetry));
        let error = foretold - target;
        let start = self.phase_start();
        let width = shape.inputs() + 1;
        let values = start + shape.second * width;
        let linear = values + shape.second;
        for (asked, weight) in self.asked.iter_mut().zip(&weights[linear..]) {
            *asked = error * weight;
        }
        add(
            &mut self.gradient[linear..linear + shape.inputs()],
            &self.inputs,
            error,
        );
        self.gradient[linear + shape.inputs()] += error;
        for (unit, &sum) in self.seconds.iter().enumerate() {
            self.gradient[values + unit] += error * sum.clamp(0.0, shape.most);
            if sum <= 0.0 || sum >= shape.most {
                continue;
            }
            let of_unit = error * weights[values + unit];
            let from = start + unit * width;
            add(
                &mut self.gradient[from..from + shape.inputs()],
                &self.inputs,
                of_unit,
            );
            self.gradient[from + shape.inputs()] += of_unit;
            add(
                &mut self.asked,
                &weights[from..from + shape.inputs()],
                of_unit,
            );
        }
        for (view, sums) in self.views.iter().zip(&mut self.sums) {
            let half = if view.own { 0 } else { shape.view };
            for (sum, asked) in sums.iter_mut().zip(&self.asked[half..]) {
                *sum = if *sum <= 0.0 || *sum >= shape.most {
                    0.0
                } else {
                    *asked
                };
            }
            for &row in &view.rows {
                let start = row as usize * shape.view;
                add(&mut self.gradient[start..start + shape.view], sums, 1.0);
            }
        }
        let right = foretold.max(1e-6).ln();
        let wrong = (1.0 - foretold).max(1e-6).ln();
        -(target * right + (1.0 - target) * wrong)
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    // In lanes, since sums of floats are not reordered by themselves.
    let mut lanes = [0.0_f32; 8];
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<8>(), b[..a.len()].as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

fn add(to: &mut [f32], what: &[f32], factor: f32) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

/// Steps of the size that each weight's slopes so far suggest.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(weights: usize) -> Self {
        Self {
            means: vec![0.0; weights],
            squares: vec![0.0; weights],
            steps: 0,
        }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], size: f32, count: f32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        /// Weights that nothing asks for come back to nothing.
        const DECAY: f32 = 1e-2;
        self.steps += 1;
        let [mean_scale, square_scale] = KEEP.map(|keep| 1.0 / (1.0 - keep.powi(self.steps)));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            let slope = slope / count;
            *mean = KEEP[0] * *mean + (1.0 - KEEP[0]) * slope;
            *square = KEEP[1] * *square + (1.0 - KEEP[1]) * slope * slope;
            let step = *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-8);
            *weight -= size * (step + DECAY * *weight);
        }
    }
}
