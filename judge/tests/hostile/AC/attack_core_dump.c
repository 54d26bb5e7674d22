/* Changes the limit on core dumps: even a limit of 0 bytes starts the system's core dump handler, as root. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    static const rlim_t values[] = {0, 1 << 20};
    for (int i = 0; i < 2; i++) {
        struct rlimit limit = {values[i], values[i]}, now = {7, 7};
        setrlimit(RLIMIT_CORE, &limit);
#ifdef SYS_setrlimit
        syscall(SYS_setrlimit, RLIMIT_CORE, &limit);
#endif
        prlimit(getpid(), RLIMIT_CORE, &limit, 0);
        if (getrlimit(RLIMIT_CORE, &now) || now.rlim_cur != 1 || now.rlim_max != 1)
            printf("leak: core dumps of %ld bytes\n", (long)now.rlim_cur);
    }
    puts("42");
    return 0;
}
