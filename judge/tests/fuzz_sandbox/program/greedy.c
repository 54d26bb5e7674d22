/* Programs that exceed one limit by half, among random calls, and then print the right answer: their
 * verdict must never be "accepted". A program whose requests were refused exits without the answer. */
#include "fuzz_program.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MUCH = MEMORY_LIMIT * 3 / 2, REFUSED = 9, BLOCK = 1 << 20 };
#define LONG (CPU_LIMIT * 1.5)

static char block[BLOCK];

/* --- memory: each function returns 0 if that much was in use at the same time --- */

static int touch(size_t bytes, int flags, int fd) {
    char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (p == MAP_FAILED) return REFUSED;
    for (size_t i = 0; i < bytes; i += 4096) p[i] = 1;
    return munmap(p, bytes) ? REFUSED : 0;
}
static int private_pages(void) { return touch(MUCH, MAP_PRIVATE | MAP_ANONYMOUS, -1); }
static int shared_pages(void) { return touch(MUCH, MAP_SHARED | MAP_ANONYMOUS, -1); }
static int heap(void) {
    static char *kept[MUCH / BLOCK];
    for (int i = 0; i < MUCH / BLOCK; i++) {
        if (!(kept[i] = malloc(BLOCK))) return REFUSED;
        memset(kept[i], 1, BLOCK);
    }
    for (int i = 0; i < MUCH / BLOCK; i++) free(kept[i]);
    return 0;
}
static int written(int fd) {
    if (fd < 0) return REFUSED;
    for (int i = 0; i < MUCH / BLOCK; i++)
        if (write(fd, block, BLOCK) != BLOCK) return REFUSED;
    return close(fd) ? REFUSED : 0;
}
static int memory_files(void) {
    int fd[MUCH / BLOCK * 2];
    /* Each file is below the limit on the size of a file. */
    for (size_t i = 0; i < sizeof fd / sizeof *fd; i++)
        if ((fd[i] = memfd_create("greedy", 0)) < 0 || write(fd[i], block, BLOCK / 2) != BLOCK / 2) return REFUSED;
    for (size_t i = 0; i < sizeof fd / sizeof *fd; i++) close(fd[i]);
    return 0;
}
static int temporary_file(void) { return written(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }
static int children(void) {
    int ready[2], go[2], good = 1;
    char c;
    if (pipe(ready) || pipe(go)) return REFUSED;
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child < 0) return REFUSED;
        if (child == 0) {
            char *p = mmap(0, MUCH / 3, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (p == MAP_FAILED) _exit(1);
            for (size_t k = 0; k < MUCH / 3; k += 4096) p[k] = 1;
            if (write(ready[1], "x", 1) != 1) _exit(1);
            close(go[1]);
            _exit(read(go[0], &c, 1) != 0);
        }
    }
    for (int i = 0; i < 3; i++) good &= read(ready[0], &c, 1) == 1;
    close(go[1]);
    for (int i = 0, status; i < 3; i++) good &= wait(&status) > 0 && status == 0;
    return good ? 0 : REFUSED;
}

/* --- CPU time --- */

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static int loop(void) { burn(LONG); return 0; }
static void *burn_share(void *unused) {
    while (now(CLOCK_THREAD_CPUTIME_ID) < LONG / 4) continue;
    return unused;
}
static int loops_of_threads(void) {
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(thread + i, 0, burn_share, 0)) return REFUSED;
    for (int i = 0; i < 4; i++) pthread_join(thread[i], 0);
    return 0;
}
static int loop_of_child(void) {
    int status;
    pid_t child = fork();
    if (child == 0) { burn(LONG); _exit(0); }
    return child > 0 && waitpid(child, &status, 0) == child && !status ? 0 : REFUSED;
}
static int loop_of_orphan(void) {
    int ends[2];
    char c;
    if (pipe(ends)) return REFUSED;
    if (fork() == 0) {
        if (fork() == 0) { setsid(); burn(LONG); _exit(write(ends[1], "x", 1) != 1); }
        _exit(0);
    }
    close(ends[1]);
    return read(ends[0], &c, 1) == 1 ? 0 : REFUSED;
}

/* Executes an unreadable copy of the program in the same process, which burns the time. */
static int loop_after_exec(void) {
    int from = open("/proc/self/exe", O_RDONLY), to = open("copy", O_CREAT | O_WRONLY | O_TRUNC, 0700);
    ssize_t n;
    if (from < 0 || to < 0) return REFUSED;
    while ((n = read(from, block, sizeof block)) > 0)
        if (write(to, block, n) != n) return REFUSED;
    if (fchmod(to, 0111) || close(to)) return REFUSED;
    char hash[32];
    int fd = memfd_create("input", 0);
    if (fd < 0 || write(fd, input, input_length) != (ssize_t)input_length) return REFUSED;
    sprintf(hash, "%d", fd);
    execl("./copy", "copy", "again", hash, (char *)0);
    return REFUSED;
}
int greedy_again(char **argv) {
    ssize_t n = pread(atoi(argv[2]), input, 1 << 20, 0);
    if (n < 0) return REFUSED;
    input_length = n;
    unlink("copy");
    burn(LONG);
    return answer();
}

/* --- output --- */

static int fill(int fd) {
    memset(block, '\n', sizeof block);
    return write(fd, block, OUTPUT_LIMIT) == OUTPUT_LIMIT && write(fd, block, OUTPUT_LIMIT / 2) == OUTPUT_LIMIT / 2
               ? 0 : REFUSED;
}
static int standard_output(void) { return fill(1); }
static int standard_error(void) { return fill(2); }
static int both(void) {
    memset(block, '\n', sizeof block);
    for (int fd = 1; fd <= 2; fd++)
        if (write(fd, block, OUTPUT_LIMIT * 3 / 4) != OUTPUT_LIMIT * 3 / 4) return REFUSED;
    return 0;
}
static int longer_file(void) { return ftruncate(2, OUTPUT_LIMIT * 3 / 2) ? REFUSED : 0; }
static int many_files(void) {
    char name[16];
    for (int i = 0; i < 6; i++) {
        sprintf(name, "greedy%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        if (fd < 0 || write(fd, block, OUTPUT_LIMIT / 4) != OUTPUT_LIMIT / 4 || close(fd)) return REFUSED;
    }
    return 0;
}

static struct stat streams[2];

/* Bytes of output at the end: random calls may have closed, replaced or truncated the output. */
static off_t output_now(void) {
    off_t bytes = 0;
    struct stat s;
    char name[16];
    for (int fd = 1; fd <= 2; fd++)
        if (!fstat(fd, &s) && s.st_ino == streams[fd - 1].st_ino && s.st_dev == streams[fd - 1].st_dev) bytes += s.st_size;
    for (int i = 0; i < 6; i++) {
        sprintf(name, "greedy%d", i);
        if (!lstat(name, &s) && S_ISREG(s.st_mode)) bytes += s.st_size;
    }
    return bytes;
}

static const struct { const char *role; int (*run)(void); } ways[] = {
    {"pages", private_pages}, {"pages", heap},
    {"memory", shared_pages}, {"memory", memory_files}, {"memory", temporary_file}, {"memory", children},
    {"cpu", loop}, {"cpu", loops_of_threads}, {"cpu", loop_after_exec}, {"cpu", loop_of_child}, {"cpu", loop_of_orphan},
    {"output", standard_output}, {"output", standard_error}, {"output", both}, {"output", longer_file},
    {"output", many_files},
};

int greedy(const char *role, struct dice *d, long calls) {
    size_t k;
    /* A child or a thread could truncate the output after `output_now`; output within the limit at the end is allowed. */
    int is_output = !strcmp(role, "output");
    void (*make_calls)(struct dice *, long) = is_output ? random_calls_alone : random_calls;
    for (int fd = 1; fd <= 2; fd++) fstat(fd, &streams[fd - 1]);
    do k = below(d, sizeof ways / sizeof *ways);
    while (strcmp(ways[k].role, role));
    interrupt_calls(1);
    make_calls(d, calls / 2);
    interrupt_calls(0);
    int refused = ways[k].run();
    if (refused) return refused;
    interrupt_calls(1);
    make_calls(d, calls / 2);
    interrupt_calls(0);
    if (is_output && output_now() <= OUTPUT_LIMIT) return REFUSED;
    return answer();
}
