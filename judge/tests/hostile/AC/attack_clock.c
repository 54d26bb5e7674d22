/* Changes the clock. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec then = {1000000000, 0};
    if (clock_settime(CLOCK_REALTIME, &then) == 0) puts("leak");
    printf("42\n");
    return 0;
}
