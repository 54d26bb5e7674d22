//! The template: a small process from which all zygotes are forked.
//!
//! It is the judge's own executable, run again: [`init`] finds out before `main` that it is to be a
//! template. So it is small and has one thread, whatever the judge is, and so is each zygote; what
//! those start neither inherits the judge's size (`ru_maxrss` begins at the size of the process that
//! forks) nor pays for copying its page tables. Running an executable (loader, relocations, what the
//! C library asks the processor) takes longer than making namespaces: so it is done once, not for
//! every box.
//!
//! Boxes with user namespaces come from a template that is in one already. An executable belongs to
//! the user namespace in which it was started, and the judge, an ordinary user perhaps, owns that:
//! so it may look into a zygote that nobody else may look into.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use libc::{c_int, c_long, pid_t};

use crate::guest::zygote;
use crate::protocol::layout::{SOCKET, TEMPLATE_NAME};
use crate::protocol::{ForkReply, ForkRequest, ipc};
use crate::sys;

/// A core dump of at most this many bytes. With 0 the kernel writes no file, but still starts the
/// handler that `kernel.core_pattern` names behind a `|` (systemd-coredump, Apport) as root, outside
/// of every limit, with all of the program's memory. With 1 it does neither.
const NO_CORE_DUMP: libc::rlim_t = 1;

/// How many files a program may have open.
const OPEN_FILES: libc::rlim_t = 1024;

/// `CLONE_INTO_CGROUP`, for which the C library has no number that fits.
const INTO_CGROUP: u64 = 1 << 33;

/// Becomes a template if the judge started this process as one; otherwise returns at once.
pub fn serve_if_started_as_one() {
    // SAFETY: there is one thread yet; the name ends in NUL.
    let marked = unsafe { !libc::getenv(TEMPLATE_NAME.as_ptr()).is_null() };
    if marked && is_packet_socket(SOCKET) {
        // An error has nowhere to go: the judge sees the end of the socket.
        let _ = serve();
        exit();
    }
}

fn exit() -> ! {
    // SAFETY: ends the process; nothing of ours needs to run.
    unsafe { libc::_exit(0) }
}

fn is_packet_socket(fd: RawFd) -> bool {
    let (mut kind, mut size) = (0 as c_int, size_of::<c_int>() as libc::socklen_t);
    let kind_ptr: *mut c_int = &mut kind;
    // SAFETY: `kind` is writable and `size` is its size.
    let got = unsafe {
        libc::getsockopt(
            fd,
            libc::SOL_SOCKET,
            libc::SO_TYPE,
            kind_ptr.cast(),
            &mut size,
        )
    };
    got == 0 && kind == libc::SOCK_SEQPACKET
}

/// Forks zygotes until the judge is gone.
fn serve() -> io::Result<()> {
    clean_process();
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as _, 0)?;
    let mut buffer = [0; 256];
    loop {
        let (n, mut fds) = ipc::receive(SOCKET, &mut buffer)?;
        if n == 0 || fds.is_empty() {
            return Ok(());
        }
        let request = ForkRequest::decode(&buffer[..n])?;
        let socket = fds.remove(0);
        let answer = match fork(&request, &fds) {
            Ok((0, _)) => become_zygote(&request, socket, fds),
            Ok((pid, in_cgroup)) => match map_users(pid, &request) {
                Ok(()) => ForkReply {
                    pid,
                    errno: 0,
                    in_cgroup,
                },
                Err(e) => ForkReply::failed(pid, &e),
            },
            Err(e) => ForkReply::failed(0, &e),
        };
        ipc::send(SOCKET, &answer.encode(), &[])?;
    }
}

/// The new process, in its own namespaces.
fn become_zygote(request: &ForkRequest, socket: OwnedFd, groups: Vec<OwnedFd>) -> ! {
    // SAFETY: plain numbers. The template's own end of its socket is closed by it: nobody but the
    // template may answer the judge.
    let copied = unsafe { libc::dup3(socket.as_raw_fd(), SOCKET, libc::O_CLOEXEC) };
    drop(socket);
    if copied >= 0 {
        // An error has nowhere to go: the judge sees the end of the socket.
        let _ = zygote::serve_box(request, groups);
    }
    exit()
}

/// Forks a child of the judge, in its new namespaces and, if `order` says so, born in the control
/// group whose directory is in `groups`. Says also whether that could be had.
fn fork(request: &ForkRequest, groups: &[OwnedFd]) -> io::Result<(pid_t, bool)> {
    // The judge's child, not ours: it waits for it, and the child's parent is the one of our own
    // threads that lives as long as the judge.
    let flags = request.namespaces | libc::CLONE_PARENT;
    let group = groups.first().filter(|_| request.in_cgroup);
    // Kernels before 5.7 cannot, and a group may refuse: then the usual way is left.
    if let Some(Ok(pid)) = group.map(|group| clone_into(group, flags)) {
        return Ok((pid as pid_t, true));
    }
    let flags = c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with a null stack this is fork: the child goes on here with a
    // copy of everything, and there is no other thread that could hold a lock. The order of the
    // other arguments differs between machines; all are 0.
    let pid = sys::check_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    Ok((pid as pid_t, false))
}

/// Forks into a control group of version 2, given by its directory.
fn clone_into(group: &OwnedFd, flags: c_int) -> io::Result<c_long> {
    // SAFETY: all zeroes are arguments that ask for nothing.
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    // With CLONE_PARENT the signal is that of the caller, and naming one is an error.
    args.flags = flags as u64 | INTO_CGROUP;
    args.cgroup = group.as_raw_fd() as u64;
    // SAFETY: as with clone: a fork, since neither memory nor a stack is named. `args` lives through
    // the call and is as large as said.
    sys::check_long(unsafe { libc::syscall(libc::SYS_clone3, &args, size_of_val(&args)) })
}

/// The user of a new user namespace; its groups cannot be set where ours cannot.
fn map_users(pid: pid_t, request: &ForkRequest) -> io::Result<()> {
    let Some(id) = request.root_uid else {
        return Ok(());
    };
    let map = format!("0 {id} 1");
    sys::write_of_process(pid, "uid_map", &map)?;
    sys::write_of_process(pid, "gid_map", &map)
}

/// Forgets what the judge left us: signals, mask, umask, descriptors, address layout, group. All
/// zygotes begin as this process is then.
fn clean_process() {
    // SAFETY: plain numbers, a name that ends in NUL, and an action and a set that live through the
    // calls. What a call refuses (signals 9 and 19, say) is meant to stay as it is.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"judge-sandbox".as_ptr());
        let default: libc::sigaction = std::mem::zeroed();
        for signal in 1..=64 {
            libc::sigaction(signal, &default, std::ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
        libc::umask(0o022);
        libc::personality(0);
        libc::setsid();
        for fd in 0..3 {
            libc::close(fd);
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup(null);
        libc::dup(null);
        libc::syscall(libc::SYS_close_range, SOCKET + 1, libc::c_uint::MAX, 0);
        libc::fcntl(SOCKET, libc::F_SETFD, libc::FD_CLOEXEC);
        // These limits are the same for every program. One that is lower already stays. Without the
        // two on priorities a user who may make his processes real-time ones would hand that on.
        for (resource, value) in [
            (libc::RLIMIT_CORE, NO_CORE_DUMP),
            (libc::RLIMIT_NOFILE, OPEN_FILES),
            (libc::RLIMIT_RTPRIO, 0),
            (libc::RLIMIT_NICE, 0),
            (libc::RLIMIT_MSGQUEUE, 0),
        ] {
            let limit = libc::rlimit {
                rlim_cur: value,
                rlim_max: value,
            };
            libc::setrlimit(resource, &limit);
        }
        // Memory is limited otherwise; a shell's `ulimit -Sv` is no business of the program's.
        for resource in [libc::RLIMIT_AS, libc::RLIMIT_DATA] {
            let mut limit: libc::rlimit = std::mem::zeroed();
            if libc::getrlimit(resource, &mut limit) == 0 {
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(resource, &limit);
            }
        }
    }
}
