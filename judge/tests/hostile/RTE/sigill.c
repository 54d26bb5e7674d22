/* An illegal instruction. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    kill(getpid(), SIGILL);
    for (;;) pause();
}
