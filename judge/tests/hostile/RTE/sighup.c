/* Ends itself by SIGHUP. */
#include <signal.h>

int main(void) {
    raise(SIGHUP);
    return 0;
}
