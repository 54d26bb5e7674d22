/* Leaves messages in the open file descriptions of its standard streams: flags, signals, locks, leases, offsets, times. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int found(int fd) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat stat;
    if (fcntl(fd, F_GETFL) & (O_APPEND | O_NONBLOCK | O_ASYNC | O_NOATIME | O_DIRECT)) return 1;
    if (fcntl(fd, F_GETSIG) || fcntl(fd, F_GETOWN) || fcntl(fd, F_GETLEASE) != F_UNLCK) return 2;
    if (!fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK) return 3;
    if (lseek(fd, 0, SEEK_CUR)) return 4;
    if (fstat(fd, &stat) || stat.st_atime < 1000000000 || stat.st_mtime < 1000000000) return 5;
    return 0;
}
int main(void) {
    int before = 0;
    for (int fd = 0; fd < 3; fd++) before = before ? before : found(fd);
    if (before) printf("found message %d\n", before);
    else puts("42");
    fflush(stdout);
    struct timespec old[2] = {{.tv_sec = 42}, {.tv_sec = 42}};
    for (int fd = 0; fd < 3; fd++) {
        struct flock lock = {.l_type = fd ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET, .l_start = 1000, .l_len = 1};
        fcntl(fd, F_OFD_SETLK, &lock);
        flock(fd, LOCK_EX | LOCK_NB);
        fcntl(fd, F_SETSIG, 10);
        fcntl(fd, F_SETOWN, getpid());
        fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK | O_NOATIME);
        futimens(fd, old);
        lseek(fd, 77, SEEK_SET);
    }
    return 0;
}
