/* Modifies its standard input: changes the mode, opens it for writing, writes, truncates, seals. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    puts("42");
    fflush(stdout);
    fchmod(0, 0777);
    int own = open("/proc/self/fd/0", O_RDWR);
    if (own >= 0) {
        pwrite(own, "9 9 9 9", 7, 0);
        ftruncate(own, 1);
        fcntl(own, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
    }
    fchmod(0, 0);
    fchmod(1, 0);
    fchmod(2, 0);
    return 0;
}
