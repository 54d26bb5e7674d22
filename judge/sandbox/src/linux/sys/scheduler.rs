//! Sets the cores that threads run on, and their wake-up latency.

use std::io;

use libc::c_ulong;
use rustix::process::getpid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::check_long;

/// Pins the calling thread, and the threads and processes that it will start, to one core. Fails if
/// there is no such core, or this process may not use it.
pub fn pin(core: usize) -> io::Result<()> {
    if core >= CpuSet::MAX_CPU {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut set = CpuSet::new();
    set.set(core);
    Ok(sched_setaffinity(None, &set)?)
}

/// Lets the calling thread run on all cores of the process, if it inherited a pinning.
pub fn unpin() -> io::Result<()> {
    Ok(sched_setaffinity(None, &process_cores()?)?)
}

/// Asks the scheduler to run the calling thread soon after it wakes, even if other programs keep
/// all cores busy, by requesting the shortest slices (Linux 6.12 and later). Threads and processes
/// that it starts do not inherit this. Best effort.
pub fn wake_promptly() {
    const MIN_SLICE_NS: u64 = 100_000;
    let Ok(mut attributes) = scheduling() else {
        return;
    };
    if attributes.sched_policy == libc::SCHED_OTHER as u32 {
        attributes.sched_runtime = MIN_SLICE_NS;
        attributes.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
        // SAFETY: the kernel reads the structure, which states its own size.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}

/// The scheduling attributes of the calling thread.
fn scheduling() -> io::Result<libc::sched_attr> {
    // SAFETY: all zeroes is valid and writable, and the size is given.
    unsafe {
        let mut attributes: libc::sched_attr = std::mem::zeroed();
        let size = size_of_val(&attributes) as c_ulong;
        let call = libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0);
        check_long(call)?;
        Ok(attributes)
    }
}

/// The cores that this process may run on: those of its main thread.
fn process_cores() -> io::Result<CpuSet> {
    Ok(sched_getaffinity(Some(getpid()))?)
}

/// The cores that this process may run on, even if the calling thread is pinned.
pub fn allowed_cores() -> Vec<usize> {
    let Ok(set) = process_cores() else {
        return vec![0];
    };
    (0..CpuSet::MAX_CPU).filter(|&i| set.is_set(i)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::kernel_version;
    use super::*;

    #[test]
    fn short_slices_are_not_inherited() {
        if kernel_version() < (6, 12) {
            eprintln!("skipped: this kernel gives all threads the same slices");
            return;
        }
        let slice = || scheduling().unwrap().sched_runtime;
        let slices = std::thread::spawn(move || {
            let before = slice();
            wake_promptly();
            (before, slice(), std::thread::spawn(slice).join().unwrap())
        });
        let (before, prompt, started) = slices.join().unwrap();
        assert!(prompt < before, "{prompt} ns instead of {before}");
        assert_eq!(started, before);
    }

    #[test]
    fn a_pinned_thread_sees_all_cores_of_the_process() {
        let all = allowed_cores();
        let core = *all.last().unwrap();
        let pinned = std::thread::spawn(move || {
            pin(core).unwrap();
            let seen = allowed_cores();
            unpin().unwrap();
            seen
        });
        assert_eq!(pinned.join().unwrap(), all);
        assert!(pin(CpuSet::MAX_CPU).is_err());
    }
}
