/* Creates rare kinds of sockets, for each of which the kernel may load a vulnerable module. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
    static const int families[] = {AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG, AF_TIPC, AF_CAN, AF_KEY, AF_RXRPC, AF_RDS};
    static const int kinds[][2] = {{SOCK_STREAM, 132 /* SCTP */}, {SOCK_SEQPACKET, 0}, {6 /* DCCP */, 0},
                                   {SOCK_RAW, 1}, {SOCK_STREAM, 262 /* MPTCP */}, {SOCK_DGRAM, 115 /* L2TP */}};
    int pair[2];
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++) {
        if (socket(families[i], SOCK_DGRAM, 0) >= 0 || socket(families[i], SOCK_RAW, 0) >= 0)
            printf("leak: family %d\n", families[i]);
        if (socketpair(families[i], SOCK_SEQPACKET, 0, pair) == 0 || socketpair(families[i], SOCK_DGRAM, 0, pair) == 0)
            printf("leak: pair of family %d\n", families[i]);
    }
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (socket(AF_INET, kinds[i][0], kinds[i][1]) >= 0 || socket(AF_INET6, kinds[i][0], kinds[i][1]) >= 0)
            printf("leak: kind %d protocol %d\n", kinds[i][0], kinds[i][1]);
    puts("42");
    return 0;
}
