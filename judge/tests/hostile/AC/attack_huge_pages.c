/* Allocates reserved huge pages: no control group counts them, and all boxes share them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    /* Without MAP_NORESERVE the kernel refuses the call if no huge pages are reserved. */
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE;
    for (int shift = 0; shift <= 30; shift += shift ? 9 : 21)
        if (mmap(0, 1L << 30, PROT_READ | PROT_WRITE, flags | shift << MAP_HUGE_SHIFT, -1, 0) != MAP_FAILED)
            printf("leak: huge pages, shift %d\n", shift);
    if (memfd_create("huge", MFD_HUGETLB) >= 0) printf("leak: a file of huge pages\n");
    printf("42\n");
    return 0;
}
