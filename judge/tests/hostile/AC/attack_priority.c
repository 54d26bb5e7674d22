/* Raises its own priority. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
    struct sched_param most = {.sched_priority = 99};
    if (setpriority(PRIO_PROCESS, 0, -20) == 0) puts("leak");
    if (sched_setscheduler(0, SCHED_FIFO, &most) == 0) puts("leak");
    printf("42\n");
    return 0;
}
