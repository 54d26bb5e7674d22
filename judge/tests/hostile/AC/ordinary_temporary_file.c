/* Writes a temporary file and reads it back. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = tmpfile();
    int number = 0;
    if (!file || fprintf(file, "%d", 17) < 0) return 1;
    rewind(file);
    if (fscanf(file, "%d", &number) != 1 || number != 17) return 2;
    printf("42\n");
    return 0;
}
