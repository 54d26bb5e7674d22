/* Reads "ROLE SEED NUMBER" from standard input and plays the role. */
#include "fuzz_program.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];
char *input = buffer;
size_t input_length;

uint64_t roll(struct dice *d) {
    uint64_t z = d->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

int answer(void) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < input_length; i++) hash = (hash ^ (unsigned char)input[i]) * 16777619u;
    char line[32];
    int n = sprintf(line, "%u\n", hash);
    return write(1, line, n) == n ? 0 : 8;
}

void burn(double seconds) {
    struct timespec t;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    while (t.tv_sec + t.tv_nsec / 1e9 < seconds);
}

/* Reads a descriptor to its end; returns the number of bytes, or -1. */
static ssize_t read_all(int fd) {
    size_t length = 0;
    ssize_t n;
    while ((n = read(fd, buffer + length, sizeof buffer - length)) > 0) length += n;
    return n < 0 ? -1 : (ssize_t)length;
}

/* Runs stress-ng's stressor of this name for a second. */
static int stress(const char *name) {
    char option[80];
    snprintf(option, sizeof option, "--%s", name);
    char *args[] = {"stress-ng", option, "1", "--timeout", "1", "--no-rand-seed", "--temp-path", ".", 0};
    execv("/usr/bin/stress-ng", args);
    return 7;
}

int main(int argc, char **argv) {
    if (argc > 0) set_own_name(argv[0]);
    if (argc > 3 && !strcmp(argv[1], "list")) {
        struct dice d = {strtoull(argv[2], 0, 10)};
        list_calls(&d, atol(argv[3]));
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "again")) return greedy_again(argv);
    if (argc > 3 && !strcmp(argv[1], "calls")) {
        struct dice d = {strtoull(argv[2], 0, 10)};
        calls_until_the_end(&d, atol(argv[3]));
    }
    ssize_t n = read_all(0);
    if (n < 0) return 6;
    input_length = n;
    char role[64] = "", aim[64] = "";
    unsigned long long seed = 0;
    long calls = 0;
    if (sscanf(input, "%63s %63s %ld", role, aim, &calls) < 2) return 5;
    seed = strtoull(aim, 0, 10);
    struct dice d = {seed};
    if (!strcmp(role, "calls")) calls_until_the_end(&d, calls);
    if (!strcmp(role, "stress")) return stress(aim);
    if (!strncmp(role, "greedy-", 7)) return greedy(role + 7, &d, calls);
    if (!strcmp(role, "device")) {
        /* Reads the input a second time, by name, as C's `freopen` and most runtimes do. */
        memset(buffer, 0, sizeof buffer);
        int fd = open("/dev/stdin", O_RDONLY);
        if (fd < 0 || read_all(fd) != n) return 4;
    }
    return innocent(role, calls);
}
