//! The filter, walked through as the kernel would.

use super::*;

/// What the kernel would say, by walking through the instructions.
fn judge(rules: Rules, arch: u32, number: c_long, args: [u64; 6]) -> u32 {
    let mut data = [0; 64];
    data[0..4].copy_from_slice(&(number as u32).to_ne_bytes());
    data[4..8].copy_from_slice(&arch.to_ne_bytes());
    for (i, arg) in args.iter().enumerate() {
        data[16 + 8 * i..24 + 8 * i].copy_from_slice(&arg.to_ne_bytes());
    }
    let (filter, mut at, mut a) = (program(rules), 0, 0_u32);
    loop {
        let i = filter[at];
        at += 1;
        let code = u32::from(i.code);
        if code == BPF_LD | BPF_W | BPF_ABS {
            let from = i.k as usize;
            a = u32::from_ne_bytes(data[from..from + 4].try_into().unwrap());
        } else if code == BPF_ALU | BPF_AND | BPF_K {
            a &= i.k;
        } else if code == BPF_RET | BPF_K {
            return i.k;
        } else {
            let holds = if code == BPF_JMP | BPF_JGE | BPF_K {
                a >= i.k
            } else {
                a == i.k
            };
            at += usize::from(if holds { i.jt } else { i.jf });
        }
    }
}

const OPEN: Rules = Rules {
    fork: true,
    sockets: true,
    metadata: true,
    token: 0,
};
const CLOSED: Rules = Rules {
    fork: false,
    sockets: false,
    metadata: false,
    token: 0x1234_5678_9abc_def0,
};
const EPERM: u32 = refuse(libc::EPERM);

fn here(rules: Rules, number: c_long, args: [u64; 6]) -> u32 {
    judge(rules, ARCHITECTURE, number, args)
}

#[test]
fn ordinary_calls_go_through_and_dangerous_ones_do_not() {
    for rules in [OPEN, CLOSED] {
        for number in [
            libc::SYS_read,
            libc::SYS_nanosleep,
            libc::SYS_getppid,
            libc::SYS_wait4,
        ] {
            assert_eq!(here(rules, number, [0; 6]), ALLOW);
        }
        for number in [
            libc::SYS_ptrace,
            libc::SYS_io_uring_setup,
            libc::SYS_unshare,
        ] {
            assert_eq!(here(rules, number, [0; 6]), EPERM);
        }
        assert_eq!(here(rules, libc::SYS_clone3, [0; 6]), refuse(libc::ENOSYS));
        assert_eq!(here(rules, libc::SYS_prlimit64, [0; 6]), ALLOW);
        assert_eq!(here(rules, libc::SYS_prlimit64, [1, 0, 0, 0, 0, 0]), EPERM);
        assert_eq!(
            here(rules, libc::SYS_ioctl, [0, libc::TIOCSTI, 0, 0, 0, 0]),
            EPERM
        );
    }
}

#[test]
fn files_are_changed_only_where_they_are_ones_own() {
    for number in [libc::SYS_fchmod, libc::SYS_utimensat] {
        assert_eq!(here(OPEN, number, [0; 6]), ALLOW);
        assert_eq!(here(CLOSED, number, [0; 6]), EPERM);
    }
}

#[test]
fn other_doors_are_shut() {
    assert_eq!(judge(OPEN, 0x4000_0003, 20, [0; 6]), KILL);
    if cfg!(target_arch = "x86_64") {
        assert_eq!(here(OPEN, 0x4000_0000 | libc::SYS_getpid, [0; 6]), KILL);
    }
}

#[test]
fn namespaces_never_threads_always_processes_by_permission() {
    let clone = |rules, flags: i32, token: u64| {
        here(rules, libc::SYS_clone, [flags as u64, 0, token, 0, 0, 0])
    };
    let thread = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND;
    for rules in [OPEN, CLOSED] {
        assert_eq!(clone(rules, libc::CLONE_NEWUSER, CLOSED.token), EPERM);
        assert_eq!(clone(rules, thread, 5), ALLOW);
    }
    assert_eq!(clone(OPEN, libc::SIGCHLD, 0), ALLOW);
    assert_eq!(clone(CLOSED, libc::SIGCHLD, 0), EPERM);
    assert_eq!(clone(CLOSED, libc::SIGCHLD, CLOSED.token ^ 1), EPERM);
    assert_eq!(
        clone(CLOSED, libc::SIGCHLD, CLOSED.token ^ (1 << 40)),
        EPERM
    );
    assert_eq!(clone(CLOSED, libc::SIGCHLD, CLOSED.token), ALLOW);
}

#[test]
fn only_sockets_that_a_namespace_holds() {
    let socket = |rules, family: i32| here(rules, libc::SYS_socket, [family as u64, 0, 0, 0, 0, 0]);
    assert_eq!(socket(OPEN, libc::AF_UNIX), ALLOW);
    assert_eq!(socket(OPEN, libc::AF_INET6), ALLOW);
    assert_eq!(socket(OPEN, libc::AF_VSOCK), refuse(libc::EAFNOSUPPORT));
    assert_eq!(socket(CLOSED, libc::AF_UNIX), EPERM);
}
