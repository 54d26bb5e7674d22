/* Three children with 500 MB each, 56 generations below the first process, that no process waits for. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int depth = 0; depth < 56; depth++)
        if (fork()) {
            while (wait(0) > 0) {
            }
            if (depth == 0) puts("42");
            fflush(stdout);
            _exit(0);
        }
    signal(SIGCHLD, SIG_IGN);
    for (int k = 0; k < 3; k++)
        if (fork() == 0) {
            volatile char *block = malloc(500 << 20);
            for (long at = 0; block && at < 500 << 20; at += 4096) block[at] = 1;
            usleep(300000);
            _exit(0);
        }
    while (wait(0) > 0) {
    }
    return 0;
}
