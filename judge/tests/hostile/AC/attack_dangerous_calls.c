/* Tries system calls that no submission needs. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    static const long calls[] = {SYS_bpf, SYS_io_uring_setup, SYS_userfaultfd, SYS_perf_event_open,
                                 SYS_keyctl, SYS_init_module, SYS_kexec_load, SYS_reboot,
                                 SYS_swapon, SYS_pivot_root, SYS_setns, SYS_fsopen, SYS_open_tree};
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (syscall(calls[i], 0, 0, 0, 0, 0, 0) >= 0) printf("leak %ld\n", calls[i]);
    printf("42\n");
    return 0;
}
