/* Kills every process that it may kill. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    kill(-1, SIGKILL);
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    printf("42\n");
    return 0;
}
