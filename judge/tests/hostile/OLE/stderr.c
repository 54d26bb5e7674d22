/* Writes to standard error without end. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    for (;;) fputs("all work and no play makes a dull program\n", stderr);
}
