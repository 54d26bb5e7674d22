/* Leaves an open and locked file of the system, and a large unlinked file, in a message between
   two sockets that are part of the message themselves. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <unistd.h>

int main(void) {
    static char bytes[1 << 20];
    struct statfs usage;
    int locked = open("/usr/bin/env", O_RDONLY);
    if (locked < 0 || flock(locked, LOCK_EX | LOCK_NB)) return printf("a lock of the last run\n"), 0;
    int large = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    if (large < 0) large = 1; /* There is no /tmp. */
    else if (statfs("/tmp", &usage) || usage.f_blocks - usage.f_bfree > 100)
        return printf("a file of the last run\n"), 0;
    for (int k = 0; large > 1 && k < 3; k++)
        if (write(large, bytes, sizeof bytes) < 0) return 3;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 4;
    int fds[4] = {pair[0], pair[1], locked, large};
    union { char space[CMSG_SPACE(sizeof fds)]; struct cmsghdr header; } control = {0};
    struct iovec word = {"x", 1};
    struct msghdr message = {NULL, 0, &word, 1, control.space, sizeof control.space, 0};
    control.header = (struct cmsghdr){CMSG_LEN(sizeof fds), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), fds, sizeof fds);
    sendmsg(pair[0], &message, 0);
    puts("42");
    return 0;
}
