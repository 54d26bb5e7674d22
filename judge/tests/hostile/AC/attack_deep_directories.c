/* Creates a deep chain of directories, which is hard to remove. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 3000; i++)
        if (mkdir("d", 0700) || chdir("d")) break;
    printf("42\n");
    return 0;
}
