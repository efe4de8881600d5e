//! Threefold repetition in play: no win is thrown away by it, and no draw
//! missed. Every game here has gone round twice, so that one of the moves
//! draws at once.

use std::time::Instant;

use quadrille::game::{Game, Outcome};
use quadrille::games::gobblet::{Gobblet, Move};
use quadrille::search::heuristics::legal_moves;
use quadrille::search::score::Value;
use quadrille::search::{Limits, Settings};
use quadrille::session::{Session, Unwatched};

/// Won positions, from the set of problems.
fn won_positions() -> impl Iterator<Item = Gobblet> {
    include_str!("data/gobblet.wins").lines().map(|line| {
        let (_, position) = line.split_once(' ').unwrap();
        Gobblet::start().parse_position(position).unwrap()
    })
}

/// Table or none, one thread or two.
fn sessions() -> impl Iterator<Item = Box<dyn Session>> {
    [(1, 0), (1, 16), (2, 0), (2, 16)]
        .map(|(threads, hash)| {
            let settings = Settings {
                threads,
                hash,
                ..Settings::default()
            };
            quadrille::games::find("gobblet")
                .unwrap()
                .open(&settings)
                .unwrap()
        })
        .into_iter()
}

/// Four board moves that lead back to `here`, the first of them `first`.
fn round(here: &Gobblet, first: Move) -> Option<[Move; 4]> {
    let shifts = |position: &Gobblet| {
        let mut moves = legal_moves(position);
        moves.retain(|mv| !position.is_irreversible(*mv) && position.play(*mv).outcome().is_none());
        moves
    };
    let one = here.play(first);
    for second in shifts(&one) {
        let two = one.play(second);
        for third in shifts(&two) {
            let three = two.play(third);
            let back = shifts(&three)
                .into_iter()
                .find(|&mv| three.play(mv) == *here);
            if let Some(fourth) = back {
                return Some([first, second, third, fourth]);
            }
        }
    }
    None
}

/// Plays moves from where a session stands.
fn play(session: &mut dyn Session, moves: &[Move]) {
    for mv in moves {
        session
            .play(session.side_to_move(), &mv.to_string())
            .unwrap();
    }
}

/// A game that stands at `here` for the second time, and where `round[0]`
/// would lead to the third occurrence of the position after it.
fn gone_round(session: &mut dyn Session, here: &Gobblet, round: [Move; 4]) {
    let [first, rest @ ..] = round;
    session
        .set_position(&here.play(first).print_position())
        .unwrap();
    play(session, &rest);
    play(session, &round);
    assert_eq!(session.outcome(), None);
    assert_eq!(session.position(), here.print_position());
}

fn best(session: &mut dyn Session, nodes: u64) -> (String, Value) {
    let limits = Limits {
        nodes: Some(nodes),
        start: Instant::now(),
        ..Limits::default()
    };
    let thought = session.think(&limits, &Unwatched);
    (thought.best, thought.info.unwrap().value)
}

#[test]
fn a_lost_game_is_drawn_by_repetition() {
    let mut found = 0;
    for here in won_positions() {
        let lost = legal_moves(&here)
            .into_iter()
            .map(|mv| here.play(mv))
            .find(|after| after.outcome().is_none() && all_lose_at_once(after));
        let Some(lost) = lost else { continue };
        let rounds: Vec<[Move; 4]> = legal_moves(&lost)
            .into_iter()
            .filter(|&mv| !lost.is_irreversible(mv) && lost.play(mv).outcome().is_none())
            .filter_map(|mv| round(&lost, mv))
            .take(1)
            .collect();
        for round in rounds {
            found += 1;
            for mut session in sessions() {
                gone_round(session.as_mut(), &lost, round);
                let (mv, value) = best(session.as_mut(), 3_000);
                assert_eq!(
                    mv,
                    round[0].to_string(),
                    "{} {value}",
                    lost.print_position()
                );
                play(session.as_mut(), &round[..1]);
                assert_eq!(session.outcome(), Some(Outcome::Draw));
            }
        }
        if found == 8 {
            return;
        }
    }
    panic!("only {found} positions");
}

/// Whether the opponent wins at once after every move, or has won.
fn all_lose_at_once(position: &Gobblet) -> bool {
    let own = position.side_to_move();
    let won_by_other = |outcome| matches!(outcome, Some(Outcome::Win { side, .. }) if side != own);
    legal_moves(position).iter().all(|&mv| {
        let after = position.play(mv);
        match after.outcome() {
            Some(outcome) => won_by_other(Some(outcome)),
            None => legal_moves(&after)
                .iter()
                .any(|&reply| won_by_other(after.play(reply).outcome())),
        }
    })
}

#[test]
fn a_won_game_is_not_drawn_by_repetition() {
    let mut found = 0;
    for here in won_positions() {
        let side = here.side_to_move();
        // Two board moves that win: the one that would repeat is spoilt.
        let mut winning = legal_moves(&here);
        winning.retain(|mv| {
            let after = here.play(*mv);
            after.outcome().is_none() && all_lose_at_once(&after)
        });
        let Some(round) = winning
            .iter()
            .filter(|&&mv| !here.is_irreversible(mv))
            .find_map(|&mv| round(&here, mv))
            .filter(|_| winning.len() > 1)
        else {
            continue;
        };
        found += 1;
        for mut session in sessions() {
            gone_round(session.as_mut(), &here, round);
            let mut plies = 0;
            while session.outcome().is_none() && plies < 20 {
                let (mv, value) = best(session.as_mut(), 3_000);
                if plies == 0 {
                    let what = here.print_position();
                    assert_ne!(mv, round[0].to_string(), "{what} {value}");
                    assert!(matches!(value, Value::Win(_)), "{what} {mv} {value}");
                }
                session.play(session.side_to_move(), &mv).unwrap();
                plies += 1;
            }
            assert!(
                matches!(session.outcome(), Some(Outcome::Win { side: winner, .. }) if winner == side),
                "{}",
                here.print_position()
            );
        }
        if found == 6 {
            return;
        }
    }
    panic!("only {found} positions");
}
