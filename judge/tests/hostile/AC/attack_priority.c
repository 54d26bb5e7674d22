/* Changes its own priority: raised it takes time from others, lowered it starves beside them. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
    struct sched_param most = {.sched_priority = 99};
    int before = getpriority(PRIO_PROCESS, 0);
    setpriority(PRIO_PROCESS, 0, -20);
    if (getpriority(PRIO_PROCESS, 0) != before) puts("leak: raised");
    setpriority(PRIO_PROCESS, 0, 19);
    if (getpriority(PRIO_PROCESS, 0) != before) puts("leak: lowered");
    int policies[] = {SCHED_FIFO, SCHED_IDLE, SCHED_BATCH};
    for (int i = 0; i < 3; i++) {
        most.sched_priority = i == 0 ? 99 : 0;
        sched_setscheduler(0, policies[i], &most);
        if (sched_getscheduler(0) != SCHED_OTHER) puts("leak: policy");
    }
    printf("42\n");
    return 0;
}
