/* Counts the visible processes, which should be itself and its parent. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>

int main(void) {
    DIR *proc = opendir("/proc");
    int seen = 0;
    for (struct dirent *entry; proc && (entry = readdir(proc));) seen += isdigit(entry->d_name[0]) != 0;
    if (seen > 2) printf("leak %d\n", seen);
    printf("42\n");
    return 0;
}
