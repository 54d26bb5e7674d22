/* Ignores every signal that it can, and loops. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

int main(void) {
    for (int k = 1; k < 65; k++) signal(k, SIG_IGN);
    for (volatile unsigned k = 0;; k++) {
    }
}
