/* An orphan computes while its grandparent waits. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        if (fork() == 0)
            for (volatile unsigned k = 0;; k++) {
            }
        _exit(0);
    }
    wait(0);
    for (;;) sleep(1000);
}
