/* A second thread ends the program with an exit code. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *end(void *unused) {
    (void)unused;
    _exit(7);
}

int main(void) {
    printf("42\n");
    fflush(stdout);
    pthread_t thread;
    pthread_create(&thread, 0, end, 0);
    for (;;) pause();
}
