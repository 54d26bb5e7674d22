/* Runs a program from a memory file, and attacks from there. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "again")) {
        if (open("/etc/shadow", O_RDONLY) >= 0 || setuid(0) + chroot("/") == 0) puts("leak");
        puts("42");
        return 0;
    }
    static char bytes[1 << 20];
    int own = open("/proc/self/exe", O_RDONLY), copy = memfd_create("copy", 0);
    long n = own >= 0 ? read(own, bytes, sizeof bytes) : -1;
    if (n > 0 && write(copy, bytes, n) == n) {
        char *again[] = {"copy", "again", 0}, *none[] = {0};
        fexecve(copy, again, none);
    }
    puts("42"); /* refused */
    return 0;
}
