//! `quadrille tournament`: all games of a tournament, at several boards.

use std::collections::{HashMap, HashSet};
use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::TournamentArgs;
use super::custody::Custody;
use super::opening::rules_of;
use super::plan::{Archive, Plan};
use super::record::{GameRecord, Reason};
use super::referee::{Abort, Referee};
use super::report;
use super::schedule::Fixture;
use super::sprt::Verdict;
use super::standings::Standings;
use super::worker::{Finished, Room, Worker};
use crate::command::Failure;

/// Plays a tournament and prints how it goes.
///
/// # Errors
/// If it is described wrongly, an engine does not start at all, a record
/// cannot be written, or it is interrupted.
pub fn run(args: &TournamentArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let plan = Plan::new(args)?;
    let openings = plan.openings()?;
    let (mut archive, earlier) = match &args.out {
        Some(dir) => {
            let (archive, earlier) = Archive::open(dir, &plan, &args.given, args.resume)?;
            (Some(archive), earlier)
        }
        None => (None, Vec::new()),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = watch_for_interrupts(&stop)?;
    let names = plan.engines.iter().map(|spec| spec.name.clone());
    let mut standings = Standings::new(names);
    standings
        .anchor(&args.ratings.anchors)
        .map_err(|what| Failure::Usage(format!("--anchor: {what}")))?;
    let mut hall = Hall {
        plan: &plan,
        standings,
        total: plan.total(),
        bar: progress_bar(plan.total()),
        every: args.ratinginterval,
        score_every: args.scoreinterval,
        recover: args.recover,
        out,
    };
    hall.take_over(&earlier)?;
    let room = Room {
        plan: &plan,
        openings: Mutex::new(openings),
        done: earlier.iter().map(|record| record.id).collect(),
        next: AtomicU64::new(0),
        stop: Arc::clone(&stop),
        custody: Arc::new(Custody::new(stop)),
        patience: args.patience,
        pause: Duration::from_millis(args.wait),
        logs: archive.as_ref().map(Archive::logs),
    };
    if plan.shard.is_some() && plan.sprt.is_some() {
        log::warn!(
            "a share is played to its end; `quadrille merge` says what the test says of all"
        );
    }
    if hall.goes_on() {
        check_engines(&room)?;
        let boards = boards(args);
        play(&room, boards, &mut hall, archive.as_mut())?;
    }
    hall.finish()?;
    if let Some(dir) = &args.out {
        report::keep_summary(dir, &args.ratings.anchors)?;
    }
    if interrupted.load(Relaxed) {
        let how = if archive.is_some() {
            "; --resume goes on"
        } else {
            ""
        };
        return Err(Failure::Refused(format!("interrupted{how}")));
    }
    Ok(())
}

/// Makes Ctrl-C and its like set `stop`, and tell so in what is returned.
fn watch_for_interrupts(stop: &Arc<AtomicBool>) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let (told, stop) = (Arc::clone(&interrupted), Arc::clone(stop));
    let handler = move || {
        told.store(true, Relaxed);
        stop.store(true, Relaxed);
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Refused(error.to_string()))?;
    Ok(interrupted)
}

fn progress_bar(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed}<{eta}\n{msg}");
    let bar = ProgressBar::new(games);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Games at a time: no more than processors, unless the user insists.
fn boards(args: &TournamentArgs) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    if args.concurrency > cores && !args.force_concurrency {
        log::warn!(
            "there are {cores} processors: so many games at a time, not {} (--force-concurrency \
             insists)",
            args.concurrency
        );
        return cores;
    }
    args.concurrency
}

/// Starts every engine once, so that a wrong name is told before the first
/// game and not as a thousand lost ones.
fn check_engines(room: &Room<'_>) -> Result<(), Failure> {
    for (index, spec) in room.plan.engines.iter().enumerate() {
        match room.start(index, 0) {
            Ok(engine) => drop(engine.quit()),
            Err(_) if room.stop.load(Relaxed) => return Ok(()),
            Err(failure) => return Err(Failure::Refused(format!("{}: {failure}", spec.name))),
        }
    }
    Ok(())
}

fn play(
    room: &Room<'_>,
    boards: usize,
    hall: &mut Hall<'_>,
    archive: Option<&mut Archive>,
) -> Result<(), Failure> {
    let mut workers = Vec::new();
    for number in 0..boards {
        workers.push(Worker {
            room,
            number,
            referee: Referee {
                session: rules_of(room.plan.game).map_err(Failure::Refused)?,
                max_plies: room.plan.max_plies,
                adjudication: room.plan.adjudication,
            },
            engines: HashMap::new(),
        });
    }
    thread::scope(|scope| {
        let (sender, results) = channel();
        for worker in workers {
            let sender = sender.clone();
            scope.spawn(move || worker.run(&sender));
        }
        drop(sender);
        let end = hall.collect(&results, archive);
        // Games that still go on are for nobody.
        room.stop.store(true, Relaxed);
        end
    })
}

/// Where results are written down and told.
struct Hall<'a> {
    plan: &'a Plan,
    standings: Standings,
    /// Games that are played here.
    total: u64,
    bar: ProgressBar,
    every: u64,
    score_every: u64,
    recover: bool,
    out: &'a mut dyn Write,
}

impl Hall<'_> {
    /// Counts the games of an interrupted tournament.
    fn take_over(&mut self, earlier: &[GameRecord]) -> Result<(), Failure> {
        let mut known = HashSet::new();
        for record in earlier {
            let fixture = self.plan.schedule.get(record.id);
            let fits = fixture.is_some_and(|fixture| {
                let [one, other] = fixture.pairing.map(|index| &self.plan.engines[index].name);
                let (black, white) = (&record.black, &record.white);
                (one == black && other == white) || (one == white && other == black)
            });
            let ours = |fixture: &Fixture| fits && self.plan.holds(fixture);
            if !fixture.is_some_and(|fixture| ours(&fixture)) || !known.insert(record.id) {
                return Err(Failure::Refused(format!(
                    "game {} of the records is not one of this tournament",
                    record.id
                )));
            }
            self.standings.add(record);
        }
        if !earlier.is_empty() {
            self.say(&format!("{} games are there already", earlier.len()))?;
            self.bar.inc(earlier.len() as u64);
            self.bar.reset_eta();
        }
        Ok(())
    }

    /// Whether there is a reason to play.
    fn goes_on(&self) -> bool {
        self.standings.games < self.total && !self.is_decided()
    }

    /// Whether the sequential test has ended. A share alone decides nothing.
    fn is_decided(&self) -> bool {
        let sprt = self.plan.sprt.filter(|_| self.plan.shard.is_none());
        sprt.is_some_and(|sprt| self.standings.verdict(&sprt) != Verdict::Undecided)
    }

    /// Takes in results until no more come or are needed.
    fn collect(
        &mut self,
        results: &Receiver<Finished>,
        mut archive: Option<&mut Archive>,
    ) -> Result<(), Failure> {
        for (fixture, game) in results {
            let record = match game {
                Ok(record) => record,
                Err(Abort::Interrupted) => continue,
                Err(Abort::Machine(what)) => return Err(Failure::Refused(what)),
            };
            if let Some(archive) = &mut archive {
                let added = archive.records.add(&record);
                added.map_err(|error| {
                    Failure::Refused(format!("a game could not be recorded: {error}"))
                })?;
            }
            self.standings.add(&record);
            self.tell(&fixture, &record)?;
            // After the last game of all the boards close by themselves, and
            // the engines have time to quit.
            if self.is_decided() {
                return Ok(());
            }
            if record.reason.is_fault() && !self.recover {
                return Err(Failure::Refused(format!(
                    "an engine failed in game {}, and --recover is off",
                    fixture.id
                )));
            }
        }
        Ok(())
    }

    fn tell(&mut self, fixture: &Fixture, record: &GameRecord) -> Result<(), Failure> {
        let mut line = format!(
            "game {} {} (black) - {} (white): {}, {}",
            fixture.id,
            record.black,
            record.white,
            record.result(),
            record.reason,
        );
        let telling = record.reason.is_fault() || record.reason == Reason::Adjudicated;
        if let Some(detail) = record.detail.as_ref().filter(|_| telling) {
            line += &format!(": {detail}");
        }
        if self.standings.games.is_multiple_of(self.score_every) {
            line += &format!(" | {}", self.standings.headline());
        }
        self.say(&line)?;
        self.bar.inc(1);
        let report = || self.standings.report(self.plan.sprt.as_ref());
        if !self.bar.is_hidden() {
            self.bar.set_message(report().trim_end().to_string());
        } else if self.standings.games.is_multiple_of(self.every) && self.goes_on() {
            self.say(report().trim_end())?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let report = self.standings.full_report(self.plan.sprt.as_ref());
        self.say(report.trim_end())
    }

    /// Prints lines, above the progress bar if there is one.
    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let out = &mut self.out;
        self.bar.suspend(|| {
            writeln!(out, "{text}")?;
            out.flush()
        })?;
        Ok(())
    }
}
