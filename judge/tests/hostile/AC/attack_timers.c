/* Creates as many timers, pending signals, event descriptors and watches as it can. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    timer_t timer;
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    for (int i = 0; i < 20000 && timer_create(CLOCK_MONOTONIC, 0, &timer) == 0; i++)
        if (i < 10) timer_settime(timer, 0, &often, 0);
    for (int i = 0; i < 20000 && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0; i++) {}
    for (int i = 0; i < 2000 && eventfd(0, 0) >= 0 && epoll_create1(0) >= 0; i++) {}
    for (int i = 0; i < 2000 && inotify_init() >= 0; i++) {}
    puts("42");
    return 0;
}
