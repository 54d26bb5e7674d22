/* Fills the kernel's dentry cache. The control group of the first process that looks up a name is charged
 * for it, so the names differ from run to run. */
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
    clock_gettime(CLOCK_REALTIME, &used);
    name[9 + sprintf(name + 9, "%ld.%09ld", (long)used.tv_sec, used.tv_nsec)] = 'y';
    for (long k = 0;; k++) {
        sprintf(name + 220, "%09ld", k);
        stat(name, &unused);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        if (used.tv_sec * 1000 + used.tv_nsec / 1000000 >= 500) break;
    }
    puts("42");
    return 0;
}
