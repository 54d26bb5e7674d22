//! Messages for cases that were not accepted: what happened and where to look.

mod stderr;

pub use self::stderr::{has_said, tail};

use self::stderr::{cause, ends_of};
use crate::figures::{bytes, millions, seconds};
use crate::judging::diagnosis::memory_fault::{SIGBUS, SIGSEGV};
use crate::judging::limits::RunLimits;
use crate::language::Program;
use crate::verdict::{Verdict, ending};
use judge_sandbox::{Execution, Exit, Limit, MemoryFault};
use std::fs::File;
use std::time::Duration;

/// No program starts with a smaller memory limit, in bytes.
const MIN_MEMORY: u64 = 256 << 10;
const TOO_LITTLE: &str =
    "; a program that does nothing needs more: is the unit of the limit right?";

/// Explains a verdict that follows from the facts of the run of a program. `fault` is what a repetition
/// found.
pub fn of_run(
    program: &Program,
    verdict: Verdict,
    run: &Execution,
    limits: &RunLimits,
    stderr: &File,
    fault: Option<MemoryFault>,
) -> String {
    let usage = &run.usage;
    match verdict {
        Verdict::MemoryLimitExceeded => {
            let mut message = match (usage.memory, limits.judged.memory) {
                (Some(used), Some(limit)) if used.value > limit => {
                    format!(
                        "used {} of memory, the limit is {}",
                        bytes(used.value),
                        bytes(limit)
                    )
                }
                (_, Some(limit)) => format!("memory limit of {} reached", bytes(limit)),
                _ => "out of memory".to_owned(),
            };
            message.push_str(&match (run.exit, fault) {
                _ if limits.judged.memory.is_some_and(|limit| limit < MIN_MEMORY) => {
                    TOO_LITTLE.into()
                }
                (_, Some(MemoryFault::StackOverflow { .. })) => {
                    "; most of it is the stack: a stack overflow, perhaps by endless recursion"
                        .into()
                }
                (Exit::Signal(signal @ (SIGSEGV | SIGBUS)), _) => {
                    format!("; it ended by {}", memory_signal(signal, fault, limits))
                }
                _ => String::new(),
            });
            message
        }
        Verdict::TimeLimitExceeded => too_slow(run, limits),
        Verdict::OutputLimitExceeded => match limits.judged.output {
            Some(limit) => {
                // The limit is for both streams together.
                let to_stderr = stderr.metadata().is_ok_and(|file| file.len() > limit / 2);
                let most = if to_stderr {
                    ", most of it to standard error"
                } else {
                    ""
                };
                format!("wrote more than the output limit of {}{most}", bytes(limit))
            }
            None => "wrote more than the output limit".to_owned(),
        },
        // The kernel may kill a program that it cannot start for lack of memory.
        _ => match limits.judged.memory {
            Some(limit) if limit < MIN_MEMORY && matches!(run.exit, Exit::Signal(_)) => format!(
                "{} with a memory limit of {}{TOO_LITTLE}",
                ending(run.exit),
                bytes(limit)
            ),
            _ => of_failure(program, run, limits, stderr, fault),
        },
    }
}

/// Stands between how a program ended and the last lines of its standard error.
pub const STDERR_FOLLOWS: &str = "\nstandard error:\n";

/// A run-time error: how the program ended, the line of standard error that says why, and its last
/// lines.
fn of_failure(
    program: &Program,
    run: &Execution,
    limits: &RunLimits,
    stderr: &File,
    fault: Option<MemoryFault>,
) -> String {
    let text = tail(stderr, program);
    let cause = cause(&program.with_own_names(ends_of(stderr)));
    let overflowed = cause
        .as_deref()
        .is_some_and(|line| line.contains("overflow"));
    let mut message = match run.exit {
        Exit::Signal(signal @ (SIGSEGV | SIGBUS)) if !overflowed => {
            memory_signal(signal, fault, limits)
        }
        exit => ending(exit),
    };
    if let Some(cause) = cause {
        message.push_str(&format!("; {cause}"));
    }
    if let Some(text) = text {
        message.push_str(STDERR_FOLLOWS);
        message.push_str(&text);
    }
    message
}

/// A signal for an invalid memory access: the address, or what it may be.
fn memory_signal(signal: i32, fault: Option<MemoryFault>, limits: &RunLimits) -> String {
    /// The kernel maps nothing below this address, unless its administrator allows it.
    const MIN_MAPPED: u64 = 64 << 10;
    let what = match fault {
        Some(MemoryFault::StackOverflow { address, below }) => {
            format!("stack overflow (address {address:#x}, {below} bytes below the stack)")
        }
        Some(MemoryFault::Address(address @ ..MIN_MAPPED)) => {
            format!("null pointer (address {address:#x})")
        }
        Some(MemoryFault::Address(address)) => {
            format!("address {address:#x}: an invalid pointer or an index out of range")
        }
        Some(MemoryFault::NoAddress) => {
            "an address that no pointer can have: it was overwritten or never set".to_owned()
        }
        Some(MemoryFault::Sent) => "sent by the program itself".to_owned(),
        None => bad_access(limits).to_owned(),
    };
    format!("{}: {what}", ending(Exit::Signal(signal)))
}

/// Explains an invalid memory access. If the stack may grow up to the memory limit, an overflow
/// of the main thread's stack exceeds that limit and is not a run-time error.
fn bad_access(limits: &RunLimits) -> &'static str {
    match (limits.judged.stack, limits.judged.memory) {
        (Some(stack), Some(memory)) if stack >= memory => {
            "invalid memory access, such as a null pointer or an index out of range"
        }
        _ => "invalid memory access (null pointer, index out of range) or stack overflow",
    }
}

/// Names the clock that exceeded the limit, and the time.
fn too_slow(run: &Execution, limits: &RunLimits) -> String {
    let usage = &run.usage;
    let cpu = seconds(usage.cpu.value.as_secs_f64());
    if run.exit == Exit::Killed(Limit::Wall) {
        let wall = seconds(usage.wall.value.as_secs_f64());
        return format!(
            "stopped after {wall} on the wall clock with {cpu} of CPU time{}: does it wait for \
             something?",
            delayed(usage.run_delay)
        );
    }
    let ended = match run.exit {
        Exit::Killed(_) => "stopped after",
        _ => "took",
    };
    if let Some(limit) = limits.judged.cpu {
        let limit = seconds(limit.as_secs_f64());
        return format!("{ended} {cpu} of CPU time, the limit is {limit}");
    }
    let count = usage.instructions.as_ref().map(|count| count.value);
    let (Some(count), Some(limit)) = (count, limits.judged.instructions) else {
        return format!("{ended} {cpu} of CPU time");
    };
    let (used, allowed) = (millions(count as f64), millions(limit as f64));
    if count > limit {
        return format!("{ended} {used} instructions, the limit is {allowed}");
    }
    // The CPU-time guard ends programs that mostly wait for memory before they reach the
    // instruction limit.
    format!("{ended} {cpu} of CPU time, but only {used} of {allowed} instructions")
}

/// The time for which the machine did not run the program, if it is worth a word.
fn delayed(run_delay: Duration) -> String {
    match run_delay < Duration::from_millis(100) {
        true => String::new(),
        false => format!(
            "; for {} of it the machine was busy with other programs",
            seconds(run_delay.as_secs_f64())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_sandbox::{Limits, Measured, Usage};

    fn run(exit: Exit, ms: u64, instructions: Option<u64>) -> Execution {
        let by = "test";
        Execution {
            exit,
            usage: Usage {
                cpu: Measured {
                    value: Duration::from_millis(ms),
                    by,
                },
                wall: Measured {
                    value: Duration::from_millis(ms + 1),
                    by,
                },
                memory: None,
                instructions: instructions.map(|value| Measured { value, by }),
                run_delay: Duration::ZERO,
            },
        }
    }

    fn limits_of(limits: &Limits) -> RunLimits {
        RunLimits {
            judged: limits.clone(),
            enforced: limits.clone(),
        }
    }

    fn program() -> Program {
        Program::executable("/bin/true")
    }

    fn memory_file() -> File {
        judge_sandbox::scratch_file().expect("temporary file")
    }

    #[test]
    fn the_message_names_the_clock_that_exceeded_its_limit() {
        let cpu = Limits {
            cpu: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        let counted = Limits {
            instructions: Some(4_000_000_000),
            ..Limits::default()
        };
        let (killed, count) = (Exit::Killed(Limit::Cpu), Some(4_500_000_000));
        let table = [
            (
                run(Exit::Code(0), 1100, None),
                &cpu,
                "took 1.100 s of CPU time, the limit is 1.000 s",
            ),
            (
                run(killed, 1126, None),
                &cpu,
                "stopped after 1.126 s of CPU time, the limit is 1.000 s",
            ),
            (
                run(Exit::Killed(Limit::Wall), 20, None),
                &cpu,
                "stopped after 21 ms on the wall clock with 20 ms of CPU time: does it wait for something?",
            ),
            (
                run(Exit::Killed(Limit::Instructions), 1700, count),
                &counted,
                "stopped after 4500.0 million instructions, the limit is 4000.0 million",
            ),
            (
                run(killed, 4500, Some(900_000_000)),
                &counted,
                "stopped after 4.500 s of CPU time, but only 900.0 million of 4000.0 million instructions",
            ),
        ];
        for (run, judged, expected) in table {
            let (limits, stderr) = (limits_of(judged), memory_file());
            let message = of_run(
                &program(),
                Verdict::TimeLimitExceeded,
                &run,
                &limits,
                &stderr,
                None,
            );
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn the_line_that_names_the_cause_is_found() {
        let failed = |exit, text: &str, stack_mib: u64| {
            use std::io::Write;
            let mut stderr = memory_file();
            stderr.write_all(text.as_bytes()).expect("it is written");
            let limits = limits_of(&Limits {
                stack: Some(stack_mib << 20),
                memory: Some(100 << 20),
                ..Limits::default()
            });
            let run = run(exit, 1, None);
            let message = of_run(
                &program(),
                Verdict::RunTimeError,
                &run,
                &limits,
                &stderr,
                None,
            );
            message.lines().next().unwrap_or_default().to_owned()
        };
        for (exit, stderr, expected) in [
            (Exit::Code(3), "", "exit code 3"),
            (
                Exit::Code(101),
                "x\nthread 'main' panicked at src/main.rs:3:5:\nindex out of bounds: 7\nnote: run",
                "exit code 101; thread 'main' panicked at src/main.rs:3:5: index out of bounds: 7",
            ),
            (
                Exit::Code(1),
                "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nREAD",
                "exit code 1; ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1",
            ),
            (
                Exit::Signal(6),
                "a.out: a.c:3: main: Assertion `n > 0' failed.\n",
                "signal 6 (SIGABRT: abort, assertion or uncaught exception); a.out: a.c:3: main: Assertion `n > 0' failed.",
            ),
            (
                Exit::Code(1),
                "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: 7\n",
                "exit code 1; ValueError: 7",
            ),
            (
                Exit::Signal(6),
                "\nthread 'main' has overflowed its stack\nfatal runtime error\n",
                "signal 6 (SIGABRT: abort, assertion or uncaught exception); thread 'main' has overflowed its stack",
            ),
        ] {
            assert_eq!(failed(exit, stderr, 100), expected);
        }
        // Only a stack smaller than the memory limit can overflow within that limit.
        assert!(!failed(Exit::Signal(SIGSEGV), "", 100).contains("stack overflow"));
        assert!(failed(Exit::Signal(SIGSEGV), "", 50).contains("stack overflow"));
    }

    #[test]
    fn the_address_distinguishes_a_null_pointer_from_a_stack_overflow() {
        let limits = limits_of(&Limits {
            memory: Some(64 << 20),
            ..Limits::default()
        });
        let overflow = MemoryFault::StackOverflow {
            address: 0x7ffd_0000_0000,
            below: 24,
        };
        let message = |verdict, exit, fault| {
            let run = run(exit, 1, None);
            of_run(
                &program(),
                verdict,
                &run,
                &limits,
                &memory_file(),
                Some(fault),
            )
        };
        for (signal, fault, expected) in [
            (
                SIGSEGV,
                overflow,
                "signal 11 (SIGSEGV): stack overflow (address 0x7ffd00000000, 24 bytes below the stack)",
            ),
            (
                SIGSEGV,
                MemoryFault::Address(0x18),
                "signal 11 (SIGSEGV): null pointer (address 0x18)",
            ),
            (
                SIGBUS,
                MemoryFault::Address(0x7f00_1234_5000),
                "signal 7 (SIGBUS): address 0x7f0012345000: an invalid pointer or an index out of range",
            ),
            (
                SIGSEGV,
                MemoryFault::NoAddress,
                "signal 11 (SIGSEGV): an address that no pointer can have: it was overwritten or never set",
            ),
            (
                SIGSEGV,
                MemoryFault::Sent,
                "signal 11 (SIGSEGV): sent by the program itself",
            ),
        ] {
            let found = message(Verdict::RunTimeError, Exit::Signal(signal), fault);
            assert_eq!(found, expected);
        }
        assert_eq!(
            message(
                Verdict::MemoryLimitExceeded,
                Exit::Killed(Limit::Memory),
                overflow
            ),
            "memory limit of 64.0 MiB reached; most of it is the stack: a stack overflow, perhaps by \
             endless recursion"
        );
    }
}
