/* Reads the memory of process 1. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/uio.h>

int main(void) {
    char here[16];
    struct iovec own = {here, sizeof here}, theirs = {(void *)0x400000, sizeof here};
    if (process_vm_readv(1, &own, 1, &theirs, 1, 0) > 0) puts("leak");
    printf("42\n");
    return 0;
}
