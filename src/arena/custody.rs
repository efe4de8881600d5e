//! What happens to engines when the arena ends before them.

use std::io::{BufRead, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::command::Failure;
use crate::sys;

/// The name of the command that the guard is run by.
pub const GUARD: &str = "arena-guard";

/// What the engines of a tournament have in common: whether anyone still
/// waits for them, and a guard. The guard is a process that outlives this one
/// if it is killed, and then kills the engines that are left.
pub struct Custody {
    stop: Arc<AtomicBool>,
    guard: Option<Mutex<ChildStdin>>,
}

impl Custody {
    /// Engines that are given up as soon as `stop` is set, with a guard.
    /// Without one if it cannot be had: then engines have to notice that
    /// their input has ended.
    pub fn new(stop: Arc<AtomicBool>) -> Self {
        let guard = start_guard()
            .inspect_err(|error| log::warn!("no guard over the engines: {error}"))
            .ok()
            .flatten();
        Self {
            stop,
            guard: guard.map(Mutex::new),
        }
    }

    /// Whether nobody waits for engines any more.
    pub fn is_over(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The process with that number, and its group, is in our custody.
    pub(super) fn take(&self, process: u32) {
        self.tell('+', process);
    }

    /// It is no longer: it has been killed.
    pub(super) fn release(&self, process: u32) {
        self.tell('-', process);
    }

    fn tell(&self, sign: char, process: u32) {
        let Some(guard) = &self.guard else { return };
        let mut guard = guard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(guard, "{sign}{process}") {
            log::debug!("the guard is gone: {error}");
        }
    }
}

/// None where there are no groups of processes to kill.
fn start_guard() -> std::io::Result<Option<ChildStdin>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg(GUARD)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // What interrupts us must not end it.
    sys::own_group(&mut command);
    Ok(command.spawn()?.stdin.take())
}

/// The guard: hears of engines on its input, and kills those that are left at
/// its end.
///
/// # Errors
/// Never.
pub fn guard(input: &mut dyn BufRead) -> Result<(), Failure> {
    let mut processes: Vec<u32> = Vec::new();
    for line in input.lines() {
        let Ok(line) = line else { break };
        if let Some(process) = line
            .strip_prefix('+')
            .and_then(|number| number.parse().ok())
        {
            processes.push(process);
        } else if let Some(Ok(gone)) = line.strip_prefix('-').map(str::parse::<u32>) {
            processes.retain(|&process| process != gone);
        }
    }
    for process in processes {
        sys::kill_group(process);
    }
    Ok(())
}
