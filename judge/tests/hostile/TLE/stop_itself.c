/* Stops itself, and no process continues it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

int main(void) {
    raise(SIGSTOP);
    for (;;) raise(SIGSTOP);
}
