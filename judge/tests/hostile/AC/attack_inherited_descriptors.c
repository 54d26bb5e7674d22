/* Looks for inherited descriptors besides 0, 1 and 2, and uses them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>

int main(void) {
    for (int fd = 3; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0) printf("leak %d\n", fd);
    printf("42\n");
    return 0;
}
