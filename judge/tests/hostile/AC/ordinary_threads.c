/* Eight threads compute a sum: threads are allowed. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static int sum;
static void *add(void *unused) {
    __sync_fetch_and_add(&sum, 1);
    return unused;
}

int main(void) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        if (pthread_create(&threads[i], 0, add, 0)) return 1;
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    if (sum != 8) return 2;
    printf("42\n");
    return 0;
}
