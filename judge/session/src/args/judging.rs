//! The options of every command that judges; formats and clocks.

use super::parse::{parse_mib, parse_program_size, parse_seconds};
use super::{NatsArgs, PreprocessorArgs};
use clap::{Args, ValueEnum};
use judge_sandbox::Mode;
use std::path::PathBuf;
use std::time::Duration;

/// The options of every command that runs submissions.
#[derive(Args, Debug)]
pub struct RunningArgs {
    /// An executable, a source file or a directory of sources to judge; repeatable, but `stress` takes
    /// one.
    #[arg(short, long = "submission", value_name = "PATH")]
    pub submissions: Vec<PathBuf>,

    /// The language of the submissions, instead of detecting it: a code of the table of languages,
    /// with a number for another standard, such as cpp14.
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,

    /// Options of the C and C++ preprocessor.
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,

    /// Number of cases to run at once; at most the number of cores.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// CPU-time limit per case in seconds or with a unit (1500ms), instead of the package's.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// Memory limit in MiB or with a unit (1GB), instead of the package's.
    #[arg(long, value_name = "MIB", value_parser = parse_mib, allow_negative_numbers = true)]
    pub memory: Option<u64>,

    /// Size limit of a compiled program and the files beside it in MiB, instead of 256.
    #[arg(long, value_name = "MIB", value_parser = parse_program_size, allow_negative_numbers = true)]
    pub program_size: Option<u64>,

    /// How much isolation to ask for.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,

    /// Clock of the time limit.
    #[arg(long, value_enum, default_value_t = Clock::Cpu)]
    pub clock: Clock,

    /// A table of languages that overrides the built-in one.
    #[arg(long, value_name = "FILE")]
    pub languages: Option<PathBuf>,

    /// Whether to colour the output.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

impl RunningArgs {
    /// The options that influence verdicts, each with its value.
    pub fn options_of_verdicts(&self) -> Vec<(&'static str, String)> {
        let path = |path: &PathBuf| path.display().to_string();
        let sandbox = match self.sandbox {
            SandboxChoice::Auto => None,
            SandboxChoice::Strict => Some("strict"),
            SandboxChoice::None => Some("none"),
        };
        let counts = self.clock == Clock::Instructions;
        let limit = self.time_limit;
        let options = [
            (
                "--time-limit",
                limit.map(|limit| limit.as_secs_f64().to_string()),
            ),
            ("--memory", self.memory.map(|mib| mib.to_string())),
            (
                "--program-size",
                self.program_size.map(|mib| mib.to_string()),
            ),
            ("--language", self.language.clone()),
            ("--clock", counts.then(|| "instructions".to_owned())),
            ("--sandbox", sandbox.map(str::to_owned)),
            ("--languages", self.languages.as_ref().map(path)),
        ];
        let given = |(name, value): (_, Option<_>)| Some((name, value?));
        let options = options.into_iter().filter_map(given);
        options.chain(self.preprocessor.words()).collect()
    }
}

/// Arguments shared by `run` and `verify`.
#[derive(Args, Debug)]
pub struct JudgingArgs {
    /// Arguments shared with `stress`.
    #[command(flatten)]
    pub running: RunningArgs,

    /// Judge only the cases whose name matches, such as `secret/*` or `*hard*`.
    #[arg(long, value_name = "GLOB")]
    pub case: Option<String>,

    /// Judge only the samples.
    #[arg(long)]
    pub sample: bool,

    /// Stop judging a submission at the first case that is not accepted.
    #[arg(long)]
    pub fail_fast: bool,

    /// Print a line for every case, however many, and details of every failed one.
    #[arg(short, long)]
    pub verbose: bool,

    /// Format of standard output.
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

    /// Other machines.
    #[command(flatten, next_help_heading = "Other machines")]
    pub nats: NatsArgs,
}

impl JudgingArgs {
    /// Whether a report is written that has images.
    pub fn shows_images(&self) -> bool {
        self.html.is_some() || self.json.is_some() || self.format == Format::Json
    }
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
    /// One line per compile error and failed case, `FILE:LINE:COLUMN: error: what`, for editors.
    Lines,
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

/// Clock of the time limit.
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
