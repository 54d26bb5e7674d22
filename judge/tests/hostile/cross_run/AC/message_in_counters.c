/* Leaves a message for the next test in the counters of the network namespace: packets without a route. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The sum of the counters of a protocol; the first two of `Ip` are settings. */
static long counted(const char *protocol, int settings) {
    char line[4096];
    long sum = 0;
    FILE *file = fopen("/proc/net/snmp", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, protocol, strlen(protocol)) || line[strlen(protocol)] != ':') continue;
        char *field = strtok(line, " ");
        for (int i = 0; (field = strtok(0, " \n")); i++) sum += i < settings ? 0 : atol(field);
    }
    return sum;
}
int main(void) {
    if (counted("Ip", 2) || counted("Udp", 0)) puts("found a message");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0x08080808)};
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    for (int i = 0; i < 42; i++) sendto(s, "", 1, 0, (struct sockaddr *)&to, sizeof to);
    puts("42");
    return 0;
}
