//! Runs programs that generate data: generators, and solutions that produce the answers.

use crate::error::Failure;
use crate::language::Program;
use crate::program_runner::{ProgramRunner, Run, Stdin};
use crate::text::{printable, read_range};
use crate::verdict::{Verdict, classify, ending};
use judge_sandbox::{Exit, Limits};

/// How many bytes of a failed program's standard error are shown.
const SAID: u64 = 400;

/// Runs a generator; its output is in the runner. The inner error says how it failed, with its
/// messages.
///
/// # Errors
///
/// When `stdin` cannot be read, or the sandbox fails.
pub fn run_generator(
    program_runner: &mut ProgramRunner,
    program: &Program,
    args: &[String],
    stdin: Stdin<'_>,
    limits: &Limits,
) -> Result<Result<(), String>, Failure> {
    let run = Run::helper(args, stdin, limits);
    let execution = program_runner.run(program, &run)?;
    let how = match (classify(&execution, limits), execution.exit) {
        (None, Exit::Code(0)) => return Ok(Ok(())),
        (Some(Verdict::MemoryLimitExceeded), _) => "exceeded its memory limit".to_owned(),
        (Some(Verdict::TimeLimitExceeded), _) => "exceeded its time limit".to_owned(),
        (_, exit) => ending(exit),
    };
    let said = read_range(&program_runner.stderr, 0, SAID).unwrap_or_default();
    Ok(Err(format!("{how}\n{}", printable(&said))
        .trim_end()
        .to_owned()))
}
