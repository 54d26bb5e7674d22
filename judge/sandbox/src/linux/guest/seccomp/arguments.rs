//! Filter rules that depend on the arguments of a call. Each rule ends in an action.

use libc::{BPF_JGE, sock_filter};

use super::Rules;
use super::bpf::{ALLOW, action, and, equal, high, jump, load, low, refuse};

/// All `clone` flags that create a namespace.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// Rule of `clone`: forbids new namespaces. Without `fork`, it allows only threads and the zygote's
/// own call.
pub fn clone_rule(rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![load(low(0)), and(NEW_NAMESPACES)];
    p.extend([equal(0, 1, 0), action(refuse(libc::EPERM))]);
    if rules.fork {
        p.push(action(ALLOW));
    } else {
        p.extend([load(low(0)), and(libc::CLONE_THREAD as u32)]);
        p.extend([equal(0, 1, 0), action(ALLOW)]);
        p.extend(only_zygote(2, rules));
    }
    p
}

/// Refuses a call whose argument is one of these values.
fn refuse_values(
    argument: u32,
    values: impl IntoIterator<Item = u32>,
    errno: i32,
) -> Vec<sock_filter> {
    let actions = values.into_iter().map(|value| (value, refuse(errno)));
    by_value(argument, actions, ALLOW)
}

/// Takes the action of the value that an argument has, otherwise the last one.
fn by_value(
    argument: u32,
    actions: impl IntoIterator<Item = (u32, u32)>,
    otherwise: u32,
) -> Vec<sock_filter> {
    let mut p = vec![load(low(argument))];
    for (value, what) in actions {
        p.extend([equal(value, 0, 1), action(what)]);
    }
    p.push(action(otherwise));
    p
}

/// Refuses a call whose argument has one of these flags.
fn refuse_flags(argument: u32, flags: u32, errno: i32) -> Vec<sock_filter> {
    vec![
        load(low(argument)),
        and(flags),
        equal(0, 1, 0),
        action(refuse(errno)),
        action(ALLOW),
    ]
}

/// Allows a call only with the zygote's random token in this argument, which the kernel ignores.
fn only_zygote(argument: u32, rules: Rules) -> Vec<sock_filter> {
    let refused = action(refuse(libc::EPERM));
    vec![
        load(low(argument)),
        equal(rules.token as u32, 1, 0),
        refused,
        load(high(argument)),
        equal((rules.token >> 32) as u32, 1, 0),
        refused,
        action(ALLOW),
    ]
}

/// Forbids filters on system calls. The kernel keeps the code of every filter in memory that no
/// group counts, and releases it through queues that the whole machine shares: with thousands of
/// filters a program could block every other process that installs one. Only the zygote, where it
/// enforces a filter on each program, installs one after this.
pub fn seccomp_rule(rules: Rules) -> Vec<sock_filter> {
    only_zygote(3, rules)
}

/// Forbids filters on system calls, as [`seccomp_rule`], and core scheduling, with which a program
/// could keep the other thread of a processor core, and the box that runs there, idle.
pub fn prctl_rule() -> Vec<sock_filter> {
    // The C library does not define these constants.
    const PR_SCHED_CORE: u32 = 62;
    /// Merges equal pages of the whole process, as `MADV_MERGEABLE` does of a mapping: writing to a page shows
    /// whether another box has the same one. The error is that of a kernel without it.
    const PR_SET_MEMORY_MERGE: u32 = 67;
    /// Allocates up to 256 MiB of kernel memory that no process's page table shows.
    const PR_FUTEX_HASH: u32 = 78;
    /// The newest option that this rule considers (Linux 6.17). An option of a later kernel could reach an
    /// object that outlives a run. Larger is also `PR_SET_VMA`, which names a mapping in kernel memory
    /// that no control group counts.
    const NEWEST: u32 = PR_FUTEX_HASH;
    let actions = [
        (libc::PR_SET_SECCOMP as u32, refuse(libc::EPERM)),
        (PR_SCHED_CORE, refuse(libc::EPERM)),
        (PR_SET_MEMORY_MERGE, refuse(libc::EINVAL)),
        (PR_FUTEX_HASH, refuse(libc::EPERM)),
    ];
    let mut p = vec![load(low(0)), jump(BPF_JGE, NEWEST + 1, 0, 1)];
    p.push(action(refuse(libc::EINVAL)));
    p.extend(by_value(0, actions, ALLOW));
    p
}

/// Rule of `socket`: allows only Unix sockets. Others would leave traces in the counters of the
/// box's network namespace (`/proc/net/snmp`), which the next run can read, and for rare families
/// and protocols the kernel would load little-tested modules. Without namespaces allows no socket:
/// a Unix socket could connect to a service of the host.
pub fn socket_rule(rules: Rules) -> Vec<sock_filter> {
    if rules.namespaces {
        only_unix()
    } else {
        vec![action(refuse(libc::EPERM))]
    }
}

fn only_unix() -> Vec<sock_filter> {
    vec![
        load(low(0)),
        equal(libc::AF_UNIX as u32, 1, 0),
        action(refuse(libc::EAFNOSUPPORT)),
        action(ALLOW),
    ]
}

/// Mask of the socket type; the other bits are flags.
const KIND: u32 = 0xf;

/// The limit on core dumps; its type differs between C libraries.
#[allow(clippy::unnecessary_cast)]
const CORE: u32 = libc::RLIMIT_CORE as u32;

/// Allows a program to set its own limits, except the limit on core dumps: with 0 bytes the
/// system's core dump handler would run again. Reading that limit is allowed.
pub fn prlimit_rule() -> Vec<sock_filter> {
    vec![
        load(low(0)),
        equal(0, 1, 0),
        action(refuse(libc::EPERM)),
        load(low(1)),
        equal(CORE, 1, 0),
        action(ALLOW),
        load(low(2)),
        equal(0, 1, 0),
        action(refuse(libc::EPERM)),
        load(high(2)),
        equal(0, 1, 0),
        action(refuse(libc::EPERM)),
        action(ALLOW),
    ]
}

/// The same as [`prlimit_rule`] for `setrlimit`.
pub fn setrlimit_rule() -> Vec<sock_filter> {
    refuse_values(0, [CORE], libc::EPERM)
}

/// Forbids filters on sockets, as [`seccomp_rule`]. Without a control group, which counts them as
/// memory, the buffers of sockets keep their default size; the call succeeds, as it does for a size
/// above the system's maximum.
pub fn socket_option_rule(rules: Rules) -> Vec<sock_filter> {
    let mut results = vec![
        (libc::SO_ATTACH_FILTER, libc::EPERM),
        (libc::SO_ATTACH_BPF, libc::EPERM),
        (libc::SO_ATTACH_REUSEPORT_CBPF, libc::EPERM),
        (libc::SO_ATTACH_REUSEPORT_EBPF, libc::EPERM),
    ];
    if !rules.memory_group {
        results.extend([(libc::SO_SNDBUF, 0), (libc::SO_RCVBUF, 0)]);
    }
    let mut p = vec![load(low(1))];
    p.extend([equal(libc::SOL_SOCKET as u32, 1, 0), action(ALLOW)]);
    let actions = results
        .into_iter()
        .map(|(option, errno)| (option as u32, refuse(errno)));
    p.extend(by_value(2, actions, ALLOW));
    p
}

/// Rule of `socketpair`: allows only Unix pairs. Without namespaces, it allows only pairs that stay
/// connected: an end of a datagram pair can send to any named socket of the host, and `sendmsg`
/// passes the name in memory, where a filter cannot read it.
pub fn socket_pair_rule(rules: Rules) -> Vec<sock_filter> {
    let mut p = Vec::new();
    if !rules.namespaces {
        p.extend([load(low(1)), and(KIND)]);
        p.extend([equal(libc::SOCK_STREAM as u32, 2, 0)]);
        p.extend([equal(libc::SOCK_SEQPACKET as u32, 1, 0)]);
        p.push(action(refuse(libc::EPERM)));
    }
    p.extend(only_unix());
    p
}

/// Forbids urgent data, which no submission needs, at the flags of a call that sends: Unix sockets have it since Linux
/// 5.15, with holes (CVE-2025-38236). The error is that of a kernel without it.
pub fn no_urgent_data_rule(flags: u32) -> Vec<sock_filter> {
    refuse_flags(flags, libc::MSG_OOB as u32, libc::EOPNOTSUPP)
}

/// Allows `sendto` only without urgent data and, without namespaces, without an address.
pub fn sendto_rule(rules: Rules) -> Vec<sock_filter> {
    let mut p = no_urgent_data_rule(3);
    if rules.namespaces {
        return p;
    }
    // Instead of allowing the call.
    p.pop();
    for half in [low(4), high(4)] {
        p.extend([load(half), equal(0, 1, 0), action(refuse(libc::EPERM))]);
    }
    p.push(action(ALLOW));
    p
}

/// Allows a call only if this argument names a process of the program: with namespaces any process
/// except 1, otherwise only 0 (the caller).
pub fn only_ours(argument: u32, rules: Rules) -> Vec<sock_filter> {
    if rules.namespaces {
        refuse_values(argument, [1], libc::EPERM)
    } else {
        only_zero(argument, libc::EPERM)
    }
}

/// A clock of a process in a clock id: the complement of the process id, then three bits for its kind.
pub const CLOCK_KIND: u32 = 7;

/// Forbids the CPU clock of the zygote, as if it did not exist. The zygote works for every program,
/// by reaping its processes and removing its files, so its clock would carry a message from one run
/// to the next. (Without namespaces `self_only` forbids the clocks of all other processes.)
pub fn clock_rule() -> Vec<sock_filter> {
    const ZYGOTE: u32 = !1 << 3;
    vec![
        load(low(0)),
        and(!CLOCK_KIND),
        equal(ZYGOTE, 0, 1),
        action(refuse(libc::EINVAL)),
        action(ALLOW),
    ]
}

/// Commands of `fcntl` that change only a descriptor or its description, or that read.
const DESCRIPTOR_COMMANDS: &[i32] = &[
    libc::F_DUPFD,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_GETOWN,
    F_SETSIG,
    F_GETSIG,
    F_GETOWN_EX,
    libc::F_OFD_GETLK,
    libc::F_GETLEASE,
    F_DUPFD_QUERY,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETPIPE_SZ,
    libc::F_ADD_SEALS,
    libc::F_GET_SEALS,
];
// Not every C library defines these constants.
const F_SETSIG: i32 = 10;
const F_GETSIG: i32 = 11;
const F_SETOWN_EX: i32 = 15;
const F_GETOWN_EX: i32 = 16;
const F_DUPFD_QUERY: i32 = 1027;

/// Rule of `fcntl`: allows the commands that concern only the caller's own descriptors.
///
/// - Locks of byte ranges succeed without effect: each takes kernel memory that no control group
///   counts, and their number is unlimited. Only processes of one program could notice that they do
///   not exclude each other. `flock`, of which a file has at most one for each time it is opened,
///   works.
/// - Leases and directory notifications, which reveal the activity of concurrent boxes, and larger
///   pipes, whose quota all boxes of a user share, are refused.
/// - Other commands fail as on a kernel without them. `F_SET_RW_HINT` would leave a message at the
///   inode of a file that the program may only read.
/// - Without namespaces a program may not name another process as the receiver of signals for a
///   descriptor.
pub fn fcntl_rule(rules: Rules) -> Vec<sock_filter> {
    let locks = [
        libc::F_SETLK,
        libc::F_SETLKW,
        libc::F_OFD_SETLK,
        libc::F_OFD_SETLKW,
    ];
    let mut refused = vec![libc::F_SETLEASE, libc::F_NOTIFY, libc::F_SETPIPE_SZ];
    let owner = [libc::F_SETOWN, F_SETOWN_EX];
    let mut allowed = DESCRIPTOR_COMMANDS.to_vec();
    match rules.namespaces {
        true => allowed.extend(owner),
        false => refused.extend(owner),
    }
    let groups = [
        (allowed, ALLOW),
        (locks.to_vec(), refuse(0)),
        (refused, refuse(libc::EPERM)),
    ];
    let actions = groups
        .into_iter()
        .flat_map(|(commands, what)| commands.into_iter().map(move |c| (c as u32, what)));
    by_value(1, actions, refuse(libc::EINVAL))
}

/// Allows a call only if this argument is 0, which means the caller.
pub fn only_zero(argument: u32, errno: i32) -> Vec<sock_filter> {
    vec![
        load(low(argument)),
        equal(0, 1, 0),
        action(refuse(errno)),
        action(ALLOW),
    ]
}

/// Rule of `ioctl`: allows requests to terminals, which include those that concern a descriptor
/// (`FIONREAD`, `FIONBIO`, `FIOCLEX`), requests about the owner and the time stamps of a socket, and
/// reading the flags of a file. It forbids injecting input into the judge's terminal and, without
/// namespaces, naming another process as the receiver of signals.
///
/// The other requests to sockets configure networks, which a box does not have. For some of them
/// (`SIOCGIFBR`, `SIOCGIFVLAN`) the kernel loads a module before it asks for rights, through any kind
/// of socket.
///
/// Requests to file systems fail as they do for a file system without them. They would change
/// flags, which stay on a directory after it is emptied, or show or change what the kernel has
/// cached of a file that two runs can read: its pages (`PAGEMAP_SCAN`), its extents
/// (`EXT4_IOC_PRECACHE_EXTENTS`), whether it is on the disk yet (`FS_IOC_FIEMAP`).
pub fn ioctl_rule(rules: Rules) -> Vec<sock_filter> {
    /// The C library does not define these two constants.
    const FIOSETOWN: u32 = 0x8901;
    const SIOCSPGRP: u32 = 0x8902;
    /// The byte of a request that names the kind of device.
    const KIND: u32 = 0xff00;
    const TERMINAL: u32 = 0x5400;
    /// The first requests to sockets, without their last four bits: the others are about networks.
    const SOCKET: u32 = 0x8900;
    const FIRST: u32 = 0xfff0;
    let mut refused = vec![libc::TIOCSTI as u32, libc::TIOCLINUX as u32];
    if !rules.namespaces {
        refused.extend([FIOSETOWN, SIOCSPGRP]);
    }
    let mut p = vec![load(low(1))];
    for request in refused {
        p.extend([equal(request, 0, 1), action(refuse(libc::EPERM))]);
    }
    p.extend([equal(libc::FS_IOC_GETFLAGS as u32, 0, 1), action(ALLOW)]);
    p.extend([and(KIND), equal(TERMINAL, 0, 1), action(ALLOW)]);
    p.extend([load(low(1)), and(FIRST), equal(SOCKET, 0, 1)]);
    p.extend([action(ALLOW), action(refuse(libc::ENOTTY))]);
    p
}

/// Turns an `msync` that waits for the disk into a no-op, as the calls of
/// [`super::calls::WITHOUT_EFFECT`].
pub fn no_write_back_rule() -> Vec<sock_filter> {
    refuse_flags(2, libc::MS_SYNC as u32, 0)
}

/// The crate libc has it for glibc only.
pub const MADV_COLLAPSE: i32 = 25;

/// Forbids `madvise` on pages that other processes may share: evicting them, collapsing them into a
/// huge page, merging equal pages. The effect is visible to the next run, so it is a covert
/// channel, and it slows down concurrent runs. The error is that of a kernel without that advice.
/// Reading a file ahead is a no-op, as `readahead`.
pub fn madvise_rule() -> Vec<sock_filter> {
    let refused = [
        libc::MADV_MERGEABLE,
        libc::MADV_COLD,
        libc::MADV_PAGEOUT,
        MADV_COLLAPSE,
    ];
    let refused = refused.map(|advice| (advice as u32, refuse(libc::EINVAL)));
    let ahead = (libc::MADV_WILLNEED as u32, refuse(0));
    by_value(2, refused.into_iter().chain([ahead]), ALLOW)
}

/// Forbids reads that return cached pages only, because they reveal which of the host's files other
/// processes have read, and reads that evict pages. The error is that of a file system without
/// these flags.
pub fn read_rule() -> Vec<sock_filter> {
    /// The C library does not define this constant.
    const RWF_DONTCACHE: u32 = 0x80;
    refuse_flags(5, libc::RWF_NOWAIT as u32 | RWF_DONTCACHE, libc::EOPNOTSUPP)
}

/// Forbids reserved huge pages: a control group does not count them as memory, and all boxes share
/// the reserve. The error is that of a machine without reserved huge pages.
pub fn no_huge_pages_rule(argument: u32, huge: u32) -> Vec<sock_filter> {
    refuse_flags(argument, huge, libc::ENOMEM)
}
