/* A small source of a large program: 320 MiB on the disk of the cache of built programs. */
int data[80 << 20] = {1};
int main(void) { return data[0] - 1; }
