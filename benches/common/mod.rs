//! What the benches share: the positions of `quadrille bench` as values.

use quadrille::game::Game;

/// The fixed positions of `game`, read by `start`.
pub(crate) fn positions<G: Game>(game: &str, start: G) -> Vec<G> {
    let positions: Vec<G> = quadrille::bench::exercises()
        .iter()
        .filter(|exercise| exercise.game == game)
        .map(|exercise| start.parse_position(exercise.position).expect("a position"))
        .collect();
    assert!(!positions.is_empty(), "no positions of {game}");
    positions
}
