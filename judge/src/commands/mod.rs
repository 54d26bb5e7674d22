//! The command-line interface.

pub mod args;
mod bundle;
mod bundle_program;
mod calibrate;
mod clean;
mod clipboard;
mod compare;
mod contest;
mod doctor;
mod export;
mod generate;
mod history;
mod limits;
mod listen;
mod new;
mod new_folder;
mod open;
mod print;
mod save;
mod server;
mod statement;
mod stress;
mod suggest;
mod upgrade;
mod watch;

use args::{Cli, Command};
use clap::Parser;
use judge_core::error::exit_status;
use judge_session::{exit_code, output, run, verify};
use judge_tempdir::TempDirectory;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            suggest::suggest(&mut error);
            // clap prints help to standard output, errors to standard error.
            let printed = error.print().and_then(|()| io::stdout().flush());
            return match printed {
                _ if error.use_stderr() => ExitCode::from(exit_status::USAGE),
                Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                    exit_code(Err(output::unwritten(&e)))
                }
                _ => ExitCode::from(exit_status::AS_EXPECTED),
            };
        }
    };
    TempDirectory::on_slow_removal(|place| {
        output::say(&format!(
            "note: removing what killed judges left in {}, in the background",
            place.display()
        ));
    });
    let result = match &cli.command {
        Command::Run(args) if args.judging.nats.nats.is_some() => server::hand_over("run"),
        Command::Verify(args) if args.judging.nats.nats.is_some() => server::hand_over("verify"),
        Command::Run(args) => run::run(args),
        Command::Verify(args) => verify::verify(args),
        Command::Watch(args) => watch::watch(args),
        Command::Stress(args) => stress::stress(args),
        Command::Bundle(args) if bundle_program::is_program(args) => bundle_program::bundle(args),
        Command::Bundle(args) => bundle::bundle(args),
        Command::New(args) => new::new(args),
        Command::Gen(args) => generate::generate(args),
        Command::Limits(args) => limits::limits(args),
        Command::Export(args) => export::export(args),
        Command::Upgrade(args) => upgrade::upgrade(args),
        Command::Statement(args) => statement::statement(args),
        Command::Contest(args) => contest::contest(args),
        Command::Compare(args) => compare::compare(args),
        Command::History(args) => history::history(args),
        Command::Clean(args) => clean::clean(args),
        Command::Doctor(args) if args.calibrate => calibrate::calibrate(args),
        Command::Doctor(args) => doctor::doctor(args),
        Command::Serve(args) => server::execute("serve", "serve", &args.args),
        Command::Worker(args) => server::execute("worker", "worker", &args.args),
        Command::Submit(args) if open::is_wanted(&args.args) => open::open(&args.args),
        Command::Submit(args) => server::execute("submit", "submit", &args.args),
    };
    exit_code(result)
}
