// A test program with many attacks: the first argument selects one, the second is its target.
// Every attack is bounded. Exit status: 0 if it was refused, 1 if it succeeded.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define MIB (1L << 20)
static const char *target;
static char *self;

// 1 and a message if a call succeeds that must fail.
#define REFUSED(call) ((call) >= 0 ? (printf("%s succeeded\n", #call), 1) : 0)

static void nap(double s) {
    struct timespec t = {(time_t)s, (long)((s - (time_t)s) * 1e9)};
    nanosleep(&t, 0);
}
static void touch(volatile char *p, long n) {
    for (long i = 0; i < n; i += 4096) p[i] = 1;
}

// --- processes and threads ---
static int fork_bomb(void) {
    int made = 0;
    for (int i = 0; i < 200; i++) {
        pid_t p = fork();
        if (!p) { for (;;) pause(); }
        if (p > 0) made++;
    }
    printf("%d\n", made);
    return made >= 64;
}
static int fork_tree(void) { // every process forks, in at most 200 rounds
    for (int i = 0; i < 200; i++) fork();
    for (;;) ;
}
static void *wait_for_ever(void *x) { for (;;) pause(); }
static int thread_bomb(void) {
    int made = 0;
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 65536);
    for (int i = 0; i < 200; i++) if (!pthread_create(&t, &a, wait_for_ever, 0)) made++;
    printf("%d\n", made);
    return made >= 64;
}
static int daemon_stays(void) {
    if (!fork()) {
        setsid();
        if (!fork()) {
            for (int s = 1; s < 64; s++) signal(s, SIG_IGN);
            close(0); close(1); close(2);
            for (int i = 0; i < 60; i++) nap(.5);
            _exit(0);
        }
        _exit(0);
    }
    wait(0);
    return 0;
}
static int exec_loop(void) {
    char *args[] = {self, "exec-loop", 0};
    execv(self, args);
    return 1;
}

// --- memory ---
static int heap(void) {
    for (int i = 0; i < 1024; i++) {
        char *p = malloc(MIB);
        if (p) touch(p, MIB);
    }
    return 1;
}
static char large[1024 * MIB];
static int bss(void) { touch(large, sizeof large); return 1; }
static int deep(int n) { volatile char b[4096]; b[0] = n; return n ? deep(n - 1) + b[0] : 0; }
static int stack(void) { return deep(1 << 18) + 1; }
static int map_shared(void) {
    char *p = mmap(0, 1024 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) touch(p, 1024 * MIB);
    return 1;
}
static int memory_file(void) {
    int fd = memfd_create("x", 0);
    static char b[MIB];
    for (int i = 0; i < 1024; i++) if (write(fd, b, sizeof b) <= 0) return 0;
    return 1;
}
static int family_memory(void) { // 8 children of 64 MiB at once; the parent exits normally
    int p[2];
    pipe(p);
    for (int i = 0; i < 8; i++) if (!fork()) {
        touch(malloc(64 * MIB), 64 * MIB);
        nap(.3);
        _exit(0);
    }
    for (int i = 0; i < 8; i++) wait(0);
    return 0;
}
static int fill_work(void) { // ends by ENOSPC, or by the memory limit
    static char b[MIB];
    char name[32];
    for (int f = 0; f < 40; f++) {
        sprintf(name, "f%d", f);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        for (int i = 0; i < 10; i++) if (write(fd, b, sizeof b) < (long)sizeof b) return 0;
        close(fd);
    }
    return 1;
}
static int system_v_memory(void) { return REFUSED(shmget(IPC_PRIVATE, MIB, IPC_CREAT | 0600)); }
static int system_v_by_number(void) { // the target is the number of a segment of the host
    struct shmid_ds about;
    return shmat(atoi(target), 0, 0) != (void *)-1 || REFUSED(shmctl(atoi(target), IPC_STAT, &about)) ||
           REFUSED(shmctl(atoi(target), IPC_RMID, 0));
}
static int shared_quotas(void) { // quotas that all boxes of a user, or the whole machine, share
    unsigned long context = 0;
    int p[2], root = open("/", O_RDONLY);
    if (pipe(p)) return 2;
    return REFUSED(inotify_init1(0)) || REFUSED(syscall(SYS_io_setup, 1, &context)) ||
           REFUSED(syscall(SYS_mq_open, "q", O_CREAT | O_RDWR, 0600, 0)) ||
           REFUSED(fcntl(p[0], F_SETPIPE_SZ, MIB)) || REFUSED(fcntl(root, F_NOTIFY, DN_CREATE));
}
static int datagram_to_outside(void) { // the target is a socket of the host
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    struct iovec word = {"leak", 4};
    struct msghdr message = {&to, sizeof to, &word, 1};
    int s[2];
    strncpy(to.sun_path, target, sizeof to.sun_path - 1);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s)) return 0;
    return sendmsg(s[0], &message, 0) >= 0 || connect(s[0], (void *)&to, sizeof to) == 0 ||
           sendto(s[0], "leak", 4, 0, (void *)&to, sizeof to) >= 0;
}
static int descriptors_in_flight(void) { // sends as many as possible, and holds them for three seconds
    enum { COUNT = 200 };
    int fds[COUNT];
    char control[CMSG_SPACE(sizeof fds)] = {0};
    struct iovec word = {"x", 1};
    struct msghdr message = {0, 0, &word, 1, control, sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){CMSG_LEN(sizeof fds), SOL_SOCKET, SCM_RIGHTS};
    memset(fds, 0, sizeof fds);
    memcpy(CMSG_DATA(header), fds, sizeof fds);
    for (int tenths = 0; tenths < 30; tenths++) {
        for (int s[2]; !socketpair(AF_UNIX, SOCK_STREAM, 0, s);) {
            fcntl(s[0], F_SETFL, O_NONBLOCK);
            while (sendmsg(s[0], &message, 0) == 1) continue;
            if (errno == ETOOMANYREFS) {
                close(s[0]);
                close(s[1]);
                break;
            }
        }
        nap(.1);
    }
    return 0;
}
static int socket_pairs(void) { // pairs that stay connected
    static const int kinds[] = {SOCK_STREAM, SOCK_SEQPACKET};
    for (int i = 0; i < 2; i++) {
        int s[2];
        char got[4];
        if (socketpair(AF_UNIX, kinds[i] | SOCK_CLOEXEC, 0, s)) return 1;
        if (send(s[0], "word", 4, 0) != 4 || recv(s[1], got, 4, 0) != 4) return 2;
    }
    return 0;
}

// --- output and files ---
static int flood(int fd) {
    static char b[65536];
    for (int i = 0; i < 16384; i++) if (write(fd, b, sizeof b) < 0) return 0;
    return 1;
}
static int flood_out(void) { return flood(1); }
static int flood_err(void) { return flood(2); }
static int flood_file(void) { return flood(open("big", O_CREAT | O_WRONLY, 0600)); }
static int many_files(void) {
    char name[32];
    int made = 0;
    for (int i = 0; i < 6000; i++) {
        sprintf(name, "f%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0);
        if (fd < 0) break;
        close(fd);
        made++;
    }
    printf("%d\n", made);
    return made > 5000;
}
static int deep_directories(void) {
    for (int i = 0; i < 2000; i++) if (mkdir("d", 0700) || chdir("d")) return 0;
    return 0;
}
static int leave_files(void) {
    const char *places[] = {"left", "/tmp/left", "/dev/shm/left"};
    for (int i = 0; i < 3; i++) {
        mkdir(places[i], 0700);
        chdir(places[i]);
        close(open("file", O_CREAT | O_WRONLY, 0));
        chdir("/");
        chmod(places[i], 0);
    }
    return 0;
}
static int entries(const char *path) {
    int n = 0;
    DIR *d = opendir(path);
    if (!d) return 0;
    while (readdir(d)) n++;
    closedir(d);
    return n - 2;
}
static int find_files(void) {
    return entries(".") > 0 || entries("/dev/shm") > 0 || entries("/tmp") > 0;
}

static int lock_places(void) { // the next program must not notice
    chmod(".", 0);
    chmod("/tmp", 0);
    chmod("/dev/shm", 0);
    return 0;
}
static int label_files(void) { return REFUSED(setxattr(".", "user.note", "x", 1, 0)); }
static int move_mounts(void) { // the next program of the test is below this mount
    return REFUSED(rename("/tmp/a", "/tmp/z")) || REFUSED(rename("/tmp/a/b", "/tmp/a/z")) ||
           REFUSED(mkdir("/tmp/a/y", 0700)) || REFUSED(rmdir("/tmp/a")) || REFUSED(unlink(self));
}

// --- files and processes of others ---
static int read_file(void) { return REFUSED(open(target, O_RDONLY)); }
static int read_shadow(void) { return REFUSED(open("/etc/shadow", O_RDONLY)); }
static int link_out(void) {
    symlink(target, "link");
    return REFUSED(open("link", O_RDONLY)) || REFUSED(open("/work/../../../../etc/shadow", O_RDONLY));
}
static int write_outside(void) {
    char path[4096];
    const char *places[] = {"/", "/usr", "/etc", "/usr/lib", "/var", "/home", target};
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/judge-sandbox-attack", places[i]);
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        if (fd >= 0) { printf("wrote %s\n", path); return 1; }
    }
    return 0;
}
static int write_self(void) {
    return REFUSED(open(self, O_WRONLY)) || REFUSED(unlink(self)) || REFUSED(chmod(self, 0777));
}
static int write_input(void) { return REFUSED(open("/proc/self/fd/0", O_WRONLY)); }
static int other_processes(void) {
    int others = 0;
    DIR *d = opendir("/proc");
    if (!d) return 0;
    for (struct dirent *e; (e = readdir(d));)
        if (atoi(e->d_name) > 1 && atoi(e->d_name) != getpid()) others++;
    printf("%d\n", others);
    return others > 0;
}
static int environment_of_others(void) {
    char path[64];
    int through = REFUSED(open("/proc/1/environ", O_RDONLY)) || REFUSED(open("/proc/1/mem", O_RDONLY));
    snprintf(path, sizeof path, "/proc/%s/environ", target);
    return through || REFUSED(open(path, O_RDONLY));
}
static int zygote_files(void) { return entries("/proc/1/fd") > 0 || entries("/proc/1/root") > 0; }

// --- network ---
static int tcp(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(target))};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    return REFUSED(connect(s, (void *)&a, sizeof a));
}
static int udp(void) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    return REFUSED(sendto(s, "x", 1, 0, (void *)&a, sizeof a));
}
static int abstract_socket(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strcpy(a.sun_path + 1, target);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    return REFUSED(connect(s, (void *)&a, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(target)));
}
static int unix_socket(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strcpy(a.sun_path, target);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    return REFUSED(connect(s, (void *)&a, sizeof a));
}
static int other_sockets(void) {
    return REFUSED(socket(AF_INET, SOCK_STREAM, 0)) || REFUSED(socket(AF_INET6, SOCK_DGRAM, 0)) ||
           REFUSED(socket(40 /* vsock */, SOCK_STREAM, 0)) || REFUSED(socket(AF_PACKET, SOCK_RAW, 0)) ||
           REFUSED(socket(AF_NETLINK, SOCK_RAW, 0));
}

// --- signals ---
static int kill_parent(void) {
    kill(getppid(), SIGKILL); // the zygote ignores it, or is out of reach
    kill(1, SIGKILL);
    kill(1, SIGSTOP);
    return 0;
}
static int kill_all(void) { kill(-1, SIGKILL); return 0; }
static int kill_group(void) { return kill(0, SIGKILL) + 1; }
static int kill_judge(void) { return REFUSED(kill(atoi(target), 0)); }
static int signal_zygote(void) { kill(1, SIGUSR1); nap(3); return 1; }
static int stop_self(void) { raise(SIGSTOP); return 1; }
static int ignore_all(void) {
    for (int s = 1; s < 64; s++) signal(s, SIG_IGN);
    for (;;) ;
}

// --- waiting ---
static int close_and_sleep(void) { close(0); close(1); close(2); nap(30); return 1; }
static int wait_for_input(void) { // reads a private pipe that no process writes to
    int p[2];
    char c;
    pipe(p);
    read(p[0], &c, 1);
    return 1;
}

// --- privileges and the kernel ---
static int become_root(void) {
    return REFUSED(setgroups(0, 0)) || REFUSED(mount("x", "/work", "tmpfs", 0, 0)) ||
           REFUSED(chroot(".")) || REFUSED(unshare(CLONE_NEWUSER)) || REFUSED(unshare(CLONE_NEWNS)) ||
           REFUSED(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)) ||
           REFUSED(syscall(SYS_setns, 0, 0)) || REFUSED(sethostname("x", 1)) ||
           REFUSED(mknod("disk", S_IFBLK | 0600, 0xfe00));
}
static int set_user_id(void) { // no_new_privs makes set-user-ID programs harmless
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}
static int capabilities(void) {
    struct { unsigned v; int pid; } h = {0x20080522, 0};
    unsigned d[6] = {0};
    syscall(SYS_capget, &h, d);
    return d[0] || d[1] || d[3] || d[4];
}
static int trace(void) {
    return REFUSED(ptrace(PTRACE_ATTACH, getppid(), 0, 0)) || REFUSED(ptrace(PTRACE_TRACEME, 0, 0, 0));
}
static int other_memory(void) {
    char b[8];
    struct iovec l = {b, 8}, r = {(void *)large, 8};
    return REFUSED(process_vm_readv(getppid(), &l, 1, &r, 1, 0));
}
static int dangerous_calls(void) {
    char b[256] = {0};
    return REFUSED(syscall(SYS_io_uring_setup, 8, b)) || REFUSED(syscall(SYS_bpf, 0, b, sizeof b)) ||
           REFUSED(syscall(SYS_userfaultfd, 0)) || REFUSED(syscall(SYS_keyctl, 0, -3, 1)) ||
           REFUSED(syscall(SYS_perf_event_open, b, 0, -1, -1, 0)) ||
           REFUSED(syscall(SYS_init_module, b, 1, "")) || REFUSED(syscall(SYS_reboot, 0, 0, 0)) ||
           REFUSED(syscall(SYS_open_by_handle_at, 0, b, 0));
}
static int clocks(void) {
    struct timespec t = {0, 0};
    struct timex x = {.modes = ADJ_OFFSET};
    return REFUSED(clock_settime(CLOCK_REALTIME, &t)) || REFUSED(adjtimex(&x));
}
static int raise_limits(void) {
    struct rlimit r, all[] = {{RLIM_INFINITY, RLIM_INFINITY}};
    int which[] = {RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_CORE};
    for (int i = 0; i < 3; i++) if (REFUSED(setrlimit(which[i], all))) return 1;
    return REFUSED(prlimit(getppid(), RLIMIT_CPU, all, 0));
}
static int own_priority(void) {
    int policies[] = {SCHED_FIFO, SCHED_IDLE}, before = getpriority(PRIO_PROCESS, 0);
    for (int i = 0; i < 2; i++) {
        struct sched_param p = {i == 0 ? 10 : 0};
        sched_setscheduler(0, policies[i], &p);
        if (sched_getscheduler(0) != SCHED_OTHER) return 1;
        setpriority(PRIO_PROCESS, 0, i == 0 ? -10 : 10);
        if (getpriority(PRIO_PROCESS, 0) != before) return 1;
    }
    return 0;
}
static int other_core(void) {
    cpu_set_t all;
    memset(&all, 255, sizeof all);
    return REFUSED(sched_setaffinity(0, sizeof all, &all));
}
static int call_32_bit(void) { // 32-bit getpid: the filter kills it with SIGSYS
#ifdef __x86_64__
    long r = 20;
    __asm__ volatile("int $0x80" : "+a"(r) : : "memory");
#else
    raise(SIGSYS);
#endif
    return 1;
}
static int call_x32(void) {
#ifdef __x86_64__
    syscall(0x40000000 + SYS_getpid);
#else
    raise(SIGSYS);
#endif
    return 1;
}

// --- innocent programs ---
static int finished;
static void *work(void *x) { __atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST); return 0; }
static int threads(void) {
    pthread_t t[8];
    for (int i = 0; i < 8; i++) if (pthread_create(t + i, 0, work, 0)) return 1;
    for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
    return finished != 8;
}
static int children(void) {
    for (int i = 0; i < 5; i++) {
        int status;
        pid_t p = fork();
        if (!p) _exit(i);
        if (waitpid(p, &status, 0) != p || WEXITSTATUS(status) != i) return 1;
    }
    return system("exit 3") != 3 << 8 || getppid() < 0;
}
static int ordinary_calls(void) {
    int p[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) || (memfd_create("x", 0) < 0 && errno != ENOSYS)) return 1;
    if (timer_create(CLOCK_MONOTONIC, 0, &(timer_t){0}) || sysconf(_SC_NPROCESSORS_ONLN) < 1) return 2;
    if (raise(SIGCHLD) || kill(getpid(), SIGCHLD) || sched_yield()) return 3;
    int fd = open("a", O_CREAT | O_RDWR, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1 || rename("a", "b") || fsync(fd)) return 4;
    if (open("/dev/urandom", O_RDONLY) < 0 || open("/dev/null", O_WRONLY) < 0) return 5;
    nap(.001);
    return 0;
}
static int big_recursion(void) { // 200 MB of stack under a limit of 256 MiB
    return deep(48000) * 0;
}
static char other_stack[65536];
static void on_overflow(int s) { _exit(0); }
static int own_signal_stack(void) {
    stack_t s = {other_stack, 0, sizeof other_stack};
    struct sigaction a = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK};
    sigaltstack(&s, 0);
    sigaction(SIGSEGV, &a, 0);
    *(volatile int *)8 = 1;
    return 1;
}
static int mapped_input(void) {
    struct stat s;
    fstat(0, &s);
    char *p = mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
    return p == MAP_FAILED || write(1, p, s.st_size) != s.st_size;
}
static void *write_on(void *x) { for (;;) write(1, "x", 1); }
static int exit_while_writing(void) {
    pthread_t t;
    pthread_create(&t, 0, write_on, 0);
    nap(.005);
    return 0;
}
static int nothing(void) { return 0; }

static const struct { const char *name; int (*run)(void); } attacks[] = {
    {"fork-bomb", fork_bomb}, {"fork-tree", fork_tree}, {"thread-bomb", thread_bomb},
    {"daemon", daemon_stays}, {"exec-loop", exec_loop}, {"heap", heap}, {"bss", bss},
    {"stack", stack}, {"map-shared", map_shared}, {"memory-file", memory_file},
    {"family-memory", family_memory}, {"fill-work", fill_work}, {"system-v", system_v_memory},
    {"system-v-by-number", system_v_by_number}, {"shared-quotas", shared_quotas},
    {"datagram-out", datagram_to_outside}, {"descriptors-in-flight", descriptors_in_flight},
    {"socket-pairs", socket_pairs},
    {"flood-out", flood_out}, {"flood-err", flood_err}, {"flood-file", flood_file},
    {"many-files", many_files}, {"deep-directories", deep_directories},
    {"leave-files", leave_files}, {"find-files", find_files}, {"lock-places", lock_places},
    {"label-files", label_files}, {"move-mounts", move_mounts}, {"read-file", read_file},
    {"read-shadow", read_shadow}, {"link-out", link_out}, {"write-outside", write_outside},
    {"write-self", write_self}, {"write-input", write_input},
    {"other-processes", other_processes}, {"environment-of-others", environment_of_others},
    {"zygote-files", zygote_files}, {"tcp", tcp}, {"udp", udp}, {"abstract", abstract_socket},
    {"unix", unix_socket}, {"other-sockets", other_sockets}, {"kill-parent", kill_parent},
    {"kill-all", kill_all}, {"kill-group", kill_group}, {"kill-judge", kill_judge},
    {"signal-zygote", signal_zygote}, {"stop-self", stop_self}, {"ignore-all", ignore_all},
    {"close-and-sleep", close_and_sleep}, {"wait-for-input", wait_for_input},
    {"become-root", become_root}, {"set-user-id", set_user_id}, {"capabilities", capabilities},
    {"trace", trace}, {"other-memory", other_memory}, {"dangerous-calls", dangerous_calls},
    {"clocks", clocks}, {"raise-limits", raise_limits}, {"own-priority", own_priority},
    {"other-core", other_core}, {"32-bit-call", call_32_bit}, {"x32-call", call_x32},
    {"threads", threads}, {"children", children}, {"ordinary-calls", ordinary_calls},
    {"big-recursion", big_recursion}, {"own-signal-stack", own_signal_stack},
    {"mapped-input", mapped_input}, {"exit-while-writing", exit_while_writing},
    {"nothing", nothing},
};

int main(int argc, char **argv) {
    self = argv[0];
    target = argc > 2 ? argv[2] : "";
    for (unsigned i = 0; argc > 1 && i < sizeof attacks / sizeof *attacks; i++)
        if (!strcmp(argv[1], attacks[i].name)) {
            int r = attacks[i].run();
            fflush(stdout);
            return r;
        }
    return 99;
}
