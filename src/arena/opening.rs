//! Where games begin: openings from a file, or random ones.

use std::collections::HashSet;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use crate::game::Side;
use crate::games::Variant;
use crate::search::Settings;
use crate::session::Session;

/// A session that keeps the rules and never searches.
///
/// # Errors
/// If its memory or thread cannot be had.
pub(super) fn rules_of(game: &'static Variant) -> Result<Box<dyn Session>, String> {
    game.open(&Settings {
        threads: 1,
        hash: 0,
        ..Settings::default()
    })
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// The position before the moves, if it is not the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves played for the engines.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Opening {
    /// Reads a position, or moves separated by blanks; in the disc games they
    /// may also stand in one run.
    ///
    /// # Errors
    /// One line that says what is wrong, if it is neither or ends the game.
    pub fn parse(line: &str, session: &mut dyn Session, discs: bool) -> Result<Self, String> {
        let opening = if session.set_position(line).is_ok() {
            Self {
                position: Some(line.to_string()),
                moves: Vec::new(),
            }
        } else {
            Self {
                position: None,
                moves: split_moves(line, discs),
            }
        };
        opening.set_up(session)?;
        if session.outcome().is_some() {
            return Err("the game is over after it".to_string());
        }
        Ok(opening)
    }

    /// Plays it. The moves with who made them, forced passes included.
    ///
    /// # Errors
    /// One line that says what cannot be played.
    pub fn set_up(&self, session: &mut dyn Session) -> Result<Vec<(Side, String)>, String> {
        session.reset();
        if let Some(position) = &self.position {
            session.set_position(position)?;
        }
        for mv in &self.moves {
            let forced = session.legal_moves() == ["pass"] && !mv.eq_ignore_ascii_case("pass");
            let side = if forced {
                !session.side_to_move()
            } else {
                session.side_to_move()
            };
            session
                .play(side, mv)
                .map_err(|error| format!("`{mv}` cannot be played: {error}"))?;
        }
        Ok(session.history())
    }
}

fn split_moves(line: &str, discs: bool) -> Vec<String> {
    let line = line.to_ascii_lowercase();
    let words = line.split_whitespace();
    if !discs || line.contains("pass") {
        return words.map(str::to_string).collect();
    }
    let run: Vec<char> = words.flat_map(str::chars).collect();
    run.chunks(2)
        .map(|square| square.iter().collect())
        .collect()
}

/// Random openings that end in this many different positions must be found in
/// so many attempts.
const ATTEMPTS: usize = 2000;

/// All openings of a tournament.
pub struct Openings {
    known: Vec<Opening>,
    random: Option<Random>,
}

struct Random {
    session: Box<dyn Session>,
    plies: usize,
    rng: StdRng,
    /// Positions reached.
    seen: HashSet<String>,
}

impl Openings {
    /// Those of a file, one a line. `#` begins a comment.
    ///
    /// # Errors
    /// If there is none, or one is wrong.
    pub fn read(text: &str, game: &'static Variant) -> Result<Self, String> {
        let mut session = rules_of(game)?;
        let mut known = Vec::new();
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let opening = Opening::parse(line, session.as_mut(), game.info.discs)
                .map_err(|what| format!("line {}: {what}", number + 1))?;
            known.push(opening);
        }
        if known.is_empty() {
            return Err("there is no opening in it".to_string());
        }
        Ok(Self {
            known,
            random: None,
        })
    }

    /// Random ones of `plies` plies, no two of which lead to the same
    /// position. They depend on the seed alone.
    ///
    /// # Errors
    /// If the game cannot be opened.
    pub fn random(game: &'static Variant, plies: usize, seed: u64) -> Result<Self, String> {
        Ok(Self {
            known: Vec::new(),
            random: Some(Random {
                session: rules_of(game)?,
                plies,
                rng: StdRng::seed_from_u64(seed),
                seen: HashSet::new(),
            }),
        })
    }

    /// The opening with that number. When all have been used, they come
    /// again.
    ///
    /// # Panics
    /// Never: there is always one.
    pub fn get(&mut self, number: usize) -> &Opening {
        while self.known.len() <= number {
            let Some(opening) = self.random.as_mut().and_then(Random::next) else {
                self.exhausted();
                break;
            };
            self.known.push(opening);
        }
        &self.known[number % self.known.len()]
    }

    fn exhausted(&mut self) {
        if self.random.take().is_some() {
            let (count, s) = (
                self.known.len(),
                if self.known.len() == 1 { "" } else { "s" },
            );
            log::warn!("only {count} different random opening{s} found: they are played again");
        }
    }
}

impl Random {
    fn next(&mut self) -> Option<Opening> {
        (0..ATTEMPTS).find_map(|_| {
            let opening = self.attempt()?;
            let position = self.session.position();
            self.seen.insert(position).then_some(opening)
        })
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{VARIANTS, find};

    fn game(name: &str) -> &'static Variant {
        find(name).expect("a game")
    }

    #[test]
    fn random_openings_differ_and_depend_on_the_seed_alone() {
        for variant in &VARIANTS {
            let mut one = Openings::random(variant, 4, 7).expect("opens");
            let mut same = Openings::random(variant, 4, 7).expect("opens");
            let mut other = Openings::random(variant, 4, 8).expect("opens");
            let list = |openings: &mut Openings| -> Vec<Opening> {
                (0..30).map(|number| openings.get(number).clone()).collect()
            };
            let first = list(&mut one);
            // Asked for in any order.
            let last = same.get(29).clone();
            assert_eq!(last, first[29]);
            assert_eq!(list(&mut same), first);
            assert_ne!(list(&mut other), first);
            let mut session = rules_of(variant).expect("opens");
            let reached: HashSet<String> = first
                .iter()
                .map(|opening| {
                    opening.set_up(session.as_mut()).expect("playable");
                    session.position()
                })
                .collect();
            assert_eq!(reached.len(), 30, "{}", variant.info.name);
        }
    }

    #[test]
    fn when_there_are_no_more_they_come_again() {
        let mut openings = Openings::random(game("othello6"), 1, 0).expect("opens");
        let first = openings.get(0).clone();
        assert_eq!(openings.get(4), &first);
    }

    #[test]
    fn a_file_holds_moves_and_positions() {
        let text = "# a comment\n\nf5d6c3 # in one run\nf5 D6\n\
            ---------------------------OX------XO--------------------------- X\n";
        let mut openings = Openings::read(text, game("othello8")).expect("fine");
        assert_eq!(openings.get(0).moves, ["f5", "d6", "c3"]);
        assert_eq!(openings.get(1).moves, ["f5", "d6"]);
        assert!(openings.get(2).position.is_some());
        assert_eq!(openings.get(3).moves, ["f5", "d6", "c3"]);
        for (wrong, says) in [
            ("\n#\n", "no opening"),
            ("f5\na1\n", "line 2"),
            ("f5d", "line 1"),
        ] {
            let error = Openings::read(wrong, game("othello8")).err();
            assert!(error.is_some_and(|error| error.contains(says)), "{wrong}");
        }
    }
}
