/* Raises its own limits. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_CORE, &all) == 0 || setrlimit(RLIMIT_FSIZE, &all) == 0) puts("leak");
    printf("42\n");
    return 0;
}
