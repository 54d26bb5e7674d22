/* Creates rare kinds of sockets, and configures networks through an ordinary one: for each, the kernel may load a
   vulnerable module. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/ioctl.h>
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
    /* Bridges and VLANs: the module is loaded before the kernel asks for rights. */
    static const unsigned requests[] = {0x8940, 0x8941, 0x8982, 0x8983, 0x89a0, 0x89a1};
    static char argument[4096];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0)
        for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
            if (ioctl(pair[0], requests[i], argument) == 0 || errno != ENOTTY)
                printf("leak: request %x, error %d\n", requests[i], errno);
    puts("42");
    return 0;
}
