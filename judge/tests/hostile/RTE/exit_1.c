/* The right answer, but an exit code of 1. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    return 1;
}
