/* A child computes for 1.5 s and is never reaped. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    signal(SIGCHLD, SIG_IGN);
    int ends[2];
    char byte;
    if (pipe(ends)) return 1;
    if (fork() == 0) {
        while (clock() < 1.5 * CLOCKS_PER_SEC) {
        }
        _exit(write(ends[1], "x", 1) != 1);
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1) < 0) return 2;
    printf("42\n");
    return 0;
}
