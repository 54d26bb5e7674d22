/* Leaves a message for the next test: in files, shared memory, a queue, an abstract socket. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

static int left_behind(const char *path) {
    if (access(path, F_OK) == 0) return 1;
    int file = open(path, O_CREAT | O_WRONLY, 0666);
    if (file >= 0) close(file);
    return 0;
}
int main(void) {
    static const char *const places[] = {"left", "/tmp/left", "/dev/shm/left", "/var/tmp/left", "/left"};
    int found = 0;
    for (int i = 0; i < 5; i++) found |= left_behind(places[i]);
    int id = shmget(0x4242, 64, 0600);
    found |= id >= 0;
    shmget(0x4242, 64, IPC_CREAT | 0600);
    mkdir("/tmp/dir", 0);
    puts(found ? "found a message" : "42");
    return 0;
}
