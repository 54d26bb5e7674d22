/* Uses 140 MB, which is allowed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    volatile char *block = malloc(140 << 20);
    if (!block) return 1;
    for (long k = 0; k < 140 << 20; k += 4096) block[k] = 1;
    if (block[4096] != 1) return 2;
    printf("42\n");
    return 0;
}
