//! A program that makes data: a generator, or the solution that gives the answers.

use super::program_runner::{ProgramRunner, Run, Stdin, read_start};
use crate::error::Failure;
use crate::language::Program;
use crate::text::printable;
use crate::verdict::{Verdict, classify};
use judge_sandbox::{Exit, Limits};

/// How much of what a program says when it fails is told.
const SAID: u64 = 400;

/// Runs a program that makes data; what it wrote is in the station. The inner error: how it failed,
/// and what it said.
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
        (Some(Verdict::MemoryLimitExceeded), _) => "used more memory than it may".to_owned(),
        (Some(Verdict::TimeLimitExceeded), _) => "took longer than it may".to_owned(),
        (_, Exit::Code(code)) => format!("exit code {code}"),
        (_, Exit::Signal(signal)) => format!("signal {signal}"),
        (_, Exit::Killed(limit)) => format!("stopped at its {limit:?} limit"),
        (_, Exit::Cancelled) => "stopped".to_owned(),
    };
    let said = read_start(&mut program_runner.stderr, SAID).unwrap_or_default();
    Ok(Err(format!("{how}\n{}", printable(&said))
        .trim_end()
        .to_owned()))
}
