//! Messages for cases that were not accepted: what happened and where to look.

use super::limits::RunLimits;
use crate::report::{bytes, millions, seconds};
use crate::text::printable;
use crate::verdict::Verdict;
use judge_sandbox::{Execution, Exit, Limit};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// How many bytes of a program's standard error are shown.
const SHOWN: usize = 600;

const SIGSEGV: i32 = rustix::process::Signal::SEGV.as_raw();

/// Explains a verdict that follows from the facts of the run.
pub fn of_run(verdict: Verdict, run: &Execution, limits: &RunLimits, stderr: &File) -> String {
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
                (_, Some(limit)) => format!("stopped at the memory limit of {}", bytes(limit)),
                _ => "stopped: out of memory".to_owned(),
            };
            message.push_str(match run.exit {
                // The use of memory is not broken down, so the cause is unknown.
                Exit::Killed(Limit::Memory) => {
                    "; the stack counts as memory: endless recursion, a stack overflow, ends so too"
                }
                // The stack may grow up to the memory limit.
                Exit::Signal(SIGSEGV) => {
                    "; it ended by signal 11 (SIGSEGV): most likely a stack overflow"
                }
                _ => "",
            });
            message
        }
        Verdict::TimeLimitExceeded => too_slow(run, limits),
        Verdict::OutputLimitExceeded => match limits.judged.output {
            Some(limit) => format!("wrote more than the output limit of {}", bytes(limit)),
            None => "wrote more than the output limit".to_owned(),
        },
        _ => {
            let mut message = match run.exit {
                Exit::Code(code) => format!("exit code {code}"),
                Exit::Signal(signal) => match signal_name(signal) {
                    Some(name) => format!("ended by signal {signal} ({name})"),
                    None => format!("ended by signal {signal}"),
                },
                Exit::Killed(_) | Exit::Cancelled => "stopped".to_owned(),
            };
            if let Some(text) = tail(stderr) {
                message.push_str("\nstandard error:\n");
                message.push_str(&text);
            }
            message
        }
    }
}

/// Names the clock that exceeded the limit, and the time.
fn too_slow(run: &Execution, limits: &RunLimits) -> String {
    let usage = &run.usage;
    let cpu = seconds(usage.cpu.value.as_secs_f64());
    if run.exit == Exit::Killed(Limit::Wall) {
        let wall = seconds(usage.wall.value.as_secs_f64());
        return format!(
            "stopped after {wall} on the wall clock with {cpu} of CPU time: does it wait for \
             something?"
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

/// Whether a program wrote `words` to standard error, near the beginning or the end.
pub fn has_said(stderr: &File, words: &str) -> bool {
    const NEAR: usize = 16 << 10;
    let Ok(length) = stderr.metadata().map(|metadata| metadata.len()) else {
        return false;
    };
    let last = length.saturating_sub(NEAR as u64);
    [0, last].into_iter().any(|from| {
        let mut buffer = vec![0; NEAR.min(length as usize)];
        stderr.read_exact_at(&mut buffer, from).is_ok()
            && String::from_utf8_lossy(&buffer).contains(words)
    })
}

/// The last lines of a program's standard error, if any.
fn tail(stderr: &File) -> Option<String> {
    let length = stderr.metadata().ok()?.len();
    let from = length.saturating_sub(SHOWN as u64);
    let mut buffer = vec![0; (length - from) as usize];
    stderr.read_exact_at(&mut buffer, from).ok()?;
    let text = printable(&buffer);
    let text = if from > 0 {
        format!("[...] {text}")
    } else {
        text
    };
    (!text.is_empty()).then_some(text)
}

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
        11 => "SIGSEGV: bad memory access or stack overflow",
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
    use judge_sandbox::{Limits, Measured, Usage};
    use std::time::Duration;

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
            },
        }
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
            let limits = RunLimits {
                judged: judged.clone(),
                enforced: judged.clone(),
            };
            assert_eq!(
                of_run(Verdict::TimeLimitExceeded, &run, &limits, &memory_file()),
                expected
            );
        }
    }

    fn memory_file() -> File {
        judge_sandbox::scratch_file().expect("temporary file")
    }
}
