//! The command-line arguments; the comments are the help texts.

use crate::package::input::units::MAX_SECONDS;
use clap::{Args, Parser, Subcommand, ValueEnum};
use judge_sandbox::Mode;
use std::path::PathBuf;
use std::time::Duration;

/// Judge programs over problem packages, as an online judge would.
#[derive(Parser, Debug)]
#[command(name = "judge", version, propagate_version = true)]
#[command(after_help = "\
Exit status: 0 every submission got what was expected, 1 some did not, 2 usage or a broken package,
3 the judge itself failed, 130 interrupted.")]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
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
  judge run sol.cpp --json before.json   for `judge compare`")]
    Run(RunArgs),
    /// Check packages: submissions against their expected verdicts, data against the validators,
    /// and the files against the format.
    #[command(after_help = "\
Examples:
  judge verify                    every package of the workspace
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
  judge gen luogup1784
  judge gen --check               is the data of every package up to date?
  judge gen luogup1784 --seed 2   other random data")]
    Gen(GenArgs),
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
    /// Executes `judge-server submit` with the same arguments; `judge submit --help` lists them.
    #[command(
        disable_help_flag = true,
        after_help = "\
Examples:
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
    pub args: Vec<std::ffi::OsString>,
}

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

    /// Use this checker instead of the package's: a program or source file that is called like
    /// testlib's and oj's, `CHECKER INPUT OUTPUT ANSWER`, and exits with 0 if the output is right,
    /// 1 if it is wrong.
    #[arg(long, value_name = "CHECKER")]
    pub checker: Option<PathBuf>,

    /// Run everything this number of times: each case has the median time, and a verdict other
    /// than AC if any of its runs has one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeat: u16,

    /// Run one case outside the sandbox, with the case's input and the streams of the terminal. A
    /// C, C++ or Rust program is built with debug symbols; C and C++ also with the sanitizers for
    /// addresses and undefined behaviour. Other programs run as they are.
    #[arg(long, conflicts_with = "bins")]
    pub debug: bool,

    /// Like `--debug`, under gdb and without sanitizers.
    #[arg(long, conflicts_with = "bins")]
    pub gdb: bool,

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

    /// Arguments shared by `run` and `verify`.
    #[command(flatten)]
    pub judging: JudgingArgs,
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

/// Arguments of `history`.
#[derive(Args, Debug)]
pub struct HistoryArgs {
    /// List the runs over this package, or those of this program.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub name: Option<String>,

    /// Number of runs to list of each program.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub number: usize,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// Arguments of `watch`.
#[derive(Args, Debug)]
pub struct WatchArgs {
    /// Ids of packages in `testdata/`, paths of packages, and programs, as for `judge run`.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub packages: Vec<String>,

    /// An executable, a source file or a directory of sources to judge; repeatable.
    #[arg(short, long = "submission", value_name = "PATH")]
    pub submissions: Vec<PathBuf>,

    /// The language of the programs, such as python3 or cpp14.
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,

    /// Number of cases to run at once; at most the number of cores.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// CPU-time limit per case in seconds, instead of the package's.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
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

    /// Arguments shared by `run` and `verify`.
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// Arguments of `stress`.
#[derive(Args, Debug)]
pub struct StressArgs {
    /// A package (an id in `testdata/`, or a path), the program to test, the reference and the
    /// generator, in this order; each is optional.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub names: Vec<String>,

    /// The reference program: a file, a binary of the problem's crate, or a submission of the
    /// package such as `accepted/slow.py`. By default `brute.*`, `naive.*`, `slow.*` or
    /// `reference.*` beside the program to test.
    #[arg(long, value_name = "REF")]
    pub against: Option<String>,

    /// The program or source file that prints a random input, with its arguments; `{seed}` in them
    /// is replaced by the trial's seed (it is added if absent). By default `gen.*` or `generator.*`
    /// beside the program to test.
    #[arg(long, value_name = "CMD")]
    pub generator: Option<String>,

    /// Use this checker instead of the package's; see `judge run --help`.
    #[arg(long, value_name = "CHECKER")]
    pub checker: Option<PathBuf>,

    /// How long to search, such as `60s` or `5m`.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub time: Duration,

    /// The seed of the first trial.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Save the input that was found, shrunk and original, as cases of this group, such as
    /// `secret/`; without a package, the group is ignored and the
    /// directory is `test/`.
    #[arg(long, value_name = "GROUP")]
    pub save: Option<String>,

    /// Search for the input on which the submission is slowest, instead of a difference.
    #[arg(long)]
    pub slowest: bool,

    /// Arguments shared with `run`.
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// Arguments of `new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The new problem's name: lower-case letters and digits, such as `poj3074`. Optional with
    /// `--listen` or `--url`: the address suggests one.
    #[arg(value_name = "ID", required_unless_present_any = ["listen", "url"])]
    pub id: Option<String>,

    /// Copy the crate of this problem of the workspace, and its package unless another option gives
    /// one. Without it, a skeleton program is created, and the sample is left to write unless
    /// given.
    #[arg(long, value_name = "ID")]
    pub like: Option<String>,

    /// Start from this package: a directory or a zip in any supported format.
    #[arg(long, value_name = "PACKAGE", conflicts_with_all = ["samples", "listen"])]
    pub from: Option<PathBuf>,

    /// Start from these samples: each input file, followed by its answer file.
    #[arg(long, value_name = "FILE", num_args = 2.., conflicts_with = "listen")]
    pub samples: Vec<PathBuf>,

    /// Wait for the browser extension Competitive Companion to send the problem.
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10043"
    )]
    pub listen: Option<u16>,

    /// The address of the problem's statement, for its `problem.yaml`.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,

    /// Create plain folders below DIR, without a workspace: samples in `DIR/A/test/`, and the
    /// program. A folder is named after the problem's letter, or else as ID would be.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["like", "from"])]
    pub into: Option<PathBuf>,

    /// With `--into`: copy this file as the program `main`; without it, `template.*` in DIR.
    #[arg(long, value_name = "FILE", requires = "into")]
    pub template: Option<PathBuf>,
}

/// Arguments of `gen`.
#[derive(Args, Debug)]
pub struct GenArgs {
    /// Ids of packages in `testdata/`, or paths of package directories; without any: every package
    /// of the workspace with a `generators/generators.yaml`.
    #[arg(value_name = "PACKAGE")]
    pub packages: Vec<String>,

    /// Change nothing; check whether the data is up to date.
    #[arg(long)]
    pub check: bool,

    /// Generate other random data: this number changes every `{seed}`. By default, the seeds are
    /// BAPCtools'.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How much isolation to ask for.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,

    /// A table of languages that overrides the built-in one.
    #[arg(long, value_name = "FILE")]
    pub languages: Option<PathBuf>,
}

/// Arguments shared by `run` and `verify`.
#[derive(Args, Debug)]
pub struct JudgingArgs {
    /// An executable, a source file or a directory of sources to judge; repeatable.
    #[arg(short, long = "submission", value_name = "PATH")]
    pub submissions: Vec<PathBuf>,

    /// The language of the submissions, instead of detecting it: a code of the table of languages,
    /// with a number for another standard, such as cpp14.
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,

    /// Judge only the cases whose name matches, such as `secret/*` or `*hard*`.
    #[arg(long, value_name = "GLOB")]
    pub case: Option<String>,

    /// Judge only the samples.
    #[arg(long)]
    pub sample: bool,

    /// Number of cases to run at once; at most the number of cores.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// CPU-time limit per case in seconds, instead of the package's.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,

    /// Memory limit in MiB, instead of the package's.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory: Option<u64>,

    /// What to print on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Also write the events to a file, one JSON object per line, like `--format json`.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Also write a JUnit report.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Also write an HTML report.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Stop judging a submission at the first case that is not accepted.
    #[arg(long)]
    pub fail_fast: bool,

    /// How much isolation to ask for.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,

    /// What the time limit measures.
    #[arg(long, value_enum, default_value_t = Clock::Cpu)]
    pub clock: Clock,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,

    /// Print a line for every case, however many, and details of every failed one.
    #[arg(short, long)]
    pub verbose: bool,

    /// A table of languages that overrides the built-in one.
    #[arg(long, value_name = "FILE")]
    pub languages: Option<PathBuf>,
}

/// Arguments of `bundle`.
#[derive(Args, Debug)]
pub struct BundleArgs {
    /// The id of a problem, the path of a crate, or a C++ program.
    #[arg(value_name = "ID")]
    pub id: String,

    /// The target of the file: rust, nowcoder, leetcode or cpp.
    #[arg(long, value_name = "TARGET", default_value = "rust")]
    pub to: String,

    /// The binary target, instead of the main one.
    #[arg(long, value_name = "NAME")]
    pub bin: Option<String>,

    /// The Rust edition, instead of the crate's.
    #[arg(long, value_name = "YEAR")]
    pub edition: Option<String>,

    /// Output file or directory; ID.rs or ID.cpp in the current directory by default, and
    /// NAME-bundle.cpp beside a C++ program. An existing
    /// bundle is replaced, any other file only with `--force`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace any existing file.
    #[arg(long)]
    pub force: bool,

    /// Make the file small rather than readable.
    #[arg(long)]
    pub minify: bool,

    /// Write nothing; check whether FILE, or the one in this directory, is up to date.
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,

    /// Also copy the file to the clipboard.
    #[arg(long, conflicts_with = "check")]
    pub copy: bool,

    /// Do not judge the file over the package's cases; only compile it alone.
    #[arg(long)]
    pub no_judging: bool,
}

/// Arguments of `doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// What to print on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// Formats for standard output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Text tables.
    Human,
    /// One JSON object per line, one per event.
    Json,
    /// Annotations for GitHub Actions: compile errors and failed cases of unexpected submissions.
    Github,
}

/// Requested isolation.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SandboxChoice {
    /// Every layer that this machine offers.
    Auto,
    /// Every layer, or refuse to run.
    Strict,
    /// None: only for programs you trust.
    None,
}

impl From<SandboxChoice> for Mode {
    fn from(choice: SandboxChoice) -> Self {
        match choice {
            SandboxChoice::Auto => Mode::Auto,
            SandboxChoice::Strict => Mode::Strict,
            SandboxChoice::None => Mode::None,
        }
    }
}

/// What the time limit measures.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// CPU time of the whole tree of processes.
    Cpu,
    /// Instructions retired, at a fixed number per second: the same figure on every run and
    /// machine.
    Instructions,
}

/// Whether output is coloured.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// If standard output is a terminal; NO_COLOR and CLICOLOR_FORCE override that.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds, such as 1.5".to_owned())?;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err("expected 0.001 to 86400 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.trim_end_matches(|c: char| c.is_ascii_alphabetic()) {
        number if number.len() == text.len() => (number, "s"),
        number => (number, &text[number.len()..]),
    };
    let factor = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 60s, 5m or 1h".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a time such as 60s, 5m or 1h".to_owned())?;
    match number * factor {
        seconds if (0.0..=MAX_SECONDS).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected 0 to 30 days".to_owned()),
    }
}
