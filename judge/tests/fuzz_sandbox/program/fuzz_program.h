/* Declarations shared by the parts of the program that the sandbox's fuzzer runs in a box. */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* The limits of the package that the driver writes. */
#define CPU_LIMIT 0.3
#define MEMORY_LIMIT (64L << 20)
#define OUTPUT_LIMIT (1L << 20)
#define PROCESS_LIMIT 64

/* The complete input: a line "ROLE SEED NUMBER", then padding. */
extern char *input;
extern size_t input_length;

/* Whether programs may create processes, which requires a PID namespace. */
int can_fork(void);

/* A pseudo-random generator whose sequence depends on its seed only (splitmix64). */
struct dice { uint64_t state; };
uint64_t roll(struct dice *d);
static inline uint64_t below(struct dice *d, uint64_t n) { return roll(d) % n; }

/* Makes `calls` random system calls, and children and threads that do the same. */
void random_calls(struct dice *d, long calls);
/* Makes `calls` random system calls without children and threads. */
void random_calls_alone(struct dice *d, long calls);
/* Prints the calls that `random_calls` makes for a seed, without making them. */
void list_calls(struct dice *d, long calls);
/* Whether a timer interrupts system calls that block. */
void interrupt_calls(int on);
/* Makes random calls in a bounded time, and ends the program with their number on standard error. */
void calls_until_the_end(struct dice *d, long calls);

/* A random move on a file that all runs share and that the program may only read. */
void move_on_a_shared_file(struct dice *d);
/* What an earlier run left at the executable's file, or 0. */
const char *message_at_own_file(long *what);
/* The executable's name, for a box without `/proc`. */
void set_own_name(const char *name);

/* Prints the checksum of the input, which is the correct answer of every case. */
int answer(void);
/* Burns CPU time until the process has used `seconds` of it. */
void burn(double seconds);

/* Roles that must be accepted: they stay within every limit. `nice` is what programs inherit. */
int innocent(const char *role, long nice);
/* Roles that must not be accepted: they exceed a limit and then print the answer. */
int greedy(const char *role, struct dice *d, long calls);
int greedy_again(char **argv);
#endif
