/* Uses too much heap, frees it, and writes as much output. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
    static char blanks[1 << 20];
    long size = 400L << 20;
    char *heap = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (heap == MAP_FAILED) return 1;
    memset(heap, 1, size);
    munmap(heap, size);
    memset(blanks, ' ', sizeof blanks);
    for (int k = 0; k < 150; k++) fwrite(blanks, 1, sizeof blanks, stdout);
    puts("42");
    return 0;
}
