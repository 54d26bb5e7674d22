/* As unreadable_copy.c, in a child that is never reaped: the kernel does not add its time to the parent's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void burn(void) {
    while (clock() < 1300000) {}
}
int main(int argc, char **argv) {
    static char own[4 << 20];
    static const char *const places[] = {"copy", "/tmp/copy", "/dev/shm/copy"};
    if (argc > 1) {
        burn();
        return 0;
    }
    int self = open("/proc/self/exe", O_RDONLY), ends[2];
    long size = self >= 0 ? read(self, own, sizeof own) : -1;
    if (pipe(ends)) return 1;
    signal(SIGCHLD, SIG_IGN);
    int child = fork();
    if (child < 0) burn();
    if (child == 0) {
        char *again[] = {"copy", "again", 0}, *none[] = {0};
        for (int k = 0; k < 3 && size > 0; k++) {
            int copy = open(places[k], O_CREAT | O_WRONLY | O_CLOEXEC, 0111);
            if (copy < 0 || write(copy, own, size) != size) continue;
            close(copy);
            execve(places[k], again, none);
        }
        int copy = memfd_create("copy", MFD_CLOEXEC);
        if (copy >= 0 && write(copy, own, size) == size && !fchmod(copy, 0111)) fexecve(copy, again, none);
        burn();
        return 0;
    }
    close(ends[1]);
    char end;
    read(ends[0], &end, 1); /* until the child has ended */
    puts("42");
    return 0;
}
