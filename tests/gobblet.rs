//! Gobblet against test vectors of its own: positions with their moves and
//! move-sequence counts, and whole games.

use std::collections::HashMap;

use quadrille::game::{Game, MoveList, Outcome, Side};
use quadrille::games::gobblet::{Gobblet, Kind, Move};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    positions: Vec<Vector>,
    games: Vec<Record>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    position: String,
    perft: Vec<u64>,
    winner: Option<String>,
    moves: Vec<String>,
    exception_gobbles: Vec<String>,
    winning_moves: Vec<String>,
    losing_moves: Vec<String>,
}

#[derive(Deserialize)]
struct Record {
    name: String,
    start: String,
    moves: Vec<String>,
    result: String,
    #[serde(rename = "final")]
    last: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("data/gobblet.json")).expect("test data")
}

fn parse(text: &str) -> Gobblet {
    Gobblet::start()
        .parse_position(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal(position: &Gobblet) -> MoveList<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// The legal moves that pass `filter`, printed and sorted.
fn printed(position: &Gobblet, filter: impl Fn(Move) -> bool) -> Vec<String> {
    let mut texts: Vec<String> = legal(position)
        .into_iter()
        .filter(|&mv| filter(mv))
        .map(|mv| position.print_move(mv))
        .collect();
    texts.sort();
    texts
}

fn winner(position: &Gobblet) -> Option<Side> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Win { side, margin } => {
            assert_eq!(margin, 1);
            side
        }
        Outcome::Draw => panic!("a position alone is never drawn"),
    })
}

fn side(letter: &str) -> Side {
    match letter {
        "w" => Side::White,
        "b" => Side::Black,
        _ => panic!("no side: {letter}"),
    }
}

#[test]
fn positions_have_the_listed_moves() {
    for vector in vectors().positions {
        let position = parse(&vector.position);
        let name = &vector.name;
        assert_eq!(position.print_position(), vector.position, "{name}");
        assert_eq!(
            winner(&position),
            vector.winner.as_deref().map(side),
            "{name}"
        );
        assert_eq!(printed(&position, |_| true), vector.moves, "{name}");
        let mover = position.side_to_move();
        let wins = |mv| winner(&position.play(mv)) == Some(mover);
        assert_eq!(printed(&position, wins), vector.winning_moves, "{name}");
        let loses = |mv| winner(&position.play(mv)) == Some(!mover);
        assert_eq!(printed(&position, loses), vector.losing_moves, "{name}");
        let occupied = |square: u8| {
            let row = vector
                .position
                .split(['/', ' '])
                .nth(usize::from(3 - square / 4));
            row.and_then(|row| row.split(',').nth(usize::from(square % 4))) != Some(".")
        };
        let gobbles = |mv: Move| match mv.kind() {
            Kind::Placement { square, .. } => occupied(square),
            Kind::Shift { .. } => false,
        };
        assert_eq!(
            printed(&position, gobbles),
            vector.exception_gobbles,
            "{name}"
        );
    }
}

/// The plain count, one move at a time.
fn plain_perft(position: &Gobblet, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    legal(position)
        .iter()
        .map(|&mv| plain_perft(&position.play(mv), depth - 1))
        .sum()
}

#[test]
fn positions_have_the_listed_perft() {
    for vector in vectors().positions {
        let position = parse(&vector.position);
        for (depth, &count) in (1..).zip(&vector.perft) {
            assert_eq!(position.perft(depth), count, "{} {depth}", vector.name);
            if depth <= 3 {
                assert_eq!(plain_perft(&position, depth), count, "{}", vector.name);
            }
        }
    }
}

#[test]
fn perft_of_the_start() {
    let start = Gobblet::start();
    for (depth, count) in (0..).zip([1, 16, 240, 10_080, 406_560, 19_024_320]) {
        assert_eq!(start.perft(depth), count, "depth {depth}");
    }
}

#[test]
#[ignore = "takes a second or two; run by hand"]
fn deep_perft_of_the_start() {
    assert_eq!(Gobblet::start().perft(6), 857_840_400);
}

#[test]
fn games_end_as_recorded() {
    for record in vectors().games {
        let mut position = parse(&record.start);
        let mut seen = HashMap::from([(position.key(), 1)]);
        let mut occurrence = 1;
        for text in &record.moves {
            assert_eq!(position.outcome(), None, "{}", record.name);
            assert!(occurrence < 3, "{}", record.name);
            let mv = position.parse_move(text).expect("a move");
            assert!(position.is_legal(mv), "{}: {text}", record.name);
            if position.is_irreversible(mv) {
                seen.clear();
            }
            position = position.play(mv);
            let count = seen.entry(position.key()).or_insert(0);
            *count += 1;
            occurrence = *count;
        }
        assert_eq!(position.print_position(), record.last, "{}", record.name);
        if record.result == "draw" {
            assert_eq!(
                (winner(&position), occurrence),
                (None, 3),
                "{}",
                record.name
            );
        } else {
            assert_eq!(
                winner(&position),
                Some(side(&record.result)),
                "{}",
                record.name
            );
        }
    }
}
