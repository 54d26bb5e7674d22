//! The arguments of the commands that judge; the comments are the help texts.

mod checking;
mod judging;
mod nats;
pub mod parse;
mod preprocessor;

pub use checking::CheckingArgs;
pub use judging::{Clock, Color, Format, JudgingArgs, RunningArgs, SandboxChoice};
pub use nats::{NatsAccess, NatsArgs};
pub use preprocessor::PreprocessorArgs;

use clap::Args;
use std::path::PathBuf;

/// Options that would do nothing with `--debug` and `--gdb`, which judge nothing.
const NO_DEBUGGING: [&str; 6] = ["bins", "repeat", "keep", "json", "junit", "html"];

/// Options that would do nothing with `--by-hand`.
const NOT_BY_HAND: [&str; 8] = [
    "bins", "repeat", "keep", "json", "junit", "html", "debug", "gdb",
];

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Ids of packages in `testdata/`, paths of packages, and programs.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub packages: Vec<String>,

    /// Judge every binary target of the workspace crate, and compare them in a table.
    #[arg(long, conflicts_with = "submissions")]
    pub bins: bool,

    /// Print only what is not accepted.
    #[arg(long, hide = true)]
    pub brief: bool,

    /// How outputs are compared.
    #[command(flatten)]
    pub checking: CheckingArgs,

    /// Run everything this number of times: each case has the median time, and a verdict other
    /// than AC if any of its runs has one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeat: u16,

    /// Run one case outside the sandbox, with the case's input and the streams of the terminal. A
    /// C, C++ or Rust program is built with debug symbols; C and C++ also with the sanitizers for
    /// addresses and undefined behaviour. Other programs run as they are.
    #[arg(long, conflicts_with_all = NO_DEBUGGING)]
    pub debug: bool,

    /// Like `--debug`, under gdb and without sanitizers.
    #[arg(long, conflicts_with_all = NO_DEBUGGING)]
    pub gdb: bool,

    /// Play one side of an interactive problem at the terminal, outside the sandbox and on one case:
    /// without a program the submission, with one the interactor that the program talks to.
    #[arg(long, conflicts_with_all = NOT_BY_HAND)]
    pub by_hand: bool,

    /// Leave the input, the output, the answer and the standard error of every case that is not
    /// accepted in this directory, as `PACKAGE/SUBMISSION/CASE.in`, `.out`, `.ans` and `.err`.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Do not record the run for `judge history`.
    #[arg(long)]
    pub no_history: bool,

    /// Judge this case before all others.
    #[arg(long, value_name = "CASE", hide = true)]
    pub first: Option<String>,

    /// The user's command, if another one than `judge run`: it repeats the run.
    #[arg(skip)]
    pub again: Option<String>,

    /// The source file that is judged in place of the named program: a bundle of it.
    #[arg(skip)]
    pub bundle: Option<PathBuf>,

    /// Arguments shared by `run` and `verify`.
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// Arguments of `verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Ids of packages in `testdata/`, or paths of package directories.
    #[arg(value_name = "PACKAGE")]
    pub packages: Vec<String>,

    /// Run every case of every submission, even after the failure at which judging would stop.
    #[arg(long)]
    pub all_cases: bool,

    /// Leave out the checks that take long: junk and changed data for the validators, bounds that no case
    /// reaches, what the submissions do not show.
    #[arg(long)]
    pub quick: bool,

    /// Arguments shared by `run` and `verify`.
    #[command(flatten)]
    pub judging: JudgingArgs,
}
