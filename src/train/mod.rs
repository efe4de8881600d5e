//! `quadrille train`: evaluation weights from games the engine plays against
//! itself.
//!
//! 1. `data`: games from random beginnings, every position with a label: what
//!    the game was worth in the end, or exactly where the game's solver
//!    reaches ([`selfplay`], [`exploring`], [`data`]);
//! 2. `label`: the same positions, those that are not solved judged anew by a
//!    search ([`label`]);
//! 3. `fit`: the weights that come nearest to the labels, phase by phase
//!    ([`fit`], [`hidden`]), or under which results are likeliest where games
//!    are only won or lost ([`logistic`], or [`network`] for a game that is
//!    judged by one), with the error on games that were held out ([`report`]);
//! 4. `export`: the weight file ([`export`]);
//! 5. `probcut`: how far a shallow search is from a deeper one, which the
//!    weight file has too ([`probcut`]);
//! 6. `exact` and `error`: positions of the middle game solved to their end,
//!    once, and how far an evaluation is from them ([`exact`], [`error`]).
//!
//! Everything depends on the seed alone, and every step takes up where it was
//! stopped. What a game must offer is [`Trainable`].

pub mod args;
pub mod data;
pub mod error;
pub mod exact;
pub mod exploring;
pub mod export;
pub mod fit;
pub mod hidden;
pub mod label;
pub mod logistic;
pub mod network;
pub mod probcut;
pub mod progress;
pub mod report;
pub mod selfplay;

use std::io::Write;

use rand::rngs::StdRng;

use crate::command::Failure;
use crate::game::Symmetry;
use crate::games::discs::Discs;
use crate::games::gobblet::Gobblet;
use crate::games::tiles::Tiles;
use crate::search::heuristics::{Depth, Heuristics, Tactics};
use crate::search::proof::Kept;
use crate::search::score::Window;
use crate::weights::Packed;
use args::{TrainArgs, TrainCommand};
use network::{Shape, View};

/// What a game offers to training, beyond playing.
pub trait Trainable: Heuristics {
    /// In a game that is won or lost and nothing else: the value, in units, at
    /// which a win is e times as likely as a loss. Then `fit` makes values
    /// foretell results as well as they can ([`logistic`]); without, it makes
    /// them come near to margins.
    const LOGISTIC: Option<f32> = None;

    /// Bytes of a packed position.
    const PACKED: usize;

    /// Writes the position into [`Trainable::PACKED`] bytes. What the
    /// evaluation does not see may be lost.
    fn pack(&self, bytes: &mut [u8]);

    /// The position of these bytes, on the board of `self`.
    fn unpack(&self, bytes: &[u8]) -> Option<Self>;

    /// In a game without exact labels: one in so many of the first moves of the
    /// games is random, so that positions are judged as well that nobody would
    /// choose, and each position has two labels, how the game ended and what the
    /// search found by which its move was chosen ([`exploring`]).
    const EXPLORES: Option<u32> = None;

    /// Whether the search ever asks for the evaluation of this position, which
    /// is not finished: only then there is something to learn from it.
    fn is_judged(&self) -> bool {
        matches!(self.tactics(), Tactics::Quiet)
    }

    /// How many random moves a game begins with.
    fn random_plies(&self, random: &mut StdRng) -> u32;

    /// From how many moves before the end positions are solved by the game's
    /// solver if nothing else is asked for.
    fn default_reach(&self) -> u32;

    /// The exact value in hundredths of the unit, if the game's solver finds
    /// it soon; `kept` is a prover's.
    fn exact(&self, memory: &mut Self::Memory, kept: &mut Kept) -> Option<i32> {
        let _ = kept;
        let score = self.solve(Window::FULL, memory, &mut |_| false)?;
        Some(score.0)
    }

    /// About how many moves are left, by which errors are reported.
    fn moves_left(&self) -> u32;

    /// Phases of a game on this board; each has weights of its own.
    fn phases(&self) -> usize;

    /// The phase by whose weights a position is judged.
    fn phase_of(&self, position: &Self) -> usize;

    /// How much this position counts for the weights of a phase, from 0 to 1.
    fn share(&self, phase: usize) -> f32;

    /// Weights of one phase; of its sum, where there are hidden units too.
    fn parameters(&self) -> usize;

    /// By weight, the first of those that are the same by symmetry.
    fn tied(&self) -> Vec<u32>;

    /// Adds what this position's value is the sum of, whatever the phase.
    fn features(&self, features: &mut Vec<Feature>);

    /// Steps of a phase, if the game is judged with hidden units ([`hidden`]):
    /// in each they count for something else. None in a plain sum.
    fn steps(&self) -> usize {
        0
    }

    /// The step of a phase to which this position belongs or is nearest.
    fn step(&self, phase: usize) -> usize {
        let _ = phase;
        0
    }

    /// Puts a phase fitted with hidden units into its sections of a weight
    /// file.
    fn put_hidden(&self, phase: usize, weights: &[f32], file: &mut Packed) {
        let _ = (phase, weights, file);
    }

    /// What the network is made of, if the game is judged by one; then
    /// [`Trainable::views`] stands for the features, and `parameters` are all
    /// of it.
    fn network(&self) -> Option<Shape> {
        None
    }

    /// Adds what this position turned or reflected looks like to the network,
    /// the side to move first; gives the phase.
    fn views(&self, symmetry: Symmetry, views: &mut Vec<View>) -> usize {
        let _ = (symmetry, views);
        0
    }

    /// Puts a fitted network into its sections of a weight file.
    fn put_network(&self, weights: &[f32], file: &mut Packed) {
        let _ = (weights, file);
    }

    /// The name of a phase's section in the weight file.
    fn section(&self, phase: usize) -> String;

    /// The section of the weight file, with its name, that says how far a
    /// shallow search is from a deeper one, given that in units by moves left
    /// and depth; none if the game's search leaves nothing out.
    fn probcut_section(&self, error: &dyn Fn(f64, Depth) -> f64) -> Option<(String, Vec<i16>)> {
        let _ = error;
        None
    }
}

/// A weight of the evaluation, and how often it counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Feature {
    /// Which weight of the phase.
    pub index: u32,
    /// By what it is multiplied.
    pub value: f32,
}

/// Runs `quadrille train`.
///
/// # Errors
/// If the game has no training, or files cannot be read or written.
pub fn run(args: &TrainArgs, out: &mut dyn Write) -> Result<(), Failure> {
    match args.command.game().info.name {
        "othello6" => run_for(Discs::othello6(), &args.command, out),
        "othello8" => run_for(Discs::othello8(), &args.command, out),
        "gobblet" => run_for(Gobblet::start(), &args.command, out),
        "tiles" => run_for(Tiles::start(), &args.command, out),
        other => Err(Failure::Usage(format!(
            "{other} is not trained; othello6, othello8, gobblet and tiles are"
        ))),
    }
}

fn run_for<G: Trainable>(
    start: G,
    command: &TrainCommand,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match command {
        TrainCommand::Data(args) => selfplay::run(start, args, out),
        TrainCommand::Label(args) => label::run(start, args, out),
        TrainCommand::Fit(args) => fit::run(start, args, out),
        TrainCommand::Exact(args) => exact::run(start, args, out),
        TrainCommand::Error(args) => error::run(start, args, out),
        TrainCommand::Probcut(args) => probcut::run(start, args, out),
        TrainCommand::Export(args) => export::run(start, args, out),
    }
}
