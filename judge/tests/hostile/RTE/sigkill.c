/* Kills itself: that is no limit of ours. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}
