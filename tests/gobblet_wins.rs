//! Forced wins of gobblet: a set of problems, each a number of own moves and a
//! position whose side to move wins within it.
//!
//! `scripts/gobblet-problems` has collected them; here they are checked by a
//! search that knows only the rules, and solved by the engine.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use quadrille::game::{Game, Outcome};
use quadrille::games::gobblet::Gobblet;
use quadrille::search::Limits;
use quadrille::search::heuristics::legal_moves;
use quadrille::search::score::Value;
use quadrille::session::Unwatched;

/// The problems, by number of moves.
fn problems() -> Vec<(u32, Gobblet)> {
    let lines = include_str!("data/gobblet.wins").lines();
    lines
        .map(|line| {
            let (moves, position) = line.split_once(' ').unwrap();
            let position = Gobblet::start().parse_position(position).unwrap();
            (moves.parse().unwrap(), position)
        })
        .collect()
}

/// An exhaustive search for a win, by the rules alone.
#[derive(Default)]
struct Plain {
    /// The positions of the line at hand: to come back is not to win.
    line: Vec<Gobblet>,
    /// By position, the fewest moves known to win and the most known not to.
    known: HashMap<Gobblet, (u32, u32)>,
    /// Whether only moves are tried after which some move would win at once
    /// if the opponent could pass: then a win is still a win.
    threats_only: bool,
}

impl Plain {
    fn wins(&mut self, position: &Gobblet, moves: u32) -> bool {
        let &(won, open) = self.known.get(position).unwrap_or(&(u32::MAX, 0));
        if moves >= won || moves <= open {
            return moves >= won;
        }
        self.line.push(*position);
        let found = legal_moves(position)
            .iter()
            .any(|&mv| self.wins_by(position, position.play(mv), moves));
        self.line.pop();
        let entry = self.known.entry(*position).or_insert((u32::MAX, 0));
        if found {
            entry.0 = entry.0.min(moves);
        } else {
            entry.1 = entry.1.max(moves);
        }
        found
    }

    fn wins_by(&mut self, before: &Gobblet, after: Gobblet, moves: u32) -> bool {
        if let Some(Outcome::Win { side, .. }) = after.outcome() {
            return side == before.side_to_move();
        }
        if moves == 1 || self.line.contains(&after) || self.threats_only && !threatens(&after) {
            return false;
        }
        self.line.push(after);
        // A reply that refuted another move is likely to refute this one: the
        // search for one ends with the first found.
        let beaten = legal_moves(&after).iter().all(|&mv| {
            let reply = after.play(mv);
            match reply.outcome() {
                Some(Outcome::Win { side, .. }) => side == before.side_to_move(),
                Some(Outcome::Draw) => false,
                None => !self.line.contains(&reply) && self.wins(&reply, moves - 1),
            }
        });
        self.line.pop();
        beaten
    }
}

/// Whether the side that has just moved could win at once if it were to move.
fn threatens(position: &Gobblet) -> bool {
    let text = position.print_position();
    let (board, side) = text.rsplit_once(' ').unwrap();
    let other = if side == "w" { "b" } else { "w" };
    let passed = position
        .parse_position(&format!("{board} {other}"))
        .unwrap();
    wins_at_once(&passed)
}

fn wins_at_once(position: &Gobblet) -> bool {
    let side = position.side_to_move();
    legal_moves(position)
        .iter()
        .any(|&mv| position.play(mv).outcome() == Some(Outcome::Win { side, margin: 1 }))
}

#[test]
fn there_are_problems_of_every_length() {
    let problems = problems();
    assert!(problems.len() >= 60, "{}", problems.len());
    for moves in 1..=6 {
        let count = problems.iter().filter(|&&(n, _)| n == moves).count();
        let least = if moves <= 4 { 10 } else { 2 };
        assert!(count >= least, "{count} in {moves} moves");
    }
    let mut positions: Vec<u64> = problems.iter().map(|(_, p)| p.canonical_key()).collect();
    positions.sort_unstable();
    positions.dedup();
    assert_eq!(positions.len(), problems.len(), "some are the same");
}

#[test]
#[expect(clippy::print_stderr, reason = "a measurement")]
fn every_problem_is_won_by_the_rules_alone() {
    for (moves, position) in problems() {
        let start = Instant::now();
        let what = position.print_position();
        let mut by_threats = Plain {
            threats_only: true,
            ..Plain::default()
        };
        // Where threats are not enough, every move is tried.
        let won = (1..=moves).any(|moves| by_threats.wins(&position, moves))
            || moves <= 3 && Plain::default().wins(&position, moves);
        assert!(won, "{what} in {moves}");
        eprintln!("{moves} {what}: {} ms", start.elapsed().as_millis());
        // Every move tried, the short ones are won no sooner.
        if moves <= 2 {
            let mut plain = Plain::default();
            assert!(!plain.wins(&position, moves - 1), "{what} in {moves} - 1");
        }
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a measurement")]
fn every_problem_is_solved() {
    let mut session = quadrille::games::find("gobblet")
        .unwrap()
        .open(&quadrille::search::Settings {
            hash: 16,
            ..Default::default()
        })
        .unwrap();
    for wanted in 1..=6 {
        let start = Instant::now();
        let (mut nodes, mut most) = (0, 0);
        for (moves, position) in problems() {
            if moves != wanted {
                continue;
            }
            let text = position.print_position();
            session.set_position(&text).unwrap();
            let limits = Limits {
                time: Some(Duration::from_secs(20)),
                start: Instant::now(),
                ..Limits::default()
            };
            let solution = session.solve(false, &limits, &Unwatched);
            let solution = solution.unwrap_or_else(|| panic!("{text}: not solved"));
            assert!(
                matches!(solution.value, Value::Win(plies) if plies % 2 == 1),
                "{text}: {:?}",
                solution.value
            );
            assert_eq!(solution.value, Value::Win(solution.pv.len() as u32));
            nodes += solution.nodes;
            most = most.max(solution.nodes);
        }
        let time = start.elapsed();
        eprintln!("wins in {wanted}: {nodes} nodes, {most} the most, {time:?}");
    }
}
