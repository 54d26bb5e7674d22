//! A problem package: limits, validators, and how submissions are run.

use super::{Generation, Group, PackagedSubmission, TestCase, Validation, ValidatorCases};
use crate::error::{Finding, PackageError};
use crate::statement::StatementKind;
use judge_tempdir::TempDirectory;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A problem package that is ready to judge.
#[derive(Clone, Default, Debug)]
pub struct Package {
    /// The identifier: the name of the directory or archive.
    pub id: String,
    /// The title, in the package's first language.
    pub name: String,
    /// The titles by the code of their language, if the format has several.
    pub names: Vec<(String, String)>,
    /// The address of the problem's page, if a folder's settings or the source in `problem.yaml` name it.
    pub url: Option<String>,
    /// The package's directory (for an archive: where it was unpacked).
    pub root: PathBuf,
    /// The path that the user gave: the directory or the archive.
    pub origin: PathBuf,
    /// The name of the format it was read from, for display.
    pub format: &'static str,
    /// The format's policy about judging.
    pub policy: Policy,
    /// Returns `findings` and those of further checks of the format, for [`crate::lint()`].
    pub checks: Option<fn(&Package) -> Vec<Finding>>,
    /// The type of the problem.
    pub kind: Kind,
    /// The limits of submissions and validators.
    pub limits: PackageLimits,
    /// The limits on other judges, by the name that the package gives them (rbx).
    pub profiles: BTreeMap<String, PackageLimits>,
    /// Decides whether an output is correct.
    pub validation: Validation,
    /// The test data: samples, secret cases and groups, in judging order.
    pub data: Group,
    /// The submissions that the package contains, each with its expected result.
    pub submissions: Vec<PackagedSubmission>,
    /// The package's `include` directory: files that are placed next to a submission before it is
    /// compiled, by language.
    pub include: Option<PathBuf>,
    /// Programs that must accept every input.
    pub input_validators: Vec<InputValidator>,
    /// 2025-09: a program that judges the source of a submission.
    pub static_validator: Option<PathBuf>,
    /// 2025-09: a program that draws a case.
    pub input_visualizer: Option<PathBuf>,
    /// 2025-09: a program that draws the output of a submission, after the output validator.
    pub output_visualizer: Option<PathBuf>,
    /// Legacy: the program that grades groups with `grading: custom`.
    pub grader: Option<PathBuf>,
    /// The codes of the allowed languages; `None`: all.
    pub languages: Option<Vec<String>>,
    /// Whether a submission may write files in its working directory.
    pub allow_file_writing: bool,
    /// Replacements for `{{name}}` and `{{name.variant}}` in programs: `("name.variant", text)`.
    pub constants: Vec<(String, String)>,
    /// Cases that test the validators, not the submissions.
    pub validator_cases: ValidatorCases,
    /// Defects that do not prevent judging.
    pub findings: Vec<Finding>,
    /// Text placed before each C or C++ source of a submission whose `main` is in `include`.
    pub stub: Option<String>,
    /// Files that a submission may use instead of standard input and output.
    pub file_io: FileIo,
    /// DMOJ: what a submission writes is on its way at once, flushed or not.
    pub unbuffered: bool,
    /// The problems in the files of a contestant's tool, each of one program.
    pub tool_problems: Vec<ToolProblem>,
    /// Test data to generate before judging.
    pub generation: Option<Generation>,
    /// Directories other than `root` that hold test data.
    pub data_dirs: Vec<PathBuf>,
    /// Temporary directories with unpacked or staged files, removed with the last copy of the
    /// package.
    pub unpacked: Vec<Arc<TempDirectory>>,
    /// For each program assembled in a temporary directory, the package's file that it is made from.
    pub originals: HashMap<PathBuf, PathBuf>,
}

/// A problem in a folder, from the file of a contestant's tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolProblem {
    /// The name of the program, without extension.
    pub program: String,
    /// The tool's file.
    pub file: PathBuf,
    /// Whether it needs an interactor, which the tool does not have.
    pub is_interactive: bool,
    /// Whether the file has cases.
    pub has_cases: bool,
}

/// Files that replace standard input and output.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileIo {
    /// The name of the input in the working directory.
    pub input: Option<String>,
    /// The name of the output in the working directory; if the submission leaves it empty, its
    /// standard output counts.
    pub output: Option<String>,
}

/// A program or a grammar that must accept every input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValidator {
    /// A source file, a directory of sources, an executable, or a grammar.
    pub path: PathBuf,
    /// How it is run.
    pub kind: InputValidatorKind,
}

/// How an input validator is run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputValidatorKind {
    /// `validator [args] < input`; 42 accepts, any other status rejects.
    Program,
    /// A grammar for `checktestdata` (`.ctd`).
    Checktestdata,
    /// A grammar for VIVA (`.viva`).
    Viva,
    /// A testlib validator: `validator < input`; 0 accepts.
    Testlib,
}

/// The type of a problem; the properties can be combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Kind {
    /// A submission gets a score in addition to a verdict.
    pub scoring: bool,
    /// Submission and validator communicate while both run.
    pub interactive: bool,
    /// The submission runs several times; the validator creates the input of each further pass.
    pub multi_pass: bool,
    /// The submission is the output itself.
    pub submit_answer: bool,
}

/// The limits of submissions and validators.
#[derive(Clone, PartialEq, Debug)]
pub struct PackageLimits {
    /// CPU time per test case.
    pub time: TimeLimit,
    /// Memory of the whole process tree, in bytes.
    pub memory: u64,
    /// Bytes written to standard output and standard error.
    pub output: u64,
    /// Bytes of source code, if limited.
    pub code: Option<u64>,
    /// CPU time to compile.
    pub compilation_time: Duration,
    /// Memory to compile, in bytes.
    pub compilation_memory: u64,
    /// CPU time of one validator run.
    pub validation_time: Duration,
    /// Memory of a validator, in bytes.
    pub validation_memory: u64,
    /// Bytes a validator may write.
    pub validation_output: u64,
    /// The maximum number of passes of a multi-pass submission.
    pub validation_passes: u32,
    /// The time limit is at least this factor times the time of the slowest accepted submission.
    pub ac_to_time_limit: f64,
    /// A submission that is too slow takes at least this factor times the time limit.
    pub time_limit_to_tle: f64,
    /// The keys of these two factors in the package's format, if it has keys for them.
    pub margin_keys: Option<(&'static str, &'static str)>,
    /// A time limit that is derived is a multiple of this.
    pub time_resolution: Duration,
    /// Origin of `time`, unless it is derived.
    pub time_from: LimitSource,
    /// Origin of `memory`.
    pub memory_from: LimitSource,
    /// Origin of `output`; one of this judge is raised if an answer is larger.
    pub output_from: LimitSource,
    /// The languages whose submissions have other limits.
    pub languages: Vec<LanguageLimits>,
}

/// Other limits of the submissions in one language (Hydro, rbx, sinol-make).
#[derive(Clone, PartialEq, Debug)]
pub struct LanguageLimits {
    /// The code of the language: `python3`.
    pub language: String,
    /// CPU time per test case; it replaces the limits of single cases, too.
    pub time: Option<Duration>,
    /// Memory in bytes; it replaces the limits of single cases, too.
    pub memory: Option<u64>,
    /// The factor of the time limit, after the replacement.
    pub time_factor: f64,
    /// The factor of the memory limit, after the replacement.
    pub memory_factor: f64,
}

/// Origin of a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitSource {
    /// The package specifies it.
    Package,
    /// The default of the package's format.
    Format,
    /// The default of this judge, because the format has none.
    Judge,
}

/// CPU time per test case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TimeLimit {
    /// This time.
    Given(Duration),
    /// Derived from the slowest submission that must not exceed it: its time times `factor`, rounded
    /// up to a multiple of `resolution`.
    Derived {
        /// The factor between the time of that submission and the limit.
        factor: f64,
        /// The limit is a multiple of this.
        resolution: Duration,
    },
}

/// The policy of a format about judging, beyond the content of a package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Whether the output of interactors is unbuffered, so that they need not flush (DMOJ).
    pub unbuffered_interactors: bool,
    /// Whether validators receive the source of the submission and facts about its run (DMOJ).
    pub validators_see_run: bool,
    /// Which answer files are outputs that the validator must accept.
    pub answers: AnswersAreOutputs,
    /// Whether a packaged submission that does not compile with the default standard of its
    /// language is compiled with an older one, because packages of the format may be old.
    pub standard_fallback: bool,
    /// Where a new test case is added.
    pub new_cases: NewCases,
    /// Whether a submission that is not accepted keeps its points, and is then partially accepted.
    pub points_if_rejected: bool,
    /// Whether a case without an answer runs and shows its output, which is then not compared: the files
    /// need no answer of an author.
    pub runs_without_answer: bool,
    /// Whether an input has exactly one form: input validators refuse other white space and numbers with
    /// leading zeros or a plus sign.
    pub strict_inputs: bool,
    /// The macros that the format's judges define when they compile C and C++.
    pub macros: &'static [&'static str],
}

/// Which answer files are outputs that the output validator must accept. Other answers may be
/// anything that the validator understands, such as a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswersAreOutputs {
    /// All of them.
    Always,
    /// The answers of samples: the statement shows them as outputs.
    InSamples,
    /// None.
    Never,
}

/// Where a new test case is added to a package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewCases {
    /// In the directory of a group below `data`.
    InGroups,
    /// Next to the existing cases.
    NextToOthers,
    /// In a configuration, which lists all cases.
    InConfiguration,
}

/// The macro that nearly every judge defines, so that a program can distinguish it from its author's
/// machine.
pub const ONLINE_JUDGE: &str = "ONLINE_JUDGE";

impl Default for Policy {
    fn default() -> Self {
        Policy {
            unbuffered_interactors: false,
            validators_see_run: false,
            answers: AnswersAreOutputs::Always,
            standard_fallback: true,
            new_cases: NewCases::InConfiguration,
            points_if_rejected: true,
            runs_without_answer: false,
            strict_inputs: false,
            macros: &[ONLINE_JUDGE],
        }
    }
}

impl Package {
    /// The directory that symbolic links of the package's own programs must not leave: the repository
    /// around the package, whose packages may share headers, or the package itself if it is an archive.
    pub fn shared_root(&self) -> &Path {
        let above = self.root.ancestors();
        let repository = above.filter(|_| self.origin == self.root);
        let mut repository = repository.filter(|dir| dir.join(".git").exists());
        repository.next().unwrap_or(&self.root)
    }

    /// The text with each `{{name}}` of the package's constants replaced by its value.
    pub fn with_constants(&self, text: &str) -> String {
        crate::words::substitute(text, &self.constants)
    }

    /// The text of a statement with the package's constants.
    pub fn statement_with_constants(&self, kind: StatementKind, text: &str) -> String {
        match kind {
            StatementKind::Tex => crate::words::substitute_tex(text, &self.constants),
            _ => self.with_constants(text),
        }
    }

    /// The file by which the author knows the program at `path`: the source of one that was assembled
    /// in a temporary directory.
    pub fn original<'a>(&'a self, path: &'a Path) -> &'a Path {
        self.originals.get(path).map_or(path, PathBuf::as_path)
    }

    /// Every test case, in judging order.
    pub fn cases(&self) -> Vec<&TestCase> {
        self.data.all_cases()
    }

    /// The directories that hold files of the package, none inside another.
    pub fn directories(&self) -> Vec<&Path> {
        let unpacked = self.unpacked.iter().map(|dir| dir.path());
        let more = self.data_dirs.iter().map(PathBuf::as_path).chain(unpacked);
        let mut places = vec![self.root.as_path()];
        for place in more {
            // A parent directory includes its subdirectories.
            let known = |other: &&Path| place.starts_with(other) || other.starts_with(place);
            if !places.iter().any(known) {
                places.push(place);
            }
        }
        places
    }

    /// Every test case including those of the static validator.
    pub fn judged_cases(&self) -> Vec<&TestCase> {
        self.data.judged_cases()
    }

    /// Sets the limits of the profile `name`.
    ///
    /// # Errors
    ///
    /// If the package has no such profile.
    pub fn use_profile(&mut self, name: &str) -> Result<(), PackageError> {
        let Some(limits) = self.profiles.get(name) else {
            let known: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            let complaint = PackageError::new(&self.root, format!("has no limits for `{name}`"));
            return Err(complaint.remedy(match known.is_empty() {
                true => "only packages of rbx have profiles, in `.limits/`".to_owned(),
                false => format!("it has those of {}", known.join(", ")),
            }));
        };
        self.limits = limits.clone();
        Ok(())
    }
}

impl TimeLimit {
    /// The limit, unless it must be derived.
    pub fn fixed(self) -> Option<Duration> {
        match self {
            TimeLimit::Given(time) => Some(time),
            TimeLimit::Derived { .. } => None,
        }
    }
}

impl PackageLimits {
    /// Sets the time limit that the package specifies, or the default of its format.
    pub fn set_time(&mut self, given: Option<Duration>, default: Duration) {
        self.time = TimeLimit::Given(given.unwrap_or(default));
        self.time_from = match given {
            Some(_) => LimitSource::Package,
            None => LimitSource::Format,
        };
    }

    /// Sets the time limit of a directory that says none: it only stops programs that do not end.
    pub fn set_unknown_time(&mut self) {
        self.time = TimeLimit::Given(Duration::from_secs(10));
        self.time_from = LimitSource::Judge;
    }

    /// Raises an output limit that is the judge's own, so that a program that prints an answer of this
    /// number of bytes stays below half of it. The rest is a margin for white space, further digits and
    /// standard error.
    pub fn fit_answer(&mut self, bytes: u64) {
        if self.output_from == LimitSource::Judge {
            self.output = self.output.max(bytes.saturating_mul(2));
        }
    }

    /// The limits of the submissions in a language, which may replace this time and this memory of a case.
    pub fn of_language(&self, code: &str, time: Duration, memory: u64) -> (Duration, u64) {
        let found = self.languages.iter().find(|own| own.language == code);
        found.map_or((time, memory), |own| own.apply(time, memory))
    }

    /// Sets the memory limit that the package specifies.
    pub fn set_memory(&mut self, bytes: u64) {
        self.memory = bytes;
        self.memory_from = LimitSource::Package;
    }
}

impl LanguageLimits {
    /// The package's own limits, unchanged, for the language with this code.
    pub fn new(language: impl Into<String>) -> Self {
        LanguageLimits {
            language: language.into(),
            time: None,
            memory: None,
            time_factor: 1.0,
            memory_factor: 1.0,
        }
    }

    fn apply(&self, time: Duration, memory: u64) -> (Duration, u64) {
        let time = self.time.unwrap_or(time).as_secs_f64() * self.time_factor;
        let memory = self.memory.unwrap_or(memory) as f64 * self.memory_factor;
        (
            Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX),
            memory as u64,
        )
    }
}

impl Default for PackageLimits {
    /// The typical system defaults of the formats; the time limit is derived.
    fn default() -> Self {
        const MIB: u64 = 1 << 20;
        PackageLimits {
            time: TimeLimit::Derived {
                factor: 2.0,
                resolution: Duration::from_secs(1),
            },
            memory: 2048 * MIB,
            output: 8 * MIB,
            // Without a limit in the package, any amount of code is accepted.
            code: None,
            compilation_time: Duration::from_secs(60),
            compilation_memory: 2048 * MIB,
            validation_time: Duration::from_secs(60),
            validation_memory: 2048 * MIB,
            validation_output: 8 * MIB,
            validation_passes: 2,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
            margin_keys: None,
            time_resolution: Duration::from_secs(1),
            time_from: LimitSource::Package,
            memory_from: LimitSource::Judge,
            output_from: LimitSource::Format,
            languages: Vec::new(),
        }
    }
}
