//! The command line, as `judge --help` shows it.

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
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run submissions over the test cases of packages.
    ///
    /// Without PACKAGE: every package below the workspace's `testdata/`. Without `--submission`:
    /// the workspace crate of the package's id, built with cargo; where there is none, the
    /// package's `submissions/accepted/`.
    Run(RunArgs),
    /// Check packages: every submission against its expected verdict, every validator over the
    /// data, and what the format calls an error.
    Verify(VerifyArgs),
    /// Judge again whenever a file is saved: the case that failed last, the samples, the rest.
    Watch(WatchArgs),
    /// Run random inputs until a submission and a reference differ; shrink the input.
    Stress(StressArgs),
    /// Make one file to submit out of a workspace crate, proved by compiling it alone and judging it.
    Bundle(BundleArgs),
    /// Start a new problem: as a copy of another one, from a package, from samples, or from the
    /// browser.
    ///
    /// Writes the crate `problems/ID` and the package `testdata/ID`, which compile and are judged
    /// at once, and says what to fill in. Nothing that exists is changed.
    New(NewArgs),
    /// Make a package's data from its `generators/generators.yaml`.
    ///
    /// The file is in BAPCtools' form. Only what changed is made again; the data is replaced in
    /// one step when everything is made and checked.
    Gen(GenArgs),
    /// Show what this machine can isolate and measure, and how to get what is missing.
    Doctor(DoctorArgs),
}

/// What `run` takes.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Ids of packages in `testdata/`, or paths of package directories.
    #[arg(value_name = "PACKAGE")]
    pub packages: Vec<String>,

    /// Judge every binary target of the workspace crate, and compare them in a table.
    #[arg(long, conflicts_with = "submissions")]
    pub bins: bool,

    /// Tell only of what is not accepted.
    #[arg(long, hide = true)]
    pub brief: bool,

    /// Let this checker decide instead of the package: a program or a source file that is called as
    /// testlib's and oj's are, `CHECKER INPUT OUTPUT ANSWER`, and exits with 0 where the output is
    /// right, with 1 where it is wrong.
    #[arg(long, value_name = "CHECKER")]
    pub checker: Option<PathBuf>,

    /// Judge this case before all others.
    #[arg(long, value_name = "CASE", hide = true)]
    pub first: Option<String>,

    /// What `run` and `verify` have in common.
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// What `watch` takes.
#[derive(Args, Debug)]
pub struct WatchArgs {
    /// Ids of packages in `testdata/`, or paths of package directories.
    #[arg(value_name = "PACKAGE", required = true)]
    pub packages: Vec<String>,

    /// An executable, a source file or a directory of sources to judge; repeatable.
    #[arg(short, long = "submission", value_name = "PATH")]
    pub submissions: Vec<PathBuf>,

    /// The language of what `--submission` names, such as python3 or cpp14.
    #[arg(long, value_name = "CODE", requires = "submissions")]
    pub language: Option<String>,

    /// How many cases run at once; at most the number of cores.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// CPU-time limit per case in seconds, instead of the package's.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
}

/// What `verify` takes.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Ids of packages in `testdata/`, or paths of package directories.
    #[arg(value_name = "PACKAGE")]
    pub packages: Vec<String>,

    /// Run every case of every submission, also behind the failure at which a real judge stops.
    #[arg(long)]
    pub all_cases: bool,

    /// What `run` and `verify` have in common.
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// What `stress` takes.
#[derive(Args, Debug)]
pub struct StressArgs {
    /// The id of a package in `testdata/`, or the path of a package directory.
    #[arg(value_name = "PACKAGE")]
    pub package: String,

    /// The program that is believed: a file, a binary of the problem's crate, or a submission of
    /// the package such as `accepted/slow.py`.
    #[arg(long, value_name = "REF")]
    pub against: String,

    /// The program or source file that prints a random input, with its arguments, in which
    /// `{seed}` stands for the trial's seed (it is added when it is not there).
    #[arg(long, value_name = "CMD")]
    pub generator: String,

    /// How long to try, such as `60s` or `5m`.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub time: Duration,

    /// The seed of the first trial.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Save the input that was found as a case of this group, such as `secret/`: shrunk, and as it was
    /// generated.
    #[arg(long, value_name = "GROUP")]
    pub save: Option<String>,

    /// Hunt the input on which the submission is slowest, instead of a difference.
    #[arg(long)]
    pub slowest: bool,

    /// What it has in common with `run`.
    #[command(flatten)]
    pub judging: JudgingArgs,
}

/// What `new` takes.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The new problem's name: lower-case letters and digits, such as `poj3074`. With `--listen`
    /// or `--url` it may be left out: the address suggests one.
    #[arg(value_name = "ID", required_unless_present_any = ["listen", "url"])]
    pub id: Option<String>,

    /// The problem of the workspace whose crate is copied, and its package where nothing else
    /// gives one. Without it the program and, where nothing gives one, the sample are still to be
    /// written.
    #[arg(long, value_name = "ID")]
    pub like: Option<String>,

    /// Begin with this package: a directory or a zip, of any format that is read.
    #[arg(long, value_name = "PACKAGE", conflicts_with_all = ["samples", "listen"])]
    pub from: Option<PathBuf>,

    /// Begin with these samples: each input's file, followed by its answer's.
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

    /// Where the new problem's statement is, for its `problem.yaml`.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}

/// What `gen` takes.
#[derive(Args, Debug)]
pub struct GenArgs {
    /// Ids of packages in `testdata/`, or paths of package directories; without one: every package
    /// of the workspace that has a `generators/generators.yaml`.
    #[arg(value_name = "PACKAGE")]
    pub packages: Vec<String>,

    /// Change nothing: say whether the data is as made.
    #[arg(long)]
    pub check: bool,

    /// Make other random data: goes into every `{seed}`. Without it, the seeds are BAPCtools'.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How much isolation to ask for.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,

    /// A table of languages that goes before the judge's own.
    #[arg(long, value_name = "FILE")]
    pub languages: Option<PathBuf>,
}

/// What `run` and `verify` have in common.
#[derive(Args, Debug)]
pub struct JudgingArgs {
    /// An executable, a source file or a directory of sources to judge; repeatable.
    #[arg(short, long = "submission", value_name = "PATH")]
    pub submissions: Vec<PathBuf>,

    /// The language of what `--submission` names, instead of what its files tell: a code of the
    /// table of languages, with a number for another standard, such as cpp14.
    #[arg(long, value_name = "CODE", requires = "submissions")]
    pub language: Option<String>,

    /// Judge only the cases whose name matches, such as `secret/*` or `*hard*`.
    #[arg(long, value_name = "GLOB")]
    pub case: Option<String>,

    /// Judge only the samples.
    #[arg(long)]
    pub sample: bool,

    /// How many cases run at once; at most the number of cores.
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

    /// Also write the events, one JSON object per line, as `--format json` prints them.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Also write a JUnit report.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Also write a page to look at in a browser.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Stop judging a submission at its first case that is not accepted.
    #[arg(long)]
    pub fail_fast: bool,

    /// How much isolation to ask for.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,

    /// What the time limit is measured with.
    #[arg(long, value_enum, default_value_t = Clock::Cpu)]
    pub clock: Clock,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,

    /// A table of languages that goes before the judge's own.
    #[arg(long, value_name = "FILE")]
    pub languages: Option<PathBuf>,
}

/// What `bundle` takes.
#[derive(Args, Debug)]
pub struct BundleArgs {
    /// The id of a problem, or the path of a crate.
    #[arg(value_name = "ID")]
    pub id: String,

    /// What the file is for: rust, nowcoder, leetcode or cpp.
    #[arg(long, value_name = "TARGET", default_value = "rust")]
    pub to: String,

    /// The binary target, instead of the main one.
    #[arg(long, value_name = "NAME")]
    pub bin: Option<String>,

    /// The Rust edition, instead of the crate's.
    #[arg(long, value_name = "YEAR")]
    pub edition: Option<String>,

    /// Where to write, a file or a directory; ID.rs or ID.cpp here when absent. A bundle that is
    /// there is replaced, any other file only with `--force`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace whatever is at the place to write to.
    #[arg(long)]
    pub force: bool,

    /// Make it small rather than readable.
    #[arg(long)]
    pub minify: bool,

    /// Write nothing: say whether FILE, or the one in this directory, is what would be written.
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,

    /// Also put it on the clipboard.
    #[arg(long, conflicts_with = "check")]
    pub copy: bool,

    /// Do not judge the file over the package's cases; it is still compiled alone.
    #[arg(long)]
    pub no_judging: bool,
}

/// What `doctor` takes.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// What to print on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// What is printed on standard output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Tables for a person.
    Human,
    /// One JSON object per line, each an event.
    Json,
}

/// How much isolation is asked for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SandboxChoice {
    /// All that this machine offers.
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

/// What the time limit is measured with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// CPU time of the whole tree of processes.
    Cpu,
    /// Instructions retired, so many for a second on every machine: the same figure on every run.
    Instructions,
}

/// Whether output is coloured.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// When it goes to a terminal and NO_COLOR is not set.
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
