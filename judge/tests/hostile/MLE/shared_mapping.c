/* Maps 1 GiB of shared memory and touches it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    char *block = mmap(0, 1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (long k = 0; block != MAP_FAILED && k < 1 << 30; k += 4096) block[k] = 1;
    printf("42\n");
    return 0;
}
