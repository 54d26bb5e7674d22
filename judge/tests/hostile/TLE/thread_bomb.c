/* Starts threads until the limit, and keeps trying. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *wait_for_ever(void *unused) {
    for (;;) pause();
    return unused;
}

int main(void) {
    pthread_t thread;
    for (;;) pthread_create(&thread, 0, wait_for_ever, 0);
}
