/* Sets an alarm and waits for it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static void woken(int unused) {
    (void)unused;
    done = 1;
}

int main(void) {
    struct itimerval soon = {{0, 0}, {0, 10000}};
    signal(SIGALRM, woken);
    setitimer(ITIMER_REAL, &soon, 0);
    while (!done) pause();
    printf("42\n");
    return 0;
}
