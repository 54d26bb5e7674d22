/* Moves on files that all runs share and that a program may only read: its own executable and the system's files. They
 * try to leave a message in the pages that the kernel keeps in memory, in hints, in locks. */
#include "fuzz_program.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The linker leaves a hole in the file before a section with a large alignment. */
__asm__(".pushsection .rodata1,\"a\"\n.balign 67108864\n.long 1\n.popsection\n");

enum { PAGE = 4096, AROUND = 16 * PAGE, WINDOWS = 8, SLACK = 8 };

static const char *own_name = "/proc/self/exe";
void set_own_name(const char *name) {
    if (access(own_name, R_OK)) own_name = name;
}

static int open_one(struct dice *d) {
    static const char *const names[] = {"/usr/bin/env", "/usr/bin", "/bin/sh", "/usr/lib/os-release", ".", "/tmp", "/dev/null"};
    return open(below(d, 2) ? own_name : names[below(d, sizeof names / sizeof *names)], O_RDONLY | O_NONBLOCK);
}

void move_on_a_shared_file(struct dice *d) {
    static volatile char sink;
    int fd = open_one(d);
    struct stat about;
    if (fd < 0 || fstat(fd, &about)) return;
    size_t size = S_ISREG(about.st_mode) ? about.st_size : 0;
    off_t at = size ? below(d, size) & ~(PAGE - 1ul) : 0;
    switch (below(d, 8)) {
    case 0: {
        struct flock lock = {.l_type = below(d, 2), .l_whence = SEEK_SET, .l_start = below(d, 1 << 20), .l_len = 1};
        fcntl(fd, below(d, 2) ? F_SETLK : F_OFD_SETLK, &lock);
        break;
    }
    case 1: flock(fd, (below(d, 2) ? LOCK_SH : LOCK_EX) | LOCK_NB); break;
    case 2: {
        uint64_t hint = below(d, 6);
        fcntl(fd, below(d, 2) ? F_SET_RW_HINT : F_SET_FILE_RW_HINT, &hint);
        break;
    }
    case 3: syscall(SYS_readahead, fd, at, below(d, 64) * PAGE); break;
    case 4: posix_fadvise(fd, at, below(d, 64) * PAGE, below(d, 6)); break;
    case 5: ioctl(fd, 'f' << 8 | below(d, 64) | (below(d, 2) ? 0x40040000 : 0), &about); break;
    default: {
        static const int advice[] = {MADV_RANDOM, MADV_WILLNEED, MADV_DONTNEED, 20, 21, 22, 25};
        char *map = size ? mmap(0, size, PROT_READ, below(d, 2) ? MAP_PRIVATE : MAP_SHARED, fd, 0) : MAP_FAILED;
        if (map == MAP_FAILED) break;
        for (int i = 0; i < 16; i++) {
            at = below(d, size) & ~(PAGE - 1ul);
            if (below(d, 2)) sink = map[at];
            else madvise(map + at, PAGE, advice[below(d, sizeof advice / sizeof *advice)]);
        }
        munmap(map, size);
    }
    }
    if (below(d, 4)) close(fd);
}

/* How many of some pages of the executable's file were not in memory: a page fault maps all pages around it that are. */
static long missing_pages(int fd, size_t size) {
    static volatile char sink;
    char *map = mmap(0, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) return 0;
    madvise(map, size, MADV_RANDOM); /* otherwise a fault reads the pages ahead */
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < WINDOWS; i++) {
        char *at = (char *)(((uintptr_t)map + size / WINDOWS * i + AROUND - 1) & ~(AROUND - 1ul));
        for (int page = 0; page < AROUND / PAGE; page++) sink = at[page * PAGE];
    }
    getrusage(RUSAGE_SELF, &after);
    long faults = after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt;
    munmap(map, size);
    return faults > WINDOWS + SLACK ? faults : 0;
}

const char *message_at_own_file(long *what) {
    int fd = open(own_name, O_RDONLY);
    struct stat about;
    uint64_t hint = 0;
    if (fd < 0 || fstat(fd, &about)) return 0;
    if (!fcntl(fd, F_GET_RW_HINT, &hint) && (*what = hint)) return "hint";
    if ((*what = missing_pages(fd, about.st_size))) return "pages";
    close(fd);
    return 0;
}
