//! The plain player that the engine is measured against knows the rules.

#[path = "../scripts/gobblet_peer.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    clippy::print_stderr,
    reason = "a program of its own"
)]
mod peer;

use peer::Position;

/// Sequences of moves; a game that has ended has none.
fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_over() {
        return 0;
    }
    let moves = position.moves();
    moves
        .into_iter()
        .map(|mv| perft(&position.play(mv), depth - 1))
        .sum()
}

#[test]
fn the_peer_counts_the_same_moves() {
    let counts = (1..=4).map(|depth| perft(&Position::start(), depth));
    assert_eq!(counts.collect::<Vec<_>>(), [16, 240, 10_080, 406_560]);
}

#[test]
fn the_peer_plays_legal_moves() {
    let mut game = vec![Position::start()];
    let mut engine = quadrille::games::find("gobblet")
        .unwrap()
        .open(&quadrille::search::Settings::default())
        .unwrap();
    for side in ["w", "b"].into_iter().cycle().take(30) {
        if engine.outcome().is_some() {
            break;
        }
        let mv = peer::answer(&mut game, &["genmove", side], 2).unwrap();
        engine.play(engine.side_to_move(), &mv).unwrap();
    }
    assert!(game.len() > 8);
}
