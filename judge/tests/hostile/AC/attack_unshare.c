/* Creates namespaces with `unshare`. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>

int main(void) {
    if (unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWNET) == 0) puts("leak");
    printf("42\n");
    return 0;
}
