//! Whole games over a pipe, played by a client that shares no code with the
//! engine: it has rules of its own, plain and slow, and believes nothing.

mod discs;
mod gobblet;
mod pipe;
mod tiles;

use std::collections::BTreeSet;

use pipe::Pipe;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};

/// A game as the client understands it.
trait Referee {
    /// `black` or `white`.
    fn side(&self) -> &'static str;
    /// None if the game is over.
    fn legal(&self) -> BTreeSet<String>;
    /// Plays a legal move.
    fn play(&mut self, mv: &str);
    /// As the protocol's `result` gives it.
    fn result(&self) -> String;
}

fn referee(game: &str) -> Box<dyn Referee> {
    match game {
        "othello6" => Box::new(discs::Discs::new(6, "black")),
        "othello8" => Box::new(discs::Discs::new(8, "black")),
        "reversi8" => Box::new(discs::Discs::new(8, "white")),
        "gobblet" => Box::new(gobblet::Gobblet::new()),
        "tiles" => Box::new(tiles::Tiles::new()),
        _ => panic!("no rules of {game}"),
    }
}

const GAMES: [&str; 5] = ["othello6", "othello8", "reversi8", "gobblet", "tiles"];

fn opponent(side: &str) -> &'static str {
    match side {
        "black" => "white",
        _ => "black",
    }
}

/// Plays a game against the engine, which has the moves of `engine`; the
/// client's own are drawn by chance. Every legal move list is compared.
fn play(game: &str, engine: &str, seed: u64) -> Pipe {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut rules = referee(game);
    let mut pipe = Pipe::open(&["--game", game, "--nodes", "400"]);
    loop {
        let legal = rules.legal();
        let told = pipe.ask("legal_moves");
        let told: BTreeSet<String> = told.split_whitespace().map(str::to_string).collect();
        assert_eq!(told, legal, "{game} at {}", pipe.ask("get_position"));
        assert_eq!(pipe.ask("result"), rules.result());
        if legal.is_empty() {
            break;
        }
        let side = rules.side();
        assert_eq!(pipe.ask("side_to_move"), side);
        let mv = if side == engine {
            let mv = pipe.ask(&format!("genmove {side}"));
            assert!(legal.contains(&mv), "{game}: {mv} of {legal:?}");
            mv
        } else {
            let mv = legal.into_iter().choose(&mut rng).unwrap();
            pipe.ask(&format!("play {side} {mv}"));
            mv
        };
        rules.play(&mv);
        if rng.random_ratio(1, 4) {
            pipe.ask("showboard");
        }
    }
    pipe.ask("final_score");
    pipe
}

#[test]
fn full_games_of_every_variant_are_played_by_the_clients_rules() {
    for game in GAMES {
        for (seed, engine) in ["black", "white", "black"].into_iter().enumerate() {
            let pipe = play(game, engine, seed as u64);
            let file = format!("{}/{game}-{seed}.gtp", env!("CARGO_TARGET_TMPDIR"));
            std::fs::write(file, pipe.close()).unwrap();
        }
    }
}

#[test]
fn the_client_knows_every_variant() {
    let mut names = quadrille::games::names();
    names.sort_unstable();
    let mut known = GAMES;
    known.sort_unstable();
    assert_eq!(names, known);
}

/// A dialogue that is kept: what was sent, and the answer.
fn exchanges(transcript: &str) -> Vec<(String, String)> {
    let mut exchanges: Vec<(String, String)> = Vec::new();
    for line in transcript.lines() {
        if let Some(sent) = line.strip_prefix("> ") {
            exchanges.push((sent.to_string(), String::new()));
        } else if let Some((_, answer)) = exchanges.last_mut() {
            if !answer.is_empty() {
                answer.push('\n');
            }
            answer.push_str(line);
        }
    }
    exchanges
}

/// Plays a kept dialogue again. The engine of today may prefer other moves,
/// so what it chose then is played; everything else must be answered alike.
fn replay(game: &str, transcript: &str) {
    let mut rules = referee(game);
    let mut pipe = Pipe::open(&["--game", game]);
    let mut moves = 0;
    for (sent, answer) in exchanges(transcript) {
        if sent == "quit" {
            break;
        }
        let answer = answer.strip_prefix("= ").unwrap_or(&answer).trim_end();
        let words: Vec<&str> = sent.split_whitespace().collect();
        let turn = match words.as_slice() {
            ["genmove", side] => Some((*side, answer)),
            ["play", side, mv] => Some((*side, *mv)),
            _ => None,
        };
        let Some((side, mv)) = turn else {
            // These tell about the program and not about the game.
            if !["name", "version", "list_commands", "cputime"].contains(&words[0]) {
                assert_eq!(pipe.ask(&sent).trim_end(), answer, "{game}: {sent}");
            }
            continue;
        };
        let mv = mv.to_ascii_lowercase();
        let side = if side.starts_with(['b', 'B']) {
            "black"
        } else {
            "white"
        };
        pipe.ask(&format!("play {side} {mv}"));
        if rules.legal().is_empty() {
            assert_eq!(mv, "pass", "{game} is over");
            continue;
        }
        if rules.side() != side {
            // A forced pass that was left out.
            assert_eq!(rules.side(), opponent(side));
            rules.play("pass");
        }
        assert!(rules.legal().contains(&mv), "{game}: {mv}");
        rules.play(&mv);
        moves += 1;
    }
    assert!(moves > 10, "{game}: a full game");
    assert_ne!(rules.result(), "unfinished", "{game}");
    assert_eq!(pipe.ask("result"), rules.result(), "{game}");
}

/// Dialogues of full games with clients that are not ours in code: with
/// gogui-twogtp 1.6 on the two boards it can play, with the client of this
/// file on the others.
#[test]
fn the_kept_games_are_still_understood() {
    replay("othello6", include_str!("../data/transcripts/othello6.gtp"));
    replay("othello8", include_str!("../data/transcripts/othello8.gtp"));
    replay("reversi8", include_str!("../data/transcripts/reversi8.gtp"));
    replay("gobblet", include_str!("../data/transcripts/gobblet.gtp"));
    replay("tiles", include_str!("../data/transcripts/tiles.gtp"));
}
