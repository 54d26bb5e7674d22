/* Lowers its own priority as far as possible, and loops. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>

int main(void) {
    struct sched_param none = {0};
    setpriority(PRIO_PROCESS, 0, 19);
    sched_setscheduler(0, SCHED_BATCH, &none);
    for (;;) {}
}
