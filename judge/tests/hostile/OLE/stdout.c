/* Writes to standard output without end. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    for (;;) puts("all work and no play makes a dull program");
}
