/* Leaves a message for the next test in the CPU time of the process that reaps this program's children. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The CPU time of a process in nanoseconds; -1 if its clock cannot be read. */
static long long used(pid_t process, clockid_t kind) {
    struct timespec time;
    if (clock_gettime((clockid_t)(~(unsigned)process << 3 | kind), &time)) return -1;
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
int main(void) {
    struct timespec resolution, none = {0, 0};
    for (clockid_t kind = 0; kind < 3; kind++) {
        clockid_t clock = (clockid_t)(~(unsigned)getppid() << 3 | kind);
        timer_t timer;
        if (used(getppid(), kind) >= 0) printf("leak %lld ns\n", used(getppid(), kind));
        if (!clock_getres(clock, &resolution)) puts("leak: its resolution");
        if (!clock_nanosleep(clock, 0, &none, 0)) puts("leak: waiting for it");
        if (!timer_create(clock, 0, &timer)) puts("leak: a timer of it");
    }
    if (used(0, 2) < 0 || used(getpid(), 2) < 0) puts("no clock of its own");
    /* Orphans are reaped by the zygote. */
    for (int i = 0; i < 300; i++) {
        pid_t child = fork();
        if (child == 0) _exit(fork() < 0);
        if (child > 0) waitpid(child, 0, 0);
    }
    puts("42");
    return 0;
}
