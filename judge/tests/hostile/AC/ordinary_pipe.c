/* A child sends a message through a pipe. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char word[8] = "";
    if (pipe(ends)) return 1;
    if (fork() == 0) {
        _exit(write(ends[1], "hello", 6) != 6);
    }
    if (read(ends[0], word, sizeof word) != 6 || strcmp(word, "hello")) return 2;
    wait(0);
    printf("42\n");
    return 0;
}
