/* Many threads, each with a deep stack of its own. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *deep(void *none) {
    volatile char room[7 << 20];
    for (unsigned i = 0; i < sizeof room; i += 4096) room[i] = 1;
    pause();
    return room[0] ? none : 0;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 50; i++) pthread_create(&thread, 0, deep, 0);
    sleep(1);
    puts("42");
    return 0;
}
