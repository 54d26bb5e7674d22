/* Traces the process that started it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(void) {
    if (ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 || ptrace(PTRACE_SEIZE, 1, 0, 0) == 0) puts("leak");
    printf("42\n");
    return 0;
}
