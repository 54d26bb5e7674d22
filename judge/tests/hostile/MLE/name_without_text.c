/* Has a process name that is not UTF-8, and 800 MB of page tables. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int main(void) {
    const unsigned long size = 400UL << 30;
    prctl(PR_SET_NAME, "\xff");
    volatile char *zeroes =
        mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeroes == MAP_FAILED) return 3;
    int sum = 42;
    for (unsigned long at = 0; at < size; at += 2 << 20) sum += zeroes[at];
    printf("%d\n", sum);
    return 0;
}
