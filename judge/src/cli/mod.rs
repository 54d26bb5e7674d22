//! The command-line interface.

pub mod args;
mod bundle;
mod clipboard;
mod doctor;
mod generate;
mod interruptible_writer;
mod new;
mod output;
mod process_group;
mod run;
mod save;
mod select;
mod stress;
mod verify;
mod watch;

use crate::error::Failure;
use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // clap prints help to standard output, errors to standard error.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let result = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Verify(args) => verify::verify(args),
        Command::Watch(args) => watch::watch(args),
        Command::Stress(args) => stress::stress(args),
        Command::Bundle(args) => bundle::bundle(args),
        Command::New(args) => new::new(args),
        Command::Gen(args) => generate::generate(args),
        Command::Doctor(args) => doctor::doctor(args),
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.exit_status())
        }
    }
}

fn report(failure: &Failure) {
    use std::io::Write;
    // The message may contain untrusted text of a package.
    let text = crate::text::printable(failure.to_string().as_bytes());
    // Not `eprintln!`, which panics if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}
