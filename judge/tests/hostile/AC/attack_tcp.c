/* Connects to a server on this machine. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(22)};
    int found = 0;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int port = 1; port < 1024; port++) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        if (s < 0) break;
        to.sin_port = htons(port);
        found += connect(s, (struct sockaddr *)&to, sizeof to) == 0;
        close(s);
    }
    if (found) puts("leak");
    printf("42\n");
    return 0;
}
