/* Ends itself by SIGALRM. */
#include <signal.h>

int main(void) {
    raise(SIGALRM);
    return 0;
}
