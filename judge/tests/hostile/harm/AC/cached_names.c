/* Leaves the kernel's cache of names full, for which its control group is charged. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int main(void) {
    char name[300] = "/usr/lib/";
    struct stat unused;
    struct timespec used;
    memset(name + 9, 'y', 211);
    for (long k = 0;; k++) {
        sprintf(name + 220, "%09ld", k);
        stat(name, &unused);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        if (used.tv_sec * 1000 + used.tv_nsec / 1000000 >= 500) break;
    }
    puts("42");
    return 0;
}
