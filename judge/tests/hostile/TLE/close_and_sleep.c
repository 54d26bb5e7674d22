/* Closes its output to look finished, and sleeps. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    printf("42\n");
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++) close(fd);
    for (;;) sleep(1000);
}
