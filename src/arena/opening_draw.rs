//! Random openings: so many random plies, kept if a search finds the position
//! balanced, and if no other opening leads to the same position, however the
//! board is turned. They depend on the seed alone: the search is one of ours,
//! on one thread, from an empty memory, and never limited by time.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use super::opening::{Opening, rules_of};
use super::spec::{groups, number};
use crate::games::Variant;
use crate::search::heuristics::Depth;
use crate::search::score::{Score, Value};
use crate::search::{Limits, Settings};
use crate::session::{Session, Unwatched, VariantInfo};

/// So many attempts in a row without a new opening mean that there are no
/// more: it takes as many to see each of a hundred positions almost surely.
const ATTEMPTS: usize = 2_000;

/// Of these at most so many may cost a search.
const SEARCHES: usize = 300;

/// MiB of table for a search that judges an opening.
const HASH: usize = 4;

/// When an opening is balanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Balance {
    /// The value is at most so far from 0, in hundredths of the game's unit.
    pub window: i32,
    /// Positions the search may enter.
    pub nodes: Option<u64>,
    /// Plies it looks ahead.
    pub depth: Option<Depth>,
}

/// Positions that judge an opening, unless the user wants others.
const NODES: u64 = 5_000;

impl Balance {
    /// What is balanced in that game if the user says nothing. Of random
    /// openings of four plies a third to two thirds are.
    pub fn usual(game: &VariantInfo) -> Self {
        Self {
            window: game.balanced,
            nodes: Some(NODES),
            depth: None,
        }
    }
}

/// Reads `window=300 nodes=5000`, `window=300 depth=6`, `300` or `off`; none
/// for `off`.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse_balance(words: &[String], game: &VariantInfo) -> Result<Option<Balance>, String> {
    let mut balance = Balance::usual(game);
    if let [word] = words {
        if word == "off" {
            return Ok(None);
        }
        if let Ok(window @ 0..) = word.parse() {
            balance.window = window;
            return Ok(Some(balance));
        }
    }
    let (mut nodes, mut depth) = (None, None);
    for (key, value) in groups(words, &["window", "nodes", "depth"])
        .map_err(|what| format!("{what}; or off, or a window alone"))?
    {
        match key.as_str() {
            "window" => balance.window = number(&key, &value, 0)?,
            "nodes" => nodes = Some(number(&key, &value, 1)?),
            _ => depth = Some(number(&key, &value, 1)?),
        }
    }
    if nodes.is_some() || depth.is_some() {
        (balance.nodes, balance.depth) = (nodes, depth);
    }
    Ok(Some(balance))
}

/// Draws openings.
pub struct Draw {
    session: Box<dyn Session>,
    plies: usize,
    balance: Option<Balance>,
    rng: StdRng,
    /// Positions reached, up to symmetry, balanced or not.
    seen: HashSet<u64>,
}

impl Draw {
    /// Openings of `plies` plies.
    ///
    /// # Errors
    /// If the game cannot be opened.
    pub fn new(
        game: &'static Variant,
        plies: usize,
        balance: Option<Balance>,
        seed: u64,
    ) -> Result<Self, String> {
        // The start is what it is.
        let balance = balance.filter(|_| plies > 0);
        let session = match balance {
            Some(_) => game.open(&Settings {
                hash: HASH,
                ..Settings::default()
            })?,
            None => rules_of(game)?,
        };
        Ok(Self {
            session,
            plies,
            balance,
            rng: StdRng::seed_from_u64(seed),
            seen: HashSet::new(),
        })
    }

    /// Another one; none if no more are found.
    pub(super) fn next(&mut self) -> Option<Opening> {
        let mut searches = 0;
        for _ in 0..ATTEMPTS {
            let Some(opening) = self.attempt() else {
                continue;
            };
            if !self.seen.insert(self.session.canonical_key()) {
                continue;
            }
            if self.is_balanced() {
                return Some(opening);
            }
            searches += 1;
            if searches == SEARCHES {
                break;
            }
        }
        None
    }

    /// None if the game has ended on the way.
    fn attempt(&mut self) -> Option<Opening> {
        self.session.reset();
        let mut moves = Vec::new();
        for _ in 0..self.plies {
            let legal = self.session.legal_moves();
            let mv = legal.choose(&mut self.rng)?;
            self.session.play(self.session.side_to_move(), mv).ok()?;
            moves.push(mv.clone());
        }
        self.session.outcome().is_none().then_some(Opening {
            position: None,
            moves,
        })
    }

    fn is_balanced(&mut self) -> bool {
        let Some(balance) = self.balance else {
            return true;
        };
        let limits = Limits {
            nodes: balance.nodes,
            depth: balance.depth,
            ..Limits::default()
        };
        let thought = self.session.think(&limits, &Unwatched);
        thought.info.is_some_and(|info| match info.value {
            Value::Eval(hundredths) => hundredths.abs() <= balance.window,
            Value::Margin(units) => (units * Score::UNIT).abs() <= balance.window,
            Value::Draw => true,
            Value::Win(_) | Value::Loss(_) => false,
        })
    }

    /// That all `count` that can be found are known.
    pub(super) fn exhausted(&self, count: usize) -> String {
        let (kind, s) = (self.kind(), if count == 1 { "" } else { "s" });
        format!(
            "only {count} different {kind}opening{s} of {} plies found: they are played again in \
             turn",
            self.plies
        )
    }

    /// That there is none.
    pub(super) fn nothing_found(&self) -> String {
        let kind = self.kind();
        format!(
            "no {kind}opening of {} plies found: --opening-balance may be wider, --opening-plies \
             another",
            self.plies
        )
    }

    fn kind(&self) -> &'static str {
        if self.balance.is_some() {
            "balanced "
        } else {
            ""
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::opening::Openings;
    use super::*;
    use crate::games::{VARIANTS, find};

    fn drawn(
        game: &'static Variant,
        plies: usize,
        balance: Option<Balance>,
        seed: u64,
    ) -> Openings {
        let draw = Draw::new(game, plies, balance, seed).expect("opens");
        Openings::drawn(draw).expect("some")
    }

    fn cheap(window: i32) -> Option<Balance> {
        Some(Balance {
            window,
            nodes: Some(300),
            depth: None,
        })
    }

    #[test]
    fn openings_differ_up_to_symmetry_and_depend_on_the_seed_alone() {
        for variant in &VARIANTS {
            let balance = cheap(Balance::usual(&variant.info).window);
            let list = |openings: &mut Openings| -> Vec<Opening> {
                (0..30).map(|number| openings.get(number).clone()).collect()
            };
            let first = list(&mut drawn(variant, 5, balance, 7));
            // Asked for in any order.
            let mut same = drawn(variant, 5, balance, 7);
            let last = same.get(29).clone();
            assert_eq!(last, first[29]);
            assert_eq!(list(&mut same), first);
            assert_ne!(list(&mut drawn(variant, 5, balance, 8)), first);
            let mut session = rules_of(variant).expect("opens");
            let reached: HashSet<u64> = first
                .iter()
                .map(|opening| {
                    opening.set_up(session.as_mut()).expect("playable");
                    session.canonical_key()
                })
                .collect();
            assert_eq!(reached.len(), 30, "{}", variant.info.name);
        }
    }

    #[test]
    fn openings_are_as_balanced_as_they_are_to_be() {
        let game = find("othello8").expect("a game");
        let mut openings = drawn(game, 8, cheap(100), 1);
        let settings = Settings {
            hash: HASH,
            ..Settings::default()
        };
        let mut session = game.open(&settings).expect("opens");
        let limits = Limits {
            nodes: Some(300),
            ..Limits::default()
        };
        let mut value = |opening: &Opening| {
            opening.set_up(session.as_mut()).expect("playable");
            let info = session.think(&limits, &Unwatched).info.expect("a move");
            match info.value {
                Value::Eval(hundredths) => hundredths.abs(),
                other => panic!("{other} after eight plies"),
            }
        };
        let kept: Vec<i32> = (0..10).map(|number| value(openings.get(number))).collect();
        assert!(kept.iter().all(|&value| value <= 100), "{kept:?}");
        let mut any = drawn(game, 8, None, 1);
        let wild = (0..10).map(|number| value(any.get(number))).max();
        assert!(wild > Some(100), "most are not: {wild:?}");
    }

    #[test]
    fn when_there_are_no_more_they_come_again() {
        // Of the twelve games of two plies three are left by symmetry.
        let mut openings = drawn(find("othello6").expect("a game"), 2, None, 0);
        let three: Vec<Opening> = (0..3).map(|number| openings.get(number).clone()).collect();
        for number in 3..12 {
            assert_eq!(openings.get(number), &three[number % 3]);
        }
        let mut start = drawn(find("tiles").expect("a game"), 0, cheap(0), 0);
        assert_eq!(start.get(5), &Opening::default());
    }

    #[test]
    fn impossible_wishes_end() {
        let game = find("othello6").expect("a game");
        // Each ply is answered, and after one ply nobody stands even.
        let nowhere = Balance {
            window: 0,
            nodes: None,
            depth: Some(1),
        };
        let draw = Draw::new(game, 1, Some(nowhere), 0).expect("opens");
        let error = Openings::drawn(draw).err().expect("none is even");
        assert!(error.contains("no balanced opening of 1 plies"), "{error}");
    }

    #[test]
    fn balance_is_read_from_words() {
        let game = &find("gobblet").expect("a game").info;
        let read = |text: &str| parse_balance(&[text.to_string()], game);
        assert_eq!(read("off"), Ok(None));
        let usual = Balance::usual(game);
        assert_eq!(
            read("700"),
            Ok(Some(Balance {
                window: 700,
                ..usual
            }))
        );
        let deep = Balance {
            window: 50,
            nodes: None,
            depth: Some(4),
        };
        assert_eq!(read("window=50 depth=4"), Ok(Some(deep)));
        for wrong in ["-1", "wide", "window=x", "plies=3", "nodes=0"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
