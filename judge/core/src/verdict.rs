//! The function that derives a verdict from the facts of a run.

pub use judge_package::Verdict;

use judge_sandbox::{Execution, Exit, Limit, Limits, errno};

/// The verdict that follows from the facts of a run, or `None` if the run ended well within its
/// limits and its output has to be checked.
///
/// The precedence is memory, time, output, run-time error: a program that crashes because it ran
/// out of memory, or is killed at its time limit, did not crash by itself. A measured figure above
/// its limit counts however the run ended, because the sandbox kills later than the limit.
pub fn classify(execution: &Execution, limits: &Limits) -> Option<Verdict> {
    let usage = &execution.usage;
    let over = |used: Option<u64>, limit: Option<u64>| match (used, limit) {
        (Some(used), Some(limit)) => used > limit,
        _ => false,
    };
    let killed_by = |limit| execution.exit == Exit::Killed(limit);

    if killed_by(Limit::Memory) || over(usage.memory.map(|m| m.value), limits.memory) {
        return Some(Verdict::MemoryLimitExceeded);
    }
    if killed_by(Limit::Cpu)
        || killed_by(Limit::Wall)
        || killed_by(Limit::Instructions)
        || limits.cpu.is_some_and(|limit| usage.cpu.value > limit)
        || over(usage.instructions.map(|i| i.value), limits.instructions)
    {
        return Some(Verdict::TimeLimitExceeded);
    }
    match execution.exit {
        Exit::Killed(_) => Some(Verdict::OutputLimitExceeded),
        Exit::Signal(_) | Exit::NotExecuted(_) => Some(Verdict::RunTimeError),
        // The code that cancelled the run decides.
        Exit::Cancelled | Exit::Code(0) => None,
        Exit::Code(_) => Some(Verdict::RunTimeError),
    }
}

/// How a run ended, in words: `exit code 3`, `signal 8 (SIGFPE: division by zero)`.
pub fn ending(exit: Exit) -> String {
    match exit {
        // Windows ends a program with the number of an error, which is known in hexadecimal.
        Exit::Code(code) if code as u32 >> 28 == 0xC => {
            let what = windows_error(code as u32).map(|what| format!(" ({what})"));
            format!("exit code {:#X}{}", code as u32, what.unwrap_or_default())
        }
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => match signal_name(signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        Exit::Killed(limit) => format!("stopped at its limit on {}", resource(limit)),
        Exit::Cancelled => "stopped".to_owned(),
        Exit::NotExecuted(errno) => format!("not started: {}", refusal(errno)),
    }
}

/// An error of Windows in words for the author of a program.
fn windows_error(code: u32) -> Option<&'static str> {
    match code {
        0xC000_0017 => Some("no memory"),
        0xC000_0135 => Some(
            "a DLL is missing: link with -static, or add the compiler's directory `bin` to PATH",
        ),
        0xC000_0139 => Some(
            "a DLL lacks a function: another version of it is found first in PATH; link with -static",
        ),
        0xC000_0142 => Some("a DLL failed to start"),
        _ => None,
    }
}

/// Why the kernel does not execute a file.
fn refusal(number: i32) -> String {
    let what = match number {
        errno::E2BIG => "the arguments are longer than the system allows",
        errno::ENOENT => "the loader or interpreter that the executable names does not exist here",
        errno::ENOEXEC => "the executable is damaged, or for another kind of machine",
        errno::EACCES | errno::EPERM => {
            "the executable, or the loader that it names, may not be executed"
        }
        errno::ETXTBSY => "the executable, or the loader that it names, is open for writing",
        errno::ELIBBAD | errno::EIO | errno::EINVAL => {
            "the executable, or the loader that it names, is damaged"
        }
        other => {
            return format!(
                "the executable is invalid ({})",
                std::io::Error::from_raw_os_error(other)
            );
        }
    };
    what.to_owned()
}

/// The resource that a limit is on.
fn resource(limit: Limit) -> &'static str {
    match limit {
        Limit::Cpu => "CPU time",
        Limit::Wall => "wall-clock time",
        Limit::Memory => "memory",
        Limit::Output => "output",
        Limit::Instructions => "instructions",
        Limit::Disk => "files",
        Limit::Idle => "time without progress",
    }
}

/// The name of a signal, and what it usually means.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        4 => "SIGILL: illegal instruction",
        5 => "SIGTRAP",
        6 => "SIGABRT: abort, assertion or uncaught exception",
        7 => "SIGBUS",
        8 => "SIGFPE: division by zero",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS: forbidden system call",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_sandbox::{Measured, Usage};
    use std::time::Duration;

    const MS: Duration = Duration::from_millis(1);

    fn limits() -> Limits {
        Limits {
            cpu: Some(1000 * MS),
            memory: Some(1000),
            instructions: Some(1_000_000),
            ..Limits::default()
        }
    }

    fn run(exit: Exit, cpu: Duration, memory: Option<u64>, instructions: Option<u64>) -> Execution {
        let by = "test";
        Execution {
            exit,
            usage: Usage {
                cpu: Measured { value: cpu, by },
                wall: Measured { value: cpu, by },
                memory: memory.map(|value| Measured { value, by }),
                instructions: instructions.map(|value| Measured { value, by }),
                run_delay: Duration::ZERO,
            },
        }
    }

    #[test]
    fn errors_of_windows_are_hexadecimal() {
        let missing = ending(Exit::Code(0xC000_0135_u32 as i32));
        assert!(
            missing.starts_with("exit code 0xC0000135 (a DLL is missing: "),
            "{missing}"
        );
        assert_eq!(
            ending(Exit::Code(0xC000_0001_u32 as i32)),
            "exit code 0xC0000001"
        );
        assert_eq!(ending(Exit::Code(-1)), "exit code -1");
    }

    #[test]
    fn the_precedence_of_verdicts() {
        use Exit::{Code, Killed, NotExecuted, Signal};
        use Verdict::{
            MemoryLimitExceeded as Mle, OutputLimitExceeded as Ole, RunTimeError as Rte,
            TimeLimitExceeded as Tle,
        };
        type Row = (Exit, u32, Option<u64>, Option<u64>, Option<Verdict>);
        #[rustfmt::skip]
        let table: &[Row] = &[
            // exit                     ms    memory       instructions     verdict
            (Code(0),                   999,  Some(1000),  Some(1_000_000), None),
            (Code(0),                   1000, None,        None,            None),
            (Code(0),                   1001, Some(10),    None,            Some(Tle)),
            (Code(0),                   10,   Some(1001),  None,            Some(Mle)),
            (Code(0),                   1001, Some(1001),  None,            Some(Mle)),
            (Code(0),                   10,   Some(10),    Some(1_000_001), Some(Tle)),
            (Code(1),                   10,   Some(10),    None,            Some(Rte)),
            (Code(1),                   1001, Some(10),    None,            Some(Tle)),
            (Signal(11),                10,   Some(10),    None,            Some(Rte)),
            (NotExecuted(8),            0,    Some(10),    None,            Some(Rte)),
            (Signal(11),                10,   Some(1001),  None,            Some(Mle)),
            (Killed(Limit::Memory),     10,   None,        None,            Some(Mle)),
            (Killed(Limit::Memory),     2000, None,        None,            Some(Mle)),
            (Killed(Limit::Cpu),        990,  Some(10),    None,            Some(Tle)),
            (Killed(Limit::Wall),       10,   Some(10),    None,            Some(Tle)),
            (Killed(Limit::Instructions), 10, Some(10),    None,            Some(Tle)),
            (Killed(Limit::Output),     10,   Some(10),    None,            Some(Ole)),
            (Killed(Limit::Output),     1001, Some(10),    None,            Some(Tle)),
        ];
        for &(exit, ms, memory, instructions, expected) in table {
            let execution = run(exit, ms * MS, memory, instructions);
            assert_eq!(classify(&execution, &limits()), expected, "{execution:?}");
        }
    }
}
