/* Writes to address 0. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    *(volatile int *)0 = 1;
    return 0;
}
