/* Locks single bytes of a file: each lock takes kernel memory that no control group counts, and their number is
 * unlimited. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int is_locked(int file, off_t byte) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return !fcntl(file, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

int main(int argc, char **argv) {
    const int commands[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};
    const char *files[] = {"locked", "/usr/bin/env", argc ? argv[0] : ""};
    for (int i = 0; i < 3; i++) {
        int flags = i ? O_RDONLY : O_RDWR | O_CREAT;
        int file = open(files[i], flags, 0600), other = open(files[i], flags, 0600);
        for (int k = 0; k < 4 && file >= 0; k++) {
            struct flock lock = {.l_type = i ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * k, .l_len = 1};
            fcntl(file, commands[k], &lock);
            if (is_locked(other, 2 * k)) printf("leak: lock %d of %s\n", commands[k], files[i]);
        }
    }
    puts("42");
    return 0;
}
