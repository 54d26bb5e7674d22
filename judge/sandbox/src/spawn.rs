//! Starts zygotes: through the template, which is started with the first of them.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

use libc::pid_t;

use crate::cgroup::Entrance;
use crate::plan::{Birth, Born};
use crate::{Fault, sys, template, wire, zygote};

/// A process that waits for our word before it becomes a zygote.
pub struct Spawned {
    pub pid: pid_t,
    pub socket: OwnedFd,
    /// Whether it is in its control group already.
    pub entered: bool,
}

impl Spawned {
    /// Forks, and lets the new process enter its control group; then it does nothing until
    /// [`release`](Self::release).
    pub fn new(mut birth: Birth, entrance: Option<&Entrance>) -> Result<Self, Fault> {
        if !template::initialised() {
            return Err(Fault {
                stage: "start a zygote".into(),
                source: None,
                remedy: Some("call judge_sandbox::init() first thing in main".into()),
                interrupted: false,
            });
        }
        let mut groups = Vec::new();
        match entrance {
            Some(Entrance::Birth(directory)) => {
                birth.into_group = true;
                groups.push(directory.as_fd());
            }
            Some(Entrance::Threads(files)) => groups.extend(files.iter().map(AsFd::as_fd)),
            None => {}
        }
        let born = match ask(&birth, &groups) {
            // Somebody killed the template: the next try starts another.
            Err(e) if is_gone(&e) => ask(&birth, &groups),
            answer => answer,
        };
        let (ours, born) = born.map_err(|e| Fault::os("create the box's process", e))?;
        let moves = !groups.is_empty() && !birth.into_group;
        let mut spawned = Spawned {
            pid: born.pid,
            socket: ours,
            entered: born.into_group,
        };
        if moves {
            let mut told = [0];
            let told = wire::receive(spawned.socket.as_raw_fd(), &mut told).map(|_| told[0]);
            spawned.entered = told.is_ok_and(|told| told == zygote::MOVED);
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
        end(self.pid);
    }
}

fn end(child: pid_t) {
    sys::kill(child, libc::SIGKILL);
    // Nothing to do about an error: there is no such child any more.
    let _ = sys::wait_for(child);
}

/// The template and our end of its socket; it ends when that is closed.
struct Template {
    pid: pid_t,
    socket: OwnedFd,
}

impl Drop for Template {
    fn drop(&mut self) {
        end(self.pid);
    }
}

/// Lets the template fork, and gives our end of the new process's socket. A template that is gone is
/// forgotten.
fn ask(birth: &Birth, groups: &[BorrowedFd<'_>]) -> io::Result<(OwnedFd, Born)> {
    static TEMPLATE: Mutex<Option<Template>> = Mutex::new(None);
    let (ours, theirs) = sys::socket_pair()?;
    let mut fds = vec![theirs.as_fd()];
    fds.extend(groups);
    let mut template = TEMPLATE.lock().unwrap_or_else(PoisonError::into_inner);
    let there = match &mut *template {
        Some(there) => there,
        none => none.insert(Template::start()?),
    };
    let born = order(there, birth, &fds);
    if born.as_ref().is_err_and(is_gone) {
        *template = None;
    }
    Ok((ours, born?))
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

fn order(template: &Template, birth: &Birth, fds: &[BorrowedFd<'_>]) -> io::Result<Born> {
    let socket = template.socket.as_raw_fd();
    let sent = wire::send(socket, birth.encode().as_slice(), fds);
    match sent {
        Err(e) if !is_gone(&e) => return Err(e),
        _ => {}
    }
    // One that is gone may have said why.
    let mut buffer = [0; 64];
    let (n, _) = wire::receive(socket, &mut buffer)?;
    if n == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let born = Born::decode(&buffer[..n])?;
    match born.errno {
        0 => Ok(born),
        errno => Err(io::Error::from_raw_os_error(errno)),
    }
}

impl Template {
    /// Starts it from a thread that lives as long as the process.
    ///
    /// A process that asks to die with its parent dies with the *thread* that made it, and the
    /// judge's workers come and go. What the template forks has the same parent as itself.
    fn start() -> io::Result<Self> {
        let (ours, theirs) = sys::socket_pair()?;
        let (told, pid) = channel();
        std::thread::Builder::new()
            .name("judge-sandbox".into())
            .stack_size(256 * 1024)
            .spawn(move || {
                // The zygotes inherit its cores. Refused, it is slower and as right.
                let _ = sys::unpin();
                let forked = fork_template(theirs.as_raw_fd());
                drop(theirs);
                if told.send(forked).is_ok() {
                    loop {
                        std::thread::park();
                    }
                }
            })?;
        let gone = |_| io::Error::other("the thread that starts the template is gone");
        let pid = pid.recv().map_err(gone)??;
        Ok(Template { pid, socket: ours })
    }
}

/// Forks this process, which has many threads: the child makes only raw system calls on memory
/// that was prepared before, then executes our own file anew.
fn fork_template(socket: RawFd) -> io::Result<pid_t> {
    let argv = [c"judge-sandbox".as_ptr(), std::ptr::null()];
    let envp = [template::VARIABLE.as_ptr(), std::ptr::null()];
    let mut failed = Born {
        pid: 0,
        errno: 0,
        into_group: false,
    }
    .encode();
    let failed = failed.as_mut_slice();
    // SAFETY: with CLONE_VFORK the parent's thread waits until the child has called exec or _exit,
    // and the child, which has a copy of all memory, makes only raw system calls.
    unsafe {
        let flags = libc::c_long::from(libc::CLONE_VFORK | libc::SIGCHLD);
        let pid = sys::check_long(libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0))? as pid_t;
        if pid == 0 {
            libc::dup2(socket, template::SOCKET);
            libc::fcntl(template::SOCKET, libc::F_SETFD, 0);
            libc::execve(c"/proc/self/exe".as_ptr(), argv.as_ptr(), envp.as_ptr());
            // The error number is the message's second number.
            let errno = (*libc::__errno_location() as u64).to_ne_bytes();
            failed[8..16].copy_from_slice(&errno);
            libc::write(socket, failed.as_ptr().cast(), failed.len());
            libc::_exit(127)
        }
        Ok(pid)
    }
}
