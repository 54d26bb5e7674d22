//! Lists of system calls that the filter treats alike.

use libc::c_long;

/// Calls that no submission needs.
pub const REFUSED: &[c_long] = &[
    // Inspecting or controlling other processes, the zygote among them.
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
    // Large parts of the kernel with a history of vulnerabilities.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    MEMFD_SECRET,
    // Kernel objects that outlive the processes that made them and are named by number.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmdt,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mq_timedsend,
    libc::SYS_mq_timedreceive,
    libc::SYS_mq_notify,
    libc::SYS_mq_getsetattr,
    // Watching files of other users, with quotas that all boxes of a user share.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_inotify_rm_watch,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // Asynchronous I/O, with a quota that the whole machine shares (`fs.aio-max-nr`).
    libc::SYS_io_setup,
    libc::SYS_io_destroy,
    libc::SYS_io_submit,
    libc::SYS_io_cancel,
    libc::SYS_io_getevents,
    IO_PGETEVENTS,
    // Flushing the data of all users.
    libc::SYS_sync,
    libc::SYS_syncfs,
    // Administration of the machine.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    KEXEC_FILE_LOAD,
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
    // The judge chooses the core.
    libc::SYS_sched_setaffinity,
];

/// Calls that fail with `ENOSYS`, as on a kernel without them. The flags of the first two are in
/// memory, where a filter cannot read them; C libraries fall back to `clone` and `openat`. With
/// `RESOLVE_CACHED`, `openat2` shows which names of the host the kernel has cached, as `cachestat`
/// and `mincore` do for pages. (libunwind and the Java virtual machine fall back if `mincore` is
/// absent; with `EAGAIN` they would repeat it for ever.) Where the machine audits, a program's own
/// Landlock rules would write every access that they deny to its log. Memory policies take memory
/// of the kernel that no control group counts.
pub const ABSENT: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_openat2,
    CACHESTAT,
    libc::SYS_mincore,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    SET_MEMPOLICY_HOME_NODE,
];

/// Further calls that fail with `ENOSYS` where no control group counts memory: pages in memory
/// files and in pipes are in no process's page table, and a single page in a pipe can pin a huge
/// page.
pub const ABSENT_WITHOUT_GROUP: &[c_long] = &[libc::SYS_memfd_create, libc::SYS_vmsplice];

/// Calls that the filter turns into no-ops. No program needs its files on a disk, but on a file of
/// `/usr` the first ones would flush the cache of the machine's disk, evict pages that other boxes
/// use, or fill the cache while the program goes on. With the others a program could slow down the
/// zygote, or itself: beside other programs it would get no CPU time, as if the machine had none.
pub const WITHOUT_EFFECT: &[c_long] = &[
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Calls that some C libraries do not define yet; their numbers are the same on all architectures.
const QUOTACTL_FD: c_long = 443;
const MEMFD_SECRET: c_long = 447;
const PROCESS_MRELEASE: c_long = 448;
const SET_MEMPOLICY_HOME_NODE: c_long = 450;
const CACHESTAT: c_long = 451;
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

/// The newest call that these lists consider (Linux 6.17). A call of a later kernel could reach an
/// object that outlives a run, so it fails with `ENOSYS`.
pub const NEWEST: c_long = FILE_SETATTR;

#[cfg(target_arch = "x86_64")]
const IO_PGETEVENTS: c_long = 333;
#[cfg(target_arch = "x86_64")]
const KEXEC_FILE_LOAD: c_long = 320;
#[cfg(target_arch = "aarch64")]
const IO_PGETEVENTS: c_long = 292;
#[cfg(target_arch = "aarch64")]
const KEXEC_FILE_LOAD: c_long = 294;

/// Calls that only x86-64 has.
#[cfg(target_arch = "x86_64")]
pub const REFUSED_HERE: &[c_long] = &[
    libc::SYS_inotify_init,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
];
#[cfg(target_arch = "aarch64")]
pub const REFUSED_HERE: &[c_long] = &[];

/// Calls whose first argument is a clock.
pub const CLOCKS: [c_long; 4] = [
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_timer_create,
];

/// Calls that only create a process.
#[cfg(target_arch = "x86_64")]
pub const FORKS: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(target_arch = "aarch64")]
pub const FORKS: &[c_long] = &[];

/// Calls that could connect one end of a socket pair to another socket, or send a descriptor.
/// Sockets in a message to themselves, and all files in that message, stay open after the run.
pub const CONNECTIONS: &[c_long] = &[
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
];

/// Calls that set extended attributes and flags of files, which would stay on a directory after it
/// is emptied.
pub const LABELS: &[c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    FILE_SETATTR,
];

/// Calls that change a file without opening it.
pub const METADATA: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
];
#[cfg(target_arch = "x86_64")]
pub const METADATA_HERE: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(target_arch = "aarch64")]
pub const METADATA_HERE: &[c_long] = &[];
