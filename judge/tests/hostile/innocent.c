/* Uses its standard streams in all allowed ways. It runs after each program in cross_run/. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char text[64] = {0};
    int again = open("/dev/stdin", O_RDONLY);
    if (again < 0 || read(again, text, sizeof text - 1) < 3) return 1;
    int a, b, c, d;
    if (sscanf(text, "%d %d", &a, &b) != 2) return 2;
    if (scanf("%d %d", &c, &d) != 2 || a != c || b != d) return 3;
    char block[4096];
    memset(block, ' ', sizeof block);
    if (write(2, block, sizeof block) != sizeof block || ftruncate(2, 0)) return 4;
    printf("%d\n", a * b);
    fflush(stdout);
    if (write(1, block, sizeof block) != sizeof block || ftruncate(1, 3)) return 5;
    return 0;
}
