/* Ten children with 50 MB each: only their sum exceeds the limit. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            volatile char *block = malloc(50 << 20);
            for (long k = 0; block && k < 50 << 20; k += 4096) block[k] = 1;
            sleep(3);
            _exit(0);
        }
    while (wait(0) > 0) {
    }
    printf("42\n");
    return 0;
}
