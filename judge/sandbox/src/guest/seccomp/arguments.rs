//! Rules over the arguments of a call; each ends in an action.

use libc::sock_filter;

use super::Rules;
use super::bpf::{ALLOW, action, and, equal, high, load, low, refuse};

/// All `clone` flags that make a namespace.
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// No namespaces; without `fork` only threads, and the zygote's own call.
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

/// Only kinds of sockets that a network namespace holds (vsock reaches the outside), and only the
/// common ones of those: for a rare protocol the kernel would load a module that nobody looked at.
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

/// The rest of a socket's type are flags.
const KIND: u32 = 0xf;

/// Limits of its own only, and never that on core dumps: one of 0 bytes brings the system's handler of
/// dumps back. Reading it is allowed.
pub fn prlimit_rule() -> Vec<sock_filter> {
    vec![
        load(low(0)),
        equal(0, 1, 0),
        action(refuse(libc::EPERM)),
        load(low(1)),
        equal(libc::RLIMIT_CORE, 1, 0),
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
        equal(libc::RLIMIT_CORE, 0, 1),
        action(refuse(libc::EPERM)),
        action(ALLOW),
    ]
}

/// No leases of IPv6 flow labels: they outlive the socket by a minute, in the box's network namespace,
/// and so carry messages to the next run.
pub fn socket_option_rule() -> Vec<sock_filter> {
    const FLOW_LABELS: u32 = 32;
    vec![
        load(low(1)),
        equal(libc::IPPROTO_IPV6 as u32, 1, 0),
        action(ALLOW),
        load(low(2)),
        equal(FLOW_LABELS, 0, 1),
        action(refuse(libc::EPERM)),
        action(ALLOW),
    ]
}

/// The only family that knows pairs, but for modules that the kernel would load. Without namespaces
/// only pairs that stay connected to each other: an end of a datagram pair sends to any named
/// socket of the host, and `sendmsg` has the name in memory, out of a filter's sight.
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

/// `sendto` without an address.
pub fn no_address_rule() -> Vec<sock_filter> {
    let mut p = Vec::new();
    for half in [low(4), high(4)] {
        p.extend([load(half), equal(0, 1, 0), action(refuse(libc::EPERM))]);
    }
    p.push(action(ALLOW));
    p
}

/// "All processes of a user". The C library's types for these differ, or it has no name for them.
pub const PRIO_USER: u32 = 2;
pub const IOPRIO_WHO_USER: u32 = 3;

/// The priority of the zygote would be that of the next program; `user` means all its processes.
pub fn priority_rule(user: u32, rules: Rules) -> Vec<sock_filter> {
    let mut p = vec![load(low(0))];
    p.extend([equal(user, 0, 1), action(refuse(libc::EPERM))]);
    p.extend(only_ours(1, rules));
    p
}

/// Allows a call only if this argument names a process of the program's own: with namespaces
/// anything but process 1, else 0 ("myself").
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

/// No leases and notices of directories, by which boxes that run side by side see each other; no
/// larger pipes, whose quota all boxes of a user share. Without namespaces the kernel does not
/// signal a process of others when a descriptor becomes ready.
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

/// No input for the judge's terminal, and no flags on files: those of a directory that is emptied
/// after a run stay. Without namespaces no signals from the kernel to processes of others either.
pub fn ioctl_rule(rules: Rules) -> Vec<sock_filter> {
    /// These three the C library does not name.
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
