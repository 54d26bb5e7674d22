/* Attaches filters to a socket and to itself: the machine releases all filters through one queue. */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SO_ATTACH_REUSEPORT_CBPF
#define SO_ATTACH_REUSEPORT_CBPF 51
#endif

int main(void) {
    struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {1, &all};
    int ends[2] = {-1, -1};
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (!setsockopt(ends[0], SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter)) puts("leak: a filter on a socket");
    if (!setsockopt(ends[0], SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &filter, sizeof filter)) puts("leak: a filter on ports");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) puts("leak: a filter by prctl");
    if (!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)) puts("leak: a filter by seccomp");
    puts("42");
    return 0;
}
