/* Loops forever. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    for (volatile unsigned k = 0;; k++) {
    }
}
