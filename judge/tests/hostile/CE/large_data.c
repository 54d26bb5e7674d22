/* A small source file of a large program: 320 MiB in the build cache. */
int data[80 << 20] = {1};
int main(void) { return data[0] - 1; }
