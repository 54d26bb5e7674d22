/* Sleeps forever: only the wall-time limit ends it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (;;) sleep(1000);
}
