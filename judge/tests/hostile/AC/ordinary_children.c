/* Starts ten children, one after the other, and waits for each. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) _exit(i);
        int status;
        if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != i) return 2;
    }
    printf("42\n");
    return 0;
}
