//! The `judge-server` command.
#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use judge_server::start::{ServeArgs, start};
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
}

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("JUDGE_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    let Command::Serve(args) = Cli::parse().command;
    match start(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
