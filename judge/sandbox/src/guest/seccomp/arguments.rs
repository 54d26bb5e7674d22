//! Rules that depend on the arguments of a call; each ends in an action.

use libc::sock_filter;

use super::Rules;
use super::bpf::{ALLOW, action, and, equal, high, load, low, refuse};

/// All `clone` flags that create a namespace.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// Forbids namespaces; without `fork` allows only threads and the zygote's own call.
pub fn clone_rule(rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![load(low(0)), and(NEW_NAMESPACES)];
    p.extend([equal(0, 1, 0), action(refuse(libc::EPERM))]);
    if !rules.fork {
        p.extend([load(low(0)), and(libc::CLONE_THREAD as u32)]);
        p.extend([equal(0, 1, 0), action(ALLOW)]);
        p.extend([
            load(low(2)),
            equal(rules.token as u32, 1, 0),
            action(refuse(libc::EPERM)),
        ]);
        let upper = (rules.token >> 32) as u32;
        p.extend([
            load(high(2)),
            equal(upper, 1, 0),
            action(refuse(libc::EPERM)),
        ]);
    }
    p.push(action(ALLOW));
    p
}

/// Allows only families of sockets that a network namespace contains (vsock is not), and only the
/// common protocols: for a rare one the kernel would load a little-tested module.
pub fn socket_rule(rules: Rules) -> Vec<sock_filter> {
    if !rules.namespaces {
        return vec![action(refuse(libc::EPERM))];
    }
    let wrong_family = action(refuse(libc::EAFNOSUPPORT));
    let wrong_protocol = action(refuse(libc::EPROTONOSUPPORT));
    let mut p = vec![load(low(0))];
    p.extend([equal(libc::AF_UNIX as u32, 0, 1), action(ALLOW)]);
    p.extend([equal(libc::AF_INET as u32, 2, 0)]);
    p.extend([equal(libc::AF_INET6 as u32, 1, 0), wrong_family]);
    p.extend([load(low(1)), and(KIND)]);
    p.extend([equal(libc::SOCK_STREAM as u32, 2, 0)]);
    p.extend([equal(libc::SOCK_DGRAM as u32, 1, 0), wrong_protocol]);
    p.push(load(low(2)));
    for protocol in [0, libc::IPPROTO_TCP, libc::IPPROTO_UDP] {
        p.extend([equal(protocol as u32, 0, 1), action(ALLOW)]);
    }
    p.push(wrong_protocol);
    p
}

/// The bits of a socket's type; the others are flags.
const KIND: u32 = 0xf;

/// The limit on core dumps; its type differs between C libraries.
#[allow(clippy::unnecessary_cast)]
const CORE: u32 = libc::RLIMIT_CORE as u32;

/// Allows a program to set its own limits, except the one on core dumps: with 0 bytes the system's
/// handler of dumps would run again. Reading that limit is allowed.
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

/// As [`prlimit_rule`].
pub fn setrlimit_rule() -> Vec<sock_filter> {
    vec![
        load(low(0)),
        equal(CORE, 0, 1),
        action(refuse(libc::EPERM)),
        action(ALLOW),
    ]
}

/// Forbids leases of IPv6 flow labels: they outlive the socket by a minute in the box's network
/// namespace, and so carry messages to the next run. Without a control group, which counts them as
/// memory, the buffers of sockets keep their default size; the call succeeds, as it does for a size
/// above the system's maximum.
pub fn socket_option_rule(rules: Rules) -> Vec<sock_filter> {
    const FLOW_LABELS: u32 = 32;
    let mut p = vec![load(low(1))];
    if !rules.memory_group {
        p.extend([equal(libc::SOL_SOCKET as u32, 0, 4), load(low(2))]);
        p.extend([equal(libc::SO_SNDBUF as u32, 1, 0)]);
        p.extend([equal(libc::SO_RCVBUF as u32, 0, 1), action(refuse(0))]);
        p.push(load(low(1)));
    }
    p.extend([equal(libc::IPPROTO_IPV6 as u32, 1, 0), action(ALLOW)]);
    p.push(load(low(2)));
    p.extend([equal(FLOW_LABELS, 0, 1), action(refuse(libc::EPERM))]);
    p.push(action(ALLOW));
    p
}

/// Allows only Unix pairs; other families would load a module. Without namespaces allows only pairs
/// that stay connected: an end of a datagram pair can send to any named socket of the host, and
/// `sendmsg` passes the name in memory, where a filter cannot read it.
pub fn socket_pair_rule(rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![
        load(low(0)),
        equal(libc::AF_UNIX as u32, 1, 0),
        action(refuse(libc::EAFNOSUPPORT)),
    ];
    if !rules.namespaces {
        p.extend([load(low(1)), and(KIND)]);
        p.extend([equal(libc::SOCK_STREAM as u32, 2, 0)]);
        p.extend([equal(libc::SOCK_SEQPACKET as u32, 1, 0)]);
        p.push(action(refuse(libc::EPERM)));
    }
    p.push(action(ALLOW));
    p
}

/// Allows `sendto` only without an address.
pub fn no_address_rule() -> Vec<sock_filter> {
    let mut p = Vec::new();
    for half in [low(4), high(4)] {
        p.extend([load(half), equal(0, 1, 0), action(refuse(libc::EPERM))]);
    }
    p.push(action(ALLOW));
    p
}

/// "All processes of a user".
// The type differs between C libraries.
#[allow(clippy::unnecessary_cast)]
pub const PRIO_USER: u32 = libc::PRIO_USER as u32;
/// The same for `ioprio_set`; the C library does not name it.
pub const IOPRIO_WHO_USER: u32 = 3;

/// Forbids changing the priority of the zygote, which the next program would inherit; `user` stands
/// for all processes of a user, the zygote included.
pub fn priority_rule(user: u32, rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![load(low(0))];
    p.extend([equal(user, 0, 1), action(refuse(libc::EPERM))]);
    p.extend(only_ours(1, rules));
    p
}

/// Allows a call only if this argument names a process of the program: with namespaces any but
/// process 1, otherwise 0 ("myself").
pub fn only_ours(argument: u32, rules: Rules) -> Vec<sock_filter> {
    if !rules.namespaces {
        return only_zero(argument, libc::EPERM);
    }
    vec![
        load(low(argument)),
        equal(1, 0, 1),
        action(refuse(libc::EPERM)),
        action(ALLOW),
    ]
}

/// Forbids leases and directory notices, by which boxes that run side by side could see each other,
/// and larger pipes, whose quota all boxes of a user share. Without namespaces also forbids naming
/// another process as the receiver of signals for a descriptor.
pub fn fcntl_rule(rules: Rules) -> Vec<sock_filter> {
    /// The C library does not name it.
    const F_SETOWN_EX: i32 = 15;
    let mut commands = vec![libc::F_SETLEASE, libc::F_NOTIFY, libc::F_SETPIPE_SZ];
    if !rules.namespaces {
        commands.extend([libc::F_SETOWN, F_SETOWN_EX]);
    }
    let mut p = vec![load(low(1))];
    for command in commands {
        p.extend([equal(command as u32, 0, 1), action(refuse(libc::EPERM))]);
    }
    p.push(action(ALLOW));
    p
}

/// Allows a call only if this argument is 0: "myself".
pub fn only_zero(argument: u32, errno: i32) -> Vec<sock_filter> {
    vec![
        load(low(argument)),
        equal(0, 1, 0),
        action(refuse(errno)),
        action(ALLOW),
    ]
}

/// Forbids input for the judge's terminal and file flags, which would stay on a directory that is
/// emptied after a run. Without namespaces also forbids naming another process as the receiver of
/// signals.
pub fn ioctl_rule(rules: Rules) -> Vec<sock_filter> {
    /// The C library does not name these three.
    const FS_IOC_FSSETXATTR: u32 = 0x401c_5820;
    const FIOSETOWN: u32 = 0x8901;
    const SIOCSPGRP: u32 = 0x8902;
    let mut requests = vec![
        libc::TIOCSTI as u32,
        libc::TIOCLINUX as u32,
        libc::FS_IOC_SETFLAGS as u32,
        FS_IOC_FSSETXATTR,
    ];
    if !rules.namespaces {
        requests.extend([FIOSETOWN, SIOCSPGRP]);
    }
    let refused = action(refuse(libc::EPERM));
    let mut p = vec![load(low(1))];
    for request in requests {
        p.extend([equal(request, 0, 1), refused]);
    }
    p.push(action(ALLOW));
    p
}

/// Forbids huge pages that the machine reserves: a control group does not count them as memory, and
/// all boxes share them. The error is that of a machine that reserves none.
pub fn no_huge_pages_rule(flags: u32, huge: u32) -> Vec<sock_filter> {
    vec![
        load(low(flags)),
        and(huge),
        equal(0, 1, 0),
        action(refuse(libc::ENOMEM)),
        action(ALLOW),
    ]
}
