/* Its time is spent by children that come and go. */
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (;;) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, 0, 0);
    }
}
