/* Becomes another user. */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(void) {
    gid_t group = 12345;
    if (setgroups(1, &group) == 0) puts("leak");
    if (setuid(12345) == 0 && getuid() == 12345) puts("leak");
    printf("42\n");
    return 0;
}
