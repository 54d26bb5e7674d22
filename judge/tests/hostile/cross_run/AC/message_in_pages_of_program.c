/* Leaves a message for the next run in the pages of its own executable's file that are in memory: a part of the file is
 * a hole of 64 MiB. A page that is read stands for 1; the next run looks which pages are in memory, in four ways. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The linker seeks over the gap before a section with a large alignment. */
__asm__(".pushsection .rodata1,\"a\"\n.balign 67108864\n.long 1\n.popsection\n");

enum { BITS = 60, PAGE = 4096, WINDOW = 32 * PAGE, WAYS = 4 };

static int own, maps;
static volatile char *map, sink;

/* The first bit of each message is 1. */
static int bit(int i) { return i == 0 || (uint64_t)i * 0x9e3779b97f4a7c15u >> 63; }

static long faults(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt + used.ru_majflt;
}
static int by_mincore(off_t at) {
    unsigned char there = 0;
    mincore((void *)(map + at), PAGE, &there);
    return there & 1;
}
static int by_seek(off_t at) { return lseek(own, at, SEEK_DATA) == at; }
/* A page fault also maps the pages beside it that are in memory. */
static int by_page_map(off_t at) {
    uint64_t entry = 0;
    sink = map[at + PAGE];
    return pread(maps, &entry, 8, (uintptr_t)(map + at) / PAGE * 8) == 8 && entry >> 63;
}
static int by_faults(off_t at) {
    sink = map[at + PAGE];
    long before = faults();
    sink = map[at];
    return faults() == before;
}

int main(int argc, char **argv) {
    static const struct { const char *name; int (*look)(off_t); } ways[WAYS] = {
        {"mincore", by_mincore}, {"SEEK_DATA", by_seek}, {"pagemap", by_page_map}, {"the number of page faults", by_faults},
    };
    struct stat about;
    own = open("/proc/self/exe", O_RDONLY);
    if (own < 0) own = open(argv[0], O_RDONLY);
    maps = open("/proc/self/pagemap", O_RDONLY);
    if (argc < 1 || own < 0 || fstat(own, &about) || about.st_size < (WAYS * BITS + 160) * (off_t)WINDOW) return 1;
    map = mmap(0, about.st_size, PROT_READ, MAP_PRIVATE, own, 0);
    if (map == MAP_FAILED) return 2;
    madvise((void *)map, about.st_size, MADV_RANDOM);
    for (int way = 0; way < WAYS; way++) {
        off_t start = (160 + way * (off_t)BITS) * WINDOW;
        int agree = 0;
        if (ways[way].look(start)) {
            for (int i = 1; i < BITS; i++) agree += ways[way].look(start + i * (off_t)WINDOW) == bit(i);
        } else {
            for (int i = 0; i < BITS; i++)
                if (bit(i)) sink = map[start + i * (off_t)WINDOW];
        }
        if (agree == BITS - 1) printf("leak: %s\n", ways[way].name);
    }
    puts("42");
    return 0;
}
