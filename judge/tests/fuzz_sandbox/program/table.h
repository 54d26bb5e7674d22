/* System calls, with a letter for each argument; `argument` in calls.c has their meaning. */
static const struct call { const char *name; long number; const char *arguments; } table[] = {
#define CALL(name, arguments) {#name, SYS_##name, arguments}
    /* the standard streams, as files */
    CALL(fcntl, "fcC"), CALL(fcntl, "fcC"), CALL(fcntl, "fcC"), CALL(fcntl, "fcC"), CALL(fcntl, "fcC"),
    CALL(ftruncate, "fn"), CALL(ftruncate, "fn"), CALL(fallocate, "fxnn"), CALL(fallocate, "fxnn"), CALL(fchmod, "fm"),
    CALL(fchmod, "fm"), CALL(flock, "fx"), CALL(flock, "fx"), CALL(ioctl, "fib"), CALL(ioctl, "fib"), CALL(lseek, "fnl"),
    CALL(read, "fbn"), CALL(write, "fbn"), CALL(pread64, "fbnn"), CALL(pwrite64, "fbnn"), CALL(readv, "fbl"),
    CALL(writev, "fbl"), CALL(preadv2, "fblnnx"), CALL(pwritev2, "fblnnx"), CALL(sendfile, "ffzn"),
    CALL(splice, "fzfznx"), CALL(tee, "ffnx"), CALL(vmsplice, "fblx"), CALL(copy_file_range, "fzfznx"),
    CALL(fsync, "f"), CALL(fdatasync, "f"), CALL(sync_file_range, "fnnx"), CALL(fadvise64, "fnnl"), CALL(readahead, "fnn"),
    CALL(fstat, "fb"), CALL(fstatfs, "fb"), CALL(fchown, "fll"), CALL(utimensat, "fpbx"),
    CALL(utimensat, "f0bx"), CALL(fsetxattr, "fpbnx"), CALL(setxattr, "ppbnx"), CALL(flistxattr, "fbn"),
    CALL(fremovexattr, "fp"), CALL(close, "f"), CALL(close_range, "ffx"), CALL(dup, "f"), 
    CALL(dup3, "ffo"), CALL(statx, "fpxxb"),
    /* names */
    CALL(openat, "fpom"), CALL(openat, "fpom"), CALL(openat, "fpom"), CALL(openat2, "fpbn"), CALL(truncate, "pn"),
    CALL(mkdirat, "fpm"), CALL(mkdirat, "fpm"), CALL(mknodat, "fpmn"), CALL(unlinkat, "fpx"), CALL(renameat2, "fpfpx"),
    CALL(linkat, "fpfpx"), CALL(symlinkat, "pfp"), CALL(symlinkat, "pfp"), CALL(readlinkat, "fpbn"), CALL(fchmodat, "fpm"),
    CALL(fchmodat, "fpm"), CALL(fchownat, "fpllx"), CALL(faccessat2, "fpxx"), CALL(chdir, "p"), CALL(fchdir, "f"),
    CALL(getdents64, "fbn"), CALL(chroot, "p"), CALL(umask, "m"), CALL(statfs, "pb"), CALL(name_to_handle_at, "fpbbx"),
    CALL(execve, "pzz"), CALL(execveat, "fpzzx"),
    /* other kinds of descriptors */
    CALL(memfd_create, "px"), CALL(memfd_create, "px"), CALL(memfd_secret, "x"), CALL(pipe2, "bo"), CALL(pipe2, "bo"),
    CALL(socketpair, "xx0b"), CALL(socketpair, "xx0b"), CALL(socket, "xx0"), CALL(eventfd2, "no"), CALL(timerfd_create, "lo"),
    CALL(timerfd_settime, "fxbz"), CALL(signalfd4, "fbno"), CALL(epoll_create1, "0"), CALL(epoll_ctl, "fxfb"),
    CALL(epoll_pwait2, "fblz"), CALL(inotify_init1, "o"), CALL(inotify_add_watch, "fpx"), CALL(fanotify_init, "xo"),
    CALL(pidfd_open, "kx"), CALL(pidfd_send_signal, "fszx"), CALL(pidfd_getfd, "ffx"), CALL(userfaultfd, "x"),
    CALL(io_uring_setup, "lb"), CALL(bpf, "lbn"), CALL(perf_event_open, "bkxfx"), CALL(landlock_create_ruleset, "bnx"),
    CALL(landlock_restrict_self, "fx"), CALL(mq_open, "pomb"), CALL(mq_notify, "fb"),
    CALL(sendmsg, "fbx"), CALL(recvmsg, "fbx"), CALL(sendto, "fbnxbn"), CALL(recvfrom, "fbnxbb"), CALL(bind, "fbn"),
    CALL(connect, "fbn"), CALL(listen, "fl"), CALL(accept4, "fzzo"), CALL(setsockopt, "fllbn"), CALL(shutdown, "fl"),
    /* memory */
    CALL(mmap, "anxxfn"), CALL(mmap, "anlxfn"), CALL(mmap, "anl00n"), CALL(munmap, "an"), CALL(mprotect, "anl"),
    CALL(mremap, "annxa"), CALL(madvise, "anl"), CALL(mlock, "an"), CALL(mlock2, "anx"), CALL(mlockall, "l"),
    CALL(munlockall, ""), CALL(msync, "anl"), CALL(mincore, "anb"), CALL(remap_file_pages, "anlnx"), CALL(brk, "a"),
    CALL(mbind, "anlbnx"), CALL(set_mempolicy, "lbn"), CALL(pkey_alloc, "xl"), CALL(membarrier, "xx0"),
    CALL(process_madvise, "fblnx"), CALL(shmget, "lnm"), CALL(shmat, "lax"), CALL(shmctl, "llb"), CALL(semget, "llm"),
    CALL(msgget, "lm"), CALL(msgsnd, "lbnx"), CALL(msgctl, "llb"),
    /* signals, timers, waiting */
    CALL(kill, "ks"), CALL(tgkill, "kks"), CALL(rt_sigqueueinfo, "ksb"), CALL(rt_sigaction, "sbzn"),
    CALL(rt_sigprocmask, "lbzn"), CALL(rt_sigtimedwait, "bzbn"), CALL(sigaltstack, "bz"),
    CALL(setitimer, "lbz"), CALL(timer_create, "lzb"), CALL(timer_settime, "lxbz"), CALL(timer_delete, "l"),
    CALL(clock_nanosleep, "lxbz"), CALL(clock_settime, "lb"), CALL(adjtimex, "b"), CALL(wait4, "kbxz"),
    CALL(waitid, "xkbxz"), CALL(ppoll, "blbzn"), CALL(futex, "bxlbbl"), CALL(set_robust_list, "bn"),
    CALL(rseq, "bnxl"), CALL(restart_syscall, ""),
    /* limits, scheduling, identity */
    CALL(setrlimit, "lb"), CALL(setrlimit, "lb"), CALL(prlimit64, "klbz"), CALL(prctl, "rxxxx"), CALL(prctl, "rxxxx"),
    CALL(prctl, "rbnbx"), CALL(prctl, "rannx"), CALL(setpriority, "lkl"), CALL(ioprio_set, "lkn"),
    CALL(sched_setscheduler, "klb"), CALL(sched_setparam, "kb"), CALL(sched_setattr, "kbx"),
    CALL(sched_setaffinity, "knb"), CALL(sched_yield, ""), CALL(setuid, "l"), CALL(setresuid, "lll"), CALL(setgid, "l"),
    CALL(setgroups, "lb"), CALL(setfsuid, "l"), CALL(capset, "bb"), CALL(setpgid, "kk"), CALL(setsid, ""),
    CALL(personality, "x"), CALL(seccomp, "lxb"), CALL(ptrace, "lkbb"), CALL(process_vm_readv, "kblblx"),
    CALL(process_vm_writev, "kblblx"), CALL(kcmp, "kklff"), CALL(unshare, "x"), CALL(unshare, "?"), CALL(setns, "fx"),
    CALL(mount, "pppxz"), CALL(umount2, "px"), CALL(pivot_root, "pp"), CALL(fsopen, "px"), CALL(open_tree, "fpx"),
    CALL(keyctl, "lllll"), CALL(add_key, "ppbnl"), CALL(request_key, "pppl"), CALL(sethostname, "bn"), CALL(acct, "p"),
    CALL(swapon, "px"), CALL(quotactl, "xplb"), CALL(syslog, "lbn"), CALL(reboot, "xxxb"), CALL(getrandom, "bnx"),
#undef CALL
};
