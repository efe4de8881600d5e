//! The few things only Unix can do, each with a plain fallback.

use std::process::Command;
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

/// Asks for large pages under `memory`, which is to be read here and there:
/// with small ones nearly every access would miss the processor's list of
/// pages too. Elsewhere than on Linux nothing happens.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn use_large_pages<T>(memory: &mut [T]) {
    use rustix::mm::{Advice, madvise};

    const PAGE: usize = 4096;
    let range = memory.as_mut_ptr_range();
    let start = (range.start as usize).next_multiple_of(PAGE);
    let end = range.end as usize / PAGE * PAGE;
    let Some(length) = end.checked_sub(start).filter(|&length| length > 0) else {
        return;
    };
    let start = range.start.wrapping_byte_add(start - range.start as usize);
    // SAFETY: the whole pages lie within memory that is ours for the time of
    // the call, and this advice leaves their contents as they are.
    let advised = unsafe { madvise(start.cast(), length, Advice::LinuxHugepage) };
    if let Err(error) = advised {
        log::debug!("no large pages: {error}");
    }
}

/// Asks the processor to have `item` at hand soon.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
pub fn prefetch<T>(item: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

    // SAFETY: a prefetch reads nothing, and never faults.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
}

/// Asks the processor to have `item` at hand soon. Not possible here.
#[cfg(not(target_arch = "x86_64"))]
pub fn prefetch<T>(item: &T) {
    let _ = item;
}

/// Asks for large pages under `memory`. Not possible here.
#[cfg(not(target_os = "linux"))]
pub fn use_large_pages<T>(memory: &mut [T]) {
    let _ = memory;
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

/// Makes a command start its process in a group of its own, which no signal
/// of our terminal reaches and [`kill_group`] ends as a whole.
#[cfg(unix)]
pub fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Makes a command start its process in a group of its own. Elsewhere than on
/// Unix it stays as it is.
#[cfg(not(unix))]
pub fn own_group(_command: &mut Command) {}

/// Kills the group of a process started under [`own_group`]: itself and all
/// that it has started.
#[cfg(unix)]
pub fn kill_group(process: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};

    if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // An error says that nobody is left in the group.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Kills the group of a process. Elsewhere than on Unix there are none.
#[cfg(not(unix))]
pub fn kill_group(_process: u32) {}

/// Whether an error says that the system has no more processes or files to
/// give.
#[cfg(unix)]
pub fn is_shortage(error: &std::io::Error) -> bool {
    use rustix::io::Errno;

    let shortages = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| shortages.contains(&errno))
}

/// Whether an error says that the system has no more processes or files to
/// give. Not told here.
#[cfg(not(unix))]
pub fn is_shortage(_error: &std::io::Error) -> bool {
    false
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
