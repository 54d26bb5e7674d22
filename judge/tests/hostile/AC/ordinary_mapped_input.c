/* Maps its input instead of reading it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(void) {
    struct stat about;
    if (fstat(0, &about)) return 1;
    const char *text = mmap(0, about.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
    if (text == MAP_FAILED) return 2;
    printf("%d\n", (text[0] - '0') * (text[2] - '0'));
    return 0;
}
