/* Creates files until the file system is full. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char name[32];
    for (int i = 0; i < 200000; i++) {
        snprintf(name, sizeof name, "f%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) break;
        close(file);
    }
    printf("42\n");
    return 0;
}
