/* Touches 1 GiB of zero-initialised data. */
#define _GNU_SOURCE
#include <stdio.h>

static volatile char zeroes[1 << 30];

int main(void) {
    for (unsigned long k = 0; k < sizeof zeroes; k += 4096) zeroes[k] = 1;
    printf("42\n");
    return 0;
}
