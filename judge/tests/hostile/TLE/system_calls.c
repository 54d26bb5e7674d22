/* Spends its time in the kernel. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (;;) getppid();
}
