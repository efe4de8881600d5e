//! Games of `quadrille train data` whose end no solver sees: with random moves
//! among the first ones, and two labels for each position.
//!
//! What only good players play teaches nothing about what they avoid, and a
//! search has to judge mostly that: hence the random moves. But how a game
//! ends says nothing about a position after which somebody blundered by
//! chance, so only those after the last random move are labelled by the
//! result. It is honest but says little about one position; the search's score
//! says much, but only what was known before. A fit weighs both alike.

use rand::RngExt;
use rand::rngs::StdRng;

use super::Trainable;
use super::data::{Chunk, Kind};
use super::selfplay::{Player, outcome_value, random_beginning};
use crate::game::{Outcome, Side};
use crate::search::heuristics::legal_moves;

/// Longer games are given up; they go round in circles.
const LONGEST: usize = 200;

/// A game's random moves end at a ply up to this one, each as likely.
const MOST_EXPLORED: usize = 24;

impl<G: Trainable> Player<G> {
    /// One game: a random beginning, then the engine's moves, but for a while
    /// one in `every` is random.
    pub(super) fn explore(&mut self, start: G, every: u32, mut random: StdRng, chunk: &mut Chunk) {
        self.clear();
        let Some(mut position) = random_beginning(start, &mut random) else {
            return;
        };
        let explored = random.random_range(0..=MOST_EXPLORED);
        let mut judged: Vec<(G, i32)> = Vec::new();
        // Those of them before the last random move.
        let mut chance = 0;
        // The keys of this position and of those before it that can come back.
        let mut recent: Vec<u64> = Vec::new();
        for ply in 0..LONGEST {
            recent.push(position.key());
            let third = G::CAN_REPEAT && occurrences(&recent) == 3;
            if let Some(outcome) = third.then_some(Outcome::Draw).or(position.outcome()) {
                let value = outcome_value(outcome, &position);
                label(&judged, chance, position.side_to_move(), value, chunk);
                return;
            }
            let report = self.think(&position, &recent[..recent.len() - 1]);
            if !report.exact && position.is_judged() {
                judged.push((position, report.score.0));
            }
            let mv = if ply < explored && random.random_ratio(1, every) {
                chance = judged.len();
                let moves = legal_moves(&position);
                moves[random.random_range(0..moves.len())]
            } else {
                report.pv[0]
            };
            if position.is_irreversible(mv) {
                recent.clear();
            }
            position = position.play(mv);
        }
    }
}

/// How often the last of these keys is among them.
fn occurrences(keys: &[u64]) -> usize {
    let last = keys.last();
    keys.iter().filter(|&key| Some(key) == last).count()
}

/// Gives each position its score, and those that only the engine's moves
/// followed, all but the first `chance`, the result; the game was worth `value`
/// to `side`.
fn label<G: Trainable>(
    judged: &[(G, i32)],
    chance: usize,
    side: Side,
    value: i32,
    chunk: &mut Chunk,
) {
    for (index, (position, score)) in judged.iter().enumerate() {
        if index >= chance {
            let same = position.side_to_move() == side;
            let result = if same { value } else { -value };
            chunk.push(|bytes| position.pack(bytes), result, Kind::Played);
        }
        chunk.push(|bytes| position.pack(bytes), *score, Kind::Searched);
    }
}
