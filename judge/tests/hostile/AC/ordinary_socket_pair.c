/* Two threads communicate over a socket pair. */
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *multiply(void *unused) {
    int numbers[2];
    if (read(ends[1], numbers, sizeof numbers) != sizeof numbers) return unused;
    int product = numbers[0] * numbers[1];
    write(ends[1], &product, sizeof product);
    return unused;
}

int main(void) {
    int numbers[2], product;
    pthread_t thread;
    if (scanf("%d%d", numbers, numbers + 1) != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    pthread_create(&thread, 0, multiply, 0);
    write(ends[0], numbers, sizeof numbers);
    if (read(ends[0], &product, sizeof product) != sizeof product) return 2;
    printf("%d\n", product);
    return pthread_join(thread, 0);
}
