//! All that a report tells in numbers: what `--json` prints and what the page
//! shows.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::evidence::Evidence;
use crate::arena::record::GameRecord;
use crate::arena::sprt::{Model, Sprt, Verdict};
use crate::arena::standings::{Standings, Tally};

/// The numbers of a report.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Summary {
    /// Names of the games played.
    pub(super) variants: Vec<String>,
    pub(super) games: u64,
    /// Whole pairs.
    pub(super) pairs: u64,
    /// The strongest first.
    pub(super) engines: Vec<Engine>,
    /// Row by row in the order of `engines`; none where two have not met.
    pub(super) crosstable: Vec<Vec<Option<Met>>>,
    pub(super) sprt: Option<Test>,
    pub(super) overhead_ms: Option<Overhead>,
    /// Who moved first: games won, drawn and lost.
    pub(super) first_mover: [u64; 3],
    /// How often games ended for each reason.
    pub(super) reasons: BTreeMap<String, u64>,
    pub(super) openings: Vec<Opening>,
    pub(super) failures: Vec<Mishap>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) games: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    /// By points, nothing first.
    pub(super) pairs: [u64; 5],
    /// 0 to 1, as the other shares.
    pub(super) score: f64,
    pub(super) draw_ratio: f64,
    /// Bradley-Terry, logistic Elo.
    pub(super) rating: f64,
    pub(super) rating_error: f64,
    pub(super) anchor: bool,
    /// Against all others as if they were one: logistic Elo.
    pub(super) elo: f64,
    pub(super) elo_error: f64,
    /// Normalised Elo.
    pub(super) nelo: f64,
    pub(super) nelo_error: f64,
    pub(super) los: f64,
    pub(super) time_losses: u64,
    pub(super) faults: u64,
    pub(super) ms_per_move: f64,
    pub(super) depth: Option<f64>,
    /// How it was told to play, if that is known.
    pub(super) settings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Met {
    pub(super) games: u64,
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    pub(super) points: f64,
    pub(super) score: f64,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Test {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) model: Model,
    pub(super) llr: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// `H0`, `H1` or nothing.
    pub(super) accepted: Option<&'static str>,
    /// Pairs, and the ratio after them.
    pub(super) curve: Vec<(u64, f64)>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Overhead {
    pub(super) median: f64,
    pub(super) longest: f64,
}

/// Results from one opening.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Opening {
    pub(super) game: String,
    /// Its moves, with the position before them if that is not the usual one.
    pub(super) moves: String,
    pub(super) games: u64,
    /// Of who moved first after it: games won, drawn and lost.
    pub(super) first_mover: [u64; 3],
    /// Score of the first engine of the user's list, 0 to 1, if it is a match.
    pub(super) score: Option<f64>,
}

/// A game lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Mishap {
    pub(super) game: u64,
    pub(super) engine: String,
    pub(super) opponent: String,
    pub(super) reason: String,
    pub(super) detail: String,
}

impl Summary {
    pub(super) fn new(evidence: &Evidence, standings: &Standings) -> Self {
        let ranking = standings.ranking();
        let order: Vec<usize> = ranking.iter().map(|&(engine, _)| engine).collect();
        let mut variants: Vec<String> = Vec::new();
        let (mut reasons, mut first_mover) = (BTreeMap::new(), [0; 3]);
        for record in &evidence.records {
            if !variants.contains(&record.game) {
                variants.push(record.game.clone());
            }
            *reasons.entry(record.reason.to_string()).or_default() += 1;
            first_mover[first_movers_result(record)] += 1;
        }
        let mut failures: Vec<Mishap> = evidence.records.iter().filter_map(mishap).collect();
        failures.sort_by_key(|mishap| mishap.game);
        let met = |&one: &usize, &other: &usize| standings.encounter(one, other).map(Met::of);
        Self {
            variants,
            games: standings.games,
            pairs: pairs(standings),
            engines: order
                .iter()
                .map(|&engine| Engine::new(engine, evidence, standings, &ranking))
                .collect(),
            crosstable: order
                .iter()
                .map(|one| order.iter().map(|other| met(one, other)).collect())
                .collect(),
            sprt: evidence
                .sprt
                .map(|sprt| Test::new(sprt, evidence, standings)),
            overhead_ms: standings.overhead().map(|(median, longest)| Overhead {
                median: median as f64 / 1e3,
                longest: longest as f64 / 1e3,
            }),
            first_mover,
            reasons,
            openings: openings(evidence),
            failures,
        }
    }
}

/// Every pair is one of two engines.
fn pairs(standings: &Standings) -> u64 {
    let counts = standings.rows.iter().flat_map(|row| row.results.pairs);
    counts.sum::<u64>() / 2
}

impl Engine {
    fn new(
        engine: usize,
        evidence: &Evidence,
        standings: &Standings,
        ranking: &[(usize, crate::arena::ratings::Rating)],
    ) -> Self {
        let row = &standings.rows[engine];
        let [lost, drawn, won] = row.results.games;
        let summary = row.results.counts().summary();
        let rating = ranking.iter().find(|(other, _)| *other == engine);
        let settings = evidence
            .settings
            .iter()
            .filter(|[name, _]| *name == row.name);
        Self {
            name: row.name.clone(),
            games: row.results.total(),
            won,
            drawn,
            lost,
            pairs: row.results.pairs,
            score: row.results.score(),
            draw_ratio: row.results.draw_ratio(),
            rating: rating.map_or(0.0, |(_, rating)| rating.elo),
            rating_error: rating.map_or(0.0, |(_, rating)| rating.error),
            anchor: standings.is_anchor(engine),
            elo: summary.elo,
            elo_error: summary.elo_error,
            nelo: summary.nelo,
            nelo_error: summary.nelo_error,
            los: summary.los,
            time_losses: row.time_losses,
            faults: row.faults,
            ms_per_move: row.millis_per_move(),
            depth: row.depth(),
            settings: settings.map(|[_, setting]| setting.clone()).collect(),
        }
    }
}

impl Met {
    fn of(tally: Tally) -> Self {
        let [lost, drawn, won] = tally.games;
        Self {
            games: tally.total(),
            won,
            drawn,
            lost,
            points: tally.points(),
            score: tally.score(),
        }
    }
}

impl Test {
    fn new(sprt: Sprt, evidence: &Evidence, standings: &Standings) -> Self {
        let (lower, upper) = sprt.bounds();
        Self {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: sprt.model,
            llr: sprt.llr(&standings.tested()),
            lower,
            upper,
            accepted: match standings.verdict(&sprt) {
                Verdict::H0 => Some("H0"),
                Verdict::H1 => Some("H1"),
                Verdict::Undecided => None,
            },
            curve: curve(&sprt, evidence),
        }
    }
}

/// How the ratio went, in as many points as an eye can tell apart.
fn curve(sprt: &Sprt, evidence: &Evidence) -> Vec<(u64, f64)> {
    const POINTS: u64 = 300;
    let mut standings = Standings::new(evidence.engines.iter().cloned());
    let step = (evidence.records.len() as u64 / 2).div_ceil(POINTS).max(1);
    let mut points = vec![(0, 0.0)];
    for record in &evidence.records {
        standings.add(record);
        let counts = standings.tested();
        let pairs = counts.total();
        if pairs.is_multiple_of(step) && points.last().is_none_or(|&(last, _)| last < pairs) {
            points.push((pairs, sprt.llr(&counts)));
        }
    }
    let counts = standings.tested();
    if points.last().is_none_or(|&(last, _)| last < counts.total()) {
        points.push((counts.total(), sprt.llr(&counts)));
    }
    points
}

/// Who has made the first move after the opening, if anybody has.
fn first_mover(record: &GameRecord) -> &str {
    record.moves.first().map_or("", |mv| mv.side.as_str())
}

/// 0 for won, 1 for drawn, 2 for lost.
fn first_movers_result(record: &GameRecord) -> usize {
    match record.winner.as_deref() {
        None => 1,
        Some(winner) if winner == first_mover(record) => 0,
        Some(_) => 2,
    }
}

/// An opening as one text.
pub(super) fn opening_text(record: &GameRecord) -> String {
    let mut words: Vec<&str> = record.opening.position.iter().map(String::as_str).collect();
    words.extend(record.opening.moves.iter().map(String::as_str));
    match words.is_empty() {
        true => "the start".to_string(),
        false => words.join(" "),
    }
}

/// In the order in which they were first played.
fn openings(evidence: &Evidence) -> Vec<Opening> {
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut openings: Vec<Opening> = Vec::new();
    let mut points: Vec<f64> = Vec::new();
    let hero = evidence
        .engines
        .first()
        .filter(|_| evidence.engines.len() == 2);
    for record in &evidence.records {
        let key = (record.game.clone(), opening_text(record));
        let place = *places.entry(key).or_insert_with_key(|(game, moves)| {
            openings.push(Opening {
                game: game.clone(),
                moves: moves.clone(),
                games: 0,
                first_mover: [0; 3],
                score: None,
            });
            points.push(0.0);
            openings.len() - 1
        });
        openings[place].games += 1;
        openings[place].first_mover[first_movers_result(record)] += 1;
        points[place] += match winner(record) {
            None => 0.5,
            Some(name) if Some(name) == hero => 1.0,
            Some(_) => 0.0,
        };
    }
    if hero.is_some() {
        for (opening, points) in openings.iter_mut().zip(points) {
            opening.score = Some(points / opening.games as f64);
        }
    }
    openings
}

/// The name of who has won.
fn winner(record: &GameRecord) -> Option<&String> {
    match record.winner.as_deref() {
        None => None,
        Some("black") => Some(&record.black),
        Some(_) => Some(&record.white),
    }
}

fn mishap(record: &GameRecord) -> Option<Mishap> {
    let winner = winner(record).filter(|_| record.reason.is_fault())?;
    let loser = match winner == &record.black {
        true => &record.white,
        false => &record.black,
    };
    Some(Mishap {
        game: record.id,
        engine: loser.clone(),
        opponent: winner.clone(),
        reason: record.reason.to_string(),
        detail: record.detail.clone().unwrap_or_default(),
    })
}
