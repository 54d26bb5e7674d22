//! Tries whether programs of a language can be built and run on this machine.

use super::diagnosis::explain::tail;
use crate::language::{Language, Toolchain};
use crate::program_runner::{ProgramRunner, Run, Stdin};
use crate::verdict::ending;
use judge_sandbox::{Exit, Fault, Limits, Mode};
use std::time::Duration;

/// Why the minimal program of an installed language cannot be built or does not end well; `None` if
/// it does, or the language has none.
pub fn try_language(toolchain: &Toolchain, code: &str, language: &Language) -> Option<String> {
    try_it(toolchain, code, language).unwrap_or_else(|fault| Some(fault.to_string()))
}

fn try_it(toolchain: &Toolchain, code: &str, language: &Language) -> Result<Option<String>, Fault> {
    let Some(prepared) = toolchain.build_minimal(code, language)? else {
        return Ok(None);
    };
    let program = match prepared.program() {
        Ok(program) => program,
        Err(message) => return Ok(Some(message.to_owned())),
    };
    let limits = Limits {
        cpu: Some(Duration::from_secs(30)),
        wall: Duration::from_secs(60),
        memory: Some(2 << 30),
        processes: Some(64 + program.runtime_threads),
        ..Limits::default()
    };
    let mut runner = ProgramRunner::new(Mode::Auto, None);
    let run = Run::<String>::helper(&[], Stdin::Empty, &limits);
    let ran = runner.run(program, &run)?;
    if ran.execution.exit == Exit::Code(0) {
        return Ok(None);
    }
    let said = tail(&ran.stderr, program).unwrap_or_default();
    let failure = format!("{}\n{said}", ending(ran.execution.exit));
    Ok(Some(failure.trim_end().to_owned()))
}
