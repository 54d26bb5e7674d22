/* Reads and changes the kernel's cache of the machine's files, which could carry messages between programs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    static const int advice[] = {20 /* cold */, 21 /* page out */, 25 /* collapse */};
    static char byte;
    struct iovec part = {&byte, 1};
    unsigned long range[2] = {0, 4096}, pages[5];
    /* struct open_how: flags, mode, RESOLVE_CACHED */
    unsigned long how[3] = {O_RDONLY, 0, 0x20};
    int file = open("/usr/bin/env", O_RDONLY), own = open("/proc/self/exe", O_RDONLY);
    if (file >= 0 && pread(file, &byte, 1, 0) == 1) {
        if (preadv2(file, &part, 1, 0, 8 /* RWF_NOWAIT */) == 1) puts("leak: a cached page is read");
        if (!syscall(451 /* cachestat */, file, range, pages, 0)) puts("leak: cached pages are counted");
        if (syscall(437 /* openat2 */, AT_FDCWD, "/usr/bin/env", how, sizeof how) >= 0) puts("leak: a cached name");
    }
    char *map = mmap(0, 4096, PROT_READ, MAP_PRIVATE, own, 0);
    for (int i = 0; i < 3 && map != MAP_FAILED; i++)
        if (!madvise(map, 4096, advice[i])) printf("leak: advice %d\n", advice[i]);
    puts("42");
    return 0;
}
