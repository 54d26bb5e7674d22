/* The right answer, but an exit code of 255. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    return 255;
}
