//! Repeats a run that an invalid memory access ended, to find its address.

use crate::language::Program;
use crate::program_runner::{ProgramRunner, Run};
use judge_sandbox::{Execution, Exit, Limit, MemoryFault};
use std::ffi::OsStr;

pub(in crate::judging) use judge_sandbox::signal::{SIGBUS, SIGSEGV};

/// Whether repeating the run may show an invalid memory access. A stack may grow up to the memory
/// limit, so its overflow may reach that first.
pub fn is_possible(exit: Exit) -> bool {
    matches!(
        exit,
        Exit::Signal(SIGSEGV | SIGBUS) | Exit::Killed(Limit::Memory)
    )
}

/// With a smaller stack even the start of a program can fail.
const MIN_STACK: u64 = 1 << 20;

/// Repeats a run, if an invalid memory access may have ended it. If it used much memory, the
/// repetition gets a smaller stack, which an overflow of the stack reaches first. Best effort: the
/// verdict does not depend on it.
pub fn find<Arg: AsRef<OsStr>>(
    runner: &mut ProgramRunner,
    program: &Program,
    run: &Run<'_, Arg>,
    execution: &Execution,
) -> Option<MemoryFault> {
    if !is_possible(execution.exit) {
        return None;
    }
    let mut limits = run.limits.clone();
    let is_killed = execution.exit == Exit::Killed(Limit::Memory);
    let used = execution.usage.memory.map_or(0, |memory| memory.value);
    let small = limits.memory.map(|memory| memory / 4 * 3);
    if is_killed || small.is_some_and(|small| used > small) {
        if small.is_some_and(|small| small < MIN_STACK) {
            return None;
        }
        limits.stack = small;
    }
    let again = Run {
        limits: &limits,
        ..*run
    };
    let fault = runner.find_memory_fault(program, &again).ok()??;
    let is_overflow = matches!(fault, MemoryFault::StackOverflow { .. });
    (is_overflow || !is_killed).then_some(fault)
}
