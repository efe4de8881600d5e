//! Exact answers, from the vectors, through a session's `solve`.

use std::time::Duration;

use quadrille::games;
use quadrille::search::score::Value;
use quadrille::search::{Limits, Settings};
use quadrille::session::{Session, Solution, Unwatched};
use serde::Deserialize;

#[derive(Deserialize)]
struct DiscVector {
    position: String,
    exact_score: Option<i32>,
    #[serde(default)]
    finished: bool,
}

#[derive(Deserialize)]
struct TileVectors {
    solved: Vec<TileVector>,
}

#[derive(Deserialize)]
struct TileVector {
    pos: String,
    result: String,
    winning_moves: Vec<String>,
    solver_nodes: u64,
}

fn session(game: &str, threads: usize) -> Box<dyn Session> {
    let settings = Settings {
        threads,
        hash: 16,
        ..Settings::default()
    };
    games::find(game).unwrap().open(&settings).unwrap()
}

/// Every line a solution gives must be playable to the end of the game, and
/// end as it says.
fn assert_line_holds(session: &mut dyn Session, solution: &Solution) {
    let side = session.side_to_move();
    for mv in &solution.pv {
        session.play(session.side_to_move(), mv).unwrap();
    }
    let outcome = session
        .outcome()
        .expect("the line ends with the game")
        .to_string();
    let (winner, margin) = match solution.value {
        Value::Margin(0) => ("draw".to_string(), 0),
        Value::Margin(m) if m > 0 => (side.to_string(), m),
        Value::Margin(m) => ((!side).to_string(), -m),
        Value::Win(plies) => {
            assert_eq!(plies as usize, solution.pv.len());
            (side.to_string(), 1)
        }
        Value::Loss(plies) => {
            assert_eq!(plies as usize, solution.pv.len());
            ((!side).to_string(), 1)
        }
        other => panic!("{other:?} is no solution"),
    };
    let expected = if margin == 0 {
        winner
    } else {
        format!("{winner}+{margin}")
    };
    assert_eq!(outcome, expected);
    if let Some(first) = solution.pv.first() {
        assert!(solution.moves.contains(first));
    }
}

fn check_discs(game: &str, data: &str) {
    let vectors: Vec<DiscVector> = serde_json::from_str(data).unwrap();
    let mut solved = 0;
    for threads in [1, 2] {
        let mut session = session(game, threads);
        for vector in &vectors {
            let Some(score) = vector.exact_score else {
                continue;
            };
            // Cold, then warm: what the table keeps must not change the answer.
            for round in 0..2 {
                session.set_position(&vector.position).unwrap();
                let solution = session
                    .solve(false, &Limits::default(), &Unwatched)
                    .unwrap();
                let what = format!("{} round {round}", vector.position);
                assert_eq!(solution.value, Value::Margin(score), "{what}");
                assert_eq!(solution.moves.is_empty(), vector.finished, "{what}");
                assert_line_holds(session.as_mut(), &solution);
            }
            solved += 1;
        }
    }
    assert!(solved >= 40);
}

#[test]
fn exact_scores_of_othello6() {
    check_discs("othello6", include_str!("data/othello6.json"));
}

#[test]
fn exact_scores_of_reversi8() {
    check_discs("reversi8", include_str!("data/reversi8.json"));
}

/// Every move's score is known here: those that `solve all` lists must be
/// exactly the best ones.
#[test]
fn all_best_moves_of_small_disc_endings() {
    let mut session = session("othello6", 1);
    let vectors: Vec<DiscVector> =
        serde_json::from_str(include_str!("data/othello6.json")).unwrap();
    for vector in vectors.iter().filter(|v| v.exact_score.is_some()) {
        session.set_position(&vector.position).unwrap();
        let all = session.solve(true, &Limits::default(), &Unwatched).unwrap();
        let side = session.side_to_move();
        for mv in session.legal_moves() {
            session.play(side, &mv).unwrap();
            let after = session
                .solve(false, &Limits::default(), &Unwatched)
                .unwrap();
            let Value::Margin(margin) = after.value else {
                panic!("{after:?}")
            };
            // In a finished game nobody has been given the turn.
            let turned = session.side_to_move() != side;
            let reaches = Value::Margin(if turned { -margin } else { margin }) == all.value;
            assert_eq!(all.moves.contains(&mv), reaches, "{} {mv}", vector.position);
            session.undo();
        }
    }
}

/// Who wins, when no more is asked: the same as the margin says, with a line
/// that ends so and every move that does not throw it away.
#[test]
fn winners_of_small_disc_endings() {
    let mut session = session("othello6", 1);
    let vectors: Vec<DiscVector> =
        serde_json::from_str(include_str!("data/othello6.json")).unwrap();
    let winner_only = Limits {
        outcome_only: true,
        ..Limits::default()
    };
    let sign = |value: &Value| match value {
        Value::Win(_) => 1,
        Value::Draw => 0,
        Value::Loss(_) => -1,
        other => panic!("{other:?} is no outcome"),
    };
    let mut seen = [0; 3];
    for vector in &vectors {
        let Some(score) = vector.exact_score else {
            continue;
        };
        session.set_position(&vector.position).unwrap();
        let solution = session.solve(true, &winner_only, &Unwatched).unwrap();
        assert_eq!(sign(&solution.value), score.signum(), "{}", vector.position);
        seen[(score.signum() + 1) as usize] += 1;
        let side = session.side_to_move();
        for mv in session.legal_moves() {
            session.play(side, &mv).unwrap();
            let after = session.solve(false, &winner_only, &Unwatched).unwrap();
            let turned = session.side_to_move() != side;
            let outcome = sign(&after.value) * if turned { -1 } else { 1 };
            let keeps = outcome == score.signum();
            assert_eq!(
                solution.moves.contains(&mv),
                keeps,
                "{} {mv}",
                vector.position
            );
            session.undo();
        }
        for mv in &solution.pv {
            session.play(session.side_to_move(), mv).unwrap();
        }
        let outcome = session.outcome().expect("the line ends with the game");
        let expected = match score.signum() {
            1 => Some(side),
            -1 => Some(!side),
            _ => None,
        };
        let winner = match outcome {
            quadrille::game::Outcome::Win { side, .. } => Some(side),
            quadrille::game::Outcome::Draw => None,
        };
        assert_eq!(winner, expected, "{}", vector.position);
    }
    assert!(seen[0] >= 5 && seen[2] >= 5, "{seen:?}");
}

#[test]
fn solved_tiles() {
    let vectors: TileVectors = serde_json::from_str(include_str!("data/tiles.json")).unwrap();
    let mut solved = 0;
    for threads in [1, 2] {
        let mut session = session("tiles", threads);
        for vector in vectors.solved.iter().filter(|v| v.solver_nodes <= 10_000) {
            session.set_position(&vector.pos).unwrap();
            let solution = session.solve(true, &Limits::default(), &Unwatched).unwrap();
            match solution.value {
                Value::Win(_) => {
                    assert_eq!(vector.result, "win", "{}", vector.pos);
                    assert_eq!(solution.moves, vector.winning_moves, "{}", vector.pos);
                }
                Value::Loss(_) => {
                    assert_eq!(vector.result, "loss", "{}", vector.pos);
                    assert_eq!(solution.moves, session.legal_moves(), "{}", vector.pos);
                }
                other => panic!("{}: {other:?}", vector.pos),
            }
            assert_line_holds(session.as_mut(), &solution);
            solved += 1;
        }
    }
    assert!(solved >= 60, "{solved}");
}

/// The harder ones, without every move; the start on 4x4 takes too long here.
#[test]
fn hard_tiles() {
    let vectors: TileVectors = serde_json::from_str(include_str!("data/tiles.json")).unwrap();
    let mut session = session("tiles", 2);
    let hard = |v: &&TileVector| (10_001..2_000_000).contains(&v.solver_nodes);
    let mut solved = 0;
    for vector in vectors.solved.iter().filter(hard) {
        session.set_position(&vector.pos).unwrap();
        let solution = session
            .solve(false, &Limits::default(), &Unwatched)
            .unwrap();
        let wins = matches!(solution.value, Value::Win(_));
        assert_eq!(wins, vector.result == "win", "{}", vector.pos);
        assert!(!wins || vector.winning_moves.contains(&solution.moves[0]));
        assert_line_holds(session.as_mut(), &solution);
        solved += 1;
    }
    assert!(solved >= 8, "{solved}");
}

/// The FFO positions with the fewest empties, where every move's score is
/// known.
#[test]
fn easiest_ffo_positions() {
    let mut session = session("othello8", 2);
    for line in include_str!("data/ffo/fforum-1-19.obf").lines().take(3) {
        let (position, moves) = line.split_once(';').unwrap();
        let scores: Vec<(String, i32)> = moves
            .split(';')
            .filter_map(|entry| entry.trim().split_once(':'))
            .map(|(mv, score)| (mv.to_lowercase(), score.trim().parse().unwrap()))
            .collect();
        let best = scores.iter().map(|&(_, score)| score).max().unwrap();
        let mut expected: Vec<String> = scores
            .iter()
            .filter(|&&(_, score)| score == best)
            .map(|(mv, _)| mv.clone())
            .collect();
        expected.sort_unstable();
        session.set_position(position).unwrap();
        let solution = session.solve(true, &Limits::default(), &Unwatched).unwrap();
        assert_eq!(solution.value, Value::Margin(best), "{position}");
        assert_eq!(solution.moves, expected, "{position}");
    }
}

#[test]
fn what_cannot_be_solved_in_time_is_not_solved() {
    for game in ["othello8", "gobblet", "tiles"] {
        let mut session = session(game, 1);
        let limits = Limits {
            time: Some(Duration::from_millis(30)),
            ..Limits::default()
        };
        assert_eq!(session.solve(false, &limits, &Unwatched), None, "{game}");
    }
}

#[test]
fn gobblet_wins_are_solved() {
    let mut session = session("gobblet", 1);
    // White shows three in row 2 and a fourth can come from beside the board.
    session
        .set_position(".,.,.,b4/.,b4,.,./w4,w4,w4,./b4,.,.,b3 333 332 w")
        .unwrap();
    let solution = session
        .solve(false, &Limits::default(), &Unwatched)
        .unwrap();
    assert_eq!(solution.value, Value::Win(1));
    assert_eq!(solution.moves, ["3@d2"]);
    // That the other moves do not win cannot be proved within any limit.
    let limits = Limits {
        time: Some(Duration::from_millis(30)),
        ..Limits::default()
    };
    assert_eq!(session.solve(true, &limits, &Unwatched), None);
    assert_line_holds(session.as_mut(), &solution);
}
