//! The tile game against known answers.

use std::collections::HashMap;

use quadrille::game::{Game, MoveList, Outcome, Side};
use quadrille::games::tiles::{Tiles, Turn};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    perft: Vec<PerftVector>,
    solved: Vec<SolvedVector>,
}

#[derive(Deserialize)]
struct PerftVector {
    pos: String,
    perft: Vec<u64>,
}

#[derive(Deserialize)]
struct SolvedVector {
    pos: String,
    ply: u32,
    tile_value: u32,
    legal: usize,
    result: String,
    winning_moves: Vec<String>,
    solver_nodes: u64,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("data/tiles.json")).expect("the test data is well-formed")
}

fn parse(text: &str) -> Tiles {
    Tiles::start().parse_position(text).expect(text)
}

fn legal(position: &Tiles) -> MoveList<Turn> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

#[test]
fn perft_vectors() {
    for vector in vectors().perft {
        let position = parse(&vector.pos);
        assert_eq!(position.print_position(), vector.pos);
        for (depth, &count) in (1..).zip(&vector.perft) {
            if count < 100_000_000 {
                assert_eq!(position.perft(depth), count, "{} {depth}", vector.pos);
            }
        }
    }
}

/// The last ply by playing it, too.
fn slow_perft(position: &Tiles, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    legal(position)
        .iter()
        .map(|&turn| slow_perft(&position.play(turn), depth - 1))
        .sum()
}

#[test]
fn perft_without_bulk_counting() {
    for vector in vectors().perft {
        let position = parse(&vector.pos);
        for (depth, &count) in (1..).zip(&vector.perft) {
            if count < 300_000 {
                assert_eq!(slow_perft(&position, depth), count, "{}", vector.pos);
            }
        }
    }
}

#[test]
fn starts_of_all_sizes() {
    let listed: &[(u8, u8, &[u64])] = &[
        (5, 5, &[36, 1260, 54552]),
        (3, 3, &[26, 312, 2604, 21388, 140_852, 595_960]),
        (3, 4, &[32, 646, 12428, 187_408, 2_400_998]),
        (4, 3, &[32, 646, 12428, 187_408, 2_400_998]),
        (4, 4, &[36, 1024, 32568, 819_220, 18_708_276]),
        (2, 2, &[0]),
    ];
    for &(width, height, counts) in listed {
        let start = Tiles::start_of(width, height).expect("a listed size");
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(start.perft(depth), count, "{width}x{height} {depth}");
        }
    }
    assert_eq!(Tiles::start_of(5, 5), Some(Tiles::start()));
    assert!(Tiles::start_of(1, 3).is_none());
    assert!(Tiles::start_of(3, 6).is_none());
}

/// Whether the side to move wins, by trying everything.
fn wins(position: &Tiles, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let value = legal(position)
        .iter()
        .any(|&turn| !wins(&position.play(turn), known));
    known.insert(position.key(), value);
    value
}

#[test]
fn solved_vectors() {
    let mut tried = 0;
    for vector in vectors().solved {
        let position = parse(&vector.pos);
        let squares = vector
            .pos
            .chars()
            .filter(|c| "+-.xXoO".contains(*c))
            .count() as u32
            - 1;
        assert_eq!(2 * squares - position.tile_value(), vector.ply);
        assert_eq!(position.tile_value(), vector.tile_value);
        assert_eq!(legal(&position).len(), vector.legal);
        if vector.solver_nodes > 700 {
            continue;
        }
        tried += 1;
        let mut known = HashMap::new();
        let winning: Vec<String> = legal(&position)
            .into_iter()
            .filter(|&turn| !wins(&position.play(turn), &mut known))
            .map(|turn| position.print_move(turn))
            .collect();
        let mut expected = vector.winning_moves;
        expected.sort();
        let mut found = winning;
        found.sort();
        assert_eq!(found, expected, "{}", vector.pos);
        assert_eq!(vector.result == "win", !found.is_empty());
    }
    assert!(tried >= 30, "only {tried} positions are easy enough");
}

#[test]
fn the_side_without_a_turn_loses() {
    let stuck = parse("...../...../....O/...../x+..O x");
    assert_eq!(
        stuck.outcome(),
        Some(Outcome::Win {
            side: Side::White,
            margin: 1
        })
    );
    assert!(legal(&stuck).is_empty());
    assert_eq!(Tiles::start().outcome(), None);
}
