/* Writes a file without end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char block[65536];
    memset(block, 'x', sizeof block);
    int file = open("endless", O_CREAT | O_WRONLY, 0600);
    while (file >= 0 && write(file, block, sizeof block) > 0) {
    }
    return 1;
}
