/* Keeps too much data in an unmapped memory file; falls back to the heap where memory files are refused. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    int file = memfd_create("store", 0);
    for (int k = 0; k < 400; k++) {
        if (file >= 0 && write(file, block, sizeof block) == sizeof block) continue;
        char *more = malloc(sizeof block);
        if (!more) return 1;
        memcpy(more, block, sizeof block);
    }
    usleep(100 * 1000);
    puts("42");
    return 0;
}
