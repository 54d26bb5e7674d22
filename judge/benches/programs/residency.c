/* Sends a message to the next run through what the kernel keeps in memory of files that both may only read, and receives
 * it by the duration of a system call.
 *
 * residency send|receive pages|names PLACE SEED BITS
 *
 * A page that was read, or a name that was looked up, stands for 1. `receive` prints a digit for each bit. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Too far apart for the kernel to read one page ahead of the other. */
enum { STRIDE = 16 << 10, TRIALS = 64 };

static const char *place;
static long seed;
static int file, is_names;

static long look(long i) {
    struct timespec start, end;
    struct stat about;
    char name[4096], byte;
    snprintf(name, sizeof name, "%s/%ld-%ld", place, seed, i);
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (is_names) stat(name, &about);
    else pread(file, &byte, 1, i * STRIDE);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
}

static int compare(const void *a, const void *b) { return (*(long *)a > *(long *)b) - (*(long *)a < *(long *)b); }

/* Halfway between the median durations of the first and the second look at the same things, after the last bit. */
static long threshold(long bits) {
    long times[2][TRIALS];
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < TRIALS; i++) times[again][i] = look(bits + i);
        qsort(times[again], TRIALS, sizeof(long), compare);
    }
    return (times[0][TRIALS / 2] + times[1][TRIALS / 2]) / 2;
}

/* The message: half of the bits, by a fixed rule. */
static int bit(long i) { return (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 63; }

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    is_names = !strcmp(argv[2], "names");
    place = argv[3];
    seed = atol(argv[4]);
    long bits = atol(argv[5]);
    file = open(place, O_RDONLY);
    if (!strcmp(argv[1], "send")) {
        for (long i = 0; i < bits; i++)
            if (bit(i)) look(i);
        return 0;
    }
    long limit = threshold(bits), right = 0;
    for (long i = 0; i < bits; i++) right += (look(i) < limit) == bit(i);
    printf("%ld\n", right);
    return 0;
}
