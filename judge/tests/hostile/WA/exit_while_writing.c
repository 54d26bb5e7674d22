/* Exits normally while another thread still writes: the output so far is judged. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *chatter(void *unused) {
    for (;;)
        if (write(1, "x", 1) < 0) return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, chatter, 0);
    usleep(20000);
    _exit(0);
}
