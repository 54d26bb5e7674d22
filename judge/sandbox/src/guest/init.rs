//! The zygote as the parent of all: waits for everything, ends everything, dies with the judge.
#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use libc::{c_int, pid_t};

use crate::protocol::layout::END_SIGNAL;
use crate::protocol::{Isolation, RunResult};
use crate::sys;
use crate::sys::process::children;

/// The program's main process, for the signal handler; 0: none runs.
pub static MAIN_PID: AtomicI32 = AtomicI32::new(0);
static HAS_PID_NAMESPACE: AtomicBool = AtomicBool::new(false);

/// Kills and reaps until no process is left below this one.
///
/// An orphan becomes our child before its parent can be waited for, so having no child means
/// that nothing is left.
pub fn kill_rest(isolation: Isolation, ended: &mut RunResult) -> io::Result<()> {
    loop {
        match wait_any(libc::WNOHANG, ended) {
            Ok(None) => {
                if isolation == Isolation::Namespaces {
                    kill_namespace();
                } else {
                    kill_descendants(std::process::id(), 0);
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

/// Reaps everything until `main` has ended, like any init: orphans must not pile up as zombies.
pub fn until(main: pid_t, ended: &mut RunResult) -> io::Result<()> {
    loop {
        if let Some((pid, status)) = wait_any(0, ended)?
            && pid == main
        {
            ended.status = status;
            return Ok(());
        }
    }
}

/// Waits for any child and adds what it used.
fn wait_any(flags: c_int, ended: &mut RunResult) -> io::Result<Option<(pid_t, c_int)>> {
    let mut status = 0;
    // SAFETY: all zeroes is a valid usage; both are writable.
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

/// Kills everybody but us in our PID namespace, in one go: nobody can fork away from it.
fn kill_namespace() {
    debug_assert!(HAS_PID_NAMESPACE.load(Ordering::Relaxed));
    // SAFETY: no pointers. We are process 1 of a namespace of our own; outside of one this would
    // hit every process of the user, hence the flag.
    unsafe {
        if HAS_PID_NAMESPACE.load(Ordering::Relaxed) {
            libc::kill(-1, libc::SIGKILL);
        }
    }
}

/// Kills the descendants of `pid`, as deep as they go.
fn kill_descendants(pid: u32, depth: usize) {
    for child in children(pid) {
        if depth < 100 {
            kill_descendants(child, depth + 1);
        }
        sys::kill(child as pid_t, libc::SIGKILL);
    }
}

/// The judge may be killed without warning: then everything here must end too.
///
/// In a PID namespace our own death ends all. Outside of one we stay alive just long enough to end
/// the program and what it left; then the socket's end ends us too.
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
    // SAFETY: the action is zero but for the handler, which makes only calls that are safe in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        sys::check(libc::sigaction(signal, &action, std::ptr::null_mut()))?;
    }
    Ok(())
}

pub extern "C" fn end_program(_: c_int) {
    let main = MAIN_PID.load(Ordering::Relaxed);
    // SAFETY: kill is async-signal-safe, takes no pointers, and `errno` is put back.
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
