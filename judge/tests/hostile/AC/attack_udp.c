/* Sends a datagram out of the box. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(53)};
    to.sin_addr.s_addr = inet_addr("192.0.2.1");
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s >= 0 && sendto(s, "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1) puts("leak");
    printf("42\n");
    return 0;
}
