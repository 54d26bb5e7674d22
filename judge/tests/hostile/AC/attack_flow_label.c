/* Leaves a message for the next test in the network namespace: a leased IPv6 flow label. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/in6.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
    struct in6_flowlabel_req lease = {
        .flr_label = htonl(0x12345), .flr_action = IPV6_FL_A_GET, .flr_share = IPV6_FL_S_EXCL,
        .flr_flags = IPV6_FL_F_CREATE | IPV6_FL_F_EXCL, .flr_linger = 60,
    };
    int s = socket(AF_INET6, SOCK_DGRAM, 0);
    inet_pton(AF_INET6, "::1", &lease.flr_dst);
    if (s >= 0 && !setsockopt(s, IPPROTO_IPV6, IPV6_FLOWLABEL_MGR, &lease, sizeof lease)) puts("leak: a flow label");
    puts("42");
    return 0;
}
