/* Ends its main thread, after which the process shows no memory; another thread has 800 MB of page tables. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *work(void *unused) {
    const unsigned long size = 400UL << 30;
    usleep(1000);
    volatile char *zeroes =
        mmap(unused, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (zeroes == MAP_FAILED) exit(3);
    int sum = 42;
    for (unsigned long at = 0; at < size; at += 2 << 20) sum += zeroes[at];
    printf("%d\n", sum);
    exit(0);
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL)) return 4;
    syscall(SYS_exit, 0);
}
