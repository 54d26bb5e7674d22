//! The template: a small process that forks all zygotes.
//!
//! It is the judge's own executable, started a second time; a hook before `main` recognises this.
//! The template and every zygote are therefore small and single-threaded, no matter how large the
//! judge is: a program's `ru_maxrss` starts at the size of the process that forks it, and copying
//! the page tables of a large process is slow. Starting an executable (loader, relocations, the C
//! library's queries to the processor) takes longer than creating namespaces, so it is done once
//! and not per box.
//!
//! Boxes with user namespaces come from a template that is in one already. A process belongs to the
//! user namespace in which its executable was started. The judge, possibly an ordinary user, owns
//! that namespace, so it may inspect a zygote that other processes may not.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use libc::{c_int, c_long, pid_t};
use rustix::process::{Resource, getrlimit};

use crate::linux::guest::zygote;
use crate::linux::protocol::layout::{self, SOCKET, TEMPLATE_NAME};
use crate::linux::protocol::{ForkReply, ForkRequest, ipc};
use crate::linux::sys;

/// Limit on the size of a core dump, in bytes. With 0 the kernel writes no file, but still starts
/// the handler that `kernel.core_pattern` names after a `|` (systemd-coredump, Apport): as root,
/// outside of every limit, with all of the program's memory. With 1 it does neither.
const NO_CORE_DUMP: libc::rlim_t = 1;

/// Upper bound of the number of files that a program may have open; see [`files_of_programs`].
const MAX_OPEN_FILES: libc::rlim_t = 1024;

/// The number of files that a program may have open.
///
/// The kernel counts the descriptors of a user that are in sockets, as messages that are not
/// received yet, and compares their number with the *sender's* limit on open files. Programs may have the
/// judge's user, so with the judge's own limit they could keep it from sending descriptors to a box.
fn files_of_programs() -> libc::rlim_t {
    let judge = getrlimit(Resource::Nofile).current;
    judge.map_or(MAX_OPEN_FILES, |judge| MAX_OPEN_FILES.min(judge / 2))
}

/// `CLONE_INTO_CGROUP`; the constant in `libc` does not fit its type.
const INTO_CGROUP: u64 = 1 << 33;

/// Becomes a template if the judge started this process as one; otherwise returns at once.
pub fn serve_if_started_as_one() {
    // SAFETY: there is one thread so far; the name ends in NUL.
    let marked = unsafe { !libc::getenv(TEMPLATE_NAME.as_ptr()).is_null() };
    if marked && is_packet_socket(SOCKET) {
        // Errors cannot be reported here; the judge notices that the socket is closed.
        let _ = serve();
        exit();
    }
}

fn exit() -> ! {
    // SAFETY: ends the process without running handlers.
    unsafe { libc::_exit(0) }
}

fn is_packet_socket(fd: RawFd) -> bool {
    let (mut kind, mut size) = (0 as c_int, size_of::<c_int>() as libc::socklen_t);
    let kind_ptr: *mut c_int = &mut kind;
    // SAFETY: `kind` is writable and `size` is its size; a descriptor that is not open is refused.
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

/// Forks zygotes until the judge closes the socket.
fn serve() -> io::Result<()> {
    clean_process();
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as _, 0)?;
    let mut buffer = [0; 256];
    loop {
        let (n, mut fds) = ipc::receive(layout::socket(), &mut buffer)?;
        if n == 0 || fds.is_empty() {
            return Ok(());
        }
        let request = ForkRequest::decode(&buffer[..n])?;
        let socket = fds.remove(0);
        let reply = match fork(&request, &fds) {
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
        ipc::send(layout::socket(), &reply.encode(), &[])?;
    }
}

/// Continues as a zygote, in the child of the fork.
fn become_zygote(request: &ForkRequest, socket: OwnedFd, groups: Vec<OwnedFd>) -> ! {
    // SAFETY: plain numbers. This replaces the child's copy of the template's socket: only the
    // template may reply there.
    let copied = unsafe { libc::dup3(socket.as_raw_fd(), SOCKET, libc::O_CLOEXEC) };
    drop(socket);
    if copied >= 0 {
        // Errors cannot be reported here; the judge notices that the socket is closed.
        let _ = zygote::serve_box(request, groups);
    }
    exit()
}

/// Forks a child of the judge in new namespaces and, if requested, in the control group whose
/// directory is in `groups`. Also returns whether it was created in that group.
fn fork(request: &ForkRequest, groups: &[OwnedFd]) -> io::Result<(pid_t, bool)> {
    // The new process is a child of the judge, which reaps it. Its parent is the judge's thread
    // that lives as long as the judge.
    let flags = request.namespaces | libc::CLONE_PARENT;
    let group = groups.first().filter(|_| request.in_cgroup);
    // Falls back to `clone`: kernels before 5.7 lack `CLONE_INTO_CGROUP`, and a group may refuse.
    if let Some(Ok(pid)) = group.map(|group| clone_into(group, flags)) {
        return Ok((pid as pid_t, true));
    }
    let flags = c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with a null stack this is fork: the child continues here with a
    // copy of all memory, and there is no other thread that could hold a lock. The order of the
    // other arguments differs between machines; all are 0.
    let pid = sys::check_long(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    Ok((pid as pid_t, false))
}

/// Forks into a version 2 control group, given by its directory.
fn clone_into(group: &OwnedFd, flags: c_int) -> io::Result<c_long> {
    // SAFETY: all zeroes is valid and requests nothing.
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    // With CLONE_PARENT the exit signal is that of the caller, and setting one is an error.
    args.flags = flags as u64 | INTO_CGROUP;
    args.cgroup = group.as_raw_fd() as u64;
    // SAFETY: as with clone, this is a fork, since neither memory nor a stack is given. `args`
    // outlives the call and its size is given.
    sys::check_long(unsafe { libc::syscall(libc::SYS_clone3, &args, size_of_val(&args)) })
}

/// Maps user and group 0 of a new user namespace.
fn map_users(pid: pid_t, request: &ForkRequest) -> io::Result<()> {
    let Some(id) = request.root_uid else {
        return Ok(());
    };
    let map = format!("0 {id} 1");
    sys::write_of_process(pid, "uid_map", &map)?;
    sys::write_of_process(pid, "gid_map", &map)
}

/// Resets what this process inherited from the judge: signals, mask, umask, descriptors, address
/// layout, session. All zygotes start in this state.
fn clean_process() {
    // SAFETY: plain numbers, a name that ends in NUL, and an action and a set that outlive the
    // calls. A call that fails (for signals 9 and 19, for example) leaves its setting as it is.
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
        // Limits that are the same for every program; a lower inherited limit stays. The limits on
        // priorities keep programs from inheriting the user's right to real-time priorities.
        for (resource, value) in [
            (libc::RLIMIT_CORE, NO_CORE_DUMP),
            (libc::RLIMIT_NOFILE, files_of_programs()),
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
        // Memory is limited by the control group or the sampler; a shell's `ulimit -Sv` must not
        // affect programs.
        for resource in [libc::RLIMIT_AS, libc::RLIMIT_DATA] {
            let mut limit: libc::rlimit = std::mem::zeroed();
            if libc::getrlimit(resource, &mut limit) == 0 {
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(resource, &limit);
            }
        }
    }
}
