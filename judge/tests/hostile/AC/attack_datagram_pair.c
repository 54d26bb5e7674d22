/* Sends from one end of a socket pair to named sockets of the system's services. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(void) {
    static const char *const services[] = {"/dev/log", "/run/systemd/journal/socket",
                                           "/run/systemd/notify", "/run/chrony/chronyd.sock"};
    for (int i = 0; i < 4; i++) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        struct iovec word = {"leak", 4};
        struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &word, .msg_iovlen = 1};
        int ends[2];
        strcpy(to.sun_path, services[i]);
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends)) continue;
        if (sendmsg(ends[0], &message, 0) >= 0) printf("leak: %s\n", services[i]);
    }
    printf("42\n");
    return 0;
}
