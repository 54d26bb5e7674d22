//! The `ptrace` requests that the judge makes. The calling thread is the tracer.

use std::io;

use libc::{c_int, c_long, pid_t, siginfo_t};

use crate::linux::sys;

/// An event of a traced process or thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The thread is about to receive this signal.
    Signal(c_int),
    /// The thread created a process or thread, or is new itself.
    Event,
    Ended,
}

/// Attaches to a process without stopping it. `options` hold for it and its descendants.
pub fn seize(pid: pid_t, options: c_int) -> io::Result<()> {
    request(libc::PTRACE_SEIZE as _, pid, options as usize)
}

/// Sets the options of a stopped process.
pub fn set_options(pid: pid_t, options: c_int) -> io::Result<()> {
    request(libc::PTRACE_SETOPTIONS as _, pid, options as usize)
}

/// Lets a stopped process continue; it receives `signal`, unless that is 0.
pub fn resume(pid: pid_t, signal: c_int) -> io::Result<()> {
    request(libc::PTRACE_CONT as _, pid, signal as usize)
}

/// The cause of the signal that a stopped process is about to receive.
pub fn signal_info(pid: pid_t) -> io::Result<siginfo_t> {
    // SAFETY: all zeroes is a valid value.
    let mut info: siginfo_t = unsafe { std::mem::zeroed() };
    request(
        libc::PTRACE_GETSIGINFO as _,
        pid,
        (&raw mut info).expose_provenance(),
    )?;
    Ok(info)
}

/// The address of an invalid memory access.
pub fn fault_address(info: &siginfo_t) -> u64 {
    // SAFETY: for SIGSEGV and SIGBUS the kernel sets this field; for other signals it holds an
    // arbitrary number.
    unsafe { info.si_addr() }.addr() as u64
}

/// Waits for the next stop or end of a process that this thread traces. The end of `last` is
/// returned as `None` and not reaped, so that its parent's `wait` gets it.
pub fn wait(last: pid_t) -> io::Result<Option<(pid_t, Stop)>> {
    const WAIT: c_int = libc::__WALL | libc::__WNOTHREAD;
    // SAFETY: all zeroes is a valid value.
    let mut info: siginfo_t = unsafe { std::mem::zeroed() };
    let flags = WAIT | libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT;
    // SAFETY: `info` is writable.
    sys::retry(|| sys::check(unsafe { libc::waitid(libc::P_ALL, 0, &raw mut info, flags) }))?;
    // SAFETY: `waitid` succeeded, so it has set this field.
    let pid = unsafe { info.si_pid() };
    if pid == last && info.si_code != libc::CLD_TRAPPED && info.si_code != libc::CLD_STOPPED {
        return Ok(None);
    }
    let mut status = 0;
    // SAFETY: `status` is writable.
    sys::retry(|| sys::check(unsafe { libc::waitpid(pid, &raw mut status, WAIT) }))?;
    let stop = match status {
        _ if !libc::WIFSTOPPED(status) => Stop::Ended,
        _ if status >> 16 != 0 => Stop::Event,
        _ => Stop::Signal(libc::WSTOPSIG(status)),
    };
    Ok(Some((pid, stop)))
}

fn request(request: c_long, pid: pid_t, data: usize) -> io::Result<()> {
    // SAFETY: `data` is a number, or the exposed address of a value that the kernel may fill.
    sys::check_long(unsafe { libc::syscall(libc::SYS_ptrace, request, pid, 0usize, data) })?;
    Ok(())
}
