/* Takes leases on its standard streams: the next process that opens them would wait for 45 seconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    puts("42");
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_SETLEASE, F_WRLCK)) fcntl(fd, F_SETLEASE, F_RDLCK);
    return 0;
}
