// A test program with many actions; the first argument selects one. Every action is bounded.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static int argc_;
static char **argv_;

static long number(int i, long otherwise) { return argc_ > i ? atol(argv_[i]) : otherwise; }

static void burn(double seconds) {
    struct timespec t;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    while (t.tv_sec + t.tv_nsec / 1e9 < seconds);
}

static char *touch_all(size_t bytes) {
    char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) exit(3);
    for (size_t i = 0; i < bytes; i += 4096) p[i] = 1;
    return p;
}

// --- invalid accesses ---

static int descend(volatile int *above) {
    volatile int own[64];
    own[0] = *above + 1;
    return descend(own) + own[0];
}

static void large_frame() {
    volatile char frame[12 << 20];
    frame[5] = 1;
}

static void *descend_in_thread(void *zero) { return (void *)(long)descend(zero); }

static void ignore_once(int signal) { struct sigaction usual = {.sa_handler = SIG_DFL}; sigaction(signal, &usual, 0); }

static int fault(void) {
    const char *kind = argv_[2];
    int zero = 0;
    pthread_t thread;
    if (!strcmp(kind, "null")) *(volatile int *)16 = 1;
    if (!strcmp(kind, "wild")) *(volatile int *)0x123456789000 = 1;
    if (!strcmp(kind, "constant")) *(volatile char *)"text" = 1;
    if (!strcmp(kind, "not-canonical")) *(volatile int *)0x1234567890abcdef = 1;
    if (!strcmp(kind, "recursion")) descend(&zero);
    if (!strcmp(kind, "large-frame")) large_frame();
    if (!strcmp(kind, "thread")) pthread_create(&thread, 0, descend_in_thread, &zero), pthread_join(thread, 0);
    if (!strcmp(kind, "sent")) kill(getpid(), SIGSEGV);
    if (!strcmp(kind, "handled")) {
        struct sigaction action = {.sa_handler = ignore_once};
        sigaction(SIGSEGV, &action, 0);
        *(volatile int *)32 = 1;
    }
    if (!strcmp(kind, "in-child")) {
        if (fork() == 0) *(volatile int *)16 = 1;
        wait(0);
        abort();
    }
    if (!strcmp(kind, "bus")) {
        int file = open("short", O_RDWR | O_CREAT, 0600);
        ftruncate(file, 1);
        char *map = mmap((void *)0x40000000, 3 << 12, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
        zero = *(volatile char *)(map + (2 << 12));
    }
    return 0;
}

// --- ordinary actions ---
static int echo(void) {
    char b[65536];
    ssize_t n;
    while ((n = read(0, b, sizeof b)) > 0)
        if (write(1, b, n) != n) return 1;
    return 0;
}
static int show(void) {
    char cwd[PATH_MAX];
    printf("cwd=%s\n", getcwd(cwd, sizeof cwd));
    for (char **e = environ; *e; e++) puts(*e);
    printf("umask=%03o\n", umask(0));
    for (int fd = 0; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0) printf("fd=%d\n", fd);
    sigset_t mask;
    sigprocmask(SIG_BLOCK, 0, &mask);
    for (int s = 1; s < 64; s++) {
        struct sigaction a;
        if (sigismember(&mask, s) == 1) printf("blocked=%d\n", s);
        if (!sigaction(s, 0, &a) && a.sa_handler != SIG_DFL) printf("handled=%d\n", s);
    }
    struct rlimit r;
    getrlimit(RLIMIT_CORE, &r);
    printf("core=%ld\n", (long)r.rlim_max);
    getrlimit(RLIMIT_STACK, &r);
    printf("stack=%ld\n", (long)r.rlim_cur);
    printf("leader=%d\n", getpgrp() == getpid());
    return 0;
}
static int code(void) { return number(2, 0); }
static int raise_signal(void) { return raise(number(2, 11)); }
static int burn_ms(void) { burn(number(2, 100) / 1e3); return 0; }
static int steps(void) {
    for (volatile long i = number(2, 1000); i > 0; i--) ;
    return 0;
}
static int sleep_ms(void) { usleep(number(2, 100) * 1000); return 0; }
static int memory_mib(void) {
    touch_all(number(2, 64) << 20);
    usleep(number(3, 0) * 1000);
    return 0;
}
// Follows a chain of so many steps through all cache lines of so many MiB, a power of two, in an order that no processor
// foresees.
static int read_memory(void) {
    unsigned long lines = number(2, 64) << 14, line = 0;
    unsigned (*chain)[16] = (void *)touch_all(lines * 64);
    for (unsigned long i = 0; i < lines; i++) chain[i][0] = (i * 1664525 + 1013904223) % lines;
    for (long i = number(3, 1000000); i > 0; i--) line = chain[line][0];
    return line > lines;
}
// Writes memory for so many ms of CPU time, so that others wait for theirs.
static int disturb(void) {
    const size_t bytes = 64 << 20;
    char *p = touch_all(bytes);
    struct timespec t;
    do {
        memset(p, 1, bytes);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < number(2, 100));
    return 0;
}
// Fills the kernel's dentry cache, which is charged to the control group of the process that looks up a name first.
static int look_up_names(void) {
    char name[260];
    struct stat unused;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    int start = sprintf(name, "/usr/lib/%0190ld.%09ld.", (long)t.tv_sec, t.tv_nsec);
    for (long k = 0; k < number(2, 1000); k++) {
        sprintf(name + start, "%09ld", k);
        stat(name, &unused);
    }
    return 0;
}
static int write_bytes(void) {
    static char b[65536];
    memset(b, 'x', sizeof b);
    if (argc_ > 3) signal(SIGXFSZ, SIG_IGN);
    for (long left = number(2, 0); left > 0;) {
        ssize_t n = write(1, b, left < (long)sizeof b ? left : (long)sizeof b);
        if (n <= 0) return 9;
        left -= n;
    }
    return 0;
}
static int make_files(void) {
    char name[64];
    for (int i = 0; i < number(2, 10); i++) {
        sprintf(name, "file%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0);
        if (fd < 0 || write(fd, "12345", 5) != 5) return 1;
        close(fd);
        sprintf(name, "dir%d", i);
        if (mkdir(name, 0)) return 2;
    }
    return 0;
}
static int list_files(void) { return system("ls -A . | wc -l"); }

// --- CPU time of children and threads ---
static int child_burns(void) {
    if (!fork()) { burn(number(2, 100) / 1e3); _exit(0); }
    wait(0);
    return 0;
}
static int unwaited_burns(void) {
    int p[2];
    pipe(p);
    if (!fork()) { burn(number(2, 100) / 1e3); write(p[1], "x", 1); _exit(0); }
    char c;
    read(p[0], &c, 1);
    return 0;
}
static int ignored_burns(void) {
    signal(SIGCHLD, SIG_IGN);
    return unwaited_burns();
}
static int orphan_burns(void) {
    int p[2];
    pipe(p);
    if (!fork()) {
        if (!fork()) { burn(number(2, 100) / 1e3); write(p[1], "x", 1); _exit(0); }
        _exit(0);
    }
    char c;
    read(p[0], &c, 1);
    return 0;
}
static void *burn_thread(void *x) { burn(*(double *)x); return 0; }
static int threads_burn(void) {
    pthread_t t[4];
    double each = number(2, 100) / 4e3;
    for (int i = 0; i < 4; i++) if (pthread_create(t + i, 0, burn_thread, &each)) return 1;
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}

// --- processes that do not end ---
static int daemon_stays(void) {
    if (!fork()) {
        setsid();
        if (!fork()) {
            signal(SIGHUP, SIG_IGN);
            close(0); close(1); close(2);
            for (int i = 0; i < 3000; i++) usleep(10000);
            _exit(0);
        }
        _exit(0);
    }
    wait(0);
    return 0;
}
static int loop(void) { for (;;) ; }
static int loop_stubborn(void) {
    for (int s = 1; s < 64; s++) signal(s, SIG_IGN);
    for (;;) ;
}
static int family_loops(void) {
    for (int i = 0; i < number(2, 3); i++) if (!fork()) for (;;) ;
    for (;;) ;
}

static const struct { const char *name; int (*run)(void); } actions[] = {
    {"echo", echo}, {"show", show}, {"code", code}, {"raise", raise_signal}, {"fault", fault}, {"burn", burn_ms},
    {"sleep", sleep_ms}, {"steps", steps}, {"memory", memory_mib},
    {"read-memory", read_memory}, {"disturb", disturb}, {"look-up-names", look_up_names}, {"write", write_bytes}, {"files", make_files},
    {"list", list_files}, {"child-burns", child_burns}, {"unwaited-burns", unwaited_burns},
    {"ignored-burns", ignored_burns}, {"orphan-burns", orphan_burns},
    {"threads-burn", threads_burn}, {"daemon", daemon_stays}, {"loop", loop},
    {"loop-stubborn", loop_stubborn}, {"family-loops", family_loops},
};

int main(int argc, char **argv) {
    argc_ = argc;
    argv_ = argv;
    for (unsigned i = 0; argc > 1 && i < sizeof actions / sizeof *actions; i++)
        if (!strcmp(argv[1], actions[i].name)) return actions[i].run();
    fprintf(stderr, "no such action\n");
    return 99;
}
