//! `judge serve`, `judge worker`, `judge submit`, and `judge run` and `judge verify` with `--nats`: run the
//! command `judge-server`, a program of its own so that the judge needs no web server and no NATS.

use judge_core::error::Failure;
use judge_core::language::search;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// The program's name.
const PROGRAM: &str = "judge-server";

/// Replaces this process by `judge-server COMMAND ARGS...`; returns only if that fails. `shown` is
/// the command in the error.
pub fn execute(shown: &str, command: &str, args: &[OsString]) -> Result<u8, Failure> {
    let program = find().ok_or_else(|| {
        Failure::usage(format!(
            "`judge {shown}` needs the program {PROGRAM}, which is neither beside `judge` nor in PATH"
        ))
        .help("run `make serve` in the workspace, or `cargo install --path judge/server`")
    })?;
    let mut server = Command::new(&program);
    let error = judge_os::replace_process(server.arg(command).args(args), "judge");
    Err(failed(&program, &error))
}

/// Executes `judge-server` with the arguments of this process; returns only if that fails.
pub fn hand_over(command: &str) -> Result<u8, Failure> {
    // The program's name, and that of the command.
    let rest: Vec<_> = std::env::args_os().skip(2).collect();
    execute(&format!("{command} --nats"), command, &rest)
}

/// The program beside this one, which has the same version; otherwise that in `PATH`.
fn find() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let beside = own.with_file_name(PROGRAM);
    search(&beside.to_string_lossy()).or_else(|| search(PROGRAM))
}

fn failed(program: &std::path::Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot execute {}: {error}", program.display()))
}
