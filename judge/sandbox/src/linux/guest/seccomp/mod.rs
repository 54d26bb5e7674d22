//! The system-call filter: refuses calls that no submission needs, allows all ordinary calls.
//!
//! A refused call fails with `EPERM`, so that a runtime that only probes for a feature (io_uring,
//! for example) falls back. Only calls of another ABI, 32-bit or x32, kill the program, because
//! their numbers have other meanings. The kernel remembers which call numbers the filter always
//! allows (from Linux 5.11 on), so for those the length of the list costs nothing. Calls with rules
//! on their arguments come first.
#![allow(unsafe_code)]

mod arguments;
mod bpf;
mod calls;
mod self_only;

pub use self_only::{self_only, set_own_pid};

use std::io;

use arguments::{
    clock_rule, clone_rule, fcntl_rule, ioctl_rule, madvise_rule, no_huge_pages_rule,
    no_urgent_data_rule, no_write_back_rule, only_ours, prctl_rule, prlimit_rule, read_rule,
    seccomp_rule, sendto_rule, setrlimit_rule, socket_option_rule, socket_pair_rule, socket_rule,
};
use bpf::{ALLOW, ARCH, ARCHITECTURE, KILL, NUMBER, action, equal, jump, load, refuse};
use calls::{
    ABSENT, ABSENT_WITHOUT_GROUP, CLOCKS, CONNECTIONS, FORKS, LABELS, METADATA, METADATA_HERE,
    NEWEST, REFUSED, REFUSED_HERE, WITHOUT_EFFECT,
};
use libc::{BPF_JGE, c_int, c_long, sock_filter, sock_fprog};

use crate::linux::sys::check_long;

/// The rules that differ between boxes.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Whether programs may create processes. Threads are always allowed.
    pub fork: bool,
    /// Whether the box has namespaces. Then Unix sockets are harmless, and the zygote (process 1)
    /// is the only foreign process that a program can name.
    pub namespaces: bool,
    /// Whether programs may change modes, owners and times of files. Landlock does not restrict
    /// these calls, so they are allowed only if the program sees no files of other users.
    pub metadata: bool,
    /// Whether programs may truncate a file by path. Landlock does not restrict `truncate` before
    /// Linux 6.2.
    pub truncate: bool,
    /// Whether a control group counts memory. Without one, programs may not create memory files,
    /// put pages into pipes with `vmsplice`, or enlarge socket buffers: the sampler misses that
    /// memory, and the CPU time of an executed memory file.
    pub memory_group: bool,
    /// The random number that marks the zygote's own calls of `clone` and `seccomp`, in an argument that
    /// the kernel ignores there.
    pub token: u64,
}

/// Installs the filter on this process and its future descendants; requires `no_new_privs`.
pub fn install(rules: Rules) -> io::Result<()> {
    let mut filter = program(rules);
    let length = filter.len() as libc::c_ushort;
    let program = sock_fprog {
        len: length,
        filter: filter.as_mut_ptr(),
    };
    let set = |flags: libc::c_ulong| {
        let mode = libc::SECCOMP_SET_MODE_FILTER;
        // SAFETY: the program points to `length` instructions that outlive the call.
        check_long(unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &program) }).map(drop)
    };
    // Before Linux 5.16 a filter slows the processor down unless this flag is set.
    set(libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW).or_else(|_| set(0))
}

/// The filter program: a sequence of rules, each of which ends in its action or falls through.
fn program(rules: Rules) -> Vec<sock_filter> {
    let mut p = number_rules();
    for (number, rule) in argument_rules(rules) {
        // Every rule ends in an action, so the call number is still loaded when the next rule
        // starts.
        p.push(equal(number as u32, 0, rule.len() as u8));
        p.extend(rule);
    }
    for (numbers, errno) in refused_calls(rules) {
        for number in numbers {
            p.extend([equal(number as u32, 0, 1), action(refuse(errno))]);
        }
    }
    p.push(action(ALLOW));
    p
}

/// Kills programs that make calls of another ABI, and refuses calls that are newer than the lists.
/// Leaves the call number loaded.
fn number_rules() -> Vec<sock_filter> {
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
    let newer = jump(BPF_JGE, NEWEST as u32 + 1, 0, 1);
    p.extend([newer, action(refuse(libc::ENOSYS))]);
    p
}

/// The calls that are allowed with some arguments only.
fn argument_rules(rules: Rules) -> Vec<(c_long, Vec<sock_filter>)> {
    let mut table = vec![
        // First, because programs make this call most often.
        (
            libc::SYS_mmap,
            no_huge_pages_rule(3, libc::MAP_HUGETLB as u32),
        ),
        (libc::SYS_madvise, madvise_rule()),
        (libc::SYS_prlimit64, prlimit_rule()),
        (libc::SYS_setrlimit, setrlimit_rule()),
        (libc::SYS_ioctl, ioctl_rule(rules)),
        (libc::SYS_fcntl, fcntl_rule(rules)),
        (libc::SYS_clone, clone_rule(rules)),
        (libc::SYS_socket, socket_rule(rules)),
        (libc::SYS_socketpair, socket_pair_rule(rules)),
        // A program in the zygote's process group could signal it, because `kill` has a number for
        // "my group". The group is in the program's session, so it could be joined.
        (libc::SYS_setpgid, only_ours(1, rules)),
        (libc::SYS_setsockopt, socket_option_rule(rules)),
        (libc::SYS_seccomp, seccomp_rule(rules)),
        (libc::SYS_prctl, prctl_rule()),
        (libc::SYS_msync, no_write_back_rule()),
        (libc::SYS_preadv2, read_rule()),
        (libc::SYS_sendto, sendto_rule(rules)),
    ];
    if rules.namespaces {
        table.extend(CLOCKS.map(|call| (call, clock_rule())));
        table.push((libc::SYS_sendmsg, no_urgent_data_rule(2)));
        table.push((libc::SYS_sendmmsg, no_urgent_data_rule(3)));
    }
    if rules.memory_group {
        let rule = no_huge_pages_rule(1, libc::MFD_HUGETLB);
        table.push((libc::SYS_memfd_create, rule));
    }
    table
}

/// The calls that are not made, with the error that they return instead; 0 is success.
fn refused_calls(rules: Rules) -> [(Vec<c_long>, c_int); 4] {
    let mut absent = ABSENT.to_vec();
    if !rules.memory_group {
        absent.extend(ABSENT_WITHOUT_GROUP);
    }
    let mut refused = [REFUSED, REFUSED_HERE].concat();
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
    [
        (absent, libc::ENOSYS),
        (refused, libc::EPERM),
        (WITHOUT_EFFECT.to_vec(), 0),
        // The error of a file system without extended attributes.
        (LABELS.to_vec(), libc::EOPNOTSUPP),
    ]
}

#[cfg(test)]
mod tests;
