/* A child uses 1 GiB; its parent is small and exits normally. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        for (int i = 0; i < 1024; i++) {
            volatile char *block = malloc(1 << 20);
            for (long k = 0; block && k < 1 << 20; k += 4096) block[k] = 1;
        }
        _exit(0);
    }
    wait(0);
    printf("42\n");
    return 0;
}
