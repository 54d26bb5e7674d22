//! Starts zygotes: through the template, which is started with the first of them.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, Once, PoisonError};

use libc::{c_long, pid_t};

use crate::api::Fault;
use crate::host::cgroup::Entrance;
use crate::protocol::layout::{self, NOBODY};
use crate::protocol::{ForkReply, ForkRequest, ipc};
use crate::sys::{self, scheduler};

/// Whether the hook before `main` has run.
static HOOK_HAS_RUN: AtomicBool = AtomicBool::new(false);

/// Notes that the executable can become a template.
pub fn hook_has_run() {
    HOOK_HAS_RUN.store(true, Ordering::Relaxed);
}

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
    pub fn new(mut request: ForkRequest, entrance: Option<&Entrance>) -> Result<Self, Fault> {
        if !HOOK_HAS_RUN.load(Ordering::Relaxed) {
            return Err(Fault {
                stage: "start a zygote".into(),
                source: None,
                remedy: Some("call judge_sandbox::init() first thing in main".into()),
                interrupted: false,
            });
        }
        let mut groups = Vec::new();
        match entrance {
            Some(Entrance::ForkRequest(directory)) => {
                request.in_cgroup = true;
                groups.push(directory.as_fd());
            }
            Some(Entrance::Threads(files)) => groups.extend(files.iter().map(AsFd::as_fd)),
            None => {}
        }
        let reply = match ask(&request, &groups) {
            // Somebody killed the template: the next try starts another.
            Err(e) if is_gone(&e) => ask(&request, &groups),
            answer => answer,
        };
        let (ours, reply) = reply.map_err(|e| Fault::os("create the box's process", e))?;
        let moves = !groups.is_empty() && !request.in_cgroup;
        let mut spawned = Spawned {
            pid: reply.pid,
            socket: ours,
            entered: reply.in_cgroup,
        };
        if moves {
            let mut told = [0];
            let told = ipc::receive(spawned.socket.as_raw_fd(), &mut told).map(|_| told[0]);
            spawned.entered = told.is_ok_and(|told| told == layout::MOVED);
        }
        Ok(spawned)
    }

    /// Lets it become a zygote.
    pub fn release(&self) -> Result<(), Fault> {
        ipc::send_plain(&self.socket, layout::GO).map_err(|e| Fault::os("start the zygote", e))
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

/// For boxes without and with a user namespace.
static TEMPLATES: [Mutex<Option<Template>>; 2] = [Mutex::new(None), Mutex::new(None)];

/// Nothing is left behind when the judge exits. Who is killed cannot do this; then its death ends
/// the templates, a moment later.
extern "C" fn at_exit() {
    for template in &TEMPLATES {
        // Held by a thread that makes a box: that ends with us.
        if let Ok(mut template) = template.try_lock() {
            *template = None;
        }
    }
}

/// Lets the template fork, and gives our end of the new process's socket. A template that is gone is
/// forgotten.
fn ask(request: &ForkRequest, groups: &[BorrowedFd<'_>]) -> io::Result<(OwnedFd, ForkReply)> {
    let in_namespace = request.root_uid.is_some();
    let (ours, theirs) = sys::socket_pair()?;
    let mut fds = vec![theirs.as_fd()];
    fds.extend(groups);
    let mut template = TEMPLATES[usize::from(in_namespace)]
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let there = match &mut *template {
        Some(there) => there,
        none => none.insert(Template::start(in_namespace)?),
    };
    let reply = fork_zygote(there, request, &fds);
    if reply.as_ref().is_err_and(is_gone) {
        *template = None;
    }
    Ok((ours, reply?))
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

fn fork_zygote(
    template: &Template,
    request: &ForkRequest,
    fds: &[BorrowedFd<'_>],
) -> io::Result<ForkReply> {
    let socket = template.socket.as_raw_fd();
    let sent = ipc::send(socket, &request.encode(), fds);
    match sent {
        Err(e) if !is_gone(&e) => return Err(e),
        _ => {}
    }
    // One that is gone may have said why.
    let mut buffer = [0; 64];
    let (n, _) = ipc::receive(socket, &mut buffer)?;
    if n == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let reply = ForkReply::decode(&buffer[..n])?;
    match reply.errno {
        0 => Ok(reply),
        errno => {
            // The template forks children of ours: to wait for one is up to us.
            if reply.pid > 0 {
                end(reply.pid);
            }
            Err(io::Error::from_raw_os_error(errno))
        }
    }
}

impl Template {
    /// Starts it from a thread that lives as long as the process.
    ///
    /// A process that asks to die with its parent dies with the *thread* that made it, and the
    /// judge's workers come and go. What the template forks has the same parent as itself.
    fn start(in_namespace: bool) -> io::Result<Self> {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: the function lives as long as the process and does not unwind.
            unsafe { libc::atexit(at_exit) };
        });
        let (ours, theirs) = sys::socket_pair()?;
        let our_end = ours.as_raw_fd();
        let (told, forked) = channel();
        std::thread::Builder::new()
            .name("judge-sandbox".into())
            .stack_size(256 * 1024)
            .spawn(move || {
                // The zygotes inherit its cores. Refused, it is slower and as right.
                let _ = scheduler::unpin();
                let forked = fork(theirs.as_raw_fd(), our_end, in_namespace);
                drop(theirs);
                if told.send(forked).is_ok() {
                    loop {
                        std::thread::park();
                    }
                }
            })?;
        let gone = |_| io::Error::other("the thread that starts the template is gone");
        let pid = forked.recv().map_err(gone)??;
        let template = Template { pid, socket: ours };
        if in_namespace {
            map_users(pid)?;
        }
        ipc::send_plain(&template.socket, layout::GO)?;
        Ok(template)
    }
}

/// User 0 of a box is nobody outside, or the ordinary user who judges. This is what that one is
/// called in the template's user namespace.
pub fn box_root_uid() -> u32 {
    if sys::is_root() { NOBODY } else { 0 }
}

/// The users of the template's namespace: who judges, who runs in boxes.
fn map_users(pid: pid_t) -> io::Result<()> {
    let write = |file: &str, text: &str| sys::write_of_process(pid, file, text);
    if sys::is_root() {
        let both = format!("0 0 1\n{NOBODY} {NOBODY} 1\n");
        write("uid_map", &both)?;
        return write("gid_map", &both);
    }
    let (user, group) = sys::ids();
    // Else an ordinary user could drop a group that takes a right away.
    write("setgroups", "deny")?;
    write("uid_map", &format!("0 {user} 1"))?;
    write("gid_map", &format!("0 {group} 1"))
}

/// Forks this process, which has many threads: the child makes only raw system calls on memory
/// that was prepared before. When it is told to, it executes our own file anew. `ours` is the
/// judge's end of its socket.
fn fork(socket: RawFd, ours: RawFd, in_namespace: bool) -> io::Result<pid_t> {
    let argv = [c"judge-sandbox".as_ptr(), std::ptr::null()];
    let envp = [layout::TEMPLATE_VARIABLE.as_ptr(), std::ptr::null()];
    let namespace = if in_namespace { libc::CLONE_NEWUSER } else { 0 };
    let flags = c_long::from(namespace | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with a null stack this is fork: the child goes on here with a
    // copy of everything. The order of the other arguments differs between machines; all are 0.
    let pid = sys::check_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    if pid == 0 {
        // SAFETY: we are the child; the pointers are to our copy of the memory.
        unsafe { become_template(socket, ours, &argv, &envp) }
    }
    Ok(pid as pid_t)
}

/// # Safety
///
/// Only in the child of a fork; `argv` and `envp` end in null.
unsafe fn become_template(
    socket: RawFd,
    ours: RawFd,
    argv: &[*const c_char],
    envp: &[*const c_char],
) -> ! {
    // SAFETY: raw system calls only, as after any fork of a process with threads; the answer is
    // put together on the stack.
    unsafe {
        // Else the socket would not end for us when the judge does.
        libc::close(ours);
        let mut go = 0_u8;
        loop {
            match libc::read(socket, (&raw mut go).cast(), 1) {
                1 => break,
                -1 if *libc::__errno_location() == libc::EINTR => {}
                _ => libc::_exit(1),
            }
        }
        libc::dup2(socket, layout::SOCKET);
        libc::fcntl(layout::SOCKET, libc::F_SETFD, 0);
        libc::execve(c"/proc/self/exe".as_ptr(), argv.as_ptr(), envp.as_ptr());
        let failed = ForkReply::failed(0, &io::Error::last_os_error()).encode();
        libc::write(socket, failed.as_ptr().cast(), failed.len());
        libc::_exit(127)
    }
}
