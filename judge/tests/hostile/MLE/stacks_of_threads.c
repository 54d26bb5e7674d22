/* Many threads, each with a deep stack of its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int deep_ones;

static void *deep(void *none) {
    volatile char room[7 << 20];
    for (unsigned i = 0; i < sizeof room; i += 4096) room[i] = 1;
    deep_ones++;
    pause();
    return room[0] ? none : 0;
}
int main(void) {
    pthread_t thread;
    int started = 0;
    for (int i = 0; i < 50; i++) started += pthread_create(&thread, 0, deep, 0) == 0;
    while (deep_ones < started) usleep(1000);
    puts("42");
    return 0;
}
