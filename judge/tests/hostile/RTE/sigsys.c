/* Ends itself by SIGSYS. */
#include <signal.h>

int main(void) {
    raise(SIGSYS);
    return 0;
}
