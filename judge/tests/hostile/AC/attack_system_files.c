/* Writes to the directories of programs and settings. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
    if (open("/usr/bin/new", O_CREAT | O_WRONLY, 0755) >= 0) puts("leak");
    if (open("/etc/passwd", O_WRONLY) >= 0 || mkdir("/new", 0755) == 0) puts("leak");
    printf("42\n");
    return 0;
}
