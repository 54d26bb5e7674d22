/* Reads and changes the kernel's cache of the machine's files, which could carry messages between programs. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
    unsigned char there;
    if (map != MAP_FAILED && !mincore(map, 4096, &there)) puts("leak: mincore");
    unsigned long extents[7] = {0, ~0ul, 1 /* FIEMAP_FLAG_SYNC */};
    unsigned int state;
    if (!ioctl(own, 0xc020660b /* FS_IOC_FIEMAP */, extents)) puts("leak: a file is written to the disk");
    if (!ioctl(file, 0x6612 /* EXT4_IOC_PRECACHE_EXTENTS */)) puts("leak: extents are cached");
    if (!ioctl(file, 0x40046629 /* EXT4_IOC_GETSTATE */, &state)) puts("leak: cached extents are shown");
    unsigned long scan[12] = {sizeof scan, 0, (unsigned long)map, (unsigned long)map + 4096};
    int maps = open("/proc/self/pagemap", O_RDONLY);
    scan[9] = scan[11] = 1 << 3; /* PAGE_IS_PRESENT */
    if (ioctl(maps, 0xc0606610 /* PAGEMAP_SCAN */, scan) >= 0) puts("leak: PAGEMAP_SCAN");
    for (int i = 0; i < 3 && map != MAP_FAILED; i++)
        if (!madvise(map, 4096, advice[i])) printf("leak: advice %d\n", advice[i]);
    if (!prctl(67 /* PR_SET_MEMORY_MERGE */, 1, 0, 0, 0)) puts("leak: equal pages of all boxes are merged");
    puts("42");
    return 0;
}
