/* Connects to services of the machine over Unix sockets. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
    static const char *const paths[] = {"/run/systemd/private", "/run/dbus/system_bus_socket",
                                        "/var/run/docker.sock", "/run/user/0/bus"};
    for (int i = 0; i < 4; i++) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        strcpy(to.sun_path, paths[i]);
        int s = socket(AF_UNIX, SOCK_STREAM, 0);
        if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) == 0) puts("leak");
    }
    printf("42\n");
    return 0;
}
