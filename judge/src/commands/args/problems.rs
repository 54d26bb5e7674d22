//! The arguments of the commands that write or examine a problem: `stress`, `new`, `gen`, `bundle`.

use crate::scaffold::SkeletonKind;
use clap::{Args, ValueEnum};
use judge_export::Target;
use judge_package::yaml::nearest;
use judge_session::args::parse::{parse_program_size, parse_seconds, parse_time};
use judge_session::args::{CheckingArgs, PreprocessorArgs, RunningArgs, SandboxChoice};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `stress`, which cannot run interactive or multi-pass problems.
#[derive(Args, Debug)]
pub struct StressArgs {
    /// A package (an id in `testdata/`, or a path), the program to test, the reference and the
    /// generator, in this order; each is optional.
    #[arg(value_name = "PACKAGE|PROGRAM")]
    pub names: Vec<String>,

    /// The reference program: a file, a binary of the problem's crate, or a submission of the
    /// package such as `accepted/slow.py`. By default `brute.*`, `naive.*`, `slow.*` or
    /// `reference.*` beside the program to test. `--slowest` does without one.
    #[arg(long, value_name = "REF")]
    pub against: Option<String>,

    /// The program or source file that prints a random input, or a key of `generators:` in the
    /// package's `generators.yaml`, with its arguments, quoted as in a shell; `{seed}` in them is
    /// replaced by the trial's seed (it is added if absent). By default `gen.*` or `generator.*` beside
    /// the program to test.
    #[arg(long, value_name = "CMD")]
    pub generator: Option<String>,

    /// How outputs are compared.
    #[command(flatten)]
    pub checking: CheckingArgs,

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

    /// Search for the input on which the submission is slowest, instead of a difference; without a
    /// reference, its outputs are not checked.
    #[arg(long)]
    pub slowest: bool,

    /// Arguments shared with `run`.
    #[command(flatten)]
    pub running: RunningArgs,
}

/// Arguments of `new`.
#[derive(Args, Debug)]
#[command(override_usage = "\
judge new ID [OPTIONS]
       judge new --url URL [OPTIONS]
       judge new --listen[=PORT] [--into DIR] [OPTIONS]
       judge new --package DIR [--kind KIND]")]
pub struct NewArgs {
    /// The new problem's name: lower-case letters and digits, such as `poj3074`. Optional with
    /// `--listen` or `--url`: the address suggests one.
    #[arg(value_name = "ID", required_unless_present_any = ["listen", "url", "package"])]
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

    /// With `--into`: copy this file as the program `main`; without it, `template.*` in DIR or here.
    #[arg(long, value_name = "FILE", requires = "into")]
    pub template: Option<PathBuf>,

    /// Write a package without a crate and without a workspace into the new directory DIR: an example in
    /// the newest format, whose files say what they are for.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["id", "like", "from", "samples", "listen", "url", "into"]
    )]
    pub package: Option<PathBuf>,

    /// With `--package`: the kind of problem.
    #[arg(long, value_enum, requires = "package", default_value_t)]
    pub kind: SkeletonKind,
}

/// Arguments of `gen`.
#[derive(Args, Debug)]
pub struct GenArgs {
    /// Ids of packages in `testdata/`, or paths of package directories; without any: the package
    /// here, or every package of the workspace with a `generators/generators.yaml`.
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

    /// Size limit of a compiled program and the files beside it in MiB, instead of 256.
    #[arg(long, value_name = "MIB", value_parser = parse_program_size)]
    pub program_size: Option<u64>,
}

/// Arguments of `bundle`.
#[derive(Args, Debug)]
pub struct BundleArgs {
    /// The id of a problem, the path of a crate, or a C++ program.
    #[arg(value_name = "ID")]
    pub id: String,

    /// The target of the file: rust (the default for a crate), nowcoder, leetcode or cpp (the only
    /// one for a C++ program).
    #[arg(long, value_name = "TARGET")]
    pub to: Option<String>,

    /// Options of the preprocessor, for a C++ program.
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,

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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "force", "no_judging"])]
    pub check: Option<PathBuf>,

    /// Also copy the file to the clipboard.
    #[arg(long, conflicts_with = "check")]
    pub copy: bool,

    /// Do not judge the file over the package's cases; only compile it alone.
    #[arg(long)]
    pub no_judging: bool,
}

/// Arguments of `export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// A package in any supported format: an id in `testdata/`, a directory or an archive.
    #[arg(value_name = "PACKAGE")]
    pub package: String,

    /// The format to write.
    #[arg(long, value_name = "FORMAT", value_parser = parse_target, help = format!(
        "The format to write: {}", targets().join(", ")
    ))]
    pub to: Target,

    /// The new directory, or the new archive if the name ends with `.zip` or `.kpp`.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Write nothing if the format cannot express all of the package.
    #[arg(long)]
    pub strict: bool,

    /// The time limit in seconds, for formats that need one, if the package derives its own.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,

    /// The limits that the package has for another judge (rbx: `.limits/NAME.yml`), by default those
    /// with the name of the format.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    /// How programs that generate test data are isolated.
    #[arg(long, value_enum, default_value_t = SandboxChoice::Auto)]
    pub sandbox: SandboxChoice,
}

/// Arguments of `upgrade`.
#[derive(Args, Debug)]
pub struct UpgradeArgs {
    /// A package of version legacy: an id in `testdata/`, or a directory. By default the package here.
    #[arg(value_name = "PACKAGE")]
    pub package: Option<String>,
}

/// A maker of PDF documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// An installed browser.
    Browser,
    /// An installed pdfLaTeX, for statements in Markdown or TeX.
    Latex,
}

/// Arguments of `statement`.
#[derive(Args, Debug)]
pub struct StatementArgs {
    /// A package: an id in `testdata/`, a directory or an archive. By default the package here.
    #[arg(value_name = "PACKAGE")]
    pub package: Option<String>,

    /// Write an HTML document, which has its images in it; by default `PACKAGE.html`.
    #[arg(long, value_name = "FILE", conflicts_with = "pdf")]
    pub html: Option<PathBuf>,

    /// Write a PDF document, printed by an installed browser: Chromium, Chrome or Edge.
    #[arg(long, value_name = "FILE")]
    pub pdf: Option<PathBuf>,

    /// Maker of the PDF document: the browser, or an installed LaTeX.
    #[arg(long, value_enum, default_value_t = Engine::Browser, requires = "pdf")]
    pub engine: Engine,

    /// The code of the statement's language, such as `sv`; by default English, or else the first.
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,

    /// Write it again whenever a file of the package changes.
    #[arg(long)]
    pub watch: bool,
}

/// Arguments of `contest`.
#[derive(Args, Debug)]
pub struct ContestArgs {
    /// The directory with `contest.yaml` and the problems; by default the current one.
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// Write the booklet as an HTML document.
    #[arg(long, value_name = "FILE", conflicts_with = "pdf")]
    pub html: Option<PathBuf>,

    /// Write the booklet as a PDF document, printed by an installed browser.
    #[arg(long, value_name = "FILE")]
    pub pdf: Option<PathBuf>,

    /// The code of the statements' language.
    #[arg(long, value_name = "CODE")]
    pub language: Option<String>,

    /// Do not verify the packages.
    #[arg(long)]
    pub no_verify: bool,
}

fn parse_target(text: &str) -> Result<Target, String> {
    let mut all = Target::ALL.into_iter();
    all.find(|target| target.name() == text)
        .ok_or_else(|| match nearest(text, &targets()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the formats are {}", targets().join(", ")),
        })
}

fn targets() -> Vec<&'static str> {
    Target::ALL.map(Target::name).to_vec()
}
