//! The command-line arguments; the comments are the help texts.

mod problems;

pub use problems::{
    BundleArgs, ContestArgs, Engine, ExportArgs, GenArgs, NewArgs, StatementArgs, StressArgs,
    UpgradeArgs,
};

use clap::{Args, Parser, Subcommand};
use judge_core::error::Failure;
use judge_session::args::{
    CheckingArgs, Color, Format, RunArgs, RunningArgs, SandboxChoice, VerifyArgs,
};
use std::ffi::OsString;
use std::path::PathBuf;

/// Judge programs over problem packages, as an online judge would.
#[derive(Parser, Debug)]
#[command(name = "judge", version, propagate_version = true)]
#[command(after_help = "\
Start: save the samples of a problem as test/1.in and test/1.out, your program beside test/, and type
  judge run sol.cpp                      its verdict on every sample, and what is wrong
  judge watch sol.cpp                    the same whenever you save
  judge stress sol.cpp brute.cpp gen.py  a small input on which two programs differ

Exit status: 0 every submission got what was expected, 1 some did not, 2 usage or a broken package,
3 the judge or its machine failed, 130 interrupted.")]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The arguments of one command, from words as a user would write them; the first one is the command.
/// Fails when the command does not take these words.
pub fn parsed<A: Args>(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<A, Failure> {
    let matches = A::augment_args(clap::Command::new("judge")).try_get_matches_from(words);
    let parsed = matches.and_then(|matches| A::from_arg_matches(&matches));
    parsed.map_err(|e| Failure::internal(e.to_string()))
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run submissions over the test cases of packages.
    ///
    /// A name is, in this order: the id of a package in the workspace's `testdata/`; a directory or
    /// a zip archive with a package; any other file, which is a program. Write `./NAME` for a file
    /// with the name of an id, and `-s DIR` for a directory of sources.
    ///
    /// The cases of a program without PACKAGE: those of the package that its directory is part of
    /// (`problem.yaml`, `init.yml` or `info.toml` there or above); or else the pairs, such as
    /// `1.in` and `1.out`, in its directory or in `test/`, `tests/` or `samples/` there; or else
    /// the same in the current directory.
    ///
    /// Without any name: the package or the cases of the current directory, and its newest source
    /// file; if there are none, every package of the workspace. A package without a program is
    /// judged with the workspace's crate of its id, built with cargo; or else with its
    /// `submissions/accepted/`.
    #[command(after_help = "\
Examples:
  judge run                              the newest source file here, over test/ or the package
  judge run sol.cpp                      sol.cpp, over the cases beside it
  judge run luogup1784                   a package of the workspace, with its crate
  judge run spring.zip sol.py sol2.cpp   two programs over a package
  judge run sol.cpp --case 'secret/1*' --time-limit 0.5 -j 1
  judge run sol.cpp --json before.json   for `judge compare`
  judge run spring.zip --nats nats://first:4222   on the machines of `judge worker`")]
    Run(RunArgs),
    /// Check packages: submissions against their expected verdicts, data against the validators,
    /// and the files against the format.
    #[command(after_help = "\
Examples:
  judge verify                    the package here, or every package of the workspace
  judge verify spring.zip         a package of any format
  judge verify . -s mine.cpp      one more submission, over the package here")]
    Verify(VerifyArgs),
    /// Judge again whenever a file changes: first the case that failed last, then the samples, then
    /// the rest. Names are those of `judge run`.
    #[command(after_help = "\
Examples:
  judge watch                     the newest source file here, whenever one is saved
  judge watch sol.cpp             over the cases beside it
  judge watch luogup1784          a package of the workspace, with its crate
  judge watch luogup1784 sol.cpp")]
    Watch(WatchArgs),
    /// Run random inputs until a program and a reference differ; shrink the input.
    ///
    /// Takes a package, the program to test, a reference and a generator, in this order; each may
    /// be missing. The package of a program is found as by `judge run`; a folder without cases is
    /// compared token by token, under a limit of 10 seconds. Without a program: the package's own,
    /// or the newest source file here. The generator is given the seed as its last argument, or
    /// where its command has `{seed}`.
    #[command(after_help = "\
Examples:
  judge stress sol.cpp brute.cpp gen.py
  judge stress sol.cpp brute.cpp 'gen.py 10 {seed}' --save test
  judge stress                    the newest source file here, brute.* and gen.* beside it
  judge stress luogup1784 -s fast.cpp --against accepted/slow.py --generator gen.py")]
    Stress(StressArgs),
    /// Bundle a workspace crate, or a C++ program and its own headers, into one file to submit;
    /// compile that file alone and judge it.
    ///
    /// In a C++ program, each `#include "FILE"` is replaced by the file, if it exists; the result
    /// is judged over the cases that `judge run` finds for the program.
    #[command(after_help = "\
Examples:
  judge bundle luogup1784                    luogup1784.rs, to paste as Rust
  judge bundle nowcodernc47 --to nowcoder    the function that the site calls
  judge bundle uva1309 --to cpp -o uva.cpp   C++ around machine code
  judge bundle sol.cpp                       sol-bundle.cpp, with the headers of your own
  judge bundle luogup1784 --check old.rs     is old.rs up to date?")]
    Bundle(BundleArgs),
    /// Create a new problem: from another problem, a package, samples, or the browser.
    ///
    /// Writes the crate `problems/ID` and the package `testdata/ID`, ready to compile and judge,
    /// and lists what to fill in. Existing files are not changed.
    #[command(after_help = "\
Examples:
  judge new poj3074
  judge new poj3074 --like luogup1784 --samples 1.in 1.ans
  judge new spring --from spring.zip
  judge new --listen              from the browser's extension Competitive Companion
  judge new --listen --into .     a problem or a contest as plain folders, each with template.*")]
    New(NewArgs),
    /// Generate a package's data from its `generators/generators.yaml`.
    ///
    /// The file has BAPCtools' format. Only what changed is generated again; the data is replaced
    /// in one step when everything is generated and checked.
    #[command(after_help = "\
Examples:
  judge gen                       the package here, or every package of the workspace
  judge gen luogup1784
  judge gen --check               is the data up to date?
  judge gen luogup1784 --seed 2   other random data")]
    Gen(GenArgs),
    /// Show the times of a package's submissions and the time limit that follows from them by the rule of
    /// its format; `--write` writes it into the package.
    #[command(after_help = "\
Examples:
  judge limits                    the package here, or every package of the workspace
  judge limits spring --write     with the comments of its problem.yaml kept
  judge limits spring --reference what the limit would be on the reference machine")]
    Limits(LimitsArgs),
    /// Write a package in the format of another judge.
    ///
    /// Converts data, limits, groups and points, checkers and interactors, validators, statements and
    /// submissions. What the format cannot express is listed on standard error; docs/export.md has a
    /// table. The result appears in one step, complete or not at all.
    #[command(after_help = "\
Examples:
  judge export spring.zip --to dmoj -o spring-dmoj.zip
  judge export luogup1784 --to polygon -o polygon/
  judge export . --to icpc-2025-09 -o ../new.zip --strict")]
    Export(ExportArgs),
    /// Rewrite a package of the ICPC format's version legacy as 2025-09, in place.
    ///
    /// Renames directories and files, converts the settings, keeps comments, and lists what to check by
    /// hand. The package is replaced in one step when everything is converted.
    #[command(after_help = "\
Examples:
  judge upgrade                   the package here
  judge upgrade spring            shows what to check by hand; see the changes with git diff")]
    Upgrade(UpgradeArgs),
    /// Write the statement of a package as HTML or PDF, with limits, samples and images.
    #[command(after_help = "\
Examples:
  judge statement                 the package here, as HTML
  judge statement luogup1784 --pdf statement.pdf
  judge statement luogup1784 --pdf statement.pdf --engine latex
  judge statement . --language sv --html sv.html --watch")]
    Statement(StatementArgs),
    /// Verify the problems of a contest, and make their booklet.
    ///
    /// The directory has a `contest.yaml`; the problems are listed there, in `problems.yaml` or
    /// `problemset.yaml` (`id`, `label`, `color`, `rgb`), or are the packages in the directory.
    #[command(after_help = "\
Examples:
  judge contest                   verify all problems, and count their solutions
  judge contest finals --pdf booklet.pdf --no-verify")]
    Contest(ContestArgs),
    /// Compare two runs: changed verdicts, and times with an interval.
    ///
    /// The files are those of `judge run --json FILE`. Submissions of the same name are compared,
    /// or the only one of a package in each run. A ratio of times is the geometric mean over the
    /// cases with the same verdict; its interval is a bootstrap at 99 %. Times that differ less are
    /// called noise: measure them with `judge run --repeat 10`. Runs with `--clock instructions`
    /// are compared by instructions.
    ///
    /// The exit status is 1 if a submission or a case that was accepted is not any more.
    #[command(after_help = "\
Examples:
  judge run sol.cpp --repeat 10 --json before.json
  judge run sol.cpp --repeat 10 --json after.json
  judge compare before.json after.json")]
    Compare(CompareArgs),
    /// List earlier runs: verdicts, times, and whether a program became slower.
    ///
    /// `judge run` records every complete run in `$XDG_STATE_HOME/judge/history.jsonl` (by default
    /// in `~/.local/state`), unless `--no-history` is given.
    #[command(after_help = "\
Examples:
  judge history                   every program that was judged
  judge history luogup1784        the runs over a package
  judge history sol.cpp -n 50     the last 50 runs of a program")]
    History(HistoryArgs),
    /// Remove the caches: compiled programs, generated data, packages of workers.
    ///
    /// Files that a running judge or worker uses stay. Languages, headers and the data of `judge serve`
    /// are yours and are never removed.
    #[command(after_help = "\
Examples:
  judge clean                     frees up to 4 GiB; programs are compiled again
  judge clean --history           also forgets earlier runs")]
    Clean(CleanArgs),
    /// Show what this machine can isolate and measure, and how to get what is missing.
    #[command(after_help = "\
Examples:
  judge doctor
  judge doctor --format json")]
    Doctor(DoctorArgs),
    /// Serve problems in the browser: submit, watch the verdict come, hold contests.
    ///
    /// Executes `judge-server serve` with the same arguments; `judge serve --help` lists them.
    #[command(
        disable_help_flag = true,
        after_help = "\
Examples:
  judge serve                     every package of the workspace
  judge serve spring.zip --listen 0.0.0.0:8080 --data /srv/judge"
    )]
    Serve(ServerArgs),
    /// Judge the submissions of servers on other machines.
    ///
    /// Executes `judge-server worker` with the same arguments; `judge worker --help` lists them.
    #[command(
        disable_help_flag = true,
        after_help = "\
Examples:
  judge worker --nats nats://judge.example.org:4222
  judge worker --nats tls://judge.example.org:4222 --nkey worker.seed --ca ca.pem --name fast-1"
    )]
    Worker(ServerArgs),
    /// Submit a program to a server, and print its verdicts.
    ///
    /// Executes `judge-server submit` with the same arguments; `judge submit --help` lists them. With
    /// `--open` it submits nothing, but prepares submitting by hand to any other site: the file that
    /// `judge bundle` makes is on the clipboard, and the problem's page is open.
    #[command(
        disable_help_flag = true,
        after_help = "\
Examples:
  judge submit --open sol.cpp      to any site: the bundle on the clipboard, the page in the browser
  judge submit luogup1784.cpp --server http://localhost:8080
  judge submit sol.py --problem luogup1784 --server https://judge.example.org"
    )]
    Submit(ServerArgs),
}

/// Arguments of a command of `judge-server`, which reads them.
#[derive(Args, Debug)]
pub struct ServerArgs {
    /// Arguments of the command.
    #[arg(
        value_name = "ARG",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub args: Vec<OsString>,
}

/// Arguments of `compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The events of the first run.
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,

    /// The events of the second run.
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// Arguments of `limits`.
#[derive(Args, Debug)]
pub struct LimitsArgs {
    /// Ids of packages in `testdata/`, or paths of package directories.
    #[arg(value_name = "PACKAGE")]
    pub packages: Vec<String>,

    /// Write the limit into the package: `problem.yaml`, or `.timelimit` of a legacy package.
    #[arg(long)]
    pub write: bool,

    /// Measure this machine, and show the limit on the reference machine of `judge doctor
    /// --calibrate`.
    #[arg(long)]
    pub reference: bool,

    /// How much isolation to ask for.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,

    /// A table of languages that overrides the built-in one.
    #[arg(long, value_name = "FILE")]
    pub languages: Option<PathBuf>,

    /// Whether to colour the progress line.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// Arguments of `history`.
#[derive(Args, Debug)]
pub struct HistoryArgs {
    /// List the runs over this package, or those of this program.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub name: Option<String>,

    /// Number of runs to list of each program.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub number: u32,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// Arguments of `clean`.
#[derive(Args, Debug)]
pub struct CleanArgs {
    /// Also remove the history of runs, which `judge history` lists.
    #[arg(long)]
    pub history: bool,
}

/// Arguments of `watch`.
#[derive(Args, Debug)]
pub struct WatchArgs {
    /// Ids of packages in `testdata/`, paths of packages, and programs, as for `judge run`.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub packages: Vec<String>,

    /// How outputs are compared.
    #[command(flatten)]
    pub checking: CheckingArgs,

    /// Arguments shared with `run`.
    #[command(flatten)]
    pub running: RunningArgs,
}

/// Arguments of `doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Measure how fast this machine is instead, by a fixed program in the sandbox, and compare it
    /// with a reference. Takes some seconds; meaningful while nothing else runs.
    #[arg(long)]
    pub calibrate: bool,

    /// Write the measured times to this file, to compare other machines with this one.
    #[arg(long, value_name = "FILE", requires = "calibrate")]
    pub save: Option<PathBuf>,

    /// Compare with the times in this file, which another machine saved. Repeatable.
    #[arg(long, value_name = "FILE", requires = "calibrate")]
    pub compare: Vec<PathBuf>,

    /// Format of standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}
