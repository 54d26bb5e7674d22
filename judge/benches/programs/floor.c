// floor CORE CASES PROGRAM DIRECTORY: the minimal work to run a program over cases. For each case:
// open the input, vfork, exec, wait4; the output goes to a memory file. Prints the total CPU time
// (its own and its children's) and wall time in microseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static double cpu(void) {
    struct rusage u;
    double sum = 0;
    for (int who = 0; who < 2; who++) {
        getrusage(who ? RUSAGE_CHILDREN : RUSAGE_SELF, &u);
        sum += (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
    }
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(atoi(argv[1]), &core);
    sched_setaffinity(0, sizeof core, &core);
    int cases = atoi(argv[2]), out = memfd_create("output", MFD_CLOEXEC);
    char *const args[] = {argv[3], 0}, *const environment[] = {0};
    double cpu_before = cpu(), before = now();
    for (int i = 1; i <= cases; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%03d.in", argv[4], i);
        int in = open(name, O_RDONLY | O_CLOEXEC), status;
        if (in < 0 || ftruncate(out, 0) || lseek(out, 0, SEEK_SET)) return 3;
        pid_t pid = vfork();
        if (pid == 0) {
            dup2(in, 0);
            dup2(out, 1);
            dup2(out, 2);
            execve(argv[3], args, environment);
            _exit(127);
        }
        struct rusage usage;
        if (wait4(pid, &status, 0, &usage) != pid || status) return 4;
        close(in);
    }
    double after = now();
    printf("%.1f %.1f\n", cpu() - cpu_before, after - before);
    return 0;
}
