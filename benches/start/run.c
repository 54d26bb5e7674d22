/* Runs programs in turn and tells what each run took: run ROUNDS INPUT PROGRAM...
 *
 * Prints one line per round: for each program the processor time and the time by the clock, in
 * microseconds. Output is thrown away. Exits with 1 and a message when something fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
    fprintf(stderr, "run: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double micros(struct timeval t)
{
    return t.tv_sec * 1e6 + t.tv_usec;
}

int main(int argc, char **argv)
{
    int rounds = argc > 3 ? atoi(argv[1]) : 0;
    if (rounds <= 0) {
        fputs("usage: run ROUNDS INPUT PROGRAM...\n", stderr);
        return 2;
    }
    int input = open(argv[2], O_RDONLY | O_CLOEXEC);
    if (input < 0)
        fail(argv[2]);
    int output = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (output < 0)
        fail("/dev/null");
    char *no_variables[] = {NULL};
    for (int round = 0; round < rounds; round++) {
        for (int i = 3; i < argc; i++) {
            char *arguments[] = {argv[i], NULL};
            if (lseek(input, 0, SEEK_SET) < 0)
                fail(argv[2]);
            struct timespec begin, end;
            clock_gettime(CLOCK_MONOTONIC, &begin);
            /* The child shares this memory until it is another program: nothing is copied. */
            pid_t child = vfork();
            if (child == 0) {
                dup2(input, 0);
                dup2(output, 1);
                execve(argv[i], arguments, no_variables);
                _exit(127);
            }
            if (child < 0)
                fail("vfork");
            int status;
            struct rusage usage;
            if (wait4(child, &status, 0, &usage) != child)
                fail("wait4");
            clock_gettime(CLOCK_MONOTONIC, &end);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
                fprintf(stderr, "run: %s did not end well (status %d)\n", argv[i], status);
                return 1;
            }
            double clock = (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3;
            printf("%s%.1f %.1f", i == 3 ? "" : " ",
                   micros(usage.ru_utime) + micros(usage.ru_stime), clock);
        }
        putchar('\n');
    }
    return 0;
}
