/* Uses up the user's quota of queued signals, so that timers cannot be created in concurrent boxes. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    /* With a user namespace, in which the program is root, each box has its own count. */
    int own_count = getppid() == 1;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    long queued = 0;
    union sigval nothing = {0};
    while (queued < 100000 && sigqueue(getpid(), SIGRTMIN, nothing) == 0) queued++;
    if (own_count && queued > 1000) printf("leak: %ld signals\n", queued);
    puts("42");
    return 0;
}
