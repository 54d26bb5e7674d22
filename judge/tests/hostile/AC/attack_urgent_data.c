/* Sends urgent data through a Unix socket, whose code in the kernel had holes (CVE-2025-38236). */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
    int ends[2];
    struct iovec part = {"x", 1};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    if (send(ends[0], "x", 1, MSG_OOB) == 1) puts("leak: send");
    if (sendmsg(ends[0], &message.msg_hdr, MSG_OOB) == 1) puts("leak: sendmsg");
    if (sendmmsg(ends[0], &message, 1, MSG_OOB) == 1) puts("leak: sendmmsg");
    puts("42");
    return 0;
}
