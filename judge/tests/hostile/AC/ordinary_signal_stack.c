/* Handles a stack overflow on another stack, as some runtimes do. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static char other[65536];
static void caught(int unused) {
    (void)unused;
    _exit(write(1, "42\n", 3) != 3);
}
static int deeper(volatile char *above) {
    volatile char here[65536];
    here[0] = above[0];
    return deeper(here) + here[1];
}
int main(void) {
    /* A stack of 1 MiB, so that it overflows quickly. */
    struct rlimit small = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_STACK, &small);
    stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    struct sigaction action = {.sa_handler = caught, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&stack, 0) || sigaction(SIGSEGV, &action, 0)) return 1;
    volatile char first[1] = {0};
    return deeper(first);
}
