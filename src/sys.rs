//! The few things only Unix can do, each with a plain fallback.

use std::time::Duration;

/// Calls `hung_up`, once and in a thread of its own, as soon as nobody can
/// read our standard output any more. A file never hangs up; pipes, sockets
/// and terminals do. Elsewhere than on Unix only a failed write tells.
#[cfg(unix)]
pub fn watch_output(hung_up: impl FnOnce() + Send + 'static) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let watch = move || {
        let output = std::io::stdout();
        // No event is asked for: an error or a hang-up is reported unasked.
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        loop {
            match poll(&mut watched, None) {
                Err(Errno::INTR) => {}
                Err(_) => return,
                Ok(_) => {
                    let events = watched[0].revents();
                    if events.intersects(PollFlags::ERR | PollFlags::HUP) {
                        return hung_up();
                    }
                    if events.contains(PollFlags::NVAL) {
                        return;
                    }
                }
            }
        }
    };
    // Without the thread a vanished reader is noticed at the next write.
    let spawned = std::thread::Builder::new()
        .name("output watch".to_string())
        .stack_size(64 << 10)
        .spawn(watch);
    if let Err(error) = spawned {
        log::warn!("no watch on the output: {error}");
    }
}

/// Calls `hung_up`, once and in a thread of its own, as soon as nobody can
/// read our standard output any more. Not possible here: a failed write has
/// to tell.
#[cfg(not(unix))]
pub fn watch_output(hung_up: impl FnOnce() + Send + 'static) {
    drop(hung_up);
}

/// Processor time of all threads of this process, or none where the system
/// does not say.
#[cfg(unix)]
pub fn cpu_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanos = u32::try_from(time.tv_nsec).ok()?;
    Some(Duration::new(seconds, nanos))
}

/// Processor time of all threads of this process, or none where the system
/// does not say.
#[cfg(not(unix))]
pub fn cpu_time() -> Option<Duration> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn processor_time_grows_with_work() {
        let before = cpu_time().expect("Unix has it");
        let start = std::time::Instant::now();
        let mut sum = 0_u64;
        while start.elapsed() < Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(cpu_time().expect("Unix has it") > before);
    }
}
