/* Short-lived children use the CPU time. */
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (;;) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, 0, 0);
    }
}
