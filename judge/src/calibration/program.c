/* The calibration program: one kind of work, named by its first argument. Its result depends on all of
   the work, so that no compiler leaves any of it out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Arithmetic and branches on registers and 64 KiB of memory: the primes below 2^16, many times. */
static uint64_t integer(void) {
    static uint8_t composite[1 << 16];
    uint64_t sum = 0;
    for (int round = 0; round < 2500; round++) {
        memset(composite, 0, sizeof composite);
        for (uint32_t k = 2; k < sizeof composite; k++) {
            if (composite[k]) continue;
            sum = sum * 31 + k + next_random() % k;
            for (uint32_t j = 2 * k; j < sizeof composite; j += k) composite[j] = 1;
        }
    }
    return sum;
}

/* Dependent loads from 16 MiB in random order: a cycle through all of them. */
static uint64_t memory(void) {
    const uint32_t count = 1u << 22;
    uint32_t *next = malloc(count * sizeof *next);
    if (!next) exit(1);
    for (uint32_t k = 0; k < count; k++) next[k] = k;
    for (uint32_t k = count - 1; k > 0; k--) {
        uint32_t other = next_random() % k;
        uint32_t swapped = next[k];
        next[k] = next[other];
        next[other] = swapped;
    }
    uint32_t at = 0;
    for (uint32_t k = 0; k < 1000000; k++) at = next[at];
    free(next);
    return at;
}

/* Floating-point operations that depend on each other: points of the Mandelbrot set. */
static uint64_t floating(void) {
    uint64_t sum = 0;
    for (int y = 0; y < 400; y++) {
        for (int x = 0; x < 400; x++) {
            double cr = x / 200.0 - 1.5, ci = y / 200.0 - 1.0, r = 0, i = 0;
            int k = 0;
            for (; k < 1000 && r * r + i * i < 4.0; k++) {
                double next = r * r - i * i + cr;
                i = 2.0 * r * i + ci;
                r = next;
            }
            sum += (uint64_t)k;
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "";
    uint64_t result = 0;
    if (!strcmp(kind, "integer")) result = integer();
    else if (!strcmp(kind, "memory")) result = memory();
    else if (!strcmp(kind, "floating")) result = floating();
    else if (strcmp(kind, "start")) return 2;
    printf("%llu\n", (unsigned long long)result);
    return 0;
}
