/* Opens devices, kernel files, and the descriptors of the zygote. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    static const char *const files[] = {"/proc/1/mem", "/proc/1/maps", "/proc/1/environ", "/proc/1/fd/3",
                                        "/proc/1/root/etc/shadow", "/proc/1/cwd/x", "/proc/kcore",
                                        "/proc/sysrq-trigger", "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse",
                                        "/dev/net/tun", "/dev/tty", "/dev/ptmx", "/dev/userfaultfd"};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
        if (open(files[i], O_RDWR) >= 0 || open(files[i], O_RDONLY) >= 0) printf("leak %s\n", files[i]);
    int keeper = syscall(SYS_pidfd_open, 1, 0);
    if (keeper >= 0 && syscall(SYS_pidfd_getfd, keeper, 3, 0) >= 0) puts("leak: a descriptor of the keeper");
    if (syscall(SYS_kcmp, getpid(), 1, 2, 0, 0) >= 0) puts("leak: kcmp");
    int file = open("/proc/self/oom_score_adj", O_WRONLY);
    if (file >= 0 && write(file, "-1000", 5) == 5) puts("leak: never killed for memory");
    puts("42");
    return 0;
}
