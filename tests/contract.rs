//! What [`Game`] and [`Session`] promise, checked on every game alike along
//! random games.

use std::collections::HashMap;
use std::sync::Arc;

use quadrille::game::{Game, MoveList, Outcome, Side, Symmetry};
use quadrille::games::VARIANTS;
use quadrille::games::discs::Discs;
use quadrille::games::gobblet::Gobblet;
use quadrille::games::tiles::Tiles;
use quadrille::search::Settings;
use quadrille::search::heuristics::{Heuristics, Knowledge, legal_moves};
use quadrille::search::ordering::{Experience, OrderSwitches, Ordered};
use quadrille::session::{PlayError, Session};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Random games of each start.
const GAMES: u64 = 1_000;

/// A random game that repeats itself is given up after this many moves.
const LONGEST: usize = 400;

/// A game's tests, for one of its starts.
macro_rules! contract {
    ($($name:ident: $start:expr;)*) => {$(
        mod $name {
            #[allow(clippy::wildcard_imports)]
            use super::*;

            #[test]
            fn every_position_is_in_order() {
                super::every_position_is_in_order($start);
            }

            #[test]
            fn only_listed_moves_are_legal() {
                super::only_listed_moves_are_legal($start);
            }

            #[test]
            fn keys_tell_positions_apart() {
                super::keys_tell_positions_apart($start);
            }

            #[test]
            fn images_are_the_same_game() {
                super::images_are_the_same_game($start);
            }

            #[test]
            fn perft_counts_what_the_generator_gives() {
                super::perft_counts_what_the_generator_gives($start);
            }

            #[test]
            fn engines_share_the_embedded_weights() {
                super::engines_share_the_embedded_weights($start);
            }

            #[test]
            fn the_move_orderer_loses_and_invents_nothing() {
                super::the_move_orderer_loses_and_invents_nothing($start);
            }
        }
    )*};
}

contract! {
    othello6: Discs::othello6();
    othello8: Discs::othello8();
    reversi8: Discs::reversi8();
    gobblet: Gobblet::start();
    tiles: Tiles::start();
    tiles3x3: Tiles::start_of(3, 3).unwrap();
    tiles4x3: Tiles::start_of(4, 3).unwrap();
    tiles3x5: Tiles::start_of(3, 5).unwrap();
    tiles4x4: Tiles::start_of(4, 4).unwrap();
}

/// One random game: calls `visit` with every position and the moves played so
/// far.
fn random_game<G: Game>(start: G, seed: u64, mut visit: impl FnMut(&G, &[(G, G::Move)])) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut position = start;
    let mut played: Vec<(G, G::Move)> = Vec::new();
    loop {
        visit(&position, &played);
        match legal_moves(&position).choose(&mut rng) {
            Some(&mv) if played.len() < LONGEST => {
                played.push((position, mv));
                position = position.play(mv);
            }
            _ => break,
        }
    }
}

fn every_position_is_in_order<G: Game>(start: G) {
    let mut finished = 0;
    for seed in 0..GAMES {
        random_game(start, seed, |position, played| {
            check_position(position);
            check_moves(position);
            check_repetition(position, played);
            finished += u64::from(position.outcome().is_some());
        });
    }
    assert!(finished > GAMES * 9 / 10, "random games come to an end");
}

fn check_position<G: Game>(position: &G) {
    let text = position.print_position();
    assert_eq!(position.key(), position.key_from_scratch(), "{text}");
    assert_eq!(position.parse_position(&text).as_ref(), Ok(position));
    let over = legal_moves(position).is_empty();
    assert_eq!(over, position.outcome().is_some(), "{text}");
    match position.outcome() {
        Some(Outcome::Win { margin, .. }) => {
            assert!(margin == 1 || G::HAS_MARGIN && margin > 1, "{text}");
        }
        Some(Outcome::Draw) | None => {}
    }
}

fn check_moves<G: Game>(position: &G) {
    let moves = legal_moves(position);
    let mut sorted = moves.clone();
    sorted.sort_unstable();
    assert!(
        sorted.windows(2).all(|pair| pair[0] != pair[1]),
        "a move is listed twice in {position:?}"
    );
    for &mv in &moves {
        let text = position.print_move(mv);
        assert!(position.is_legal(mv), "{text} in {position:?}");
        assert!(!G::is_pass(mv) || moves.len() == 1, "{text} by choice");
        assert_eq!(text, text.to_ascii_lowercase());
        assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
        assert_eq!(position.parse_move(&text.to_ascii_uppercase()), Ok(mv));
        let code = G::encode(mv);
        assert!(usize::from(code) < G::MOVE_CODES, "{text}");
        assert_eq!(G::decode(code), Some(mv), "{text}");
        assert_ne!(position.play(mv), *position, "{text}");
    }
}

/// A position comes back only in a game that can repeat, and never across a
/// move that is said to be irreversible.
fn check_repetition<G: Game>(position: &G, played: &[(G, G::Move)]) {
    let earlier = played.iter().rposition(|(before, _)| before == position);
    if let Some(earlier) = earlier {
        assert!(G::CAN_REPEAT, "{position:?} came back");
        for (before, mv) in &played[earlier..] {
            assert!(!before.is_irreversible(*mv), "{mv:?} in {before:?}");
        }
    }
}

/// Turning or reflecting the board changes nothing but the squares' names.
fn images_are_the_same_game<G: Game>(start: G) {
    let children = |position: &G| -> Vec<G> {
        let moves = legal_moves(position);
        moves.iter().map(|&mv| position.play(mv)).collect()
    };
    let sorted = |positions: Vec<G>| -> Vec<String> {
        let mut texts: Vec<String> = positions.iter().map(G::print_position).collect();
        texts.sort_unstable();
        texts
    };
    let mut different = 0;
    for seed in 0..GAMES / 100 {
        random_game(start, seed, |position, _| {
            let mut images = Vec::new();
            for symmetry in Symmetry::ALL {
                let image = position.image(symmetry);
                check_position(&image);
                assert_eq!(image.side_to_move(), position.side_to_move());
                assert_eq!(image.outcome(), position.outcome());
                let after = children(position);
                let expected = after.iter().map(|next| next.image(symmetry)).collect();
                assert_eq!(sorted(children(&image)), sorted(expected));
                assert_eq!(image.canonical_key(), position.canonical_key());
                images.push(image.print_position());
            }
            assert_eq!(images[0], position.print_position());
            images.sort_unstable();
            images.dedup();
            different += usize::from(images.len() == 8);
        });
    }
    assert!(
        different > 0,
        "a position without symmetry has eight images"
    );
}

fn only_listed_moves_are_legal<G: Game>(start: G) {
    let mut rng = SmallRng::seed_from_u64(1);
    for seed in 0..GAMES / 20 {
        random_game(start, seed, |position, _| {
            // Every code now and then, a text that looks like a move always.
            if rng.random_ratio(1, 16) {
                check_codes(position);
            }
            let text = scribble(&mut rng);
            if let Ok(mv) = position.parse_move(&text) {
                let listed = legal_moves(position).contains(&mv);
                assert_eq!(position.is_legal(mv), listed, "{text} in {position:?}");
            }
        });
    }
}

fn check_codes<G: Game>(position: &G) {
    let moves = legal_moves(position);
    let mut found = MoveList::<G::Move>::new();
    for code in 0..G::MOVE_CODES {
        let code = u16::try_from(code).expect("codes are 16 bits");
        let Some(mv) = G::decode(code) else {
            continue;
        };
        assert_eq!(G::encode(mv), code);
        assert_eq!(
            position.is_legal(mv),
            moves.contains(&mv),
            "{mv:?} in {position:?}"
        );
        if moves.contains(&mv) {
            found.push(mv);
        }
    }
    assert_eq!(found.len(), moves.len(), "every move has a code");
}

/// A few of the characters moves are made of.
fn scribble(rng: &mut SmallRng) -> String {
    let length = rng.random_range(0..8);
    (0..length)
        .filter_map(|_| b"abcdefghi0123456789:@pasPASX \xc3".choose(rng))
        .map(|&byte| char::from(byte))
        .collect()
}

/// Equal keys mean equal positions, and equal positions have equal keys
/// whatever the order of the moves that led there.
fn keys_tell_positions_apart<G: Game>(start: G) {
    let mut known: HashMap<u64, G> = HashMap::new();
    let mut keys: HashMap<String, u64> = HashMap::new();
    let mut transpositions = 0;
    let mut meet = |position: &G| {
        let text = position.print_position();
        let key = position.key();
        assert_eq!(*known.entry(key).or_insert(*position), *position, "{text}");
        match keys.insert(text, key) {
            Some(before) => {
                assert_eq!(before, key, "{position:?}");
                true
            }
            None => false,
        }
    };
    for seed in 0..GAMES / 5 {
        random_game(start, seed, |position, _| {
            meet(position);
        });
    }
    // The tree below the middle of a game has many transpositions.
    for seed in 0..5 {
        random_game(start, GAMES + seed, |position, played| {
            if played.len() % 7 == 2 {
                descend(position, 3, &mut |position| {
                    transpositions += u64::from(meet(position));
                });
            }
        });
    }
    assert!(transpositions > 20, "{transpositions}");
}

fn descend<G: Game>(position: &G, depth: u32, visit: &mut impl FnMut(&G)) {
    visit(position);
    if depth > 0 {
        for mv in legal_moves(position).iter().take(12) {
            descend(&position.play(*mv), depth - 1, visit);
        }
    }
}

fn perft_counts_what_the_generator_gives<G: Game>(start: G) {
    let mut finished_early = 0;
    for seed in 0..GAMES / 50 {
        random_game(start, seed, |position, played| {
            let depth = if played.len() % 16 == 2 { 3 } else { 2 };
            for depth in 0..=depth {
                assert_eq!(
                    position.perft(depth),
                    plain_perft(position, depth),
                    "{depth} {position:?}"
                );
            }
            finished_early += u64::from(position.outcome().is_some());
        });
    }
    assert!(finished_early > 0);
}

fn plain_perft<G: Game>(position: &G, depth: u32) -> u64 {
    let moves = legal_moves(position);
    if depth == 0 {
        1
    } else if moves.is_empty() {
        G::PERFT_FINISHED
    } else {
        moves
            .iter()
            .map(|&mv| plain_perft(&position.play(mv), depth - 1))
            .sum()
    }
}

/// A change of game would else begin with weights that nothing is ready of,
/// and a hurried first move would be late.
fn engines_share_the_embedded_weights<G: Heuristics>(_start: G) {
    assert!(Arc::ptr_eq(
        &Knowledge::<G>::embedded(),
        &Knowledge::<G>::embedded()
    ));
}

/// Perft through the move orderer, whatever it has learned and whatever the
/// table says, equals perft through the generator.
fn the_move_orderer_loses_and_invents_nothing<G: Heuristics>(start: G) {
    let mut rng = SmallRng::seed_from_u64(11);
    let mut experience = Experience::new(G::MOVE_CODES);
    for seed in 0..10 {
        random_game(start, seed, |position, played| {
            let depth = if played.len() % 16 == 2 { 3 } else { 2 };
            let mut orderer = Orderer {
                experience: &mut experience,
                rng: &mut rng,
            };
            assert_eq!(
                orderer.perft(position, 0, depth),
                plain_perft(position, depth),
                "{depth} {position:?}"
            );
        });
    }
}

struct Orderer<'a> {
    experience: &'a mut Experience,
    rng: &'a mut SmallRng,
}

impl Orderer<'_> {
    fn perft<G: Heuristics>(&mut self, position: &G, ply: usize, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        // Any code may come out of a table, also that of no legal move.
        let code = self.rng.random_range(0..G::MOVE_CODES) as u16;
        let table_move = match legal_moves(position).choose(self.rng) {
            Some(&mv) if self.rng.random_bool(0.5) => Some(G::encode(mv)),
            _ => self.rng.random_bool(0.5).then_some(code),
        };
        let switches = OrderSwitches {
            hints: self.rng.random(),
            killers: self.rng.random(),
            history: self.rng.random(),
        };
        let left = self.rng.random_range(1..12);
        let mut ordered = Ordered::new(position, table_move, self.experience, switches, ply, left);
        if ordered.remaining() == 0 {
            return G::PERFT_FINISHED;
        }
        let mut count = 0;
        while let Some((number, mv)) = ordered.next() {
            if number == 0
                && let Some(code) = table_move
                && legal_moves(position)
                    .iter()
                    .any(|&mv| G::encode(mv) == code)
            {
                assert_eq!(G::encode(mv), code, "the table's move comes first");
            }
            count += self.perft(&position.play(mv), ply + 1, depth - 1);
        }
        // What is learned now and then changes the order of what follows.
        if let Some((&best, failed)) = ordered.tried().split_last()
            && self.rng.random_ratio(1, 8)
        {
            self.experience.learn(position, ply, left, best, failed);
        }
        count
    }
}

/// Everything a session shows of the state of its game.
fn state(session: &dyn Session) -> (String, Side, Vec<(Side, String)>, usize, Option<Outcome>) {
    (
        session.position(),
        session.side_to_move(),
        session.history(),
        session.undo_depth(),
        session.outcome(),
    )
}

fn sessions() -> impl Iterator<Item = Box<dyn Session>> {
    VARIANTS.iter().map(|variant| {
        variant
            .open(&Settings::default())
            .expect("the defaults fit")
    })
}

/// Plays a random game; `visit` is called before each move and at the end,
/// and must leave the session as it was.
fn random_session(session: &mut dyn Session, seed: u64, mut visit: impl FnMut(&mut dyn Session)) {
    let mut rng = SmallRng::seed_from_u64(seed);
    session.reset();
    for _ in 0..LONGEST {
        visit(session);
        let moves = session.legal_moves();
        let Some(mv) = moves.choose(&mut rng) else {
            break;
        };
        let side = session.side_to_move();
        session.play(side, mv).expect("a listed move is legal");
    }
}

#[test]
fn sessions_refuse_what_is_not_legal_and_stay_as_they_were() {
    for mut session in sessions() {
        // Moves that were legal elsewhere in the game, and what is no move.
        let mut texts = ["", "pass", "x", "a1", "??", "a0", "z9", "resign", "é"]
            .map(str::to_string)
            .to_vec();
        random_session(session.as_mut(), 7, |session| {
            texts.extend(session.legal_moves());
        });
        texts.sort();
        texts.dedup();
        for seed in 0..20 {
            random_session(session.as_mut(), seed, |session| {
                check_refusals(session, &texts);
            });
        }
    }
}

fn check_refusals(session: &mut dyn Session, texts: &[String]) {
    let before = state(session);
    let moves = session.legal_moves();
    let side = session.side_to_move();
    let over = session.outcome().is_some();
    for text in texts {
        if moves.contains(text) || over && text == "pass" {
            continue;
        }
        let refusal = session.play(side, text);
        assert!(refusal.is_err(), "{text} in {}", before.0);
        // The other side may move only after a forced pass.
        if moves != ["pass"] {
            assert!(session.play(!side, text).is_err(), "{text} in {}", before.0);
        }
        assert_eq!(state(session), before);
    }
    if moves != ["pass"] {
        for mv in &moves {
            assert_eq!(session.play(!side, mv), Err(PlayError::Illegal));
        }
    }
    assert_eq!(state(session), before);
}

#[test]
fn undo_takes_back_what_play_has_done() {
    for mut session in sessions() {
        for seed in 0..20 {
            let mut states = Vec::new();
            random_session(session.as_mut(), seed, |session| {
                states.push(state(session))
            });
            for expected in states.iter().rev() {
                assert_eq!(state(session.as_ref()), *expected);
                assert_eq!(session.undo(), *expected != states[0]);
            }
            assert_eq!(state(session.as_ref()), states[0]);
        }
    }
}

#[test]
fn a_finished_game_takes_passes_and_keeps_its_result() {
    for mut session in sessions() {
        for seed in 0..20 {
            random_session(session.as_mut(), seed, |_| {});
            let end = state(session.as_ref());
            assert!(end.4.is_some(), "{}", end.0);
            assert_eq!(session.legal_moves(), [""; 0]);
            for side in [Side::Black, Side::White, Side::White] {
                session.play(side, "pass").expect("passes end all games");
            }
            assert_eq!(session.outcome(), end.4);
            assert_eq!(session.position(), end.0);
            for _ in 0..3 {
                assert!(session.undo());
            }
            assert_eq!(state(session.as_ref()), end);
        }
    }
}

#[test]
fn a_position_can_be_set_up_wherever_a_game_has_led() {
    for mut session in sessions() {
        let mut other = session_of(session.variant().name);
        random_session(session.as_mut(), 3, |session| {
            other.set_position(&session.position()).expect("it parses");
            assert_eq!(other.position(), session.position());
            assert_eq!(other.legal_moves(), session.legal_moves());
            assert_eq!(other.outcome(), session.outcome());
            let divided = other.perft_divide(2);
            if !divided.is_empty() {
                let sum: u64 = divided.iter().map(|(_, count)| count).sum();
                assert_eq!(sum, other.perft(2));
                assert!(divided.is_sorted());
            }
            let before = state(other.as_ref());
            assert!(other.set_position("nonsense").is_err());
            assert_eq!(state(other.as_ref()), before);
        });
    }
}

fn session_of(name: &str) -> Box<dyn Session> {
    let variant = quadrille::games::find(name).expect("it is in the list");
    variant
        .open(&Settings::default())
        .expect("the defaults fit")
}
