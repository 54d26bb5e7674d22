//! Tests of the filter with an interpreter of its instructions.
// The types of some numbers differ between C libraries.
#![allow(clippy::unnecessary_cast)]

use super::arguments::MADV_COLLAPSE;
use super::bpf::{ALLOW, ARCHITECTURE, KILL, refuse};
use super::{Rules, program, self_only, set_own_pid};
use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};
use libc::{c_long, sock_filter};

/// Interprets the filter: returns the action that the kernel would take.
fn filter_action(rules: Rules, arch: u32, number: c_long, args: [u64; 6]) -> u32 {
    walk(&program(rules), arch, number, args)
}

fn walk(filter: &[sock_filter], arch: u32, number: c_long, args: [u64; 6]) -> u32 {
    let mut data = [0; 64];
    data[0..4].copy_from_slice(&(number as u32).to_ne_bytes());
    data[4..8].copy_from_slice(&arch.to_ne_bytes());
    for (i, arg) in args.iter().enumerate() {
        data[16 + 8 * i..24 + 8 * i].copy_from_slice(&arg.to_ne_bytes());
    }
    let (mut at, mut a) = (0, 0_u32);
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
    namespaces: true,
    metadata: true,
    truncate: true,
    memory_group: true,
    token: 0,
};
const CLOSED: Rules = Rules {
    fork: false,
    namespaces: false,
    metadata: false,
    truncate: false,
    memory_group: false,
    token: 0x1234_5678_9abc_def0,
};
const EPERM: u32 = refuse(libc::EPERM);

fn native(rules: Rules, number: c_long, args: [u64; 6]) -> u32 {
    filter_action(rules, ARCHITECTURE, number, args)
}

#[test]
fn ordinary_calls_are_allowed_and_dangerous_ones_refused() {
    for rules in [OPEN, CLOSED] {
        for number in [
            libc::SYS_read,
            libc::SYS_nanosleep,
            libc::SYS_getppid,
            libc::SYS_wait4,
        ] {
            assert_eq!(native(rules, number, [0; 6]), ALLOW);
        }
        for number in [
            libc::SYS_ptrace,
            libc::SYS_io_uring_setup,
            libc::SYS_unshare,
            libc::SYS_shmat,
            libc::SYS_semop,
            libc::SYS_mq_unlink,
            libc::SYS_inotify_init1,
            libc::SYS_io_setup,
        ] {
            assert_eq!(native(rules, number, [0; 6]), EPERM);
        }
        assert_eq!(
            native(rules, libc::SYS_clone3, [0; 6]),
            refuse(libc::ENOSYS)
        );
        assert_eq!(native(rules, libc::SYS_prlimit64, [0; 6]), ALLOW);
        assert_eq!(
            native(rules, libc::SYS_prlimit64, [1, 0, 0, 0, 0, 0]),
            EPERM
        );
        assert_eq!(
            native(
                rules,
                libc::SYS_ioctl,
                [0, libc::TIOCSTI as u64, 0, 0, 0, 0]
            ),
            EPERM
        );
    }
}

#[test]
fn metadata_changes_are_allowed_only_on_own_files() {
    for number in [libc::SYS_fchmod, libc::SYS_utimensat, libc::SYS_truncate] {
        assert_eq!(native(OPEN, number, [0; 6]), ALLOW);
        assert_eq!(native(CLOSED, number, [0; 6]), EPERM);
    }
}

#[test]
fn calls_of_other_abis_kill_the_program() {
    assert_eq!(filter_action(OPEN, 0x4000_0003, 20, [0; 6]), KILL);
    if cfg!(target_arch = "x86_64") {
        assert_eq!(native(OPEN, 0x4000_0000 | libc::SYS_getpid, [0; 6]), KILL);
    }
}

#[test]
fn calls_of_newer_kernels_fail_with_enosys() {
    for rules in [OPEN, CLOSED] {
        for number in [470, 500, 600, 100_000] {
            assert_eq!(native(rules, number, [0; 6]), refuse(libc::ENOSYS));
        }
        // `removexattrat`, one of the newest calls in the lists.
        assert_eq!(native(rules, 466, [0; 6]), ALLOW);
    }
}

#[test]
fn clone_allows_threads_and_by_rule_processes_but_no_namespaces() {
    let clone = |rules, flags: i32, token: u64| {
        native(rules, libc::SYS_clone, [flags as u64, 0, token, 0, 0, 0])
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
fn only_unix_sockets_are_allowed_and_none_without_namespaces() {
    let family = refuse(libc::EAFNOSUPPORT);
    for (domain, expected) in [
        (libc::AF_UNIX, ALLOW),
        (libc::AF_INET, family),
        (libc::AF_INET6, family),
        (libc::AF_NETLINK, family),
        (libc::AF_VSOCK, family),
        (libc::AF_TIPC, family),
    ] {
        let socket = |rules, number| native(rules, number, [domain as u64, 1, 0, 0, 0, 0]);
        assert_eq!(socket(OPEN, libc::SYS_socket), expected, "{domain}");
        assert_eq!(socket(CLOSED, libc::SYS_socket), EPERM, "{domain}");
        for rules in [OPEN, CLOSED] {
            assert_eq!(socket(rules, libc::SYS_socketpair), expected, "{domain}");
        }
    }
}

#[test]
fn without_namespaces_a_socket_pair_stays_connected() {
    let unix = libc::AF_UNIX as u64;
    let pair = |rules, kind: i32| {
        let kind = (kind | libc::SOCK_CLOEXEC) as u64;
        native(rules, libc::SYS_socketpair, [unix, kind, 0, 0, 0, 0])
    };
    for kind in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
        assert_eq!(pair(OPEN, kind), ALLOW);
        assert_eq!(pair(CLOSED, kind), ALLOW);
    }
    assert_eq!(pair(OPEN, libc::SOCK_DGRAM), ALLOW);
    assert_eq!(pair(CLOSED, libc::SOCK_DGRAM), EPERM);
    for number in [libc::SYS_bind, libc::SYS_connect, libc::SYS_accept4] {
        assert_eq!(native(OPEN, number, [3, 0, 0, 0, 0, 0]), ALLOW);
        assert_eq!(native(CLOSED, number, [3, 0, 0, 0, 0, 0]), EPERM);
    }
    let send = |address| native(CLOSED, libc::SYS_sendto, [3, 1, 1, 0, address, 0]);
    assert_eq!(send(0), ALLOW);
    assert_eq!(
        native(OPEN, libc::SYS_sendto, [3, 1, 1, 0, 0x1000, 0]),
        ALLOW
    );
    for address in [0x7fff_0000_1000, 0x1000, 0x7fff_0000_0000] {
        assert_eq!(send(address), EPERM);
    }
}

#[test]
fn urgent_data_is_refused() {
    let urgent = (libc::MSG_OOB | libc::MSG_DONTWAIT) as u64;
    let unknown = refuse(libc::EOPNOTSUPP);
    for (number, flags, args) in [
        (libc::SYS_sendto, 3, [3, 1, 1, 0, 0, 0]),
        (libc::SYS_sendmsg, 2, [3, 1, 0, 0, 0, 0]),
        (libc::SYS_sendmmsg, 3, [3, 1, 1, 0, 0, 0]),
    ] {
        assert_eq!(native(OPEN, number, args), ALLOW);
        let mut args = args;
        args[flags] = urgent;
        assert_eq!(native(OPEN, number, args), unknown);
    }
    assert_eq!(
        native(CLOSED, libc::SYS_sendto, [3, 1, 1, urgent, 0, 0]),
        unknown
    );
}

#[test]
fn changing_a_priority_is_a_no_op() {
    for rules in [OPEN, CLOSED] {
        for number in [
            libc::SYS_setpriority,
            libc::SYS_ioprio_set,
            libc::SYS_sched_setscheduler,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setattr,
        ] {
            for process in [0, 1, 17] {
                assert_eq!(native(rules, number, [0, process, 19, 0, 0, 0]), refuse(0));
            }
        }
    }
}

#[test]
fn without_namespaces_a_program_signals_only_itself() {
    let mut filter = self_only();
    set_own_pid(&mut filter, 4711);
    let say = |number, who: i32| walk(&filter, ARCHITECTURE, number, [who as u64, 9, 9, 0, 0, 0]);
    for number in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_tkill] {
        assert_eq!(say(number, 4711), ALLOW);
        for other in [1, -1, 4712, -4711] {
            assert_eq!(say(number, other), EPERM, "{other}");
        }
    }
    assert_eq!(say(libc::SYS_read, 1), ALLOW);
    let owner = [3, libc::F_SETOWN as u64, 1, 0, 0, 0];
    assert_eq!(native(CLOSED, libc::SYS_fcntl, owner), EPERM);
    assert_eq!(native(CLOSED, libc::SYS_pidfd_send_signal, [0; 6]), EPERM);
    assert_eq!(native(OPEN, libc::SYS_fcntl, owner), ALLOW);
    for rules in [OPEN, CLOSED] {
        let fcntl = |command: i32| native(rules, libc::SYS_fcntl, [3, command as u64, 1, 0, 0, 0]);
        for command in [libc::F_SETLEASE, libc::F_NOTIFY, libc::F_SETPIPE_SZ] {
            assert_eq!(fcntl(command), EPERM);
        }
        for command in [
            libc::F_GETFL,
            libc::F_SETFL,
            libc::F_DUPFD,
            libc::F_ADD_SEALS,
        ] {
            assert_eq!(fcntl(command), ALLOW);
        }
    }
}

#[test]
fn the_zygotes_clock_is_hidden() {
    let clock = |process: u64, kind: u64| !process << 3 | kind;
    let mut of_program = self_only();
    set_own_pid(&mut of_program, 4711);
    for number in [
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_clock_nanosleep,
        libc::SYS_timer_create,
    ] {
        let open = |clock: u64| native(OPEN, number, [clock, 0, 0, 0, 0, 0]);
        let closed = |clock: u64| walk(&of_program, ARCHITECTURE, number, [clock, 0, 0, 0, 0, 0]);
        for machine in [libc::CLOCK_MONOTONIC, libc::CLOCK_PROCESS_CPUTIME_ID] {
            assert_eq!(open(machine as u64), ALLOW);
            assert_eq!(closed(machine as u64), ALLOW);
        }
        for kind in 0..3 {
            for (process, at_open, at_closed) in [
                (0, ALLOW, ALLOW),
                (1, refuse(libc::EINVAL), refuse(libc::EINVAL)),
                (2, ALLOW, refuse(libc::EINVAL)),
                (4711, ALLOW, ALLOW),
            ] {
                assert_eq!(open(clock(process, kind)), at_open, "{process}");
                assert_eq!(closed(clock(process, kind)), at_closed, "{process}");
                // The kernel ignores the upper half.
                let short = clock(process, kind) & 0xffff_ffff;
                assert_eq!(closed(short), at_closed, "{process}");
                assert_eq!(closed(clock(4712, kind | 4)), ALLOW, "a thread");
            }
        }
    }
}

#[test]
fn leases_and_file_flags_are_refused() {
    for rules in [OPEN, CLOSED] {
        let lease = [1, libc::F_SETLEASE as u64, libc::F_WRLCK as u64, 0, 0, 0];
        assert_eq!(native(rules, libc::SYS_fcntl, lease), EPERM);
        let flags = [3, libc::FS_IOC_SETFLAGS as u64, 0, 0, 0, 0];
        assert_eq!(native(rules, libc::SYS_ioctl, flags), refuse(libc::ENOTTY));
    }
    let get = [1, libc::F_GETFL as u64, 0, 0, 0, 0];
    assert_eq!(native(OPEN, libc::SYS_fcntl, get), ALLOW);
}

#[test]
fn only_requests_to_terminals_and_about_descriptors_are_allowed() {
    let request = |rules, number: u64| native(rules, libc::SYS_ioctl, [0, number, 0, 0, 0, 0]);
    for rules in [OPEN, CLOSED] {
        for number in [libc::TCGETS, libc::FIONREAD, libc::FIOCLEX, libc::TIOCOUTQ] {
            assert_eq!(request(rules, number as u64), ALLOW);
        }
        assert_eq!(request(rules, libc::FS_IOC_GETFLAGS as u64), ALLOW);
        assert_eq!(request(rules, libc::TIOCLINUX as u64), EPERM);
        for (number, name) in [
            (0xc060_6610, "PAGEMAP_SCAN"),
            (0xc020_660b, "FS_IOC_FIEMAP"),
            (0x6612, "EXT4_IOC_PRECACHE_EXTENTS"),
            (0x4004_6629, "EXT4_IOC_GETSTATE"),
            (0x4004_9409, "FICLONE"),
            (0x401c_5820, "FS_IOC_FSSETXATTR"),
            (1, "FIBMAP"),
            // The kernel loads a module for these before it asks for rights.
            (0x8940, "SIOCGIFBR"),
            (0x8982, "SIOCGIFVLAN"),
            (0x89a0, "SIOCBRADDBR"),
            (0x8910, "SIOCGIFNAME"),
            (0x8946, "SIOCETHTOOL"),
        ] {
            assert_eq!(request(rules, number), refuse(libc::ENOTTY), "{name}");
        }
    }
    assert_eq!(request(OPEN, 0x8901), ALLOW, "FIOSETOWN");
    assert_eq!(request(CLOSED, 0x8901), EPERM, "FIOSETOWN");
}

#[test]
fn locks_of_byte_ranges_are_no_ops_and_hints_are_unknown() {
    let fcntl =
        |rules, command: i32| native(rules, libc::SYS_fcntl, [3, command as u64, 0, 0, 0, 0]);
    for rules in [OPEN, CLOSED] {
        for command in [
            libc::F_SETLK,
            libc::F_SETLKW,
            libc::F_OFD_SETLK,
            libc::F_OFD_SETLKW,
        ] {
            assert_eq!(fcntl(rules, command), refuse(0));
        }
        assert_eq!(fcntl(rules, libc::F_GETLK), ALLOW);
        // `F_SET_RW_HINT`, `F_SET_FILE_RW_HINT`, and a command of a later kernel.
        for command in [1036, 1038, 1099] {
            assert_eq!(fcntl(rules, command), refuse(libc::EINVAL));
        }
        let name = native(rules, libc::SYS_prctl, [0x5356_4d41, 0, 0, 0, 0, 0]);
        assert_eq!(name, refuse(libc::EINVAL), "PR_SET_VMA");
        // `PR_SET_MEMORY_MERGE`, options of later kernels, `PR_SET_PTRACER`.
        for option in [67, 79, 200, 0x5961_6d61] {
            let refused = native(rules, libc::SYS_prctl, [option, 1, 0, 0, 0, 0]);
            assert_eq!(refused, refuse(libc::EINVAL), "{option}");
        }
        let name = libc::PR_SET_NAME as u64;
        assert_eq!(native(rules, libc::SYS_prctl, [name, 1, 0, 0, 0, 0]), ALLOW);
    }
}

#[test]
fn unmapped_memory_requires_a_control_group() {
    for number in [libc::SYS_memfd_create, libc::SYS_vmsplice] {
        assert_eq!(native(OPEN, number, [0; 6]), ALLOW);
        assert_eq!(native(CLOSED, number, [0; 6]), refuse(libc::ENOSYS));
    }
}

#[test]
fn landlock_rules_are_refused_except_for_the_childs() {
    for rules in [OPEN, CLOSED] {
        let create = native(rules, libc::SYS_landlock_create_ruleset, [0; 6]);
        assert_eq!(create, refuse(libc::ENOSYS));
        assert_eq!(
            native(rules, libc::SYS_landlock_restrict_self, [0; 6]),
            ALLOW
        );
    }
}

#[test]
fn reserved_huge_pages_are_refused() {
    let refused = refuse(libc::ENOMEM);
    let map = |flags: i32| [0, 4096, 3, flags as u64, u64::MAX, 0];
    for rules in [OPEN, CLOSED] {
        let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        assert_eq!(native(rules, libc::SYS_mmap, map(anonymous)), ALLOW);
        let huge = anonymous | libc::MAP_HUGETLB | 30 << libc::MAP_HUGE_SHIFT;
        assert_eq!(native(rules, libc::SYS_mmap, map(huge)), refused);
    }
    let file = |flags: u32| native(OPEN, libc::SYS_memfd_create, [0, flags.into(), 0, 0, 0, 0]);
    assert_eq!(file(libc::MFD_CLOEXEC), ALLOW);
    assert_eq!(file(libc::MFD_CLOEXEC | libc::MFD_HUGETLB), refused);
}

#[test]
fn socket_buffers_grow_only_where_a_group_counts_them() {
    let set = |rules, level: i32, name: i32| {
        native(
            rules,
            libc::SYS_setsockopt,
            [3, level as u64, name as u64, 0, 0, 0],
        )
    };
    for name in [libc::SO_SNDBUF, libc::SO_RCVBUF] {
        assert_eq!(set(OPEN, libc::SOL_SOCKET, name), ALLOW);
        assert_eq!(set(CLOSED, libc::SOL_SOCKET, name), refuse(0));
        assert_eq!(set(CLOSED, libc::IPPROTO_TCP, name), ALLOW);
    }
    assert_eq!(set(CLOSED, libc::SOL_SOCKET, libc::SO_REUSEADDR), ALLOW);
}

#[test]
fn joining_the_zygotes_process_group_is_refused() {
    let join = |rules, group: u64| native(rules, libc::SYS_setpgid, [0, group, 0, 0, 0, 0]);
    for (rules, zygote) in [(OPEN, 1), (CLOSED, 4711)] {
        assert_eq!(join(rules, 0), ALLOW);
        assert_eq!(join(rules, zygote), EPERM);
        // The kernel ignores the upper half.
        assert_eq!(join(rules, zygote | 1 << 32), EPERM);
    }
    // Groups of its own, as shells create them.
    assert_eq!(join(OPEN, 2), ALLOW);
}

#[test]
fn filters_on_sockets_and_system_calls_are_refused() {
    for rules in [OPEN, CLOSED] {
        let option = |level: i32, name: i32| {
            let args = [3, level as u64, name as u64, 0, 0, 0];
            native(rules, libc::SYS_setsockopt, args)
        };
        for name in [
            libc::SO_ATTACH_FILTER,
            libc::SO_ATTACH_BPF,
            libc::SO_ATTACH_REUSEPORT_CBPF,
            libc::SO_ATTACH_REUSEPORT_EBPF,
        ] {
            assert_eq!(option(libc::SOL_SOCKET, name), EPERM);
        }
        assert_eq!(option(libc::SOL_SOCKET, libc::SO_PASSCRED), ALLOW);

        let prctl = |option: i32| native(rules, libc::SYS_prctl, [option as u64, 2, 0, 0, 0, 0]);
        assert_eq!(prctl(libc::PR_SET_SECCOMP), EPERM);
        assert_eq!(prctl(62), EPERM, "PR_SCHED_CORE");
        assert_eq!(prctl(libc::PR_SET_NAME), ALLOW);
        assert_eq!(prctl(libc::PR_SET_PDEATHSIG), ALLOW);
    }
    let install = |token: u64| {
        let mode = libc::SECCOMP_SET_MODE_FILTER.into();
        native(CLOSED, libc::SYS_seccomp, [mode, 0, 8, token, 0, 0])
    };
    assert_eq!(install(CLOSED.token), ALLOW, "the zygote's own filter");
    for wrong in [0, CLOSED.token ^ 1, CLOSED.token ^ (1 << 40)] {
        assert_eq!(install(wrong), EPERM);
    }
}

#[test]
fn reading_and_changing_the_page_cache_is_refused() {
    for rules in [OPEN, CLOSED] {
        for number in [libc::SYS_openat2, libc::SYS_mincore, 451] {
            assert_eq!(native(rules, number, [0; 6]), refuse(libc::ENOSYS));
        }
        let read = |flags: i32| native(rules, libc::SYS_preadv2, [3, 0, 1, 0, 0, flags as u64]);
        assert_eq!(read(0), ALLOW);
        assert_eq!(read(libc::RWF_HIPRI), ALLOW);
        assert_eq!(read(libc::RWF_NOWAIT), refuse(libc::EOPNOTSUPP));
        assert_eq!(read(0x80), refuse(libc::EOPNOTSUPP), "RWF_DONTCACHE");
        let advise = |advice: i32| native(rules, libc::SYS_madvise, [0, 0, advice as u64, 0, 0, 0]);
        for advice in [libc::MADV_DONTNEED, libc::MADV_FREE, libc::MADV_HUGEPAGE] {
            assert_eq!(advise(advice), ALLOW);
        }
        for advice in [
            libc::MADV_MERGEABLE,
            libc::MADV_COLD,
            libc::MADV_PAGEOUT,
            MADV_COLLAPSE,
        ] {
            assert_eq!(advise(advice), refuse(libc::EINVAL));
        }
        assert_eq!(advise(libc::MADV_WILLNEED), refuse(0));
    }
}

#[test]
fn flushing_and_evicting_files_is_a_no_op() {
    for rules in [OPEN, CLOSED] {
        for number in [
            libc::SYS_fsync,
            libc::SYS_fdatasync,
            libc::SYS_sync_file_range,
            libc::SYS_fadvise64,
            libc::SYS_readahead,
        ] {
            assert_eq!(native(rules, number, [3, 0, 0, 0, 0, 0]), refuse(0));
        }
        let sync = |flags: i32| native(rules, libc::SYS_msync, [0, 4096, flags as u64, 0, 0, 0]);
        assert_eq!(sync(libc::MS_SYNC), refuse(0));
        assert_eq!(sync(libc::MS_SYNC | libc::MS_INVALIDATE), refuse(0));
        // Programs use this call to probe whether an address is mapped.
        assert_eq!(sync(libc::MS_ASYNC), ALLOW);
    }
}

#[test]
fn the_limit_on_core_dumps_cannot_be_changed() {
    let core = libc::RLIMIT_CORE as u64;
    let set = |resource| native(OPEN, libc::SYS_setrlimit, [resource, 8, 0, 0, 0, 0]);
    let change =
        |pid, resource, new| native(OPEN, libc::SYS_prlimit64, [pid, resource, new, 8, 0, 0]);
    assert_eq!(set(core), EPERM);
    assert_eq!(set(libc::RLIMIT_NOFILE as u64), ALLOW);
    assert_eq!(change(0, core, 8), EPERM);
    assert_eq!(change(0, core, 1 << 32), EPERM);
    assert_eq!(change(0, core, 0), ALLOW);
    assert_eq!(change(0, libc::RLIMIT_NOFILE as u64, 8), ALLOW);
    assert_eq!(change(1, core, 0), EPERM);
}
