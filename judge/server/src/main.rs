//! The `judge-server` command.
#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use judge_server::start::{ServeArgs, start};
use judge_server::submit::{SubmitArgs, submit};
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Serves problems to many users.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Submit in the browser, watch the verdict come
    Serve(ServeArgs),
    /// Submit a program to a server, and print its verdicts
    Submit(SubmitArgs),
}

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("JUDGE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let done = match Cli::parse().command {
        Command::Serve(args) => start(&args).map(|()| 0),
        Command::Submit(args) => submit(&args),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
