/* Follows symbolic links out of the box. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    if (symlink("/proc/1/root/etc/shadow", "link") == 0 && open("link", O_RDONLY) >= 0) puts("leak");
    if (open("/proc/1/root/root", O_RDONLY) >= 0) puts("leak");
    printf("42\n");
    return 0;
}
