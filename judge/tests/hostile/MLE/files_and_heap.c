/* Files and heap that exceed the limit only together. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static char bytes[1 << 20];
    for (int file = 0; file < 14; file++) {
        char name[32];
        sprintf(name, "/dev/shm/%d", file);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        for (int i = 0; i < 4; i++)
            if (write(fd, bytes, sizeof bytes) < 0) return 3;
    }
    for (int i = 0; i < 240; i++) {
        char *p = malloc(1 << 20);
        if (p) memset(p, 1, 1 << 20);
    }
    puts("42");
    return 0;
}
