//! Starts zygotes through the template. The template is started together with the first zygote.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use libc::{c_long, pid_t};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, getrlimit, pidfd_open, setrlimit};

use crate::api::Fault;
use crate::linux::host::cgroup::Entrance;
use crate::linux::protocol::layout::{self, NOBODY};
use crate::linux::protocol::{ForkReply, ForkRequest, ipc};
use crate::linux::sys::{self, scheduler};

/// Whether the hook before `main` has run.
static HOOK_HAS_RUN: AtomicBool = AtomicBool::new(false);

/// Records that the executable can become a template.
pub fn hook_has_run() {
    HOOK_HAS_RUN.store(true, Ordering::Relaxed);
}

/// A forked process that waits for the description of its box, and becomes the box's zygote.
pub struct Spawned {
    pub pid: pid_t,
    pub socket: OwnedFd,
    /// Whether the process is already in its control group.
    pub entered: bool,
}

impl Spawned {
    /// Forks a process and lets it enter its control group.
    pub fn new(mut request: ForkRequest, entrance: Option<&Entrance>) -> Result<Self, Fault> {
        if !HOOK_HAS_RUN.load(Ordering::Relaxed) {
            return Err(Fault {
                stage: "start a zygote".into(),
                source: None,
                remedy: Some("call judge_sandbox::init() first in main".into()),
                interrupted: false,
            });
        }
        let mut groups = Vec::new();
        match entrance {
            Some(Entrance::Directory(directory)) => {
                request.in_cgroup = true;
                groups.push(directory.as_fd());
            }
            Some(Entrance::TasksFiles(files)) => groups.extend(files.iter().map(AsFd::as_fd)),
            None => {}
        }
        let reply = match ask(&request, &groups) {
            // If the template was killed, starts another one.
            Err(e) if is_gone(&e) => ask(&request, &groups),
            reply => reply,
        };
        let (ours, reply) = reply.map_err(|e| Fault::os("create the box's process", e))?;
        let moves = !groups.is_empty() && !request.in_cgroup;
        let mut spawned = Spawned {
            pid: reply.pid,
            socket: ours,
            entered: reply.in_cgroup,
        };
        if moves {
            let mut reply = [0];
            let received = ipc::receive(&spawned.socket, &mut reply);
            spawned.entered = received.is_ok() && reply == [layout::MOVED];
        }
        Ok(spawned)
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        end(self.pid);
    }
}

/// Timeout of the wait for a killed process. Its end takes milliseconds, unless the process is
/// blocked in the kernel; such a process must not block the judge.
const END_TIMEOUT: Duration = Duration::from_secs(5);

fn end(child: pid_t) {
    let pid = Pid::from_raw(child);
    let ended = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    sys::kill(child, libc::SIGKILL);
    let is_stuck = ended.is_some_and(|ended| !sys::is_readable_within(ended.as_fd(), END_TIMEOUT));
    if !is_stuck {
        sys::wait_for(child);
    }
}

/// The template and the judge's end of its socket. The template exits when the judge closes the
/// socket.
struct Template {
    pid: pid_t,
    socket: OwnedFd,
}

impl Drop for Template {
    fn drop(&mut self) {
        end(self.pid);
    }
}

/// The templates for boxes without and with a user namespace.
static TEMPLATES: [Mutex<Option<Template>>; 2] = [Mutex::new(None), Mutex::new(None)];

/// Ends the templates when the judge exits. If the judge is killed instead, the templates end
/// shortly afterwards on their own.
extern "C" fn at_exit() {
    for template in &TEMPLATES {
        // If another thread holds the lock because it is making a box, that thread ends with the
        // process.
        if let Ok(mut template) = template.try_lock() {
            *template = None;
        }
    }
}

/// Asks the template to fork a process and returns the judge's end of its socket. If the template
/// is gone, the next call starts another.
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
    let socket = &template.socket;
    let sent = ipc::send(socket, &request.encode(), fds);
    match sent {
        Err(e) if !is_gone(&e) => return Err(e),
        _ => {}
    }
    // A template that failed may have sent the reason.
    let mut buffer = [0; 64];
    let (n, _) = ipc::receive(socket, &mut buffer)?;
    if n == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let reply = ForkReply::decode(&buffer[..n])?;
    match reply.errno {
        0 => Ok(reply),
        errno => {
            // The new process is a child of the judge, so the judge reaps it.
            if reply.pid > 0 {
                end(reply.pid);
            }
            Err(io::Error::from_raw_os_error(errno))
        }
    }
}

impl Template {
    /// Starts the template from a thread that lives as long as this process, or ends at once if the
    /// start fails.
    ///
    /// `PR_SET_PDEATHSIG` depends on the *thread* that forked, and the judge's workers are
    /// short-lived. The processes that the template forks have the same parent as the template.
    fn start(in_namespace: bool) -> io::Result<Self> {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| sys::at_exit(at_exit));
        raise_open_files();
        let (ours, theirs) = sys::socket_pair()?;
        let our_end = ours.as_raw_fd();
        let (sender, forked) = channel();
        // Dropped without a message if the start fails; the thread then ends.
        let (started, has_started) = channel();
        std::thread::Builder::new()
            .name("judge-sandbox".into())
            .stack_size(256 * 1024)
            .spawn(move || {
                // Best effort: the zygotes inherit the cores of this thread, and a pinning makes
                // them slower.
                let _ = scheduler::unpin();
                let forked = fork(theirs.as_raw_fd(), our_end, in_namespace);
                drop(theirs);
                if sender.send(forked).is_ok() && has_started.recv().is_ok() {
                    loop {
                        std::thread::park();
                    }
                }
            })?;
        let gone = |_| io::Error::other("the thread that starts the template died");
        let pid = forked.recv().map_err(gone)??;
        let template = Template { pid, socket: ours };
        if in_namespace {
            map_users(pid)?;
        }
        ipc::send(&template.socket, layout::GO, &[])?;
        // The thread waits for this message, so the channel is open.
        let _ = started.send(());
        Ok(template)
    }
}

/// Limit on the judge's open files. Programs may have at most 1024 open files, so that their
/// descriptors in sockets never reach this limit (`files_of_programs` in the template).
const OPEN_FILES: u64 = 4096;

/// Raises this process's own limit on open files to [`OPEN_FILES`] or, if that is lower, to its
/// maximum.
fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit
        .maximum
        .map_or(OPEN_FILES, |maximum| maximum.min(OPEN_FILES));
    if limit.current.is_some_and(|current| current < wanted) {
        let raised = Rlimit {
            current: Some(wanted),
            ..limit
        };
        // Best effort: on failure boxes get half of the unchanged limit.
        let _ = setrlimit(Resource::Nofile, raised);
    }
}

/// The user id, in the template's user namespace, of user 0 of a box: `nobody` if root judges,
/// otherwise the user of the judge.
pub fn box_root_uid() -> u32 {
    if sys::is_root() { NOBODY } else { 0 }
}

/// Maps the judge's user and the boxes' user into the template's user namespace.
fn map_users(pid: pid_t) -> io::Result<()> {
    let write = |file: &str, text: &str| sys::write_of_process(pid, file, text);
    if sys::is_root() {
        let both = format!("0 0 1\n{NOBODY} {NOBODY} 1\n");
        write("uid_map", &both)?;
        return write("gid_map", &both);
    }
    let (user, group) = sys::ids();
    // The kernel requires `deny` here: an ordinary user could otherwise drop a group that restricts
    // access.
    write("setgroups", "deny")?;
    write("uid_map", &format!("0 {user} 1"))?;
    write("gid_map", &format!("0 {group} 1"))
}

/// Forks this multi-threaded process: the child makes only raw system calls on memory that was
/// prepared before. After the judge's `GO` message the child executes this executable again. `ours`
/// is the judge's end of the socket.
fn fork(socket: RawFd, ours: RawFd, in_namespace: bool) -> io::Result<pid_t> {
    let argv = [c"judge-sandbox".as_ptr(), std::ptr::null()];
    let envp = [layout::TEMPLATE_VARIABLE.as_ptr(), std::ptr::null()];
    let namespace = if in_namespace { libc::CLONE_NEWUSER } else { 0 };
    let flags = c_long::from(namespace | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with a null stack this is fork: the child continues here with a
    // copy of all memory. The order of the other arguments differs between machines; all are 0.
    let pid = sys::check_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    if pid == 0 {
        // SAFETY: this is the child; the pointers are into its copy of the memory.
        unsafe { become_template(socket, ours, &argv, &envp) }
    }
    Ok(pid as pid_t)
}

/// # Safety
///
/// Call only in the child of a fork; `argv` and `envp` end with null.
unsafe fn become_template(
    socket: RawFd,
    ours: RawFd,
    argv: &[*const c_char],
    envp: &[*const c_char],
) -> ! {
    // SAFETY: only raw system calls, as required after forking a process with threads; the reply is
    // built on the stack.
    unsafe {
        // The child closes the judge's end; otherwise the socket would stay open after the judge's
        // death.
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
