/* Ends itself by SIGTRAP. */
#include <signal.h>

int main(void) {
    raise(SIGTRAP);
    return 0;
}
