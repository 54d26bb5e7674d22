/* Changes the input file for its next reader: bytes, length, mode, timestamps. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    int a = 0, b = 0;
    if (scanf("%d %d", &a, &b) != 2) puts("leak: the input was changed");
    int again = open("/proc/self/fd/0", O_RDWR);
    if (again >= 0 && write(again, "9 9", 3) == 3) puts("leak: write");
    if (ftruncate(0, 0) == 0) puts("leak: length");
    char *mapped = mmap(0, 3, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0);
    if (mapped != MAP_FAILED) puts("leak: mapping");
    fchmod(0, 0);
    futimens(0, 0);
    printf("%d\n", a * b);
    return 0;
}
