/* Attaches shared memory, semaphores and queues of other users by number, without a key. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
    struct shmid_ds segment;
    struct semid_ds set;
    struct msqid_ds queue;
    for (int id = 0; id < 64; id++) {
        if (shmat(id, 0, SHM_RDONLY) != (void *)-1) printf("leak: segment %d\n", id);
        if (shmctl(id, SHM_STAT, &segment) >= 0) printf("leak: state of segment %d\n", id);
        if (semctl(id, 0, SEM_STAT, &set) >= 0) printf("leak: semaphores %d\n", id);
        if (msgctl(id, MSG_STAT, &queue) >= 0) printf("leak: queue %d\n", id);
    }
    printf("42\n");
    return 0;
}
