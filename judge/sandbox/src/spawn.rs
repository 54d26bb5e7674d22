//! Starts zygotes.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use libc::{c_int, c_long, pid_t};

use crate::cgroup::Entrance;
use crate::plan::Reply;
use crate::{Fault, sys, wire, zygote};

/// A process that waits for our word before it becomes a zygote.
pub struct Spawned {
    pub pid: pid_t,
    pub socket: OwnedFd,
    /// Whether it is in its control group already.
    pub entered: bool,
}

/// What the new process is.
#[derive(Clone, Copy)]
pub struct Nature {
    /// `CLONE_NEW...` flags.
    pub namespaces: c_int,
    /// Whether to become user 0 of the new user namespace.
    pub become_root: bool,
    /// Whether supplementary groups can and must be dropped: only the host's root may.
    pub drop_groups: bool,
}

impl Spawned {
    /// Forks, and lets the new process enter its control group; then it does nothing until
    /// [`release`](Self::release).
    pub fn new(nature: Nature, entrance: Option<&Entrance>) -> Result<Self, Fault> {
        if !zygote::initialised() {
            return Err(Fault {
                stage: "start a zygote".into(),
                source: None,
                remedy: Some("call judge_sandbox::init() first thing in main".into()),
                interrupted: false,
            });
        }
        let (ours, theirs) = sys::socket_pair().map_err(|e| Fault::os("make a socket pair", e))?;
        let fd = theirs.as_raw_fd();
        // The keeper borrows the numbers: we wait for it.
        let birth = match entrance {
            Some(Entrance::Birth(directory)) => Some(directory.as_raw_fd()),
            _ => None,
        };
        let threads: Vec<RawFd> = match entrance {
            Some(Entrance::Threads(files)) => files.iter().map(AsRawFd::as_raw_fd).collect(),
            _ => Vec::new(),
        };
        let moves = !threads.is_empty();
        let (pid, born_in_group) = on_keeper(move || fork(fd, nature, birth, &threads))
            .map_err(|e| Fault::os("create the box's process", e))?;
        let mut spawned = Spawned {
            pid,
            socket: ours,
            entered: born_in_group,
        };
        if moves {
            let mut told = [0];
            let told = wire::receive(spawned.socket.as_raw_fd(), &mut told).map(|_| told[0]);
            spawned.entered = told.is_ok_and(|told| told == MOVED);
        }
        Ok(spawned)
    }

    /// Lets it become a zygote.
    pub fn release(&self) -> Result<(), Fault> {
        wire::send_plain(&self.socket, b"g").map_err(|e| Fault::os("start the zygote", e))
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        sys::kill(self.pid, libc::SIGKILL);
        // Nothing to do about an error: there is no such child any more.
        let _ = sys::wait_for(self.pid);
    }
}

/// Runs `work` on a thread that lives as long as the process.
///
/// A process that asks to die with its parent dies with the *thread* that made it. The judge's
/// workers come and go; so one thread of our own makes all zygotes.
fn on_keeper<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    type Work = Box<dyn FnOnce() + Send>;
    static KEEPER: OnceLock<Mutex<Sender<Work>>> = OnceLock::new();
    static START: Mutex<()> = Mutex::new(());

    let gone = || io::Error::other("the thread that starts zygotes is gone");
    if KEEPER.get().is_none() {
        let _one_at_a_time = START.lock().map_err(|_| gone())?;
        if KEEPER.get().is_none() {
            let (sender, receiver) = channel::<Work>();
            std::thread::Builder::new()
                .name("judge-sandbox".into())
                .stack_size(256 * 1024)
                .spawn(move || {
                    // The zygotes inherit its cores. Refused, it is slower and as right.
                    let _ = sys::unpin();
                    receiver.into_iter().for_each(|work| work());
                })?;
            let _ = KEEPER.set(Mutex::new(sender));
        }
    }
    let (sender, receiver) = channel();
    let send = move || drop(sender.send(work()));
    let keeper = KEEPER.get().ok_or_else(gone)?;
    keeper
        .lock()
        .map_err(|_| gone())?
        .send(Box::new(send))
        .map_err(|_| gone())?;
    receiver.recv().map_err(|_| gone())?
}

/// What the new process says when it has moved into its groups.
const MOVED: u8 = b'y';

/// `CLONE_INTO_CGROUP`, for which the C library has no number that fits.
const INTO_CGROUP: u64 = 1 << 33;

/// Forks this process, which has many threads: the child makes only raw system calls on memory
/// that was prepared before, then executes our own file anew. `birth` is the group that it shall be
/// born in, `threads` are files of those into which it moves itself. Says also whether it was.
fn fork(
    socket: RawFd,
    nature: Nature,
    birth: Option<RawFd>,
    threads: &[RawFd],
) -> io::Result<(pid_t, bool)> {
    let mut failed = Reply::Failed {
        stage: "execute /proc/self/exe".into(),
        errno: 0,
    }
    .encode();
    let argv = [c"judge-sandbox".as_ptr(), std::ptr::null()];
    let envp = [zygote::VARIABLE.as_ptr(), std::ptr::null()];
    let flags = c_long::from(nature.namespaces | libc::SIGCHLD);
    // Kernels before 5.7 cannot, and a group may refuse: then the usual way is left.
    let born = birth.and_then(|group| clone_into(group, nature.namespaces).ok());
    let pid = match born {
        Some(pid) => pid,
        // SAFETY: without CLONE_VM and with a null stack this is fork: the child goes on here with a
        // copy of everything. The order of the other arguments differs between machines; all are 0.
        None => sys::check_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?,
    };
    if pid == 0 {
        // SAFETY: we are the child; the pointers are to our copy of the memory.
        unsafe { enter(socket, nature, threads, &argv, &envp, failed.as_mut_slice()) }
    }
    Ok((pid as pid_t, born.is_some()))
}

/// Forks into a control group of version 2, given by its directory.
fn clone_into(group: RawFd, namespaces: c_int) -> io::Result<c_long> {
    // SAFETY: all zeroes are arguments that ask for nothing.
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    args.flags = namespaces as u64 | INTO_CGROUP;
    args.exit_signal = libc::SIGCHLD as u64;
    args.cgroup = group as u64;
    // SAFETY: as with clone: a fork, since neither memory nor a stack is named. `args` lives through
    // the call and is as large as said.
    sys::check_long(unsafe { libc::syscall(libc::SYS_clone3, &args, size_of_val(&args)) })
}

/// # Safety
///
/// Only in the child of a fork; `argv` and `envp` end in null.
unsafe fn enter(
    socket: RawFd,
    nature: Nature,
    threads: &[RawFd],
    argv: &[*const c_char],
    envp: &[*const c_char],
    failed: &mut [u8],
) -> ! {
    // SAFETY: raw system calls only, as after any fork of a process with threads. The C library's
    // setresuid would ask the other threads, which are not here; so the calls are made directly.
    unsafe {
        if !threads.is_empty() {
            let moved = threads
                .iter()
                .all(|&group| libc::write(group, c"0".as_ptr().cast(), 1) == 1);
            let told = if moved { MOVED } else { b'n' };
            libc::write(socket, (&raw const told).cast(), 1);
        }
        let mut go = 0_u8;
        loop {
            match libc::read(socket, (&raw mut go).cast(), 1) {
                1 => break,
                -1 if *libc::__errno_location() == libc::EINTR => {}
                _ => libc::_exit(1),
            }
        }
        let mut ok = true;
        if nature.drop_groups {
            ok &= libc::syscall(libc::SYS_setgroups, 0, 0) == 0;
        }
        if nature.become_root {
            ok &= libc::syscall(libc::SYS_setresgid, 0, 0, 0) == 0;
            ok &= libc::syscall(libc::SYS_setresuid, 0, 0, 0) == 0;
        }
        if ok {
            libc::dup2(socket, zygote::SOCKET);
            libc::fcntl(zygote::SOCKET, libc::F_SETFD, 0);
            libc::execve(c"/proc/self/exe".as_ptr(), argv.as_ptr(), envp.as_ptr());
        }
        // The error number is the message's last number.
        let errno = (*libc::__errno_location() as u64).to_ne_bytes();
        let at = failed.len() - errno.len();
        failed[at..].copy_from_slice(&errno);
        libc::write(socket, failed.as_ptr().cast(), failed.len());
        libc::_exit(1)
    }
}
