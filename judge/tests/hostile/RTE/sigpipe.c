/* Ends itself by SIGPIPE. */
#include <signal.h>

int main(void) {
    raise(SIGPIPE);
    return 0;
}
