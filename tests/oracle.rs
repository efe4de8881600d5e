//! The search against a plain minimax of a few lines, under an evaluation that
//! is nothing but noise: whatever the search saves, it must not change the
//! value.

use std::fmt::Debug;
use std::sync::Arc;

use quadrille::game::{Game, MoveList, Outcome, Side};
use quadrille::games::discs::Discs;
use quadrille::games::gobblet::Gobblet;
use quadrille::games::tiles::Tiles;
use quadrille::search::heuristics::{Depth, Heuristics, Knowledge, Preview, Tactics, legal_moves};
use quadrille::search::ordering::OrderSwitches;
use quadrille::search::score::{Score, Window};
use quadrille::search::table::Table;
use quadrille::search::{Engine, Handler, Limits, Report, Settings, Switches, terminal_score};
use quadrille::weights::{Weights, WeightsError};
use quadrille::zobrist::splitmix64;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A game with its own rules, order and solver, but an evaluation of noise.
/// Only if it is sharp it sees threats, and so further than its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Noise<G, const SHARP: bool = false>(G);

/// The game, seeing no threats.
fn noise<G>(game: G) -> Noise<G> {
    Noise(game)
}

impl<G: Game, const SHARP: bool> Game for Noise<G, SHARP> {
    type Move = G::Move;
    const HAS_MARGIN: bool = G::HAS_MARGIN;
    const CAN_REPEAT: bool = G::CAN_REPEAT;
    const MOVE_CODES: usize = G::MOVE_CODES;

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }
    fn legal_moves(&self, moves: &mut MoveList<G::Move>) {
        self.0.legal_moves(moves);
    }
    fn play(&self, mv: G::Move) -> Self {
        Self(self.0.play(mv))
    }
    fn is_pass(mv: G::Move) -> bool {
        G::is_pass(mv)
    }
    fn is_irreversible(&self, mv: G::Move) -> bool {
        self.0.is_irreversible(mv)
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn key_from_scratch(&self) -> u64 {
        self.0.key_from_scratch()
    }
    fn encode(mv: G::Move) -> u16 {
        G::encode(mv)
    }
    fn decode(code: u16) -> Option<G::Move> {
        G::decode(code)
    }
    fn parse_move(&self, text: &str) -> Result<G::Move, String> {
        self.0.parse_move(text)
    }
    fn print_move(&self, mv: G::Move) -> String {
        self.0.print_move(mv)
    }
    fn parse_position(&self, text: &str) -> Result<Self, String> {
        self.0.parse_position(text).map(Self)
    }
    fn print_position(&self) -> String {
        self.0.print_position()
    }
}

impl<G: Heuristics, const SHARP: bool> Heuristics for Noise<G, SHARP> {
    type Tables = u64;
    type Accumulator = ();
    type Memory = G::Memory;
    const WEIGHTS_NAME: &'static str = "noise";
    const KILLER_BONUS: i32 = G::KILLER_BONUS;
    const HISTORY_SHIFT: u32 = G::HISTORY_SHIFT;
    const TABLE_DEPTH: Depth = G::TABLE_DEPTH;
    // Split wherever it can be done at all.
    const SPLIT_DEPTH: Depth = 1;
    const MAX_EXTENSION: Depth = if SHARP { G::MAX_EXTENSION } else { 0 };
    const THREATENS: bool = SHARP && G::THREATENS;

    fn embedded_weights() -> &'static [u8] {
        b""
    }
    fn decode_weights(_weights: &Weights) -> Result<u64, WeightsError> {
        Ok(0)
    }
    fn refresh(&self, _tables: &u64) {}
    fn advance(&self, _before: &Self, _mv: G::Move, _accumulator: &(), _tables: &u64) {}
    fn evaluate(&self, _accumulator: &(), seed: &u64) -> i32 {
        (splitmix64(self.key() ^ seed).1 % 2_001) as i32 - 1_000
    }
    fn tactics(&self) -> Tactics<G::Move> {
        if SHARP {
            self.0.tactics()
        } else {
            Tactics::Quiet
        }
    }
    fn retain_evasions(&self, moves: &mut MoveList<G::Move>) {
        self.0.retain_evasions(moves);
    }
    fn retain_harmless(&self, moves: &mut MoveList<G::Move>) {
        self.0.retain_harmless(moves);
    }
    fn hint(&self, moves: &[G::Move], hints: &mut [i32], depth: Depth) {
        self.0.hint(moves, hints, depth);
    }
    fn reduction(depth: Depth, number: usize) -> Depth {
        G::reduction(depth, number)
    }
    fn pass_turn(&self) -> Option<Self> {
        self.0.pass_turn().map(Self)
    }
    fn stand_margin(depth: Depth) -> Option<i32> {
        G::stand_margin(depth)
    }
    // As if every ending were a long one.
    fn preview(depth: Depth, exact: bool) -> Option<Preview> {
        G::preview(depth + 10, exact)
    }
    fn depth_to_end(&self) -> Option<Depth> {
        self.0.depth_to_end()
    }
    fn static_bounds(&self, window: Window) -> Option<(Score, Score)> {
        self.0.static_bounds(window)
    }
    fn solve(
        &self,
        window: Window,
        memory: &mut G::Memory,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Score> {
        self.0.solve(window, memory, watch)
    }
    fn moves_to_go(&self) -> u32 {
        self.0.moves_to_go()
    }
}

/// The definition of what a search to `depth` finds. `line` are the positions
/// of the game before the root and of the search from the root, whose index
/// is `root`.
fn minimax<G: Heuristics>(
    line: &mut Vec<G>,
    root: usize,
    depth: Depth,
    tables: &G::Tables,
) -> Score {
    let ply = line.len() - 1 - root;
    let here = line[line.len() - 1];
    if let Some(outcome) = here.outcome() {
        return terminal_score(outcome, &here, ply);
    }
    if G::CAN_REPEAT && ply > 0 {
        let in_search = line[root..line.len() - 1].contains(&here);
        let in_game = line[..root]
            .iter()
            .filter(|&&earlier| earlier == here)
            .count();
        if in_search || in_game >= 2 {
            return Score::DRAW;
        }
    }
    if depth <= 0 && here.depth_to_end().is_none_or(|end| end > depth) {
        return Score(here.evaluate(&here.refresh(tables), tables));
    }
    let mut best = Score(-Score::INFINITE.0);
    for mv in legal_moves(&here) {
        line.push(here.play(mv));
        best = best.max(-minimax(
            line,
            root,
            depth - Depth::from(!G::is_pass(mv)),
            tables,
        ));
        line.pop();
    }
    best
}

struct Nobody;

impl<M> Handler<M> for Nobody {
    fn progress(&self, _report: &Report<M>) {}
    fn stop(&self) -> bool {
        false
    }
}

/// Every switch on, then each of them off, then all of them off.
fn switch_settings(base: Switches) -> Vec<(String, Switches)> {
    let mut list = vec![("all on".to_string(), base)];
    let mut off = |name: &str, change: fn(&mut Switches)| {
        let mut switches = base;
        change(&mut switches);
        list.push((format!("without {name}"), switches));
    };
    off("aspiration", |s| s.aspiration = false);
    off("null windows", |s| s.null_windows = false);
    off("table", |s| s.table = false);
    off("hints", |s| s.order.hints = false);
    off("killers", |s| s.order.killers = false);
    off("history", |s| s.order.history = false);
    off("tactics", |s| s.tactics = false);
    off("solver", |s| s.solver = false);
    off("anything", |s| {
        *s = Switches {
            aspiration: false,
            null_windows: false,
            table: false,
            order: OrderSwitches {
                hints: false,
                killers: false,
                history: false,
            },
            reductions: false,
            probcut: false,
            tactics: false,
            solver: false,
            strict_depth: false,
        }
    });
    list
}

/// Searches `game`'s last position with one configuration.
fn search<G: Heuristics<Tables = u64>>(
    game: &[G],
    depth: Depth,
    seed: u64,
    switches: Switches,
    threads: usize,
    buckets: Option<usize>,
) -> Report<G::Move> {
    let knowledge = Arc::new(Knowledge {
        tables: seed,
        identity: String::new(),
    });
    let settings = Settings {
        threads,
        hash: 1,
        switches,
        ..Settings::default()
    };
    let mut engine = Engine::<G>::new(knowledge, settings).unwrap();
    if let Some(buckets) = buckets {
        engine.set_table(Table::with_buckets(buckets).unwrap());
    }
    let past = keys_of_reversible_past(game);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    engine
        .think(&game[game.len() - 1], &past, &limits, &Nobody)
        .remove(0)
}

/// The keys of those positions before the last that can still come back.
fn keys_of_reversible_past<G: Game>(game: &[G]) -> Vec<u64> {
    let mut first = game.len() - 1;
    while G::CAN_REPEAT && first > 0 {
        let (before, after) = (game[first - 1], game[first]);
        let back = legal_moves(&before)
            .into_iter()
            .any(|mv| before.play(mv) == after && !before.is_irreversible(mv));
        if !back {
            break;
        }
        first -= 1;
    }
    game[first..game.len() - 1].iter().map(Game::key).collect()
}

/// Compares every configuration with the definition.
fn check<G: Heuristics<Tables = u64>>(game: &[G], depth: Depth, seed: u64, strict: bool) {
    let mut line = game.to_vec();
    let root = line.len() - 1;
    let expected = minimax(&mut line, root, depth, &seed);
    let base = Switches {
        reductions: false,
        strict_depth: strict,
        ..Switches::default()
    };
    for (name, switches) in switch_settings(base) {
        for threads in [1, 2] {
            for buckets in [Some(0), Some(1), Some(3), None] {
                let report = search(game, depth, seed, switches, threads, buckets);
                let what = format!(
                    "{} at depth {depth}, {name}, {threads} threads, buckets {buckets:?}",
                    game[root].print_position()
                );
                // A proved result may end the search before the last depth.
                if report.depth < depth {
                    assert!(report.exact, "{what}: stopped at {}", report.depth);
                }
                assert_eq!(report.score, expected, "{what}");
                assert_legal_line(&game[root], &report.pv, &what);
            }
        }
    }
    check_reductions(game, depth, seed, expected);
}

/// Reductions may change a guess, but never what is called exact.
fn check_reductions<G: Heuristics<Tables = u64>>(
    game: &[G],
    depth: Depth,
    seed: u64,
    expected: Score,
) {
    for threads in [1, 2] {
        let report = search(game, depth, seed, Switches::default(), threads, None);
        let proof = report.exact && report.depth <= depth;
        if proof && (G::HAS_MARGIN || expected.is_decisive()) {
            assert_eq!(
                report.score,
                expected,
                "{}",
                game[game.len() - 1].print_position()
            );
        }
        assert_legal_line(&game[game.len() - 1], &report.pv, "reductions");
    }
}

fn assert_legal_line<G: Game>(root: &G, line: &[G::Move], what: &str) {
    assert!(!line.is_empty(), "{what}: no move");
    let mut position = *root;
    for &mv in line {
        assert!(position.is_legal(mv), "{what}: {line:?}");
        position = position.play(mv);
    }
}

/// The positions of a random game of at most `plies` plies, the last of them
/// unfinished.
fn random_game<G: Game>(start: G, plies: usize, random: &mut StdRng) -> Vec<G> {
    let mut game = vec![start];
    while game.len() <= plies {
        let here = game[game.len() - 1];
        let moves = legal_moves(&here);
        let next = here.play(moves[random.random_range(0..moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        game.push(next);
    }
    game
}

#[test]
fn othello6_search_equals_minimax() {
    let mut random = StdRng::seed_from_u64(1);
    for round in 0..24 {
        let game = random_game(noise(Discs::othello6()), 1 + round, &mut random);
        check(&game, 1 + (round % 4) as Depth, round as u64, false);
    }
}

#[test]
fn othello6_search_equals_minimax_at_the_end() {
    let mut random = StdRng::seed_from_u64(2);
    for round in 0..24 {
        let game = random_game(noise(Discs::othello6()), 25 + round % 8, &mut random);
        check(&game, 8, round as u64, false);
    }
}

#[test]
fn reversi8_search_equals_minimax() {
    let mut random = StdRng::seed_from_u64(3);
    for round in 0..24 {
        let game = random_game(noise(Discs::reversi8()), 2 * round, &mut random);
        check(&game, 1 + (round % 4) as Depth, round as u64, false);
    }
}

#[test]
fn reversi8_search_equals_minimax_at_the_end() {
    let mut random = StdRng::seed_from_u64(4);
    for round in 0..16 {
        let game = random_game(noise(Discs::reversi8()), 52 + round % 8, &mut random);
        check(&game, 8, round as u64, false);
    }
}

#[test]
fn tiles_search_equals_minimax() {
    let mut random = StdRng::seed_from_u64(5);
    for round in 0..12 {
        let game = random_game(noise(Tiles::start()), 2 * round, &mut random);
        check(&game, 1 + (round % 3) as Depth, round as u64, false);
    }
}

#[test]
fn tiles_search_equals_minimax_at_the_end() {
    let mut random = StdRng::seed_from_u64(6);
    for round in 0..16 {
        let game = random_game(noise(Tiles::start()), 16 + round % 8, &mut random);
        check(&game, 3, round as u64, false);
    }
}

#[test]
fn gobblet_search_equals_minimax() {
    let mut random = StdRng::seed_from_u64(7);
    for round in 0..16 {
        let game = random_game(noise(Gobblet::start()), 3 * round, &mut random);
        check(&game, 1 + (round % 3) as Depth, round as u64, false);
    }
}

/// At depth four both sides can go and come back. The game before the root
/// goes round twice, so that threefold repetition is near.
#[test]
fn gobblet_search_equals_minimax_with_cycles() {
    let start = noise(Gobblet::start());
    for (position, depth) in CYCLIC_GOBBLET {
        let first = start.parse_position(position).unwrap();
        let mut game = vec![first];
        assert!(legal_moves(&first).len() > 1);
        check(&game, depth, 11, false);
        if let Some(cycle) = go_round(first) {
            game.extend(cycle);
            check(&game, depth.min(3), 12, true);
            game.extend(cycle);
            check(&game, depth.min(3), 13, true);
        }
    }
}

/// Where threats are seen and answered, a search is no longer minimax to its
/// depth; but what it calls won or lost is, and what minimax finds won or lost
/// it finds too, with a table and without, on one thread and on two, and with
/// repetitions in the line and in the game before it.
fn check_proofs(game: &[Gobblet], depth: Depth) {
    let sharp: Vec<Noise<Gobblet, true>> = game.iter().copied().map(Noise).collect();
    let mut line = sharp.clone();
    let root = line.len() - 1;
    let mut values = std::collections::HashMap::new();
    let mut value = |depth: Depth| {
        *values
            .entry(depth)
            .or_insert_with(|| minimax(&mut line, root, depth, &5))
    };
    let expected = value(depth);
    for switches in [true, false].map(|reductions| Switches {
        reductions,
        ..Switches::default()
    }) {
        for (threads, buckets) in [
            (1, Some(0)),
            (1, None),
            (2, Some(0)),
            (2, Some(3)),
            (2, None),
        ] {
            let report = search(&sharp, depth, 5, switches, threads, buckets);
            let what = format!(
                "{} at depth {depth}, {threads} threads, buckets {buckets:?}: {:?}, minimax {expected:?}",
                game[root].print_position(),
                report.score,
            );
            assert_legal_line(&sharp[root], &report.pv, &what);
            if expected.is_decisive() && !switches.reductions {
                assert!(report.score.is_decisive(), "{what}");
                assert_eq!(report.score.0.signum(), expected.0.signum(), "{what}");
            }
            let plies = Score::WIN - report.score.0.abs();
            if report.score.is_decisive() && plies <= depth + 1 {
                let sooner = value(plies);
                assert!(sooner.is_decisive(), "{what}");
                assert_eq!(sooner.0.signum(), report.score.0.signum(), "{what}");
            }
        }
    }
}

#[test]
fn gobblet_proofs_hold_with_threats() {
    let mut random = StdRng::seed_from_u64(8);
    let mut decisive = 0;
    for round in 0..120 {
        let game = random_game(Gobblet::start(), 12 + round % 30, &mut random);
        let depth = if legal_moves(&game[game.len() - 1]).len() < 30 {
            3
        } else {
            2
        };
        check_proofs(&game, depth);
        let sharp: Vec<Noise<Gobblet, true>> = game.iter().copied().map(Noise).collect();
        let report = search(&sharp, depth, 5, Switches::default(), 1, None);
        decisive += usize::from(report.score.is_decisive());
    }
    assert!(decisive > 20, "{decisive} won or lost positions");
}

#[test]
fn gobblet_proofs_hold_with_cycles() {
    for (position, depth) in CYCLIC_GOBBLET {
        let first = Gobblet::start().parse_position(position).unwrap();
        let mut game = vec![first];
        check_proofs(&game, depth.min(3));
        if let Some(cycle) = go_round(first) {
            game.extend(cycle);
            check_proofs(&game, 3);
            game.extend(cycle);
            check_proofs(&game, 3);
        }
    }
}

/// Endings in which most pieces are pinned or buried.
const CYCLIC_GOBBLET: [(&str, Depth); 3] = [
    ("b4,w4,b4,w4/w4,.,.,b4/.,w3,b3,./b3,.,.,w3 322 322 w", 4),
    ("b4,w4,b4,w4/w4,b3,w3,b4/.,w3,b3,./b3,.,.,w3 222 222 b", 4),
    (
        "b4,b3,w4,w4/b2,w2,w3,w3/w1,b3,b3,b1w4/.,b4,w3,b4 220 220 w",
        3,
    ),
];

/// Four reversible moves that lead back to `first`.
fn go_round<G: Game>(first: G) -> Option<[G; 4]> {
    let reversible = |position: &G| -> Vec<G> {
        legal_moves(position)
            .into_iter()
            .filter(|&mv| !position.is_irreversible(mv))
            .map(|mv| position.play(mv))
            .filter(|next| next.outcome().is_none())
            .collect()
    };
    for a in reversible(&first) {
        for b in reversible(&a).into_iter().take(3) {
            for c in reversible(&b) {
                if let Some(&d) = reversible(&c).iter().find(|&&d| d == first) {
                    return Some([a, b, c, d]);
                }
            }
        }
    }
    None
}

/// Two tokens that walk on a ring and win by stepping on the other's heels:
/// nothing but cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ring {
    tokens: [u8; 2],
    side: Side,
}

const RING: u8 = 7;

impl Game for Ring {
    type Move = u8;
    const HAS_MARGIN: bool = false;
    const CAN_REPEAT: bool = true;
    const MOVE_CODES: usize = 3;

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn legal_moves(&self, moves: &mut MoveList<u8>) {
        if self.outcome().is_none() {
            moves.extend([0, 1, 2]);
        }
    }
    fn play(&self, mv: u8) -> Self {
        let mut next = *self;
        let token = &mut next.tokens[self.side.index()];
        *token = (*token + [1, RING - 1, 2][usize::from(mv)]) % RING;
        next.side = !self.side;
        next
    }
    fn is_irreversible(&self, _mv: u8) -> bool {
        false
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.tokens[0] == self.tokens[1]).then_some(Outcome::Win {
            side: !self.side,
            margin: 1,
        })
    }
    fn key(&self) -> u64 {
        let [a, b] = self.tokens.map(u64::from);
        splitmix64(a | b << 8 | (self.side.index() as u64) << 16).1
    }
    fn key_from_scratch(&self) -> u64 {
        self.key()
    }
    fn encode(mv: u8) -> u16 {
        u16::from(mv)
    }
    fn decode(code: u16) -> Option<u8> {
        u8::try_from(code).ok()
    }
    fn parse_move(&self, text: &str) -> Result<u8, String> {
        text.parse().map_err(|_| String::new())
    }
    fn print_move(&self, mv: u8) -> String {
        mv.to_string()
    }
    fn parse_position(&self, _text: &str) -> Result<Self, String> {
        Err(String::new())
    }
    fn print_position(&self) -> String {
        format!("{self:?}")
    }
}

impl Heuristics for Ring {
    type Tables = u64;
    type Accumulator = ();
    type Memory = ();
    const WEIGHTS_NAME: &'static str = "ring";
    fn embedded_weights() -> &'static [u8] {
        b""
    }
    fn decode_weights(_weights: &Weights) -> Result<u64, WeightsError> {
        Ok(0)
    }
    fn refresh(&self, _tables: &u64) {}
    fn advance(&self, _before: &Self, _mv: u8, _accumulator: &(), _tables: &u64) {}
    fn evaluate(&self, _accumulator: &(), _tables: &u64) -> i32 {
        0
    }
    fn moves_to_go(&self) -> u32 {
        1
    }
}

#[test]
fn a_game_of_nothing_but_cycles_equals_minimax() {
    for distance in 1..RING {
        for depth in 1..=9 {
            let start = noise(Ring {
                tokens: [0, distance],
                side: Side::Black,
            });
            check(&[start], depth, u64::from(distance), true);
            // A game that has come round to the start once and twice before.
            let there = start.play(0).play(0).play(1);
            if there.outcome().is_none() && start.play(0).outcome().is_none() {
                let round = [
                    start,
                    start.play(0),
                    start.play(0).play(0),
                    there,
                    there.play(1),
                ];
                check(&round, depth.min(7), 5, true);
                let twice: Vec<_> = round.iter().chain(&round[1..]).copied().collect();
                check(&twice, depth.min(7), 6, true);
            }
        }
    }
}

/// Four positions that lead to one another in a round: from whichever one the
/// search begins, it comes back there after four plies, and that is a draw.
/// From anywhere else the draw would come elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Round(u8);

impl Game for Round {
    type Move = u8;
    const HAS_MARGIN: bool = false;
    const CAN_REPEAT: bool = true;
    const MOVE_CODES: usize = 4;

    fn side_to_move(&self) -> Side {
        if self.0.is_multiple_of(2) {
            Side::Black
        } else {
            Side::White
        }
    }
    fn legal_moves(&self, moves: &mut MoveList<u8>) {
        moves.push((self.0 + 1) % 4);
    }
    fn play(&self, mv: u8) -> Self {
        Self(mv)
    }
    fn is_irreversible(&self, _mv: u8) -> bool {
        false
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn key(&self) -> u64 {
        splitmix64(u64::from(self.0)).1
    }
    fn key_from_scratch(&self) -> u64 {
        self.key()
    }
    fn encode(mv: u8) -> u16 {
        u16::from(mv)
    }
    fn decode(code: u16) -> Option<u8> {
        u8::try_from(code).ok()
    }
    fn parse_move(&self, text: &str) -> Result<u8, String> {
        text.parse().map_err(|_| String::new())
    }
    fn print_move(&self, mv: u8) -> String {
        mv.to_string()
    }
    fn parse_position(&self, _text: &str) -> Result<Self, String> {
        Err(String::new())
    }
    fn print_position(&self) -> String {
        self.0.to_string()
    }
}

impl Heuristics for Round {
    type Tables = u64;
    type Accumulator = ();
    type Memory = ();
    const WEIGHTS_NAME: &'static str = "round";
    fn embedded_weights() -> &'static [u8] {
        b""
    }
    fn decode_weights(_weights: &Weights) -> Result<u64, WeightsError> {
        Ok(0)
    }
    fn refresh(&self, _tables: &u64) {}
    fn advance(&self, _before: &Self, _mv: u8, _accumulator: &(), _tables: &u64) {}
    fn evaluate(&self, _accumulator: &(), _tables: &u64) -> i32 {
        0
    }
    fn moves_to_go(&self) -> u32 {
        1
    }
}

#[test]
fn a_draw_that_leans_on_the_path_is_not_stored() {
    let knowledge = Arc::new(Knowledge {
        tables: 3,
        identity: String::new(),
    });
    let settings = Settings {
        hash: 1,
        ..Settings::default()
    };
    let mut engine = Engine::<Noise<Round>>::new(knowledge, settings).unwrap();
    let limits = Limits {
        depth: Some(9),
        ..Limits::default()
    };
    let report = engine
        .think(&noise(Round(0)), &[], &limits, &Nobody)
        .remove(0);
    assert_eq!(report.score, Score::DRAW);
    for ply in 1..3 {
        let entry = engine.table().probe(Round(ply).key());
        // Searches too shallow to come round are remembered, deeper ones not.
        let entry = entry.unwrap();
        assert!(entry.depth < 4 - Depth::from(ply), "ply {ply}: {entry:?}");
    }
}
