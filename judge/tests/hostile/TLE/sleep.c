/* Sleeps for ever: only the wall clock sees it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    for (;;) sleep(1000);
}
