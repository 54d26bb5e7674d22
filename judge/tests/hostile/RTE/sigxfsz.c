/* Sends itself the signal that the kernel sends for a file that grows too large. */
#include <signal.h>

int main(void) {
    raise(SIGXFSZ);
    return 0;
}
