/* Allocates 1 GiB of heap in small steps. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 1024; i++) {
        volatile char *block = malloc(1 << 20);
        for (long k = 0; block && k < 1 << 20; k += 4096) block[k] = 1;
    }
    printf("42\n");
    return 0;
}
