/* Keeps 220 MB and writes 64 MB in small steps, which is allowed: output does not count as memory. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static char blanks[1 << 20];
    char *heap = malloc(220 << 20);
    if (!heap) return 1;
    memset(heap, 1, 220 << 20);
    memset(blanks, ' ', sizeof blanks);
    for (int k = 0; k < 64; k++) {
        fwrite(blanks, 1, sizeof blanks, stdout);
        if (k % 8 == 7) usleep(20 * 1000);
    }
    puts("42");
    return heap[4096] != 1;
}
