/* Sets the timestamps of the machine's devices, which every later program on the machine could read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    for (int i = 0; i < 5; i++)
        if (!utimensat(AT_FDCWD, devices[i], 0, 0)) printf("leak: times of %s\n", devices[i]);
    /* Writing to them is allowed. */
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || write(null, "x", 1) != 1) puts("no /dev/null");
    puts("42");
    return 0;
}
