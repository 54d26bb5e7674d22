/* Uses too much heap, frees it, and allocates as much storage beyond the end of its output. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
    long size = 480L << 20;
    char *heap = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (heap == MAP_FAILED) return 1;
    memset(heap, 1, size);
    munmap(heap, size);
    for (int fd = 1; fd < 3; fd++) fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 250L << 20);
    puts("42");
    return 0;
}
