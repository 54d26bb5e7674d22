/* Four threads compute 0.4 s each: together more than the limit. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *burn(void *unused) {
    struct timespec used;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    } while (used.tv_sec * 1e9 + used.tv_nsec < 0.4e9);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, burn, 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    printf("42\n");
    return 0;
}
