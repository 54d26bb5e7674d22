//! Starts zygotes.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use libc::{c_int, c_long, pid_t};

use crate::plan::Reply;
use crate::{Fault, sys, wire, zygote};

/// A process that waits for our word before it becomes a zygote.
pub struct Spawned {
    pub pid: pid_t,
    pub socket: OwnedFd,
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
    /// Forks; the new process does nothing until [`release`](Self::release).
    pub fn new(nature: Nature) -> Result<Self, Fault> {
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
        let pid = on_keeper(move || fork(fd, nature))
            .map_err(|e| Fault::os("create the box's process", e))?;
        Ok(Spawned { pid, socket: ours })
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

/// Forks this process, which has many threads: the child makes only raw system calls on memory
/// that was prepared before, then executes our own file anew.
fn fork(socket: RawFd, nature: Nature) -> io::Result<pid_t> {
    let mut failed = Reply::Failed {
        stage: "execute /proc/self/exe".into(),
        errno: 0,
    }
    .encode();
    let argv = [c"judge-sandbox".as_ptr(), std::ptr::null()];
    let envp = [zygote::VARIABLE.as_ptr(), std::ptr::null()];
    let flags = c_long::from(nature.namespaces | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with a null stack this is fork: the child goes on here with a
    // copy of everything. The order of the other arguments differs between machines; all are 0.
    let pid = sys::check_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    if pid == 0 {
        // SAFETY: we are the child; the pointers are to our copy of the memory.
        unsafe { enter(socket, nature, &argv, &envp, failed.as_mut_slice()) }
    }
    Ok(pid as pid_t)
}

/// # Safety
///
/// Only in the child of a fork; `argv` and `envp` end in null.
unsafe fn enter(
    socket: RawFd,
    nature: Nature,
    argv: &[*const c_char],
    envp: &[*const c_char],
    failed: &mut [u8],
) -> ! {
    // SAFETY: raw system calls only, as after any fork of a process with threads. The C library's
    // setresuid would ask the other threads, which are not here; so the calls are made directly.
    unsafe {
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
