/* Each process starts more processes. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (;;) fork();
}
