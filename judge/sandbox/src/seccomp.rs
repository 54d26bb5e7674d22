//! The system-call filter: what no submission needs is refused, everything ordinary goes through.
//!
//! A refused call fails with `EPERM` like any other forbidden thing, so that a runtime that merely
//! tries (io_uring, say) falls back. Only calls by another door, 32-bit or x32, kill: their numbers
//! mean other things. The kernel remembers for each call number whether the filter always allows it
//! (since Linux 5.11), so the length of the list costs nothing at run time.
#![allow(unsafe_code)]

use std::io;

use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};
use libc::{c_long, sock_filter, sock_fprog};

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
    /// The zygote's own `clone` has this in an argument that the kernel ignores there.
    pub token: u64,
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;
const fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno as u32
}

/// Offsets in `struct seccomp_data`; the low half of an argument comes first on both machines.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const fn low(argument: u32) -> u32 {
    16 + 8 * argument
}
const fn high(argument: u32) -> u32 {
    low(argument) + 4
}

/// Calls that no submission needs.
const REFUSED: &[c_long] = &[
    // Looking into or steering other processes, the zygote among them.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    PROCESS_MRELEASE,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Namespaces, mounts, other roots.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Large parts of the kernel that have had many holes.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_fanotify_init,
    // What outlives the processes that made it.
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // The machine's own affairs.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_acct,
    libc::SYS_quotactl,
    QUOTACTL_FD,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_personality,
    // The core is the judge's choice.
    libc::SYS_sched_setaffinity,
];

/// Calls newer than some C libraries; these have the same number on all machines.
const QUOTACTL_FD: c_long = 443;
const PROCESS_MRELEASE: c_long = 448;
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

/// Calls that only the older machine has.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[c_long] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
];
#[cfg(target_arch = "aarch64")]
const REFUSED_HERE: &[c_long] = &[];

/// Calls that make a process and nothing else.
#[cfg(target_arch = "x86_64")]
const FORKS: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(target_arch = "aarch64")]
const FORKS: &[c_long] = &[];

/// Labels on files, which would outlive the emptying of a directory that stays.
const LABELS: &[c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
];

/// Calls that change a file without opening it.
const METADATA: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    FILE_SETATTR,
];
#[cfg(target_arch = "x86_64")]
const METADATA_HERE: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(target_arch = "aarch64")]
const METADATA_HERE: &[c_long] = &[];

/// All `clone` flags that make a namespace.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

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

/// The instructions: one rule after the other, each ending in its verdict or falling through.
fn program(rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![
        load(ARCH),
        equal(ARCHITECTURE, 1, 0),
        verdict(KILL),
        load(NUMBER),
    ];
    if cfg!(target_arch = "x86_64") {
        const X32_BIT: u32 = 0x4000_0000;
        p.extend([jump(BPF_JGE, X32_BIT, 0, 1), verdict(KILL)]);
    }
    let mut refused: Vec<c_long> = [REFUSED, REFUSED_HERE].concat();
    if !rules.metadata {
        refused.extend([METADATA, METADATA_HERE].concat());
    }
    if !rules.fork {
        refused.extend(FORKS);
    }
    if !rules.namespaces {
        refused.push(libc::SYS_pidfd_send_signal);
    }
    for number in refused {
        p.extend([equal(number as u32, 0, 1), verdict(refuse(libc::EPERM))]);
    }
    // As a file system without labels answers.
    for &number in LABELS {
        p.extend([
            equal(number as u32, 0, 1),
            verdict(refuse(libc::EOPNOTSUPP)),
        ]);
    }
    // Its flags lie in memory, out of a filter's sight; told that it is not there, the C library
    // uses `clone` instead.
    p.extend([
        equal(libc::SYS_clone3 as u32, 0, 1),
        verdict(refuse(libc::ENOSYS)),
    ]);
    let mut by_arguments = vec![
        (libc::SYS_clone, clone_rule(rules)),
        (libc::SYS_socket, socket_rule(rules)),
        (libc::SYS_socketpair, socket_pair_rule()),
        (libc::SYS_prlimit64, only_zero(0, libc::EPERM)),
        (libc::SYS_ioctl, ioctl_rule(rules)),
        (libc::SYS_setpriority, priority_rule(PRIO_USER, rules)),
        (libc::SYS_ioprio_set, priority_rule(IOPRIO_WHO_USER, rules)),
    ];
    for number in [
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ] {
        by_arguments.push((number, only_ours(0, rules)));
    }
    if !rules.namespaces {
        by_arguments.push((libc::SYS_fcntl, fcntl_rule()));
    }
    for (number, rule) in by_arguments {
        // Every rule ends in a verdict, so the number need not be loaded again behind it.
        p.push(equal(number as u32, 0, rule.len() as u8));
        p.extend(rule);
    }
    p.push(verdict(ALLOW));
    p
}

/// No namespaces; without `fork` only threads, and the zygote's own call.
fn clone_rule(rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![load(low(0)), and(NEW_NAMESPACES)];
    p.extend([equal(0, 1, 0), verdict(refuse(libc::EPERM))]);
    if !rules.fork {
        p.extend([load(low(0)), and(libc::CLONE_THREAD as u32)]);
        p.extend([equal(0, 1, 0), verdict(ALLOW)]);
        p.extend([
            load(low(2)),
            equal(rules.token as u32, 1, 0),
            verdict(refuse(libc::EPERM)),
        ]);
        let upper = (rules.token >> 32) as u32;
        p.extend([
            load(high(2)),
            equal(upper, 1, 0),
            verdict(refuse(libc::EPERM)),
        ]);
    }
    p.push(verdict(ALLOW));
    p
}

/// Only kinds of sockets that a network namespace holds (vsock reaches the outside), and only the
/// common ones of those: for a rare protocol the kernel would load a module that nobody looked at.
fn socket_rule(rules: Rules) -> Vec<sock_filter> {
    if !rules.namespaces {
        return vec![verdict(refuse(libc::EPERM))];
    }
    /// The rest of the argument are flags.
    const KIND: u32 = 0xf;
    let wrong_family = verdict(refuse(libc::EAFNOSUPPORT));
    let wrong_protocol = verdict(refuse(libc::EPROTONOSUPPORT));
    let mut p = vec![load(low(0))];
    p.extend([equal(libc::AF_UNIX as u32, 0, 1), verdict(ALLOW)]);
    p.extend([equal(libc::AF_INET as u32, 2, 0)]);
    p.extend([equal(libc::AF_INET6 as u32, 1, 0), wrong_family]);
    p.extend([load(low(1)), and(KIND)]);
    p.extend([equal(libc::SOCK_STREAM as u32, 2, 0)]);
    p.extend([equal(libc::SOCK_DGRAM as u32, 1, 0), wrong_protocol]);
    p.push(load(low(2)));
    for protocol in [0, libc::IPPROTO_TCP, libc::IPPROTO_UDP] {
        p.extend([equal(protocol as u32, 0, 1), verdict(ALLOW)]);
    }
    p.push(wrong_protocol);
    p
}

/// The only family that knows pairs, but for modules that the kernel would load.
fn socket_pair_rule() -> Vec<sock_filter> {
    vec![
        load(low(0)),
        equal(libc::AF_UNIX as u32, 0, 1),
        verdict(ALLOW),
        verdict(refuse(libc::EAFNOSUPPORT)),
    ]
}

/// "All processes of a user". The C library's types for these differ, or it has no name for them.
const PRIO_USER: u32 = 2;
const IOPRIO_WHO_USER: u32 = 3;

/// The priority of the zygote would be that of the next program; `user` means all its processes.
fn priority_rule(user: u32, rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![load(low(0))];
    p.extend([equal(user, 0, 1), verdict(refuse(libc::EPERM))]);
    p.extend(only_ours(1, rules));
    p
}

/// Allows a call only if this argument names a process of the program's own: with namespaces
/// anything but process 1, else 0 ("myself").
fn only_ours(argument: u32, rules: Rules) -> Vec<sock_filter> {
    if !rules.namespaces {
        return only_zero(argument, libc::EPERM);
    }
    vec![
        load(low(argument)),
        equal(1, 0, 1),
        verdict(refuse(libc::EPERM)),
        verdict(ALLOW),
    ]
}

/// Nobody lets the kernel send a signal to a process of others when a descriptor becomes ready.
fn fcntl_rule() -> Vec<sock_filter> {
    const F_SETOWN_EX: u32 = 15;
    let mut p = vec![load(low(1))];
    for command in [libc::F_SETOWN as u32, F_SETOWN_EX] {
        p.extend([equal(command, 0, 1), verdict(refuse(libc::EPERM))]);
    }
    p.push(verdict(ALLOW));
    p
}

/// A filter that a program without a PID namespace puts on itself: it may signal only itself. Its
/// own process id is filled in by [`aim`] when it is known.
pub fn only_signals_to_itself() -> Vec<sock_filter> {
    let mut p = vec![load(NUMBER)];
    // `kill(0)` means its own group, which is a new one.
    let rule = [
        load(low(0)),
        equal(OWN_PROCESS, 0, 1),
        verdict(ALLOW),
        equal(0, 0, 1),
        verdict(ALLOW),
        verdict(refuse(libc::EPERM)),
    ];
    for number in [
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ] {
        p.push(equal(number as u32, 0, rule.len() as u8));
        p.extend(rule);
    }
    p.push(verdict(ALLOW));
    p
}

/// Stands for the process id in [`only_signals_to_itself`]: no process has it.
const OWN_PROCESS: u32 = u32::MAX;

/// Fills the process id in. Neither allocates nor locks: it is called between vfork and exec.
pub fn aim(filter: &mut [sock_filter], own: u32) {
    for i in filter {
        if i.code == (BPF_JMP | BPF_JEQ | BPF_K) as u16 && i.k == OWN_PROCESS {
            i.k = own;
        }
    }
}

/// Allows a call only if this argument is 0: "myself".
fn only_zero(argument: u32, errno: i32) -> Vec<sock_filter> {
    vec![
        load(low(argument)),
        equal(0, 1, 0),
        verdict(refuse(errno)),
        verdict(ALLOW),
    ]
}

/// Nobody types on the judge's terminal; without namespaces nobody marks files of others either,
/// or has the kernel signal others.
fn ioctl_rule(rules: Rules) -> Vec<sock_filter> {
    const TIOCLINUX: u32 = 0x541c;
    const FS_IOC_SETFLAGS: u32 = 0x4008_6602;
    const FS_IOC_FSSETXATTR: u32 = 0x401c_5820;
    const FIOSETOWN: u32 = 0x8901;
    const SIOCSPGRP: u32 = 0x8902;
    let mut requests = vec![libc::TIOCSTI as u32, TIOCLINUX];
    if !rules.metadata {
        requests.extend([FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR]);
    }
    if !rules.namespaces {
        requests.extend([FIOSETOWN, SIOCSPGRP]);
    }
    let refused = verdict(refuse(libc::EPERM));
    let mut p = vec![load(low(1))];
    for request in requests {
        p.extend([equal(request, 0, 1), refused]);
    }
    p.push(verdict(ALLOW));
    p
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    }
}

fn load(offset: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0)
}

fn and(mask: u32) -> sock_filter {
    instruction(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0)
}

fn jump(condition: u32, k: u32, if_true: u8, if_false: u8) -> sock_filter {
    instruction(BPF_JMP | condition | BPF_K, k, if_true, if_false)
}

fn equal(k: u32, if_true: u8, if_false: u8) -> sock_filter {
    jump(BPF_JEQ, k, if_true, if_false)
}

fn verdict(what: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, what, 0, 0)
}

#[cfg(test)]
mod tests;
