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
    /// Whether they may make sockets: only where a network namespace makes them harmless.
    pub sockets: bool,
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
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_personality,
    // The core is the judge's choice.
    libc::SYS_sched_setaffinity,
];

/// Calls that only the older machine has.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[c_long] = &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
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
/// The same number on all machines, since Linux 6.13.
const SETXATTRAT: c_long = 463;

/// Calls that change a file without opening it.
const METADATA: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
];
/// The same number on all machines, since Linux 6.6.
const FCHMODAT2: c_long = 452;
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
    for (number, rule) in [
        (libc::SYS_clone, clone_rule(rules)),
        (libc::SYS_socket, socket_rule(rules)),
        (libc::SYS_prlimit64, only_zero(0, libc::EPERM)),
        (libc::SYS_ioctl, ioctl_rule()),
    ] {
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

/// Only kinds of sockets that a network namespace holds: others (vsock!) reach the outside.
fn socket_rule(rules: Rules) -> Vec<sock_filter> {
    if !rules.sockets {
        return vec![verdict(refuse(libc::EPERM))];
    }
    let mut p = vec![load(low(0))];
    for family in [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6] {
        p.extend([equal(family as u32, 0, 1), verdict(ALLOW)]);
    }
    p.push(verdict(refuse(libc::EAFNOSUPPORT)));
    p
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

/// Nobody types on the judge's terminal.
fn ioctl_rule() -> Vec<sock_filter> {
    const TIOCLINUX: u32 = 0x541c;
    let refused = verdict(refuse(libc::EPERM));
    let mut p = vec![load(low(1))];
    for request in [libc::TIOCSTI as u32, TIOCLINUX] {
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
