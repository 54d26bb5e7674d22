/* Prints nothing. */
#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    return 0;
}
