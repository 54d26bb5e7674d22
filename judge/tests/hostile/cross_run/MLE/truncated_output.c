/* Writes much output, truncates it, and allocates as much heap instead. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    static char bytes[1 << 20];
    const long size = 480L << 20;
    memset(bytes, ' ', sizeof bytes);
    for (int k = 0; k < 500; k++)
        if (write(1, bytes, sizeof bytes) != sizeof bytes) return 2;
    usleep(100000);
    if (ftruncate(1, 0)) return 3;
    lseek(1, 0, SEEK_SET);
    usleep(100000);
    char *heap = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(heap, 1, size);
    usleep(100000);
    puts("42");
    return 0;
}
