/* Sends itself the signal of a CPU limit. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    kill(getpid(), SIGXCPU);
    for (;;) pause();
}
