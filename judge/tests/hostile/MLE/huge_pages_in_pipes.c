/* Puts one page of each of 225 huge pages into a pipe and removes the mapping: no process has the 450 MB
   in its page table. Falls back to the heap where that is not possible. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, EACH = 15 };

static int is_huge(void) {
    char line[256];
    long kib = 0;
    FILE *map = fopen("/proc/self/smaps_rollup", "r");
    while (map && fgets(line, sizeof line, map))
        if (!strncmp(line, "AnonHugePages:", 14)) kib = atol(line + 14);
    if (map) fclose(map);
    return kib > 0;
}

int main(void) {
    for (int i = 0; i < 225; i++) {
        static int ends[2];
        if (i % EACH == 0 && pipe(ends)) return 3;
        char *space = mmap(0, 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (space == MAP_FAILED) return 4;
        char *page = (char *)(((unsigned long)space + HUGE_PAGE - 1) & -(unsigned long)HUGE_PAGE);
        madvise(page, HUGE_PAGE, MADV_HUGEPAGE);
        memset(page, 1, HUGE_PAGE);
        struct iovec start = {page, 4096};
        if (is_huge() && vmsplice(ends[1], &start, 1, 0) == 4096) munmap(space, 2 * HUGE_PAGE);
    }
    puts("42");
    return 0;
}
