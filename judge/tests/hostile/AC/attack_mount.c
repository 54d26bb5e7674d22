/* Mounts a file system. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mount.h>

int main(void) {
    if (mount("none", "/tmp", "tmpfs", 0, 0) == 0 || mount("/", "/tmp", 0, MS_BIND, 0) == 0) puts("leak");
    printf("42\n");
    return 0;
}
