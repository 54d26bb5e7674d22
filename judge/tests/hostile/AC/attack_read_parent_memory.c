/* Opens the memory of the process that started it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    if (open(path, O_RDWR) >= 0 || open("/proc/1/mem", O_RDWR) >= 0) puts("leak");
    snprintf(path, sizeof path, "/proc/%d/environ", getppid());
    if (open(path, O_RDONLY) >= 0) puts("leak");
    printf("42\n");
    return 0;
}
