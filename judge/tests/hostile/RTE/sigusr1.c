/* Ends itself by SIGUSR1. */
#include <signal.h>

int main(void) {
    raise(SIGUSR1);
    return 0;
}
