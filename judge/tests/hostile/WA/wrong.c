/* Prints 41. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    printf("41\n");
    return 0;
}
