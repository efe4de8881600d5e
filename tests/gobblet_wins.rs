//! Forced wins of gobblet: a set of problems, each a number of own moves and a
//! position whose side to move wins in as many and, up to five, no fewer.
//!
//! `scripts/gobblet-problems` has collected them; here they are checked by a
//! search that knows only the rules, and solved by the engine.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use quadrille::game::{Game, Outcome};
use quadrille::games::gobblet::{Gobblet, Move};
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

/// An exhaustive search for a win, by the rules alone: whatever the defender
/// answers, there is a winning move again.
#[derive(Default)]
struct Plain {
    /// By moves left, the answer that refuted an attack last: it is likely to
    /// refute the next one too.
    refuting: HashMap<u32, Move>,
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
        let mut answers = legal_moves(&after);
        if let Some(refuting) = self.refuting.get(&moves)
            && let Some(place) = answers.iter().position(|mv| mv == refuting)
        {
            answers.swap(0, place);
        }
        let refuted = answers.iter().find(|&&mv| {
            let reply = after.play(mv);
            match reply.outcome() {
                Some(Outcome::Win { side, .. }) => side != before.side_to_move(),
                Some(Outcome::Draw) => true,
                None => self.line.contains(&reply) || !self.wins(&reply, moves - 1),
            }
        });
        self.line.pop();
        if let Some(&mv) = refuted {
            self.refuting.insert(moves, mv);
        }
        refuted.is_none()
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
        // A win by threats alone is a win, for every answer is tried. Where
        // they are not enough, every move is.
        let won = (1..=moves).any(|moves| by_threats.wins(&position, moves))
            || moves <= 3 && Plain::default().wins(&position, moves);
        assert!(won, "{what} in {moves}");
        eprintln!("{moves} {what}: {} ms", start.elapsed().as_millis());
    }
}

/// Every move tried, no problem of so many moves is won sooner.
#[expect(clippy::print_stderr, reason = "a measurement")]
fn assert_none_is_shorter(lengths: std::ops::RangeInclusive<u32>) {
    for (moves, position) in problems() {
        if !lengths.contains(&moves) {
            continue;
        }
        let start = Instant::now();
        let what = position.print_position();
        let mut plain = Plain::default();
        assert!(!plain.wins(&position, moves - 1), "{what} in {moves} - 1");
        let known = plain.known.len();
        eprintln!("{moves} {what}: {known} positions, {:?}", start.elapsed());
    }
}

#[test]
fn the_short_problems_are_won_no_sooner() {
    assert_none_is_shorter(2..=3);
}

#[test]
#[ignore = "takes minutes"]
fn the_long_problems_are_won_no_sooner() {
    assert_none_is_shorter(4..=5);
}

#[test]
fn wins_in_one_are_seen_before_anything_else() {
    for (_, position) in problems().into_iter().filter(|&(moves, _)| moves == 1) {
        let text = position.print_position();
        for (threads, hash) in [(1, 0), (1, 16), (2, 16)] {
            let settings = quadrille::search::Settings {
                threads,
                hash,
                ..Default::default()
            };
            let variant = quadrille::games::find("gobblet").unwrap();
            let mut session = variant.open(&settings).unwrap();
            session.set_position(&text).unwrap();
            // As little as can be asked for.
            let limits = Limits {
                nodes: Some(1),
                start: Instant::now(),
                ..Limits::default()
            };
            let thought = session.think(&limits, &Unwatched);
            let info = thought.info.unwrap();
            assert_eq!(info.value, Value::Win(1), "{text}");
            let best = position.parse_move(&thought.best).unwrap();
            assert_eq!(
                position.play(best).outcome(),
                Some(Outcome::Win {
                    side: position.side_to_move(),
                    margin: 1
                }),
                "{text}"
            );
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
