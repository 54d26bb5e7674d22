/* Uses 200 MB of stack under a memory limit of 256 MiB. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int deeper(int levels) {
    volatile char here[1 << 20];
    memset((char *)here, levels, sizeof here);
    return levels == 0 ? here[5] : deeper(levels - 1) + here[7] - here[7];
}
int main(void) {
    printf("%d\n", 42 + deeper(190));
    return 0;
}
