/* Allocates kernel memory that no control group counts, or that is in no page table. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    const int futex_hash = 78, bind = 2;
    unsigned long node = 1;
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (prctl(futex_hash, 1, 1UL << 10, 0, 0) == 0) puts("leak: futex hash");
    if (syscall(SYS_mbind, page, 4096, bind, &node, 64, 0) == 0) puts("leak: memory policy");
    if (syscall(SYS_set_mempolicy, bind, &node, 64) == 0) puts("leak: memory policy");
    puts("42");
    return 0;
}
