/* Leaves its output in a message from a socket to itself, which the kernel keeps open until another socket is closed. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 2;
    int s = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un me = {.sun_family = AF_UNIX};
    socklen_t length = sizeof(sa_family_t);
    if (bind(s, (struct sockaddr *)&me, length)) return 3;
    length = sizeof me;
    if (getsockname(s, (struct sockaddr *)&me, &length)) return 4;
    int fds[2] = {s, 1};
    union { char space[CMSG_SPACE(sizeof fds)]; struct cmsghdr header; } control = {0};
    struct iovec word = {"x", 1};
    struct msghdr message = {&me, length, &word, 1, control.space, sizeof control.space, 0};
    control.header = (struct cmsghdr){CMSG_LEN(sizeof fds), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), fds, sizeof fds);
    if (sendmsg(s, &message, 0) != 1) return 5;
    printf("%d\n", a * b);
    return 0;
}
