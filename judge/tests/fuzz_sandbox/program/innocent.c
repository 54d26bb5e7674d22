/* Programs that stay within every limit, and one that looks for traces of the previous run. */
#include "fuzz_program.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The kernel's value of `O_LARGEFILE`; the C library defines it as 0. */
#define KERNEL_LARGEFILE 0100000
#define TENTHS(limit) ((limit) / 10 * 9)

int can_fork(void) {
    /* A zygote is process 1 of a PID namespace, or the parent of the program is a process outside. */
    return getppid() == 1 || getppid() == 0;
}

static long inherited_nice;

static int forks(void) {
    int ends[2];
    if (pipe(ends)) return 11;
    pid_t child = fork();
    if (child < 0) return 12;
    if (child == 0) _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    char c;
    int status;
    if (read(ends[0], &c, 1) != 1) return 13;
    if (waitpid(child, &status, 0) != child || status) return 14;
    return wait(0) < 0 && errno == ECHILD ? answer() : 15;
}

static void *started(void *barrier) {
    pthread_barrier_wait(barrier);
    return 0;
}
/* Keeps nine tenths of the allowed processes and threads alive at the same time. */
static int threads(void) {
    enum { COUNT = PROCESS_LIMIT * 9 / 10 - 1 };
    pthread_t thread[COUNT];
    pthread_barrier_t barrier;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_barrier_init(&barrier, 0, COUNT + 1);
    for (int i = 0; i < COUNT; i++)
        if (pthread_create(thread + i, &small, started, &barrier)) return 21;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < COUNT; i++) pthread_join(thread[i], 0);
    return answer();
}

static int memory(void) {
    /* Nine tenths of the limit, minus the process's other memory. */
    size_t bytes = TENTHS(MEMORY_LIMIT) - (2 << 20);
    char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return 31;
    for (size_t i = 0; i < bytes; i += 4096) p[i] = 1;
    return answer();
}

static int cpu(void) {
    burn(CPU_LIMIT * 0.9);
    return answer();
}

/* The comparison ignores line feeds after an answer. */
static int output(void) {
    static char feeds[4096];
    memset(feeds, '\n', sizeof feeds);
    if (answer()) return 41;
    for (size_t left = TENTHS(OUTPUT_LIMIT) - 64; left > 0;) {
        size_t most = left < sizeof feeds ? left : sizeof feeds;
        ssize_t n = write(1, feeds, most);
        if (n <= 0) return 42;
        left -= n;
    }
    return 0;
}

static int files(void) {
    const char *places[] = {"ordinary", "/tmp/ordinary", "/dev/shm/ordinary"};
    for (int i = 0; i < (can_fork() ? 3 : 1); i++) {
        char back[8] = "";
        int fd = open(places[i], O_CREAT | O_EXCL | O_RDWR, 0600);
        if (fd < 0 || write(fd, "content", 7) != 7 || pread(fd, back, 8, 0) != 7) return 51 + i;
        if (strcmp(back, "content") || close(fd) || unlink(places[i])) return 54 + i;
    }
    return answer();
}

/* --- traces of a previous run --- */

/* Flags that the owner of a file may set; the file system sets the others. */
#define MARKS (FS_SYNC_FL | FS_IMMUTABLE_FL | FS_APPEND_FL | FS_NODUMP_FL | FS_NOATIME_FL | FS_UNRM_FL | FS_SECRM_FL)

static int differs(const char *what, long found, long expected) {
    if (found == expected) return 0;
    char line[128];
    int n = snprintf(line, sizeof line, "%s:%ld,not:%ld\n", what, found, expected);
    return write(1, line, n) == n;
}

/* The input may be open for writing if its seals refuse that. */
static int input_can_change(void) {
    return pwrite(0, "x", 1, 0) >= 0 || ftruncate(0, input_length / 2) == 0 || ftruncate(0, input_length + 1) == 0;
}

static int descriptor_differs(int fd) {
    const char *names[] = {"stdin", "stdout", "stderr"};
    char what[64];
#define LOOK(name, found, expected) \
    do { snprintf(what, sizeof what, "%s-" name, names[fd]); if (differs(what, found, expected)) return 1; } while (0)
    struct stat s;
    if (fstat(fd, &s)) return differs("fstat", errno, 0);
    LOOK("flags", fcntl(fd, F_GETFL) & ~(KERNEL_LARGEFILE | O_ACCMODE), 0);
    LOOK("signal", fcntl(fd, F_GETSIG), 0);
    LOOK("owner", fcntl(fd, F_GETOWN), 0);
    if (!S_ISREG(s.st_mode)) return 0;
    LOOK("offset", lseek(fd, 0, SEEK_CUR), fd == 0 ? (long)input_length : 0);
    LOOK("size", s.st_size, fd == 0 ? (long)input_length : 0);
    if (fd) LOOK("blocks", s.st_blocks, 0);
    if (fd == 0) LOOK("change", input_can_change(), 0);
    LOOK("lease", fcntl(fd, F_GETLEASE), F_UNLCK);
    for (int type = F_RDLCK; type <= F_WRLCK; type++) {
        struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
        if (!fcntl(fd, F_OFD_GETLK, &lock)) LOOK("lock", lock.l_type, F_UNLCK);
    }
    int marks = 0;
    if (!ioctl(fd, FS_IOC_GETFLAGS, &marks)) LOOK("marks", marks & MARKS, 0);
    return 0;
}

static int directory_differs(const char *path) {
    DIR *d = opendir(path);
    if (!d) return differs(path, errno, 0);
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) return differs(e->d_name, 1, 0);
    int marks = 0;
    if (!ioctl(dirfd(d), FS_IOC_GETFLAGS, &marks) && differs(path, marks & MARKS, 0)) return 1;
    struct stat s;
    long now = time(0);
    if (fstat(dirfd(d), &s) || differs(path, s.st_mode & 07777, 0700)) return 1;
    /* A box is younger than an hour, and random timestamps are in other centuries. */
    if (labs(now - s.st_atime) > 3600 && differs("access-time", s.st_atime, now)) return 1;
    if (labs(now - s.st_mtime) > 3600 && differs("change-time", s.st_mtime, now)) return 1;
    closedir(d);
    return 0;
}

static int clean(void) {
    long what = 1;
    const char *message = message_at_own_file(&what);
    if (message && differs(message, what, 0)) return 0;
    if (descriptor_differs(0) || descriptor_differs(1) || descriptor_differs(2)) return 0;
    for (int fd = 3; fd < 64; fd++)
        if (differs("descriptor", fcntl(fd, F_GETFD), -1)) return 0;
    if (directory_differs(".")) return 0;
    if (can_fork() && (directory_differs("/tmp") || directory_differs("/dev/shm"))) return 0;
    sigset_t set;
    sigprocmask(SIG_BLOCK, 0, &set);
    for (int s = 1; s < 64; s++) {
        struct sigaction a;
        if (differs("blocked", sigismember(&set, s) == 1, 0)) return 0;
        if (!sigaction(s, 0, &a) && differs("handled", (long)a.sa_handler, 0)) return 0;
    }
    sigpending(&set);
    for (int s = 1; s < 64; s++)
        if (differs("pending", sigismember(&set, s) == 1, 0)) return 0;
    for (int timer = ITIMER_REAL; timer <= ITIMER_PROF; timer++) {
        struct itimerval t;
        if (!getitimer(timer, &t) && differs("timer", t.it_value.tv_sec || t.it_value.tv_usec, 0)) return 0;
    }
    errno = 0;
    if (differs("umask", umask(022), 022) || differs("nice", getpriority(PRIO_PROCESS, 0), inherited_nice) ||
        differs("scheduler", sched_getscheduler(0), SCHED_OTHER) || differs("leader", getpgrp() == getpid(), 1) ||
        differs("subreaper", ({ int is = 0; prctl(PR_GET_CHILD_SUBREAPER, &is); is; }), 0) ||
        /* Without a PID namespace the box sets it, so that the program ends with the zygote. */
        differs("death-signal", ({ int s = 0; prctl(PR_GET_PDEATHSIG, &s); s % SIGKILL; }), 0) ||
        differs("keep-capabilities", prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0), 0) ||
        differs("io-priority", syscall(SYS_ioprio_get, 1, 0) >> 13, 0))
        return 0;
    struct rlimit r;
    if (!getrlimit(RLIMIT_NOFILE, &r) && differs("files", r.rlim_cur >= 64, 1)) return 0;
    if (differs("child", waitpid(-1, 0, WNOHANG), -1)) return 0;
    return answer();
}

int innocent(const char *role, long nice) {
    inherited_nice = nice;
    static const struct { const char *name; int (*run)(void); } roles[] = {
        {"read", answer}, {"device", answer}, {"forks", forks}, {"threads", threads}, {"memory", memory},
        {"cpu", cpu}, {"output", output}, {"files", files}, {"clean", clean},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (!strcmp(role, roles[i].name)) return roles[i].run();
    return 3;
}
