//! The tile game against known answers.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use quadrille::depict::{Depict, Point, Tile};
use quadrille::game::{Game, MoveList, Outcome, Side};
use quadrille::games::tiles::{Tiles, Turn};
use quadrille::zobrist::splitmix64;
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

/// Positions of random games on boards of all sizes, the last one finished.
fn playouts(games: u64, mut each: impl FnMut(&Tiles, u32)) {
    for game in 0..games {
        let (mut state, size) = splitmix64(game);
        let mut position = match game % 4 {
            0 => Tiles::start_of((2 + size % 4) as u8, (2 + size / 4 % 4) as u8).expect("2 to 5"),
            _ => Tiles::start(),
        };
        let mut ply = 0;
        loop {
            each(&position, ply);
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            let random;
            (state, random) = splitmix64(state);
            position = position.play(moves[(random % moves.len() as u64) as usize]);
            ply += 1;
        }
    }
}

#[test]
fn playouts_hold_what_a_game_promises() {
    playouts(1000, |position, _| {
        assert_eq!(position.key(), position.key_from_scratch());
        let text = position.print_position();
        assert_eq!(parse(&text), *position, "{text}");
        let moves = legal(position);
        assert_eq!(position.outcome().is_some(), moves.is_empty());
        assert_eq!(position.perft(1), moves.len() as u64);
        assert_eq!(position.perft(2), slow_perft(position, 2), "{text}");
        let mut sorted = moves.to_vec();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), moves.len());
        for &turn in &moves {
            let text = position.print_move(turn);
            assert_eq!(position.parse_move(&text), Ok(turn));
            assert_eq!(position.parse_move(&text.to_uppercase()), Ok(turn));
            assert_eq!(Tiles::decode(Tiles::encode(turn)), Some(turn));
        }
    });
}

/// A turn as the rule sheet has it, square by square.
fn allowed(position: &Tiles, text: &str) -> bool {
    let printed = position.print_position();
    let (board, side) = printed.split_once(' ').expect("a board and a side");
    let rows: Vec<Vec<char>> = board
        .split('/')
        .rev()
        .map(|r| r.chars().collect())
        .collect();
    let at = |square: &str| {
        let (column, row) = (square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1');
        rows.get(usize::from(row))
            .and_then(|row| row.get(usize::from(column)))
            .copied()
    };
    let near = |a: &str, b: &str| {
        let distance = |i: usize| a.as_bytes()[i].abs_diff(b.as_bytes()[i]);
        distance(0).max(distance(1)) == 1
    };
    let (from, to, changed) = (&text[0..2], &text[2..4], &text[5..7]);
    let Some(disk) = at(from).filter(|disk| disk.to_string().to_lowercase() == side) else {
        return false;
    };
    let light_disk = disk.is_ascii_lowercase();
    let entered = match at(to) {
        Some('-') if light_disk => '-',
        Some('+') => '+',
        _ => return false,
    };
    let left = if light_disk { '-' } else { '+' };
    let tile = if changed == from {
        Some(left)
    } else {
        at(changed)
    };
    near(from, to) && near(to, changed) && tile == Some(entered)
}

#[test]
fn exactly_the_allowed_turns_are_legal() {
    let squares: Vec<String> = ('a'..='e')
        .flat_map(|column| (1..=5).map(move |row| format!("{column}{row}")))
        .collect();
    playouts(8, |position, _| {
        for from in &squares {
            for to in &squares {
                for changed in &squares {
                    let text = format!("{from}{to}:{changed}");
                    let turn = position.parse_move(&text).expect("three squares");
                    let expected = allowed(position, &text);
                    assert_eq!(position.is_legal(turn), expected, "{position:?} {text}");
                    assert_eq!(legal(position).contains(&turn), expected);
                }
            }
        }
    });
}

#[test]
fn consequences_of_the_rules() {
    let mut last = 0;
    playouts(1000, |position, ply| {
        let value = position.tile_value();
        if ply > 0 {
            assert_eq!(value, last - 1, "the tile value falls by one a turn");
        }
        last = value;
        let cells = position.picture().cells;
        for cell in &cells {
            for disk in &cell.stack {
                assert_eq!(
                    disk.dark,
                    cell.tile == Tile::Dark,
                    "a disk has its tile's colour"
                );
            }
        }
        assert!(ply <= 46, "a game lasts at most 46 turns");
        assert!(position.perft(1) <= 128, "at most 128 turns");
    });
}

#[test]
fn first_turns_fall_into_ten_classes() {
    // The symmetries of the board that map each side's corners to themselves.
    type Symmetry = fn(u8, u8) -> (u8, u8);
    let symmetries: [Symmetry; 4] = [
        |column, row| (column, row),
        |column, row| (4 - column, 4 - row),
        |column, row| (row, column),
        |column, row| (4 - row, 4 - column),
    ];
    let start = Tiles::start();
    let mut classes = BTreeSet::new();
    for turn in legal(&start) {
        let images = symmetries.map(|symmetry| {
            start
                .move_points(turn)
                .into_iter()
                .map(|point| symmetry(point.column, point.row))
                .collect::<Vec<_>>()
        });
        classes.insert(images.into_iter().min());
    }
    assert_eq!(classes.len(), 10);
}

#[test]
fn pictures_show_what_positions_say() {
    playouts(50, |position, _| {
        let picture = position.picture();
        let mut rows = Vec::new();
        for row in (0..picture.height).rev() {
            let letters = (0..picture.width).map(|column| {
                let cell = picture.cell(Point { column, row });
                let disk = cell.stack.first().map(|disk| (disk.side, disk.dark));
                match (cell.tile, disk) {
                    (_, Some((Side::Black, dark))) => ['x', 'X'][usize::from(dark)],
                    (_, Some((Side::White, dark))) => ['o', 'O'][usize::from(dark)],
                    (Tile::Light, None) => '-',
                    (Tile::Dark, None) => '+',
                    (Tile::Gone, None) => '.',
                    (Tile::Plain, None) => '?',
                }
            });
            rows.push(letters.collect::<String>());
        }
        assert!(position.print_position().starts_with(&rows.join("/")));
    });
}

#[test]
fn wrong_positions_are_explained() {
    let wrong = [
        ("", "a position is the rows"),
        ("o---x/-----/-----/-----/x---o", "a position is the rows"),
        (
            "o---x/-----/-----/-----/x---o x x",
            "a position is the rows",
        ),
        ("o---x/-----/-----/-----/x---o b", "the side to move is"),
        (
            "o---x/----/-----/-----/x---o x",
            "row 4 has 4 squares, row 1 has 5",
        ),
        ("o---x/--?--/-----/-----/x---o x", "`?` is no square"),
        (
            "o---x/--x--/-----/-----/x---o x",
            "black (x, X) has 3 disks",
        ),
        (
            "o---x/--O--/-----/-----/x---o x",
            "white (o, O) has 3 disks",
        ),
        ("o-----/------ x", "the board is 6 wide and 2 high"),
        ("o/x x", "the board is 1 wide and 2 high"),
        ("/ x", "the board is 0 wide and 2 high"),
    ];
    for (text, part) in wrong {
        let message = Tiles::start().parse_position(text).expect_err(text);
        assert!(message.contains(part), "{text}: {message}");
        assert!(!message.contains('\n'));
    }
    for text in [
        "", "a1b2", "a1b2a1", "a1b2-a1", "a1b2:a1x", "f1b2:a1", "a1b6:a1", "pass",
    ] {
        let message = Tiles::start().parse_move(text).expect_err(text);
        assert!(message.contains("FROM TO:CHANGED"), "{text}: {message}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let start = Tiles::start();
        if let Ok(position) = start.parse_position(&text) {
            prop_assert_eq!(parse(&position.print_position()), position);
        }
        if let Ok(turn) = start.parse_move(&text) {
            prop_assert_eq!(start.parse_move(&start.print_move(turn)), Ok(turn));
        }
    }

    #[test]
    fn texts_near_to_positions_are_read_or_refused(text in "[-+.xXoO]{2,5}(/[-+.xXoO]{2,5}){1,4} [xo]") {
        if let Ok(position) = Tiles::start().parse_position(&text) {
            prop_assert_eq!(position.print_position(), text);
            prop_assert_eq!(position.perft(1), legal(&position).len() as u64);
        }
    }

    #[test]
    fn boards_of_any_content_are_read(text in "[-+.]{3}x[-+.](/[-+.]{5}){2}/o[-+.]{4}/O[-+.]{3}X [xo]") {
        let position = parse(&text);
        prop_assert_eq!(position.print_position(), text);
        prop_assert_eq!(position.perft(2), slow_perft(&position, 2));
    }
}
