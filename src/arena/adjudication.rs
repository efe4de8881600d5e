//! Games that are ended because their result is not in doubt, by what the
//! engines say of them.

use serde::{Deserialize, Serialize};

use super::spec::{groups, number};
use crate::game::Side;

/// A proved result is beyond every score.
const PROVED: i64 = i64::MAX;

/// When a game is given up for the side that is behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resign {
    /// Moves in a row.
    pub movecount: u32,
    /// The loser's own score is this much below 0, or more, in hundredths of
    /// the game's unit.
    pub score: i64,
    /// Whether the winner has to see it too.
    pub twosided: bool,
}

/// When a game is called a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Draw {
    /// Not before each side has made so many moves, those of the opening
    /// included.
    pub movenumber: u32,
    /// Moves in a row of both sides.
    pub movecount: u32,
    /// The score is at most so far from 0, in hundredths of the game's unit.
    pub score: i64,
}

/// Reads `movecount=3 score=1000 twosided=true`.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse_resign(words: &[String]) -> Result<Resign, String> {
    let (mut movecount, mut score, mut twosided) = (3, None, false);
    for (key, value) in groups(words, &["movecount", "score", "twosided"])? {
        match key.as_str() {
            "movecount" => movecount = number(&key, &value, 1)?,
            "score" => score = Some(number(&key, &value, 1)?),
            _ => {
                twosided = value
                    .parse()
                    .map_err(|_| format!("twosided is true or false, not `{value}`"))?;
            }
        }
    }
    Ok(Resign {
        movecount,
        score: score.ok_or("score= is missing, such as score=1000 for ten discs")?,
        twosided,
    })
}

/// Reads `movenumber=20 movecount=4 score=50`.
///
/// # Errors
/// One line that says what is wrong.
pub fn parse_draw(words: &[String]) -> Result<Draw, String> {
    let (mut movenumber, mut movecount, mut score) = (1, 4, None);
    for (key, value) in groups(words, &["movenumber", "movecount", "score"])? {
        match key.as_str() {
            "movenumber" => movenumber = number(&key, &value, 0)?,
            "movecount" => movecount = number(&key, &value, 1)?,
            _ => score = Some(number(&key, &value, 0)?),
        }
    }
    Ok(Draw {
        movenumber,
        movecount,
        score: score.ok_or("score= is missing, such as score=50 for half a disc")?,
    })
}

/// Both rules, as far as the user wants them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// Wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
}

/// Follows the scores of one game.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Moves in a row, by side, in which it has called itself lost, won, and
    /// even.
    lost: [u32; 2],
    won: [u32; 2],
    even: [u32; 2],
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// None for a draw.
    pub winner: Option<Side>,
    /// What it rests on.
    pub why: String,
}

impl Adjudicator {
    /// Before the first move.
    pub fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            lost: [0; 2],
            won: [0; 2],
            even: [0; 2],
        }
    }

    /// Takes in what a side says of the position it has moved in: a value as
    /// reports write it, and whether it is proved. Silence proves nothing.
    pub fn hear(&mut self, side: Side, value: Option<&str>, exact: bool) {
        let score = value.and_then(|value| score_of(value, exact));
        let count = |counts: &mut [u32; 2], holds: bool| {
            let count = &mut counts[side.index()];
            *count = if holds { count.saturating_add(1) } else { 0 };
        };
        let resign = self.rules.resign.map(|rule| rule.score);
        let draw = self.rules.draw.map(|rule| rule.score);
        let of = |bound: Option<i64>| score.zip(bound);
        count(&mut self.lost, of(resign).is_some_and(|(s, b)| s <= -b));
        count(&mut self.won, of(resign).is_some_and(|(s, b)| s >= b));
        count(&mut self.even, of(draw).is_some_and(|(s, b)| s.abs() <= b));
    }

    /// Whether the game has ended, after so many plies since its start.
    pub fn verdict(&self, plies: usize) -> Option<Verdict> {
        if let Some(rule) = self.rules.resign {
            for loser in [Side::Black, Side::White] {
                let lost = self.lost[loser.index()] >= rule.movecount;
                let seen = !rule.twosided || self.won[(!loser).index()] >= rule.movecount;
                if lost && seen {
                    let why = format!(
                        "{loser} was {} or more behind in {} moves",
                        rule.score, rule.movecount
                    );
                    return Some(Verdict {
                        winner: Some(!loser),
                        why,
                    });
                }
            }
        }
        let rule = self.rules.draw?;
        let late = plies >= 2 * rule.movenumber as usize;
        let even = self.even.iter().all(|&moves| moves >= rule.movecount);
        (late && even).then(|| Verdict {
            winner: None,
            why: format!(
                "both were within {} of even in {} moves",
                rule.score, rule.movecount
            ),
        })
    }
}

/// In hundredths; a proved win is beyond every score, a proved draw is 0.
fn score_of(value: &str, exact: bool) -> Option<i64> {
    let (kind, number) = value.split_once(' ').unwrap_or((value, "0"));
    let number: i64 = number.parse().ok()?;
    match kind {
        "eval" => Some(number),
        "margin" if exact => Some(PROVED * number.signum()),
        "margin" => number.checked_mul(100),
        "win" => Some(PROVED),
        "loss" => Some(-PROVED),
        "draw" => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        vec![text.to_string()]
    }

    fn rules(resign: Option<&str>, draw: Option<&str>) -> Adjudicator {
        Adjudicator::new(Adjudication {
            resign: resign.map(|text| parse_resign(&words(text)).expect("fine")),
            draw: draw.map(|text| parse_draw(&words(text)).expect("fine")),
        })
    }

    #[test]
    fn rules_are_read_as_other_tournament_programs_write_them() {
        let resign = parse_resign(&words("movecount=2 score=700 twosided=true"));
        let expected = Resign {
            movecount: 2,
            score: 700,
            twosided: true,
        };
        assert_eq!(resign, Ok(expected));
        let draw = parse_draw(&[
            "movenumber=30".into(),
            "movecount=5".into(),
            "score=0".into(),
        ]);
        let expected = Draw {
            movenumber: 30,
            movecount: 5,
            score: 0,
        };
        assert_eq!(draw, Ok(expected));
        for (wrong, says) in [
            ("movecount=3", "score= is missing"),
            ("score=-1", "score is a whole number from 1"),
            ("scor=1", "did you mean score"),
            ("score=1 twosided=maybe", "true or false"),
            ("score", "KEY=VALUE"),
        ] {
            let error = parse_resign(&words(wrong)).expect_err(wrong);
            assert!(error.contains(says), "{wrong}: {error}");
        }
        assert!(parse_draw(&words("twosided=true score=1")).is_err());
    }

    #[test]
    fn a_side_that_sees_itself_lost_often_enough_has_lost() {
        let mut game = rules(Some("movecount=2 score=500"), None);
        game.hear(Side::White, Some("eval -900"), false);
        game.hear(Side::Black, Some("eval 900"), false);
        game.hear(Side::White, Some("eval -499"), false);
        assert_eq!(game.verdict(9), None, "not in a row");
        game.hear(Side::White, Some("eval -500"), false);
        assert_eq!(game.verdict(9), None);
        game.hear(Side::White, None, false);
        game.hear(Side::White, Some("loss 9"), true);
        assert_eq!(game.verdict(9), None, "silence interrupts");
        game.hear(Side::White, Some("margin -2"), true);
        let verdict = game.verdict(9).expect("both are proved");
        assert_eq!(verdict.winner, Some(Side::Black));
        assert_eq!(verdict.why, "white was 500 or more behind in 2 moves");
    }

    #[test]
    fn the_other_side_may_have_to_agree() {
        let mut game = rules(Some("movecount=1 score=500 twosided=true"), None);
        game.hear(Side::Black, Some("eval -900"), false);
        assert_eq!(game.verdict(9), None);
        game.hear(Side::White, Some("eval 100"), false);
        assert_eq!(game.verdict(9), None);
        game.hear(Side::White, Some("win 30"), true);
        assert!(game.verdict(9).is_some());
    }

    #[test]
    fn a_draw_is_when_both_have_long_seen_one() {
        let mut game = rules(None, Some("movenumber=10 movecount=2 score=50"));
        for (side, value, exact) in [
            (Side::Black, "eval 50", false),
            (Side::White, "draw", true),
            (Side::Black, "eval -50", false),
        ] {
            game.hear(side, Some(value), exact);
            assert_eq!(game.verdict(20), None);
        }
        game.hear(Side::White, Some("margin 0"), true);
        assert_eq!(game.verdict(19), None, "too early");
        let verdict = game.verdict(20).expect("a draw");
        assert_eq!(verdict.winner, None);
        game.hear(Side::White, Some("margin 2"), true);
        assert_eq!(game.verdict(20), None, "a proved win is none");
        game.hear(Side::White, Some("strange"), true);
        assert_eq!(game.verdict(20), None);
    }
}
