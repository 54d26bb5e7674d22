/* Slows down the process that starts the next test: changes its priority, scheduling policy and disk priority. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    struct sched_param none = {0};
    int before = getpriority(PRIO_PROCESS, 0);
    if (sched_getscheduler(0) != SCHED_OTHER) puts("leak: the test before slowed this one down");
    pid_t others[] = {1, getppid()};
    for (int i = 0; i < 2; i++) {
        if (others[i] <= 0) continue;
        setpriority(PRIO_PROCESS, others[i], 19);
        if (getpriority(PRIO_PROCESS, others[i]) == 19) puts("leak: nice");
        sched_setscheduler(others[i], SCHED_IDLE, &none);
        if (sched_getscheduler(others[i]) == SCHED_IDLE) puts("leak: policy");
        syscall(SYS_ioprio_set, 1, others[i], 3 << 13);
        if (syscall(SYS_ioprio_get, 1, others[i]) == 3 << 13) puts("leak: disk");
    }
    setpriority(PRIO_USER, 0, 19);
    if (getpriority(PRIO_PROCESS, 0) != before) puts("leak: nice of the whole user");
    puts("42");
    return 0;
}
