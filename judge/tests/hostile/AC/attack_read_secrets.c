/* Reads secrets of the machine's owner: passwords, keys, home directories. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    if (open("/etc/shadow", O_RDONLY) >= 0) puts("leak");
    if (opendir("/root/.ssh") || opendir("/etc/ssh")) puts("leak");
    if (open("/dev/sda", O_RDONLY) >= 0 || open("/dev/vda", O_RDONLY) >= 0) puts("leak");
    if (open("/dev/mem", O_RDONLY) >= 0) puts("leak");
    printf("42\n");
    return 0;
}
