// The sum of two numbers, without a C library.
#if defined(__x86_64__)
static long call(long n, long a, long b, long c) {
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return r;
}
enum { READ = 0, WRITE = 1, EXIT = 231 };
#elif defined(__aarch64__)
static long call(long n, long a, long b, long c) {
    register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
enum { READ = 63, WRITE = 64, EXIT = 94 };
#else
#error "no system calls for this machine"
#endif

void _start(void) {
    char text[64], *end = text + sizeof text, *to = end;
    long length = call(READ, 0, (long)text, sizeof text), sum = 0, number = 0;
    for (long i = 0; i < length; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            number = 10 * number + text[i] - '0';
        } else {
            sum += number;
            number = 0;
        }
    }
    sum += number;
    *--to = '\n';
    do *--to = '0' + sum % 10;
    while (sum /= 10);
    call(WRITE, 1, (long)to, end - to);
    call(EXIT, 0, 0, 0);
    for (;;) {}
}
