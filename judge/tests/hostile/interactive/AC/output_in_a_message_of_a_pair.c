/* Leaves its output in a message between two connected sockets that are part of the message themselves. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 2;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 3;
    int fds[3] = {pair[0], pair[1], 1};
    union { char space[CMSG_SPACE(sizeof fds)]; struct cmsghdr header; } control = {0};
    struct iovec word = {"x", 1};
    struct msghdr message = {NULL, 0, &word, 1, control.space, sizeof control.space, 0};
    control.header = (struct cmsghdr){CMSG_LEN(sizeof fds), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), fds, sizeof fds);
    if (sendmsg(pair[0], &message, 0) != 1) return 4;
    printf("%d\n", a * b);
    return 0;
}
