//! An engine as a child process: asked by command, never trusted. Whatever it
//! does, it costs no more than the time one is ready to wait, and no process
//! of it stays behind.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::answer::{Answer, Assembler, FIRST_ID, Match};
use super::custody::Custody;
use super::engine::Tongue;
use crate::sys;

/// Most bytes an engine may write for one command.
const MOST_OUTPUT: usize = 4 << 20;

/// Most answers that wait to be looked at.
const MOST_ANSWERS: usize = 64;

/// Most bytes of one process's standard error that go to its log.
const MOST_LOG: u64 = 16 << 20;

/// How often somebody who waits for an answer looks at other things.
const LOOK_AROUND: Duration = Duration::from_millis(20);

/// How long an engine may take to be gone when everything is to end.
const HASTE: Duration = Duration::from_millis(250);

/// How long an engine that has closed its output may take to be gone.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file, or a name to be found in `PATH`. Never split or read by a
    /// shell.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs, if not where we do. A file that is a relative path is
    /// one from there.
    pub dir: Option<PathBuf>,
}

impl Program {
    fn command(&self) -> Command {
        let Some(dir) = &self.dir else {
            return Command::new(&self.file);
        };
        let by_path = self.file.components().count() > 1;
        let there = std::path::absolute(dir).map(|dir| dir.join(&self.file));
        // A mere name is looked for in `PATH`.
        let mut command = match there {
            Ok(file) if by_path => Command::new(file),
            _ => Command::new(&self.file),
        };
        command.current_dir(dir);
        command
    }
}

/// What an engine did that is no answer.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Fault {
    /// It could not be started.
    #[error("cannot be started: {0}")]
    Start(String),
    /// It has ended unasked.
    #[error("it ended with {0}")]
    Crash(String),
    /// It runs and does not answer.
    #[error("no answer to `{command}` within {seconds:.1} s")]
    Hang {
        /// What it was asked.
        command: String,
        /// How long was waited.
        seconds: f64,
    },
    /// It runs and has closed its standard input or output.
    #[error("it closed its standard input or output and runs on")]
    Disconnect,
    /// It wrote more than any answer needs.
    #[error("more than {} MiB of output for one command", MOST_OUTPUT >> 20)]
    Flood,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Trouble {
    /// The engine is to blame, and cannot be asked again.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Nobody wants the answer any more.
    #[error("interrupted")]
    Interrupted,
    /// This machine has not enough of something; no engine is to blame.
    #[error("cannot start a process: {0}")]
    Machine(io::Error),
}

/// An answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The body of a success or the message of a failure.
    pub body: Result<String, String>,
    /// From sending the command to reading the end of the answer.
    pub time: Duration,
}

enum Event {
    Answer(Answer, Instant),
    Flood,
}

/// A running engine. Dropping it kills it with all its processes.
pub struct Player {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    /// Bytes written since the last command.
    output: Arc<AtomicUsize>,
    custody: Arc<Custody>,
    tongue: Tongue,
    next_id: u64,
    /// Whether the process has been waited for.
    reaped: bool,
}

impl Player {
    /// Starts a program. Its standard error goes to `log`, or nowhere.
    ///
    /// # Errors
    /// If it cannot be started, because of the program or of this machine.
    pub fn start(
        program: &Program,
        tongue: Tongue,
        log: Option<File>,
        custody: Arc<Custody>,
    ) -> Result<Self, Trouble> {
        let mut command = program.command();
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log.as_ref().map_or_else(Stdio::null, |_| Stdio::piped()));
        // Ctrl-C is meant for us: an engine that heard it would end in the
        // middle of a game.
        sys::own_group(&mut command);
        let child = spawn_patiently(&mut command).map_err(|error| {
            if is_shortage(&error) {
                Trouble::Machine(error)
            } else {
                Fault::Start(format!("{}: {error}", program.file.display())).into()
            }
        })?;
        let (sender, events) = sync_channel(MOST_ANSWERS);
        // From here on the child is killed whatever happens.
        let mut player = Self {
            child,
            stdin: None,
            events,
            output: Arc::default(),
            custody,
            tongue,
            next_id: FIRST_ID,
            reaped: false,
        };
        player.custody.take(player.child.id());
        player.stdin = player.child.stdin.take();
        if let Some(stdout) = player.child.stdout.take() {
            let output = Arc::clone(&player.output);
            spawn("engine output", move || {
                read_answers(stdout, tongue, &output, &sender)
            })?;
        }
        if let (Some(stderr), Some(log)) = (player.child.stderr.take(), log) {
            spawn("engine log", move || drain(stderr, log))?;
        }
        Ok(player)
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command and waits for its answer, no longer than `patience`.
    ///
    /// # Errors
    /// If there is none. The engine is of no more use after a fault.
    pub fn ask(&mut self, command: &str, patience: Duration) -> Result<Reply, Trouble> {
        let id = self.next_id;
        self.next_id += 1;
        self.output.store(0, Relaxed);
        let start = Instant::now();
        let moves = self.tongue == Tongue::Nboard && command == "go";
        self.send(&match self.tongue {
            Tongue::Gtp => format!("{id} {command}\n"),
            Tongue::Nboard if moves => format!("{command}\n"),
            Tongue::Nboard => format!("{command}\nping {id}\n"),
        })?;
        loop {
            if self.custody.is_over() {
                return Err(Trouble::Interrupted);
            }
            let left = patience.saturating_sub(start.elapsed());
            let found = match self.events.recv_timeout(left.min(LOOK_AROUND)) {
                Ok(event) => event,
                Err(RecvTimeoutError::Disconnected) => return Err(self.last_breath()),
                Err(RecvTimeoutError::Timeout) => match self.exit_status() {
                    // Somebody it started may hold its output open.
                    Some(status) => match self.events.recv_timeout(LOOK_AROUND) {
                        Ok(event) => event,
                        Err(_) => return Err(Fault::Crash(status).into()),
                    },
                    None if left.is_zero() => {
                        return Err(Fault::Hang {
                            command: command.to_string(),
                            seconds: patience.as_secs_f64(),
                        }
                        .into());
                    }
                    None => continue,
                },
            };
            let (answer, at) = match found {
                Event::Answer(answer, at) => (answer, at),
                Event::Flood => return Err(Fault::Flood.into()),
            };
            if let Match::Ours(body) = answer.matches(id)
                && (self.tongue == Tongue::Gtp || body.contains("===") == moves)
            {
                return Ok(Reply {
                    body: if answer.success { Ok(body) } else { Err(body) },
                    time: at.saturating_duration_since(start),
                });
            }
            log::debug!("a late answer is left aside: {answer:?}");
        }
    }

    /// Asks it to quit and gives it `grace` to do so, then kills it. Whether
    /// it went by itself.
    pub fn quit(mut self, grace: Duration) -> bool {
        let _ = self.send(&match self.tongue {
            Tongue::Gtp => format!("{} quit\n", self.next_id),
            Tongue::Nboard => "quit\n".to_string(),
        });
        // The end of its input is the other way to say so.
        self.stdin = None;
        self.is_gone_within(grace)
    }

    fn send(&mut self, line: &str) -> Result<(), Trouble> {
        let written = match &mut self.stdin {
            Some(stdin) => stdin
                .write_all(line.as_bytes())
                .and_then(|()| stdin.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|_| self.last_breath())
    }

    /// Tells a crash from a closed pipe.
    fn last_breath(&mut self) -> Trouble {
        let gone = self.is_gone_within(LAST_BREATH);
        if self.custody.is_over() {
            return Trouble::Interrupted;
        }
        match self.exit_status() {
            Some(status) if gone => Fault::Crash(status).into(),
            _ => Fault::Disconnect.into(),
        }
    }

    fn is_gone_within(&mut self, grace: Duration) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        while self.exit_status().is_none() {
            let patience = if self.custody.is_over() {
                HASTE.min(grace)
            } else {
                grace
            };
            if start.elapsed() >= patience {
                return false;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(LOOK_AROUND);
        }
        true
    }

    /// How the process has ended, if it has.
    fn exit_status(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(Some(status)) => {
                self.reaped = true;
                Some(status.to_string())
            }
            Ok(None) => None,
            Err(error) => Some(error.to_string()),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // What it has started goes too, also when it is gone itself.
        sys::kill_group(self.child.id());
        // Before its number may become another process's.
        self.custody.release(self.child.id());
        if !self.reaped {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Spawns; a file that somebody is still writing, such as an engine just
/// built, may take a moment.
fn spawn_patiently(command: &mut Command) -> io::Result<Child> {
    for _ in 0..25 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(LOOK_AROUND);
            }
            result => return result,
        }
    }
    command.spawn()
}

/// Whether a process could not be started for want of memory, processes or
/// file descriptors.
fn is_shortage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory || sys::is_shortage(error)
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Trouble> {
    thread::Builder::new()
        .name(name.to_string())
        .stack_size(256 << 10)
        .spawn(work)
        .map(drop)
        .map_err(Trouble::Machine)
}

/// Reads answers until the end, or until there are too many.
fn read_answers(
    mut stdout: impl Read,
    tongue: Tongue,
    output: &AtomicUsize,
    events: &SyncSender<Event>,
) {
    let mut assembler = Assembler::new(tongue);
    let mut buffer = [0; 16 << 10];
    loop {
        let bytes = match stdout.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => &buffer[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let now = Instant::now();
        let written = output.fetch_add(bytes.len(), Relaxed) + bytes.len();
        let mut fits = written.max(assembler.held()) <= MOST_OUTPUT;
        let mut wanted = true;
        assembler.take(
            bytes,
            &mut |answer| match events.try_send(Event::Answer(answer, now)) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => fits = false,
                Err(TrySendError::Disconnected(_)) => wanted = false,
            },
        );
        if !wanted {
            return;
        }
        if !fits {
            // Closing its output is what stops it from writing on.
            let _ = events.send(Event::Flood);
            return;
        }
    }
}

/// Empties the standard error of an engine, which would stand still when the
/// pipe is full, also when nobody can write the log any more.
fn drain(mut stderr: impl Read, mut log: File) {
    let _ = io::copy(&mut stderr.by_ref().take(MOST_LOG), &mut log);
    let _ = io::copy(&mut stderr, &mut io::sink());
}
