/* Waits for input that never comes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends)) return 1;
    return read(ends[0], &byte, 1) == 1;
}
