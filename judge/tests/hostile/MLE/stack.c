/* Recurses without end. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int deeper(int level) {
    volatile char here[1 << 16];
    memset((char *)here, level, sizeof here);
    return deeper(level + 1) + here[9];
}

int main(void) {
    printf("%d\n", deeper(0));
    return 0;
}
