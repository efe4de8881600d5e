//! The search as its callers see it, on every game alike.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quadrille::games::VARIANTS;
use quadrille::search::clock::{Clock, Overtime};
use quadrille::search::score::Value;
use quadrille::search::{Limits, Settings};
use quadrille::session::{Info, Session, Unwatched, Watcher};

/// A session of every variant.
fn sessions(threads: usize) -> impl Iterator<Item = Box<dyn Session>> {
    VARIANTS.iter().map(move |variant| {
        let settings = Settings {
            threads,
            hash: 16,
            ..Settings::default()
        };
        variant.open(&settings).unwrap()
    })
}

fn to_depth(depth: i32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// Plays the `index`-th legal move of each entry.
fn play(session: &mut dyn Session, choices: &[usize]) {
    for &choice in choices {
        let moves = session.legal_moves();
        if moves.is_empty() {
            return;
        }
        let side = session.side_to_move();
        session.play(side, &moves[choice % moves.len()]).unwrap();
    }
}

/// Collects the reports, and stops after so many.
struct Collector {
    infos: Mutex<Vec<Info>>,
    stop_after: usize,
    asked: AtomicUsize,
}

impl Collector {
    fn new(stop_after: usize) -> Self {
        Self {
            infos: Mutex::new(Vec::new()),
            stop_after,
            asked: AtomicUsize::new(0),
        }
    }

    fn infos(&self) -> Vec<Info> {
        self.infos.lock().unwrap().clone()
    }
}

impl Watcher for Collector {
    fn progress(&self, info: &Info) {
        self.infos.lock().unwrap().push(info.clone());
    }

    fn stop(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.infos.lock().unwrap().len() >= self.stop_after
    }
}

/// Without the time, which is never the same.
fn traces(session: &mut dyn Session, limits: &Limits) -> Vec<String> {
    let collector = Collector::new(usize::MAX);
    session.think(limits, &collector);
    collector
        .infos()
        .iter()
        .map(|info| {
            let quiet = Info {
                time: Duration::ZERO,
                ..info.clone()
            };
            quiet
                .to_string()
                .replace(&format!(" nps {} ", quiet.nps()), " ")
        })
        .collect()
}

#[test]
fn one_thread_is_deterministic_after_a_reset() {
    for mut session in sessions(1) {
        let first = traces(session.as_mut(), &to_depth(6));
        play(session.as_mut(), &[3, 1, 4, 1, 5, 9, 2, 6]);
        session.think(&to_depth(5), &Unwatched);
        session.reset();
        assert_eq!(traces(session.as_mut(), &to_depth(6)), first);
    }
}

#[test]
fn a_node_limit_is_kept_to_the_node_and_deterministic() {
    for mut session in sessions(1) {
        for nodes in [1, 1_000, 20_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            session.reset();
            let first = session.think(&limits, &Unwatched);
            session.reset();
            let again = session.think(&limits, &Unwatched);
            assert_eq!(first.best, again.best);
            let used = first.info.unwrap().nodes;
            // The first iteration is always finished, and a solver of a few
            // last squares is not interrupted.
            assert!(used <= nodes.max(200) + 64, "{used} of {nodes}");
        }
    }
}

#[test]
fn depths_come_in_order_and_every_line_is_legal() {
    for threads in [1, 2] {
        for mut session in sessions(threads) {
            for choices in [
                &[][..],
                &[2, 3, 1, 0, 5],
                &[1, 1, 2, 2, 3, 3, 4, 4, 0, 7, 8, 9],
            ] {
                session.reset();
                play(session.as_mut(), choices);
                let collector = Collector::new(usize::MAX);
                session.think(&to_depth(6), &collector);
                let infos = collector.infos();
                let depths: Vec<i32> = infos.iter().map(|info| info.depth).collect();
                assert_eq!(depths, (1..=infos.len() as i32).collect::<Vec<_>>());
                for info in &infos {
                    let before = session.undo_depth();
                    for mv in &info.pv {
                        session.play(session.side_to_move(), mv).unwrap();
                    }
                    assert!(!info.pv.is_empty(), "{info}");
                    for _ in before..session.undo_depth() {
                        session.undo();
                    }
                }
                assert!(infos.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes));
            }
        }
    }
}

#[test]
fn several_candidates_are_ranked_and_different() {
    for mut session in sessions(2) {
        let limits = Limits {
            depth: Some(4),
            candidates: 3,
            ..Limits::default()
        };
        let collector = Collector::new(usize::MAX);
        session.think(&limits, &collector);
        let infos = collector.infos();
        let last: Vec<&Info> = infos.iter().filter(|info| info.depth == 4).collect();
        assert_eq!(
            last.iter().map(|info| info.rank).collect::<Vec<_>>(),
            [1, 2, 3]
        );
        let mut moves: Vec<&String> = last.iter().map(|info| &info.pv[0]).collect();
        moves.dedup();
        assert_eq!(moves.len(), 3);
        assert!(
            last[0]
                .to_string()
                .starts_with("info depth 4 multipv 1 score ")
        );
        let scores: Vec<i32> = last
            .iter()
            .map(|info| match info.value {
                Value::Eval(score) => score,
                other => panic!("{other:?} at the start"),
            })
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
}

/// The best of several candidates is what a search for one finds.
#[test]
fn candidates_do_not_change_the_best_score() {
    for mut session in sessions(1) {
        let one = session.think(&to_depth(3), &Unwatched).info.unwrap();
        session.reset();
        let limits = Limits {
            depth: Some(3),
            candidates: 1_000,
            ..Limits::default()
        };
        let collector = Collector::new(usize::MAX);
        session.think(&limits, &collector);
        let ranked = collector
            .infos()
            .iter()
            .filter(|info| info.depth == 3)
            .count();
        assert_eq!(ranked, session.legal_moves().len());
        let best = collector
            .infos()
            .into_iter()
            .find(|info| info.depth == 3)
            .unwrap();
        // Reductions see the moves in another order, so only roughly.
        if session.variant().discs {
            assert_eq!(best.value, one.value);
        }
    }
}

#[test]
fn a_watcher_stops_an_endless_search() {
    for threads in [1, 2] {
        for mut session in sessions(threads) {
            let collector = Collector::new(3);
            let thought = session.think(&Limits::default(), &collector);
            assert!(session.legal_moves().contains(&thought.best));
            assert!(thought.info.unwrap().depth >= 3);
            assert!(collector.asked.load(Ordering::Relaxed) > 0);
        }
    }
}

#[test]
fn limits_combine_and_the_first_one_counts() {
    for mut session in sessions(1) {
        let slow = Limits {
            depth: Some(2),
            time: Some(Duration::from_secs(100)),
            nodes: Some(u64::MAX),
            ..Limits::default()
        };
        assert_eq!(session.think(&slow, &Unwatched).info.unwrap().depth, 2);
        let few = Limits {
            nodes: Some(3_000),
            time: Some(Duration::from_secs(100)),
            ..Limits::default()
        };
        assert!(session.think(&few, &Unwatched).info.unwrap().nodes < 4_000);
        let short = Limits {
            depth: Some(90),
            time: Some(Duration::from_millis(20)),
            ..Limits::default()
        };
        let begin = Instant::now();
        session.think(&short, &Unwatched);
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_forced_move_is_played_at_once() {
    let settings = Settings {
        hash: 1,
        ..Settings::default()
    };
    let mut session = quadrille::games::find("othello6")
        .unwrap()
        .open(&settings)
        .unwrap();
    // A position with a single move, far from the end.
    let mut choice = 0;
    while session.legal_moves().len() != 1 {
        session.reset();
        choice += 1;
        play(
            session.as_mut(),
            &[
                choice,
                choice / 2,
                choice / 3,
                choice / 5,
                choice / 7,
                choice / 11,
            ],
        );
    }
    let limits = Limits {
        time: Some(Duration::from_secs(60)),
        play_forced: true,
        ..Limits::default()
    };
    let thought = session.think(&limits, &Unwatched);
    assert_eq!(thought.info.unwrap().depth, 1);
}

/// Neither seed nor threads nor table size makes anything but legal moves.
#[test]
fn settings_can_change_at_any_time() {
    for mut session in sessions(1) {
        for (threads, hash, seed) in [(2, 1, 5), (1, 0, 0), (3, 2, 9), (2, 2, 9)] {
            let settings = Settings {
                threads,
                hash,
                seed,
                ..Settings::default()
            };
            session.configure(&settings).unwrap();
            let thought = session.think(&to_depth(5), &Unwatched);
            assert!(session.legal_moves().contains(&thought.best));
        }
        let impossible = Settings {
            hash: usize::MAX >> 1,
            ..Settings::default()
        };
        assert!(session.configure(&impossible).is_err());
        assert!(
            session
                .legal_moves()
                .contains(&session.think(&to_depth(3), &Unwatched).best)
        );
    }
}

#[test]
fn seeds_vary_the_first_move() {
    for variant in &VARIANTS {
        let mut moves: Vec<String> = (1..12)
            .map(|seed| {
                let settings = Settings {
                    hash: 1,
                    seed,
                    ..Settings::default()
                };
                let mut session = variant.open(&settings).unwrap();
                session.think(&to_depth(3), &Unwatched).best
            })
            .collect();
        moves.sort_unstable();
        moves.dedup();
        assert!(moves.len() > 1, "{}: {moves:?}", variant.info.name);
    }
}

/// An end far away is looked at once by a selective search before the exact
/// one, and twice if there may be no time for that; a near one not at all.
#[test]
fn the_exact_search_comes_after_selective_ones() {
    let limited = Limits {
        nodes: Some(u64::MAX),
        ..Limits::default()
    };
    for (left, without_limit, with_limit) in [(24, 2, 3), (18, 1, 3), (16, 1, 1)] {
        for (limits, expected) in [
            (Limits::default(), without_limit),
            (limited.clone(), with_limit),
        ] {
            let mut session = sessions(1)
                .find(|session| session.variant().name == "othello6")
                .unwrap();
            play(&mut *session, &[1; 32][..32 - left]);
            let collector = Collector::new(usize::MAX);
            session.think(&limits, &collector);
            let exact: Vec<bool> = collector
                .infos()
                .iter()
                .filter(|info| info.depth == left as i32)
                .map(|info| info.exact)
                .collect();
            assert_eq!(exact.len(), expected, "{left} {limits:?}");
            assert!(exact.ends_with(&[true]), "{left}: {exact:?}");
            assert_eq!(exact.iter().filter(|&&exact| exact).count(), 1, "{left}");
        }
    }
}

/// Where the end is in sight but may be too far away to be searched whole.
#[test]
fn who_wins_is_known_before_by_how_much() {
    let limits = Limits {
        nodes: Some(u64::MAX),
        ..Limits::default()
    };
    let sign = |value: Value| match value {
        Value::Eval(units) | Value::Margin(units) => units.signum(),
        other => panic!("{other}"),
    };
    let mut seen = [0; 3];
    for choice in 0..24 {
        let mut session = sessions(1)
            .find(|session| session.variant().name == "othello8")
            .unwrap();
        let choices: Vec<usize> = (0..42).map(|ply| choice * (ply + 3) % 7).collect();
        play(&mut *session, &choices);
        let collector = Collector::new(usize::MAX);
        let thought = session.think(&limits, &collector);
        let result = sign(thought.info.unwrap().value);
        seen[(result + 1) as usize] += 1;
        let infos = collector.infos();
        let deepest = infos.last().unwrap().depth;
        let last: Vec<&Info> = infos.iter().filter(|info| info.depth == deepest).collect();
        let [.., winner, proof] = last[..] else {
            panic!("{choice}: {last:?}");
        };
        assert!(proof.exact && !winner.exact, "{choice}: {last:?}");
        if result < 0 {
            // No move to tell of.
            continue;
        }
        assert_eq!(sign(winner.value), result, "{choice}: {last:?}");
        let side = session.side_to_move();
        session.play(side, &winner.pv[0]).unwrap();
        let answered = session.think(&limits, &Unwatched).info.unwrap().value;
        let left = if session.side_to_move() == side {
            sign(answered)
        } else {
            -sign(answered)
        };
        assert_eq!(left, result, "{choice}: {}", winner.pv[0]);
    }
    assert!(seen[0] > 0 && seen[2] > 5, "{seen:?}");
}

#[test]
fn budgets_stay_inside_the_clock() {
    let ms = Duration::from_millis;
    for main in [0, 1, 5, 10, 50, 100, 1_000, 10_000, 3_600_000] {
        for increment in [0, 10, 1_000] {
            for overtime in [None, Some((100, 1)), Some((5_000, 10)), Some((0, 1))] {
                for moves_to_go in [0, 1, 2, 15, 60] {
                    let clock = Clock {
                        main: ms(main),
                        increment: ms(increment),
                        overtime: overtime.map(|(time, moves)| Overtime {
                            time: ms(time),
                            moves,
                        }),
                    };
                    let budget = clock.budget(moves_to_go, ms(5));
                    let share = overtime.map_or(0, |(time, moves)| time / moves as u64);
                    let available = ms(main + share);
                    let least = ms(1);
                    assert!(budget.soft <= budget.hard, "{clock:?}");
                    assert!(budget.hard <= budget.decisive, "{clock:?}");
                    assert!(
                        budget.decisive <= available.saturating_sub(ms(5)).max(least),
                        "{clock:?} {moves_to_go}: {budget:?}"
                    );
                    // Without a period the whole clock is never spent on one move.
                    if overtime.is_none() && main >= 50 {
                        let most = ms(main / 2) + ms(increment) / 2;
                        assert!(budget.decisive <= most, "{clock:?}");
                    }
                    // A long clock is used, not hoarded.
                    if main >= 1_000 && moves_to_go > 0 {
                        assert!(
                            budget.hard >= ms(main) / moves_to_go.max(3) * 9 / 10,
                            "{clock:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Gobblet may go on for a hundred moves a side. The clock must last although
/// every move loses some time on its way.
#[test]
fn a_clock_outlasts_a_long_game() {
    let lost = Duration::from_micros(500);
    let mut clock = Clock {
        main: Duration::from_secs(1),
        ..Clock::default()
    };
    for mv in 0..100 {
        let budget = clock.budget(20, Duration::from_millis(5));
        let used = budget.soft + lost;
        assert!(used < clock.main, "move {mv}: {used:?} of {clock:?}");
        clock.main -= used;
    }
}
