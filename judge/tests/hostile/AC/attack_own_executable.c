/* Writes to its own executable. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    if (open("/proc/self/exe", O_WRONLY) >= 0) puts("leak");
    printf("42\n");
    return 0;
}
