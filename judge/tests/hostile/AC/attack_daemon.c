/* Leaves a daemon behind, by double fork and setsid. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            for (;;) sleep(1000);
        }
        _exit(0);
    }
    waitpid(child, 0, 0);
    printf("42\n");
    return 0;
}
