//! Gobblet against test vectors of its own: positions with their moves and
//! move-sequence counts, and whole games.

use std::collections::HashMap;

use proptest::prelude::*;
use quadrille::game::{Game, MoveList, Outcome, Side};
use quadrille::games::gobblet::{Gobblet, Kind, Move};
use quadrille::search::heuristics::{Heuristics, Knowledge, Tactics};
use quadrille::zobrist::splitmix64;
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

/// A random number generator that needs no seed from outside.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        let (state, value) = splitmix64(self.0);
        self.0 = state;
        (value % sides as u64) as usize
    }
}

/// Calls `visit` with every position of random games and the move that comes
/// next. Every second game avoids its end where it can, so that crowded boards
/// with high stacks are met too.
fn playouts(games: u64, mut visit: impl FnMut(&Gobblet, Option<Move>)) {
    for game in 0..games {
        let mut dice = Dice(game);
        let mut position = Gobblet::start();
        for _ply in 0..120 {
            let mut moves = legal(&position);
            if game % 2 == 0 {
                let goes_on = |mv: &Move| position.play(*mv).outcome().is_none();
                if moves.iter().any(goes_on) {
                    moves.retain(|mv| goes_on(mv));
                }
            }
            if moves.is_empty() {
                visit(&position, None);
                break;
            }
            let mv = moves[dice.roll(moves.len())];
            visit(&position, Some(mv));
            position = position.play(mv);
        }
    }
}

#[test]
fn random_games_keep_the_contract() {
    playouts(200, |position, next| {
        assert_eq!(position.key(), position.key_from_scratch());
        let text = position.print_position();
        assert_eq!(parse(&text), *position);
        assert_eq!(parse(&text.to_uppercase()), *position);
        let moves = legal(position);
        assert_eq!(moves.is_empty(), position.outcome().is_some(), "{text}");
        assert_eq!(next.is_none(), moves.is_empty());
        let playable: Vec<Move> = (0..=u16::MAX)
            .filter_map(Gobblet::decode)
            .filter(|&mv| position.is_legal(mv))
            .collect();
        let mut sorted = moves.to_vec();
        sorted.sort();
        assert_eq!(sorted, playable, "{text}");
        for mv in moves {
            assert!(usize::from(Gobblet::encode(mv)) < Gobblet::MOVE_CODES);
            assert_eq!(Gobblet::decode(Gobblet::encode(mv)), Some(mv));
            assert_eq!(position.parse_move(&position.print_move(mv)), Ok(mv));
        }
    });
}

/// Whether the side to move has a move that wins on the spot.
fn wins_now(position: &Gobblet) -> bool {
    let mover = position.side_to_move();
    legal(position)
        .iter()
        .any(|&mv| winner(&position.play(mv)) == Some(mover))
}

/// The same board with the other side to move.
fn with_other_to_move(position: &Gobblet) -> Gobblet {
    let text = position.print_position();
    let (board, side) = text.split_at(text.len() - 1);
    parse(&format!("{board}{}", if side == "w" { "b" } else { "w" }))
}

#[test]
fn tactics_are_what_trying_all_moves_finds() {
    let mut found = [0; 3];
    playouts(1_000, |position, next| {
        if next.is_none() {
            return;
        }
        let text = position.print_position();
        let kind = match position.tactics() {
            Tactics::WinsNow(mv) => {
                assert!(position.is_legal(mv), "{text} {mv}");
                let side = position.side_to_move();
                assert_eq!(winner(&position.play(mv)), Some(side), "{text} {mv}");
                0
            }
            Tactics::Threatened => {
                assert!(!wins_now(position), "{text}");
                assert!(wins_now(&with_other_to_move(position)), "{text}");
                1
            }
            Tactics::Quiet => {
                assert!(!wins_now(position), "{text}");
                assert!(!wins_now(&with_other_to_move(position)), "{text}");
                2
            }
        };
        found[kind] += 1;
    });
    assert!(found.iter().all(|&count| count > 2_000), "{found:?}");
}

/// The moves after which the opponent neither wins at once nor has won.
fn evasions(position: &Gobblet) -> MoveList<Move> {
    let mover = position.side_to_move();
    let mut moves = legal(position);
    moves.retain(|mv| {
        let after = position.play(*mv);
        winner(&after) != Some(!mover) && !wins_now(&after)
    });
    moves
}

#[test]
fn evasions_are_what_trying_all_moves_finds() {
    let (mut parried, mut lost) = (0, 0);
    playouts(600, |position, next| {
        if next.is_some() && position.tactics() == Tactics::Threatened {
            let mut found = legal(position);
            position.retain_evasions(&mut found);
            let expected = evasions(position);
            assert_eq!(found, expected, "{}", position.print_position());
            parried += usize::from(!found.is_empty());
            lost += usize::from(found.is_empty());
        }
    });
    assert!(parried > 1_000 && lost > 1_000, "{parried} {lost}");
}

#[test]
fn suicides_are_not_searched_and_stay_legal() {
    let (mut dropped, mut hopeless) = (0, 0);
    playouts(600, |position, next| {
        if next.is_none() {
            return;
        }
        let mover = position.side_to_move();
        let all = legal(position);
        let mut harmless = all.clone();
        harmless.retain(|mv| winner(&position.play(*mv)) != Some(!mover));
        let mut searched = all.clone();
        position.retain_harmless(&mut searched);
        dropped += all.len() - searched.len();
        if harmless.is_empty() {
            hopeless += 1;
            harmless = all;
        }
        assert_eq!(searched, harmless, "{}", position.print_position());
    });
    assert!(dropped > 1_000, "{dropped} {hopeless}");
}

/// A side that has nothing but suicides is still to be searched.
#[test]
fn the_last_moves_stay_though_they_lose() {
    let mut only = MoveList::new();
    for vector in vectors().positions {
        let position = parse(&vector.position);
        for mv in legal(&position) {
            if vector.losing_moves.contains(&position.print_move(mv)) {
                only.push(mv);
            }
        }
        let before = only.clone();
        position.retain_harmless(&mut only);
        assert_eq!(only, before, "{}", vector.name);
        only.clear();
    }
}

fn evaluate(position: &Gobblet, tables: &<Gobblet as Heuristics>::Tables) -> i32 {
    position.evaluate(&position.refresh(tables), tables)
}

/// The position with its board changed by `change` (rows from row 4 down).
fn changed(position: &Gobblet, change: impl Fn(&mut Vec<Vec<&str>>)) -> Gobblet {
    let text = position.print_position();
    let (board, rest) = text.split_once(' ').expect("a position");
    let mut rows: Vec<Vec<&str>> = board
        .split('/')
        .map(|row| row.split(',').collect())
        .collect();
    change(&mut rows);
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    parse(&format!("{} {rest}", rows.join("/")))
}

/// The position with the colours exchanged, of the side to move too.
fn recoloured(position: &Gobblet) -> Gobblet {
    let text: String = position
        .print_position()
        .chars()
        .map(|c| match c {
            'w' => 'b',
            'b' => 'w',
            c => c,
        })
        .collect();
    let words: Vec<&str> = text.split(' ').collect();
    parse(&[words[0], words[2], words[1], words[3]].join(" "))
}

#[test]
fn evaluation_respects_the_symmetries() {
    let knowledge = Knowledge::<Gobblet>::embedded();
    let tables = &knowledge.tables;
    let mut different = std::collections::HashSet::new();
    playouts(60, |position, next| {
        if next.is_none() {
            return;
        }
        let value = evaluate(position, tables);
        different.insert(value);
        assert!(value.abs() <= 5_000);
        assert_eq!(evaluate(&recoloured(position), tables), value);
        let upside_down = changed(position, |rows| rows.reverse());
        assert_eq!(evaluate(&upside_down, tables), value);
        let transposed = changed(position, |rows| {
            *rows = (0..4)
                .map(|column| rows.iter().map(|row| row[column]).collect())
                .collect();
        });
        assert_eq!(evaluate(&transposed, tables), value);
    });
    assert!(
        different.len() > 100,
        "an evaluation that tells little apart"
    );
}

#[test]
fn accumulators_are_carried_along() {
    let knowledge = Knowledge::<Gobblet>::embedded();
    let tables = &knowledge.tables;
    playouts(100, |position, next| {
        let Some(mv) = next else { return };
        let after = position.play(mv);
        let accumulator = after.advance(position, mv, &position.refresh(tables), tables);
        assert_eq!(accumulator, after.refresh(tables));
    });
}

#[test]
fn moves_that_lose_at_once_are_tried_last() {
    for vector in vectors().positions {
        let position = parse(&vector.position);
        let moves = legal(&position);
        let mut hints = vec![0; moves.len()];
        position.hint(&moves, &mut hints, 4);
        assert!(hints.iter().all(|hint| hint.abs() <= 30_000));
        let loses = |mv: Move| vector.losing_moves.contains(&position.print_move(mv));
        let hinted = || moves.iter().zip(&hints);
        let worst = hinted()
            .filter(|(mv, _)| !loses(**mv))
            .map(|(_, hint)| *hint)
            .min();
        for (mv, &hint) in hinted().filter(|(mv, _)| loses(**mv)) {
            assert!(Some(hint) < worst, "{} {mv} {hint} {worst:?}", vector.name);
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        let start = Gobblet::start();
        let _ = start.parse_position(&text);
        let _ = start.parse_move(&text);
    }

    #[test]
    fn almost_positions_are_read_or_refused(text in "[wb1-4.,/ ]{0,80}") {
        if let Ok(position) = Gobblet::start().parse_position(&text) {
            prop_assert_eq!(parse(&position.print_position()), position);
        }
    }

    #[test]
    fn damaged_positions_are_read_or_refused(
        at in 0..41usize,
        put in prop::char::any(),
    ) {
        let text = ".,w4,.,./.,.,b2b4,./.,.,.,./.,.,.,. 443 431 w";
        let mut characters: Vec<char> = text.chars().collect();
        characters[at] = put;
        let damaged: String = characters.into_iter().collect();
        if let Ok(position) = Gobblet::start().parse_position(&damaged) {
            let printed = position.print_position();
            prop_assert_eq!(parse(&printed), position);
        }
    }
}
