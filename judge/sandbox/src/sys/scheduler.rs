//! Which cores threads run on, and how soon after they wake.
#![allow(unsafe_code)]

use std::io;

use libc::c_ulong;

use super::{check, check_long};

/// Keeps the calling thread (and the threads and processes it will start) on one core.
///
/// # Errors
///
/// That of the system when there is no such core, or it is not allowed.
pub fn pin(core: usize) -> io::Result<()> {
    // SAFETY: all zeroes is an empty set; `CPU_SET` checks the bound.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if core >= libc::CPU_SETSIZE as usize {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        libc::CPU_SET(core, &mut set);
        set
    };
    // SAFETY: `set` lives through the call and its size is given.
    check(unsafe { libc::sched_setaffinity(0, size_of_val(&set), &set) })?;
    Ok(())
}

/// Lets the calling thread run wherever the process may: undoes what it inherited from a thread
/// that is pinned.
pub fn unpin() -> io::Result<()> {
    let set = process_cores()?;
    // SAFETY: `set` lives through the call and its size is given.
    check(unsafe { libc::sched_setaffinity(0, size_of_val(&set), &set) })?;
    Ok(())
}

/// Asks the scheduler that the calling thread runs soon after it wakes, even where other programs
/// keep all cores busy: for the shortest slices there are, from Linux 6.12 on. What it starts does
/// not inherit that. Before, and where it is refused, the thread waits for its turn.
pub fn wake_promptly() {
    const SHORTEST_NS: u64 = 100_000;
    let Ok(mut attributes) = scheduling() else {
        return;
    };
    if attributes.sched_policy == libc::SCHED_OTHER as u32 {
        attributes.sched_runtime = SHORTEST_NS;
        attributes.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
        // SAFETY: the kernel reads the structure, which says its own size.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    }
}

/// How the calling thread is scheduled.
fn scheduling() -> io::Result<libc::sched_attr> {
    // SAFETY: all zeroes is a value; it is writable and of the size given.
    unsafe {
        let mut attributes: libc::sched_attr = std::mem::zeroed();
        let size = size_of_val(&attributes) as c_ulong;
        let call = libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0);
        check_long(call)?;
        Ok(attributes)
    }
}

/// The cores that this process may run on: those of its first thread.
fn process_cores() -> io::Result<libc::cpu_set_t> {
    // SAFETY: all zeroes is an empty set, which is writable and of the size given.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let size = size_of_val(&set);
        check(libc::sched_getaffinity(libc::getpid(), size, &mut set))?;
        Ok(set)
    }
}

/// The cores that this process may run on, whatever the calling thread is pinned to.
pub fn allowed_cores() -> Vec<usize> {
    let Ok(set) = process_cores() else {
        return vec![0];
    };
    // SAFETY: every index is below CPU_SETSIZE.
    (0..libc::CPU_SETSIZE as usize)
        .filter(|&i| unsafe { libc::CPU_ISSET(i, &set) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::kernel_version;
    use super::*;

    #[test]
    fn what_a_prompt_thread_starts_is_not_prompt() {
        if kernel_version() < (6, 12) {
            eprintln!("skipped: all threads of this kernel have the same slices");
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
    fn a_pinned_thread_still_knows_the_cores_of_the_process() {
        let all = allowed_cores();
        let core = *all.last().unwrap();
        let pinned = std::thread::spawn(move || {
            pin(core).unwrap();
            let seen = allowed_cores();
            unpin().unwrap();
            seen
        });
        assert_eq!(pinned.join().unwrap(), all);
        assert!(pin(libc::CPU_SETSIZE as usize).is_err());
    }
}
