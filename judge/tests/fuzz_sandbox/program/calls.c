/* Random system calls with plausible and wild arguments. The sequence depends on the seed only, never
 * on results: a descriptor is a small number, whatever is open under it. */
#include "fuzz_program.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "table.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define PICK(array) array[below(d, LENGTH(array))]

enum { SCRATCH = 64 << 10, REGION = 32 << 20, LIFE_MS = 150, NUDGE_MS = 1, REPORT_FD = 200 };

/* Scratch memory that calls read and write, and the target of mappings. */
static char scratch[SCRATCH] __attribute__((aligned(4096)));
static char *region;
/* The number of calls so far, by all processes and threads. */
static _Atomic long *made;

/* The first names are in writable directories. */
enum { WRITABLE = 20 };
static const char *const paths[] = {
    ".", "a", "b", "c", "dir", "dir/a", "dir/b", "link", "/tmp", "/tmp/a", "/tmp/b", "/tmp/dir",
    "/tmp/dir/a", "/tmp/link", "/dev/shm", "/dev/shm/a", "/dev/shm/b", "/work", "/work/a", "", "/", "..", "/dev/null", "/dev/zero",
    "/dev/full", "/dev/random", "/dev/tty", "/dev/ptmx", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/3",
    "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2", "/proc/self/fd/4", "/proc/self/fdinfo/1",
    "/proc/thread-self/fd/1", "/proc/1/fd/0", "/proc/1/fd/3", "/proc/1/mem", "/proc/1/root", "/proc/1/cwd",
    "/proc/1/ns/mnt", "/proc/self/mem", "/proc/self/exe", "/proc/self/cwd", "/proc/self/root", "/proc/self/maps",
    "/proc/self/environ", "/proc/self/oom_score_adj", "/proc/self/coredump_filter", "/proc/self/clear_refs",
    "/proc/self/timerslack_ns", "/proc/self/comm", "/proc/self/autogroup", "/proc/self/sched", "/proc/self/setgroups",
    "/proc/self/uid_map", "/proc/self/attr/current", "/proc/self/ns/user", "/proc/self/ns/pid", "/proc/self/cgroup",
    "/proc/1/oom_score_adj", "/proc/1/comm", "/proc/1/timerslack_ns", "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/ns_last_pid", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/locks", "/proc/keys",
    "/sys", "/sys/fs/cgroup", "/sys/fs/cgroup/cgroup.procs", "/usr", "/usr/bin/env", "/etc", "/etc/passwd", "/lib",
    "/bin/sh", "/programs", "/home", "/root", "/var/tmp", "/run", "/nowhere/at/all",
};
static const long opens[] = {
    O_RDONLY, O_RDWR, O_WRONLY, O_RDWR | O_CREAT, O_RDWR | O_CREAT | O_EXCL, O_RDWR | O_CREAT | O_TRUNC, O_PATH,
    O_RDWR | O_TMPFILE, O_RDONLY | O_DIRECTORY, O_RDWR | O_APPEND, O_RDWR | O_NONBLOCK, O_RDONLY | O_NOATIME,
    O_WRONLY | O_TRUNC, O_RDWR | O_DIRECT, O_RDWR | O_NOFOLLOW, O_RDWR | O_NOCTTY, O_RDWR | O_ASYNC,
};
static const long controls[] = {
    F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETFL, F_SETLK, F_SETLKW, F_GETLK, F_OFD_SETLK, F_OFD_SETLK,
    F_OFD_SETLKW, F_SETOWN, F_SETOWN_EX, F_GETOWN, F_SETSIG, F_SETSIG, F_SETLEASE, F_SETLEASE, F_SETLEASE, F_GETLEASE,
    F_NOTIFY, F_SETPIPE_SZ, F_ADD_SEALS, F_ADD_SEALS, F_ADD_SEALS, F_GET_SEALS, F_SET_RW_HINT, F_SET_FILE_RW_HINT,
    F_DUPFD_CLOEXEC,
};
static const long control_arguments[] = {
    0, 1, 2, 3, 4, 5, 8, 15, 16, 31, 64, O_APPEND, O_NONBLOCK, O_ASYNC, O_DIRECT, O_NOATIME, O_NONBLOCK | O_APPEND,
    SIGIO, SIGKILL, SIGUSR1, 4096, 1 << 20,
};
static const long devices[] = {
    0x5401 /* TCGETS */, 0x5412 /* TIOCSTI */, 0x5413, 0x540e, 0x5421 /* FIONBIO */, 0x5452 /* FIOASYNC */,
    0x5450, 0x5451, 0x541b, 0x8901, 0x8902, 0x6601, 0x40086602, 0x40086602, 0x80086601, 0x801c581f, 0x401c5820,
    0x40049409 /* FICLONE */, 0xc0045877 /* FIFREEZE */, 0x40305828, 0x5000aea0, 0x2400,
};
static const long processes[] = {
    1, 4, 15 /* PR_SET_NAME */, 8, 3, 36 /* child subreaper */, 29 /* timer slack */, 38, 22, 24, 35 /* PR_SET_MM */,
    31, 32, 33, 39, 41 /* THP */, 45, 47 /* ambient */, 52, 53, 59 /* syscall dispatch */, 62 /* core scheduling */,
    65 /* MDWE */, 67, 70, 72, 0x59616d61 /* PR_SET_PTRACER */, 0x53564d41 /* name of a mapping */, 23, 7, 28, 51, 55,
    58 /* IO flusher */,
};
static const long process_ids[] = {0, 0, 0, 1, 2, 3, 4, -1};
static const long plain_flags[] = {0, 1, 2, 3, 4, 8, 0x10, 0x20, 0x40, 0x100, 0x200, 0x400, 0x800, 0x1000, 0x4000, 0x80000, 0x100000};
static const long protections[] = {0, 1, 3, 3, 3, 3, 5, 7};
static const long mappings[] = {
    MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, MAP_SHARED, MAP_PRIVATE, MAP_SHARED | MAP_FIXED, MAP_PRIVATE | MAP_FIXED,
    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, MAP_SHARED | MAP_POPULATE,
    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_STACK,
};
static const long creations[] = {0, 0, O_NONBLOCK, O_CLOEXEC, O_NONBLOCK | O_CLOEXEC, O_DIRECT};
static const long memory_files[] = {0, 1, 2, 2, 3, 4, 6, 8, 10, 16, 18};
static const long allocations[] = {0, 0, 1, 1, 3, 8, 0x10, 0x11, 0x20, 0x40};
static const long flocks[] = {1, 2, 5, 6, 8};
static const long locks[] = {F_SETLK, F_OFD_SETLK, F_OFD_SETLK, F_SETLKW, F_OFD_SETLKW, F_GETLK, F_OFD_GETLK};
static const long sockets[] = {1, 2, 5, 1 | O_NONBLOCK, 5 | O_CLOEXEC};
static const long socket_options[] = {
    26 /* SO_ATTACH_FILTER */, 50 /* SO_ATTACH_BPF */, 51, 52, 26, 44 /* SO_LOCK_FILTER */, SO_SNDBUF, SO_RCVBUF, SO_PASSCRED,
    SO_PEEK_OFF, SO_LINGER, SO_TIMESTAMP, SO_RCVTIMEO,
};
static const long sizes[] = {0, 1, 2, 7, 8, 16, 24, 64, 128, 4095, 4096, 4097, 8192, 65536, 1 << 20, (1 << 20) + 1, 8 << 20};
static const long wild[] = {
    -1, -2, 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, (long)0x8000000000000000,
    0x7ffffffff000, 0x800000000000, (long)0xffff800000000000, (long)0xffffffffff600000, 4096, 12345, -4096,
};

static long descriptor(struct dice *d) {
    uint64_t k = below(d, 16);
    if (k < 8) return below(d, 3);
    if (k < 15) return 3 + below(d, 12);
    return below(d, 2) ? AT_FDCWD : (long)below(d, 300);
}

/* A word of memory that calls may read as part of a structure. */
static uint64_t word(struct dice *d) {
    switch (below(d, 6)) {
    case 0: return 0;
    case 1: return below(d, 64);
    case 2: return (uint64_t)PICK(sizes);
    case 3: return (uint64_t)PICK(wild);
    case 4: return (uintptr_t)scratch + below(d, SCRATCH);
    default: return below(d, 16) << 32 | below(d, 16);
    }
}

/* A pointer into the scratch memory, which begins with a structure, zeros, or a small number. */
static long pointer(struct dice *d) {
    char *at = scratch + below(d, SCRATCH / 256) * 256;
    uint64_t words[16] = {0}, style = below(d, 3);
    for (int i = 0; i < 16 && style; i++) words[i] = style == 1 ? word(d) : below(d, 3);
    memcpy(at, words, sizeof words);
    return (long)at;
}

/* A lock of the whole file, of any type. */
static long lock(struct dice *d) {
    struct flock *at = (struct flock *)(scratch + below(d, SCRATCH / 256) * 256);
    *at = (struct flock){.l_type = below(d, 3), .l_whence = SEEK_SET};
    return (long)at;
}

/* A filter with one instruction, which accepts everything. */
static long filter(struct dice *d) {
    struct { struct sock_fprog program; struct sock_filter all; } *at =
        (void *)(scratch + below(d, SCRATCH / 256) * 256);
    at->all = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0x7fff0000);
    at->program = (struct sock_fprog){1, &at->all};
    return (long)at;
}

/* A message of one byte with several descriptors. */
static long message_with_descriptors(struct dice *d) {
    struct { struct msghdr message; struct iovec part; struct cmsghdr header; int fds[8]; } *at =
        (void *)(scratch + below(d, SCRATCH / 256) * 256);
    size_t count = 1 + below(d, 8), length = CMSG_LEN(count * sizeof(int));
    for (size_t i = 0; i < count; i++) at->fds[i] = below(d, 8);
    at->header = (struct cmsghdr){length, SOL_SOCKET, SCM_RIGHTS};
    at->part = (struct iovec){scratch, 1};
    at->message = (struct msghdr){.msg_iov = &at->part, .msg_iovlen = 1, .msg_control = &at->header, .msg_controllen = length};
    return (long)at;
}

static long address(struct dice *d) { return (long)(region + (below(d, REGION) & ~4095ul)); }

/* A random signal; rarely one that ends or stops the program, because no further calls follow then. */
static long signal_number(struct dice *d) {
    long number = below(d, 65);
    int is_last = number == SIGKILL || number == SIGSTOP;
    return is_last && below(d, 16) ? SIGUSR1 : number;
}

/* An argument of the kind that a letter of the table stands for. */
static long argument(struct dice *d, char kind) {
    if (below(d, 24) == 0) return PICK(wild);
    switch (kind) {
    case 'f': return descriptor(d);
    case 'p': return (long)(below(d, 2) ? paths[below(d, WRITABLE)] : PICK(paths));
    case 'b': return pointer(d);
    case 'z': return below(d, 2) ? 0 : pointer(d);
    case 'n': return PICK(sizes);
    case 'a': return address(d);
    case 'o': return PICK(opens);
    case 'c': return PICK(controls);
    case 'C': return below(d, 3) ? PICK(control_arguments) : pointer(d);
    case 'i': return PICK(devices);
    case 'r': return PICK(processes);
    case 's': return signal_number(d);
    case 'k': return below(d, 4) ? PICK(process_ids) : getpid();
    case 'm': return below(d, 4) ? (long)below(d, 01000) : (long)below(d, 010000);
    case 'l': return below(d, 32);
    case 'x': return PICK(plain_flags) | (below(d, 2) ? PICK(plain_flags) : 0);
    case '0': return 0;
    case '1': return 1;
    case '2': return 2;
    case '6': return 16;
    case '8': return 8;
    case 'A': return F_ADD_SEALS;
    case 'B': return F_SETLEASE;
    case 'D': return below(d, 4) ? AT_FDCWD : descriptor(d);
    case 'F': return PICK(creations);
    case 'G': return PICK(allocations);
    case 'L': return PICK(flocks);
    case 'M': return PICK(mappings);
    case 'N': return PICK(memory_files);
    case 'P': return PICK(protections);
    case 'O': return PICK(socket_options);
    case 'Q': return filter(d);
    case 'R': return message_with_descriptors(d);
    case 'S': return PICK(sockets);
    case 'V': return below(d, 64);
    case 't': return below(d, 3);
    case 'y': return PICK(locks);
    case 'Y': return lock(d);
    default: return (long)roll(d);
    }
}

struct random_call { const char *name; long number; long arguments[6]; };

static struct random_call choose(struct dice *d) {
    struct random_call c = {"by-number", 0, {0}};
    const char *kinds = "??????";
    if (below(d, 12) == 0) {
        static const char *const guesses[] = {"fbnxxx", "pxbnxx", "fpxbnx", "bnxxxx", "kbxxxx", "xxxxxx", "anxxxx"};
        c.number = below(d, 475);
        kinds = PICK(guesses);
    } else {
        const struct call *known = &table[below(d, LENGTH(table))];
        c = (struct random_call){known->name, known->number, {0}};
        kinds = known->arguments;
    }
    for (int i = 0; i < 6 && kinds[i]; i++) c.arguments[i] = argument(d, kinds[i]);
    return c;
}

void list_calls(struct dice *d, long calls) {
    region = (char *)0x100000000;
    for (long i = 0; i < calls; i++) {
        struct random_call c = choose(d);
        printf("%ld: %s %ld(", i, c.name, c.number);
        for (int k = 0; k < 6; k++) {
            const char *text = 0;
            for (size_t p = 0; p < LENGTH(paths); p++) text = c.arguments[k] == (long)paths[p] ? paths[p] : text;
            if (text) printf("\"%s\"", text);
            else printf("%#lx", c.arguments[k]);
            printf(k < 5 ? ", " : ")\n");
        }
    }
}

static __thread sigjmp_buf fault;
static __thread volatile sig_atomic_t can_recover;

/* A fault ends the call that caused it, not the program; other signals only interrupt. */
static void on_signal(int signal) {
    int is_fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
    if (is_fault && can_recover) siglongjmp(fault, 1);
}

static void handle_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
    for (int s = 1; s <= 64; s++) sigaction(s, &action, 0);
}

/* Ends the program with a count of the calls on standard error, where the driver finds it. */
static void report(void) {
    char line[64];
    int n = snprintf(line, sizeof line, "\n%ld calls were made\n", (long)*made);
    syscall(SYS_write, REPORT_FD, line, n);
    syscall(SYS_exit_group, 1);
}

static void *end_soon(void *unused) {
    struct timespec life = {.tv_nsec = LIFE_MS * 1000000l};
    while (nanosleep(&life, &life)) continue;
    report();
    return unused;
}

void interrupt_calls(int on) {
    handle_signals();
    long nudge = on ? NUDGE_MS * 1000 : 0;
    struct itimerval timer = {{0, nudge}, {0, nudge}};
    setitimer(ITIMER_REAL, &timer, 0);
}

static void bound_own_life(void) {
    pthread_t watchdog;
    static _Atomic long own;
    if (!made) {
        void *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        made = shared == MAP_FAILED ? &own : shared;
    }
    dup2(2, REPORT_FD);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&watchdog, 0, end_soon, 0)) exit(2);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    interrupt_calls(1);
}

static void *other_thread(void *state) {
    struct dice d = {(uintptr_t)state};
    random_calls(&d, 50);
    return 0;
}

/* Actions beyond a single call: a child, a thread, an `exec` of the program itself, a file that runs share. */
static void compound(struct dice *d) {
    uint64_t kind = below(d, 5), seed = roll(d) >> 1;
    if (kind == 0 && fork() == 0) {
        struct dice own = {seed};
        bound_own_life();
        if (seed & 1) setsid();
        random_calls(&own, 100);
        if (seed & 2) pause();
        _exit(0);
    } else if (kind == 1) {
        pthread_t thread;
        if (!pthread_create(&thread, 0, other_thread, (void *)seed)) pthread_detach(thread);
    } else if (kind == 2 && below(d, 8) == 0) {
        char text[24];
        sprintf(text, "%llu", (unsigned long long)seed);
        char *args[] = {"fuzz_program", "calls", text, "100", 0};
        interrupt_calls(0);
        execv("/proc/self/exe", args);
    } else if (kind == 4) {
        can_recover = 1;
        if (sigsetjmp(fault, 0) == 0) move_on_a_shared_file(d);
        can_recover = 0;
    }
}

void calls_until_the_end(struct dice *d, long calls) {
    bound_own_life();
    random_calls(d, calls);
    report();
}

static void some_calls(struct dice *d, long calls, int with_others) {
    if (!region) {
        void *at = mmap(0, REGION, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        region = at == MAP_FAILED ? scratch : at;
    }
    for (volatile long i = 0; i < calls; i++) {
        if (below(d, 40) == 0 && with_others) compound(d);
        struct random_call c = choose(d);
        const long *a = c.arguments;
        if (made) ++*made;
        can_recover = 1;
        if (sigsetjmp(fault, 0) == 0) syscall(c.number, a[0], a[1], a[2], a[3], a[4], a[5]);
        can_recover = 0;
    }
}

void random_calls(struct dice *d, long calls) { some_calls(d, calls, 1); }
void random_calls_alone(struct dice *d, long calls) { some_calls(d, calls, 0); }
