/* Joins the process group of the process that starts the next test, to slow it down and to signal it. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
    pid_t groups[] = {1, getppid(), getsid(0), getpgid(getppid())};
    for (int i = 0; i < 4; i++) {
        if (groups[i] <= 0 || setpgid(0, groups[i]) != 0) continue;
        puts("leak: in the group of the process that starts programs");
        setpriority(PRIO_PGRP, 0, 19);
        signal(SIGTERM, SIG_IGN);
        kill(0, SIGTERM);
    }
    puts("42");
    return 0;
}
