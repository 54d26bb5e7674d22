/* Creates namespaces with `clone3`, whose flags no filter can read. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    static const uint64_t spaces[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                                      CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80 /* time */, 1ULL << 33 /* into a cgroup */};
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        uint64_t args[11] = {spaces[i], 0, 0, 0, SIGCHLD};
        long pid = syscall(SYS_clone3, args, sizeof args);
        if (pid == 0) _exit(0);
        if (pid > 0) printf("leak %llx\n", (unsigned long long)spaces[i]);
        if (i < 8 && unshare((int)spaces[i]) == 0) printf("leak unshare %llx\n", (unsigned long long)spaces[i]);
    }
    puts("42");
    return 0;
}
