/* Uses up quotas that all boxes of a user, or the whole machine, share: watches, queues,
   contexts of asynchronous I/O, pipe buffers. A concurrent box would run out of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    int ends[2], watcher = inotify_init1(0);
    if (watcher >= 0 && inotify_add_watch(watcher, "/usr/bin", IN_OPEN) >= 0) printf("leak: watch\n");
    int directory = open("/usr/bin", O_RDONLY | O_DIRECTORY);
    if (fcntl(directory, F_NOTIFY, DN_ACCESS) == 0) printf("leak: notices\n");
    unsigned long context = 0;
    if (syscall(SYS_io_setup, 1 << 16, &context) >= 0) printf("leak: asynchronous I/O\n");
    if (syscall(SYS_mq_open, "queue", O_CREAT | O_RDWR, 0600, 0) >= 0) printf("leak: queue\n");
    if (pipe(ends) == 0 && fcntl(ends[0], F_SETPIPE_SZ, 1 << 20) > 1 << 16) printf("leak: pipe\n");
    printf("42\n");
    return 0;
}
