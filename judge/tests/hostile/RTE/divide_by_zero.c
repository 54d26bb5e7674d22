/* Divides by zero. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
#if defined(__x86_64__)
    /* In assembly, because a division by a constant zero is undefined in C. */
    __asm__ volatile("xor %%edx, %%edx; mov $1, %%eax; xor %%ecx, %%ecx; div %%ecx"
                     : : : "eax", "ecx", "edx");
#else
    raise(SIGFPE);
#endif
    return 0;
}
