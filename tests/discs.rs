//! The disc games against positions and counts known from elsewhere.

use std::time::Duration;

use quadrille::game::{Game, Outcome, Side};
use quadrille::games::discs::Discs;
use quadrille::search::heuristics::{Heuristics, Knowledge, legal_moves};
use quadrille::search::score::Value;
use quadrille::search::{Engine, Handler, Limits, Report, Settings};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;

/// A position of the vector files.
#[derive(Deserialize)]
struct Known {
    position: String,
    legal: Vec<String>,
    perft: Vec<u64>,
}

fn known(json: &str) -> Vec<Known> {
    serde_json::from_str(json).expect("the data file is in order")
}

fn check_vectors(start: Discs, json: &str) {
    let vectors = known(json);
    assert!(vectors.len() > 10);
    for known in vectors {
        let position = start.parse_position(&known.position).unwrap();
        assert_eq!(position.print_position(), known.position);
        let mut moves: Vec<String> = legal_moves(&position)
            .iter()
            .map(|&mv| position.print_move(mv))
            .collect();
        moves.sort();
        assert_eq!(moves, known.legal, "{}", known.position);
        for (depth, &count) in (1..).zip(&known.perft) {
            assert_eq!(
                position.perft(depth),
                count,
                "{} to {depth}",
                known.position
            );
        }
    }
}

#[test]
fn othello6_vectors() {
    check_vectors(Discs::othello6(), include_str!("data/othello6.json"));
}

#[test]
fn reversi8_vectors() {
    check_vectors(Discs::reversi8(), include_str!("data/reversi8.json"));
}

fn check_perft(start: Discs, counts: &[u64]) {
    for (depth, &count) in (0..).zip(counts) {
        assert_eq!(start.perft(depth), count, "to depth {depth}");
    }
}

#[test]
fn perft_8x8() {
    let counts = [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
    check_perft(Discs::othello8(), &counts);
    check_perft(Discs::reversi8(), &counts);
}

#[test]
fn perft_6x6() {
    let counts = [1, 4, 12, 56, 244, 1364, 7604, 47_740, 308_716, 2_114_912];
    check_perft(Discs::othello6(), &counts);
}

/// Takes some seconds: run with `--release -- --ignored`.
#[test]
#[ignore = "slow"]
fn perft_deeper() {
    for (depth, count) in [(10, 24_571_284), (11, 212_258_800), (12, 1_939_886_636)] {
        assert_eq!(Discs::othello8().perft(depth), count);
    }
    for (depth, count) in [(10, 14_976_792), (11, 108_820_292), (12, 811_201_176)] {
        assert_eq!(Discs::othello6().perft(depth), count);
    }
}

/// The position after a run of squares and passes.
fn after(start: Discs, line: &str) -> Discs {
    let mut position = start;
    let mut rest = line;
    while !rest.is_empty() {
        let length = if rest.starts_with('p') { 4 } else { 2 };
        let (word, more) = rest.split_at(length);
        let mv = position.parse_move(word).unwrap();
        assert!(position.is_legal(mv), "{word} in {line}");
        position = position.play(mv);
        rest = more;
    }
    position
}

#[test]
fn the_shortest_wipe_out_is_worth_the_whole_board() {
    let end = after(Discs::othello8(), "f5d6c5f4e3f6g5e6e7");
    assert!(legal_moves(&end).is_empty());
    let win = |side| Some(Outcome::Win { side, margin: 64 });
    assert_eq!(end.outcome(), win(Side::Black));
    let end = after(Discs::reversi8(), "f5d6c5f4e3f6g5e6e7");
    assert_eq!(end.outcome(), win(Side::White));
}

#[test]
fn a_move_far_from_every_disc_is_refused() {
    // Another engine crashed on d1 here.
    let line = "e6f6f5f4e3d6g4d3c3h3c4g3g5g6c7c6c5b6d7b5b4f3e7f7h5h4h2";
    let position = after(Discs::othello8(), line);
    assert!(!position.is_legal(position.parse_move("d1").unwrap()));
    assert!(!position.is_legal(position.parse_move("pass").unwrap()));
    assert_eq!(position.key(), position.key_from_scratch());
}

#[test]
fn the_second_player_may_be_to_move() {
    let position = Discs::othello6()
        .parse_position("------/------/--OX--/--XO--/------/------ O")
        .unwrap();
    assert_eq!(position.side_to_move(), Side::White);
    assert_eq!(legal_moves(&position).len(), 4);
}

#[test]
fn without_a_move_the_only_move_is_pass() {
    let start = Discs::othello6();
    // White can outflank a1 from none of the empty squares, Black can.
    let position = start
        .parse_position("XO----/------/------/------/------/------ O")
        .unwrap();
    let moves = legal_moves(&position);
    assert_eq!(moves.len(), 1);
    assert_eq!(position.print_move(moves[0]), "pass");
    assert_eq!(position.outcome(), None);
    let next = position.play(moves[0]);
    assert!(!next.is_legal(moves[0]), "c1 is playable, so no pass");
    // Neither side can move: finished, with the empty squares for the winner.
    let end = start
        .parse_position("XX----/X-----/------/------/------/-----O O")
        .unwrap();
    assert!(legal_moves(&end).is_empty());
    let win = Outcome::Win {
        side: Side::Black,
        margin: 34,
    };
    assert_eq!(end.outcome(), Some(win));
}

#[test]
fn the_forms_of_a_position() {
    let start = Discs::othello8();
    let run = "---------------------------OX------XO---------------------------";
    let ffo = run.replace('X', "*").replace('-', ".");
    for text in [
        format!("{run} X"),
        format!("{run}X"),
        format!("{run} X;"),
        format!("  {ffo}*\t"),
        format!("{} x ;", run.to_lowercase()),
    ] {
        assert_eq!(start.parse_position(&text), Ok(start), "{text}");
    }
    assert_eq!(start.print_move(start.parse_move("F5").unwrap()), "f5");
    assert_eq!(start.print_move(start.parse_move("PASS").unwrap()), "pass");
}

#[test]
fn errors_say_what_would_be_right() {
    let start = Discs::othello6();
    let error = |text: &str| start.parse_position(text).unwrap_err();
    let row = "------/------/--OX--/--XO--/------";
    assert!(error("").contains("a position looks like"));
    assert!(error("------/------ X").starts_with("2 rows, where the board has 6"));
    assert!(error(&format!("{row}/----- X")).starts_with("row 6 has 5 squares, not 6"));
    assert!(error(&format!("{row}/------")).starts_with("the side to move is missing"));
    assert!(error(&format!("{row}/------ Q")).starts_with("`Q` is no side to move"));
    assert!(error(&format!("{row}/------ X X")).starts_with("`X X` is no side to move"));
    assert!(error(&format!("{row}/---?-- X")).starts_with("`?` is no square"));
    assert!(error("ééé/é X").contains("rows"));
    assert!(error("--OX-- X").starts_with("6 squares, where the board has 36"));
    for text in ["", "a", "g1", "a7", "a0", "a10", "é", "passs", "11"] {
        let error = start.parse_move(text).unwrap_err();
        assert!(error.ends_with("a1 to f6, or pass"), "{error}");
    }
    assert!(start.parse_move(&"x".repeat(1_000_000)).unwrap_err().len() < 100);
}

/// `cargo test --release perft_speed -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stderr)]
fn perft_speed() {
    for (name, start) in [("8x8", Discs::othello8()), ("6x6", Discs::othello6())] {
        let begin = std::time::Instant::now();
        let leaves = start.perft(11);
        let seconds = begin.elapsed().as_secs_f64();
        eprintln!("{name}: {:.0} M leaves/s", leaves as f64 / seconds / 1e6);
        assert!(leaves > 0);
    }
}

/// Who plays against the engine.
#[derive(Clone, Copy, PartialEq)]
enum Weak {
    /// Any legal move.
    Random,
    /// The move after which most discs are his.
    Greedy,
}

fn weak_move(weak: Weak, position: &Discs, random: &mut StdRng) -> <Discs as Game>::Move {
    let mut moves = legal_moves(position);
    if weak == Weak::Greedy {
        let discs = |mv| {
            let side = position.side_to_move();
            let after = position.play(mv).print_position();
            let (board, _) = after.split_once(' ').unwrap();
            let own = if side == Side::Black { 'X' } else { 'O' };
            board.matches(own).count()
        };
        let most = moves.iter().map(|&mv| discs(mv)).max();
        moves.retain(|mv| Some(discs(*mv)) == most);
    }
    moves[random.random_range(0..moves.len())]
}

/// How many of `games` the engine wins, half of them as either side; the first
/// four moves of each are random.
fn wins(start: Discs, weak: Weak, games: u64, limits: impl Fn() -> Limits) -> u64 {
    let settings = Settings {
        hash: 4,
        ..Settings::default()
    };
    let mut engine = Engine::new(Knowledge::embedded(), settings).unwrap();
    let mut random = StdRng::seed_from_u64(9);
    let mut wins = 0;
    for game in 0..games {
        let ours = [Side::Black, Side::White][(game % 2) as usize];
        let mut position = start;
        for ply in 0.. {
            if let Some(outcome) = position.outcome() {
                wins += u64::from(matches!(outcome, Outcome::Win { side, .. } if side == ours));
                break;
            }
            let mv = if ply < 4 {
                weak_move(Weak::Random, &position, &mut random)
            } else if position.side_to_move() == ours {
                engine.think(&position, &[], &limits(), &Quiet)[0].pv[0]
            } else {
                weak_move(weak, &position, &mut random)
            };
            position = position.play(mv);
        }
    }
    wins
}

struct Quiet;

impl<M> Handler<M> for Quiet {
    fn progress(&self, _report: &Report<M>) {}

    fn stop(&self) -> bool {
        false
    }
}

#[test]
fn a_stale_entry_gives_no_wrong_score() {
    // Another engine found +28 here, out of its table.
    let text = "--OX-OO---OOOO-X-OOOO-OX-OOOOOXXXOOXXOXX-OOOOOOXXOXX-O-XO--XXXXX X";
    let position = Discs::othello8().parse_position(text).unwrap();
    for threads in [1, 2] {
        let settings = Settings {
            threads,
            hash: 1,
            ..Settings::default()
        };
        let mut engine = Engine::new(Knowledge::embedded(), settings).unwrap();
        for _ in 0..3 {
            let report = &engine.think(&position, &[], &Limits::default(), &Quiet)[0];
            assert_eq!(report.value, Value::Margin(32));
            assert!(report.exact);
            assert_eq!(position.print_move(report.pv[0]), "g7");
        }
    }
}

#[test]
fn a_shallow_search_beats_weak_players() {
    let shallow = || Limits {
        depth: Some(6),
        ..Limits::default()
    };
    for start in [Discs::othello6(), Discs::reversi8()] {
        // Four random moves can lose the small board for good.
        assert!(wins(start, Weak::Random, 20, shallow) >= 19);
        assert!(wins(start, Weak::Greedy, 20, shallow) >= 19);
    }
}

/// On an idle machine: `cargo test --release ten_milliseconds -- --ignored`
#[test]
#[ignore = "takes some minutes"]
fn ten_milliseconds_a_move_beat_weak_players() {
    let short = || Limits {
        time: Some(Duration::from_millis(10)),
        play_forced: true,
        ..Limits::default()
    };
    for start in [Discs::othello6(), Discs::othello8(), Discs::reversi8()] {
        assert_eq!(wins(start, Weak::Random, 200, short), 200);
        assert!(wins(start, Weak::Greedy, 200, short) >= 190);
    }
}

/// The exact value of a position, whatever the engine's table has in it.
fn exact_value(engine: &mut Engine<Discs>, position: &Discs) -> Value {
    let report = &engine.think(position, &[], &Limits::default(), &Quiet)[0];
    assert!(report.exact);
    report.value
}

#[test]
fn what_is_called_exact_leaves_nothing_out() {
    let settings = Settings {
        hash: 8,
        ..Settings::default()
    };
    let mut full = settings.clone();
    full.switches.probcut = false;
    let mut selective = Engine::new(Knowledge::embedded(), settings).unwrap();
    let mut full = Engine::new(Knowledge::embedded(), full).unwrap();
    let mut random = StdRng::seed_from_u64(17);
    let mut half_proved = 0;
    for start in [Discs::othello8(), Discs::othello6()] {
        for _ in 0..6 {
            let mut position = start;
            while position.depth_to_end() > Some(17) && position.outcome().is_none() {
                position = position.play(weak_move(Weak::Random, &position, &mut random));
            }
            if position.outcome().is_some() {
                continue;
            }
            // A search in a hurry fills the table with what it left out.
            let hurry = Limits {
                nodes: Some(40_000),
                ..Limits::default()
            };
            let report = &selective.think(&position, &[], &hurry, &Quiet)[0];
            half_proved += u32::from(report.depth >= 17 && !report.exact);
            assert_eq!(
                exact_value(&mut selective, &position),
                exact_value(&mut full, &position),
                "{}",
                position.print_position()
            );
        }
    }
    assert!(half_proved > 0, "no search saw the end without being sure");
}

#[test]
fn leaving_out_what_is_unlikely_saves_most_of_the_nodes() {
    let text = "--------/--------/--OXX---/--OXO---/-OOOX---/----X---/--------/-------- X";
    let position = Discs::othello8().parse_position(text).unwrap();
    let nodes = |probcut| {
        let mut settings = Settings::default();
        settings.switches.probcut = probcut;
        let mut engine = Engine::new(Knowledge::embedded(), settings).unwrap();
        let limits = Limits {
            depth: Some(9),
            ..Limits::default()
        };
        engine.think(&position, &[], &limits, &Quiet)[0].nodes
    };
    assert!(2 * nodes(true) < nodes(false));
}
