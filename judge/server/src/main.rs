//! The `judge-server` command.
#![forbid(unsafe_code)]

use clap::{Parser, Subcommand, ValueEnum};
use judge_server::elsewhere;
use judge_server::start::{ServeArgs, ServerCommand, start};
use judge_server::submit::{SubmitArgs, submit};
use judge_server::worker_process::{WorkerArgs, work};
use judge_session::args::{RunArgs, VerifyArgs};
use judge_session::exit_code;
use std::io::IsTerminal;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Serves problems to many users.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
The variable JUDGE_LOG filters the log: error, warn, info (default), debug (every request), or
TARGET=LEVEL,... as in the crate tracing-subscriber."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Format of the log, which is written to standard error
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// Lines to read
    Text,
    /// An object per line
    Json,
}

#[derive(Subcommand)]
enum Command {
    /// Submit in the browser, watch the verdict come
    Serve(ServeArgs),
    /// Judge the submissions of servers on other machines
    Worker(WorkerArgs),
    /// Submit a program to a server, and print its verdicts
    Submit(SubmitArgs),
    /// Like `judge run`, on the machines of `judge worker`
    Run(RunArgs),
    /// Like `judge verify`, on the machines of `judge worker`
    Verify(VerifyArgs),
    #[command(flatten)]
    About(ServerCommand),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let level = match &cli.command {
        // The reports of a command say what happens.
        Command::Run(_) | Command::Verify(_) => "warn",
        // The connection to NATS logs its own state.
        _ => "info,async_nats=warn",
    };
    let filter = EnvFilter::try_from_env("JUDGE_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    match cli.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    exit_code(match &cli.command {
        Command::Serve(args) => start(args),
        Command::Worker(args) => work(args).map(|()| 0),
        Command::Submit(args) => submit(args),
        Command::Run(args) => elsewhere::run(args),
        Command::Verify(args) => elsewhere::verify(args),
        Command::About(command) => command.run(),
    })
}
