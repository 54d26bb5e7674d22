//! Process 1 of the box: reaps all processes, kills the processes that a program leaves running,
//! and dies with the judge.
#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use libc::{c_int, pid_t};

use crate::linux::protocol::layout::END_SIGNAL;
use crate::linux::protocol::{Isolation, RunResult};
use crate::linux::sys;
use crate::linux::sys::process::descendants;

/// The program's main process, for the signal handler; 0 if none runs.
pub static MAIN_PID: AtomicI32 = AtomicI32::new(0);
static HAS_PID_NAMESPACE: AtomicBool = AtomicBool::new(false);

/// Kills and reaps all descendants of this process.
///
/// An orphan becomes a child of this process before its parent can be reaped, so without children
/// there are no descendants.
pub fn kill_rest(isolation: Isolation, ended: &mut RunResult) -> io::Result<()> {
    loop {
        match wait_any(libc::WNOHANG, ended) {
            Ok(None) => {
                if isolation == Isolation::Namespaces {
                    kill_namespace();
                } else {
                    kill_descendants();
                }
                match wait_any(0, ended) {
                    Err(e) if e.raw_os_error() != Some(libc::ECHILD) => return Err(e),
                    _ => {}
                }
            }
            Ok(Some(_)) => {}
            Err(e) if e.raw_os_error() == Some(libc::ECHILD) => return Ok(()),
            Err(e) => return Err(e),
        }
    }
}

/// Reaps every child until `main` has ended, so that orphans do not accumulate as zombies.
pub fn reap_until_end(main: pid_t, ended: &mut RunResult) -> io::Result<()> {
    loop {
        if let Some((pid, status)) = wait_any(0, ended)?
            && pid == main
        {
            ended.status = status;
            return Ok(());
        }
    }
}

/// Reaps any child and adds its resource usage to `ended`.
fn wait_any(flags: c_int, ended: &mut RunResult) -> io::Result<Option<(pid_t, c_int)>> {
    let mut status = 0;
    // SAFETY: all zeroes is a valid `rusage`; both pointers are writable.
    let (pid, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let wait = || {
            sys::check(libc::wait4(
                -1,
                &mut status,
                flags | libc::__WALL,
                &mut usage,
            ))
        };
        (sys::retry(wait)?, usage)
    };
    if pid == 0 {
        return Ok(None);
    }
    ended.cpu += timeval(usage.ru_utime) + timeval(usage.ru_stime);
    let kib = u64::try_from(usage.ru_maxrss).unwrap_or(0);
    ended.resident = ended.resident.max(kib * 1024);
    Ok(Some((pid, status)))
}

fn timeval(t: libc::timeval) -> Duration {
    Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
}

/// Kills every other process in the PID namespace in one atomic step, so that none can fork in
/// between.
fn kill_namespace() {
    debug_assert!(HAS_PID_NAMESPACE.load(Ordering::Relaxed));
    // SAFETY: no pointers. This is process 1 of a PID namespace; outside of one the call would hit
    // every process of the user, which the flag prevents.
    unsafe {
        if HAS_PID_NAMESPACE.load(Ordering::Relaxed) {
            libc::kill(-1, libc::SIGKILL);
        }
    }
}

/// Kills all descendants of this process.
fn kill_descendants() {
    for pid in descendants(std::process::id()) {
        sys::kill(pid as pid_t, libc::SIGKILL);
    }
}

/// Makes the box end if the judge is killed.
///
/// In a PID namespace the death of this process ends all others. Without one, this process stays
/// alive to kill the program and its descendants; then the end of the socket ends it.
pub fn die_with_judge(isolation: Isolation) -> io::Result<()> {
    handle(END_SIGNAL, end_program)?;
    let signal = if isolation == Isolation::Namespaces {
        HAS_PID_NAMESPACE.store(true, Ordering::Relaxed);
        libc::SIGKILL
    } else {
        sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0)?;
        END_SIGNAL
    };
    sys::prctl(libc::PR_SET_PDEATHSIG, signal as _, 0)?;
    Ok(())
}

fn handle(signal: c_int, handler: extern "C" fn(c_int)) -> io::Result<()> {
    // SAFETY: all fields of the action are zero except the handler, which makes only
    // async-signal-safe calls.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        sys::check(libc::sigaction(signal, &action, std::ptr::null_mut()))?;
    }
    Ok(())
}

pub extern "C" fn end_program(_: c_int) {
    let main = MAIN_PID.load(Ordering::Relaxed);
    // SAFETY: kill is async-signal-safe and takes no pointers; `errno` is restored.
    unsafe {
        let errno = *libc::__errno_location();
        if HAS_PID_NAMESPACE.load(Ordering::Relaxed) {
            libc::kill(-1, libc::SIGKILL);
        } else if main > 0 {
            libc::kill(-main, libc::SIGKILL);
            libc::kill(main, libc::SIGKILL);
        }
        *libc::__errno_location() = errno;
    }
}
