//! The system-call filter: what no submission needs is refused, everything ordinary goes through.
//!
//! A refused call fails with `EPERM` like any other forbidden thing, so that a runtime that merely
//! tries (io_uring, say) falls back. Only calls by another door, 32-bit or x32, kill: their numbers
//! mean other things. The kernel remembers for each call number whether the filter always allows it
//! (since Linux 5.11), so for those the length of the list costs nothing at run time. Calls that
//! depend on their arguments come first.
#![allow(unsafe_code)]

mod arguments;
mod bpf;
mod calls;
mod signals;

pub use signals::{self_signals_only, set_own_pid};

use std::io;

use arguments::{
    IOPRIO_WHO_USER, PRIO_USER, clone_rule, fcntl_rule, ioctl_rule, no_address_rule, only_ours,
    priority_rule, prlimit_rule, setrlimit_rule, socket_option_rule, socket_pair_rule, socket_rule,
};
use bpf::{ALLOW, ARCH, ARCHITECTURE, KILL, NUMBER, action, equal, jump, load, refuse};
use calls::{CONNECTIONS, FORKS, LABELS, METADATA, METADATA_HERE, REFUSED, REFUSED_HERE};
use libc::{BPF_JGE, c_long, sock_filter, sock_fprog};

use crate::sys::check_long;

/// What differs between boxes.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Whether programs may make processes. Threads are always allowed.
    pub fork: bool,
    /// Whether the box has namespaces: then sockets are harmless, and of all processes that a
    /// program can name only process 1, the zygote, is not its own.
    pub namespaces: bool,
    /// Whether they may change modes, owners and times of files: Landlock does not see to that, so
    /// only where they see no files of others.
    pub metadata: bool,
    /// Whether they may truncate a file by its path: before Linux 6.2 Landlock does not see to that.
    pub truncate: bool,
    /// Whether they may make memory files: only a control group counts the pages of one that is not
    /// mapped, and the CPU time of one that is executed.
    pub memory_files: bool,
    /// The zygote's own `clone` has this in an argument that the kernel ignores there.
    pub token: u64,
}

/// Puts the filter on this process and all that it will start; it needs `no_new_privs`.
pub fn install(rules: Rules) -> io::Result<()> {
    let mut filter = program(rules);
    let length = filter.len() as libc::c_ushort;
    let program = sock_fprog {
        len: length,
        filter: filter.as_mut_ptr(),
    };
    let set = |flags: libc::c_ulong| {
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        // SAFETY: the program points to `length` instructions that live through the call.
        check_long(unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &program) }).map(drop)
    };
    // Before Linux 5.16 a filter made the processor slower unless one asked it not to.
    set(libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW).or_else(|_| set(0))
}

/// The instructions: one rule after the other, each ending in its action or falling through.
fn program(rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![
        load(ARCH),
        equal(ARCHITECTURE, 1, 0),
        action(KILL),
        load(NUMBER),
    ];
    if cfg!(target_arch = "x86_64") {
        const X32_BIT: u32 = 0x4000_0000;
        p.extend([jump(BPF_JGE, X32_BIT, 0, 1), action(KILL)]);
    }
    let mut refused: Vec<c_long> = [REFUSED, REFUSED_HERE].concat();
    if !rules.metadata {
        refused.extend([METADATA, METADATA_HERE].concat());
    }
    if !rules.fork {
        refused.extend(FORKS);
    }
    if !rules.truncate {
        refused.push(libc::SYS_truncate);
    }
    if !rules.namespaces {
        refused.push(libc::SYS_pidfd_send_signal);
        refused.extend(CONNECTIONS);
    }
    let mut by_arguments = vec![
        (libc::SYS_prlimit64, prlimit_rule()),
        (libc::SYS_setrlimit, setrlimit_rule()),
        (libc::SYS_ioctl, ioctl_rule(rules)),
        (libc::SYS_fcntl, fcntl_rule(rules)),
        (libc::SYS_clone, clone_rule(rules)),
        (libc::SYS_socket, socket_rule(rules)),
        (libc::SYS_socketpair, socket_pair_rule(rules)),
        (libc::SYS_setpriority, priority_rule(PRIO_USER, rules)),
        (libc::SYS_ioprio_set, priority_rule(IOPRIO_WHO_USER, rules)),
        // In the zygote's process group, which is in the same session, a program could renice it and
        // signal it: both calls have a number for "my group".
        (libc::SYS_setpgid, only_ours(1, rules)),
        (libc::SYS_setsockopt, socket_option_rule()),
    ];
    for number in [
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ] {
        by_arguments.push((number, only_ours(0, rules)));
    }
    if !rules.namespaces {
        by_arguments.push((libc::SYS_sendto, no_address_rule()));
    }
    for (number, rule) in by_arguments {
        // Every rule ends in an action, so the number need not be loaded again behind it.
        p.push(equal(number as u32, 0, rule.len() as u8));
        p.extend(rule);
    }
    // The flags of `clone3` lie in memory, which a filter cannot read; without it the C library uses
    // `clone`.
    let mut absent = vec![libc::SYS_clone3];
    if !rules.memory_files {
        absent.push(libc::SYS_memfd_create);
    }
    for number in absent {
        p.extend([equal(number as u32, 0, 1), action(refuse(libc::ENOSYS))]);
    }
    for number in refused {
        p.extend([equal(number as u32, 0, 1), action(refuse(libc::EPERM))]);
    }
    // As a file system without labels answers.
    for &number in LABELS {
        p.extend([equal(number as u32, 0, 1), action(refuse(libc::EOPNOTSUPP))]);
    }
    p.push(action(ALLOW));
    p
}

#[cfg(test)]
mod tests;
