//! The types every reader fills and every other part of the judge works with.

use super::{Generation, Group, PackagedSubmission, TestCase, ValidatorCases};
use crate::package::error::Finding;
use judge_sandbox::TempDirectory;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A problem, ready to judge.
#[derive(Clone, Debug)]
pub struct Package {
    /// The short name: the directory's or archive's.
    pub id: String,
    /// The title, in the package's first language.
    pub name: String,
    /// Where it lies (for an archive: where it was unpacked).
    pub root: PathBuf,
    /// What the user calls it by: the directory, or the archive.
    pub origin: PathBuf,
    /// The format it is written in.
    pub dialect: Dialect,
    /// What sort of problem it is.
    pub kind: Kind,
    /// What a submission may use.
    pub limits: PackageLimits,
    /// What decides whether an output is right.
    pub validator: Validator,
    /// The test data: samples, secret cases and groups, in judging order.
    pub data: Group,
    /// The submissions that come with it, each with what its author expects of it.
    pub submissions: Vec<PackagedSubmission>,
    /// Files that are put beside each submission before it is compiled, by language; the
    /// package's `include` directory.
    pub include: Option<PathBuf>,
    /// Further output validators: all of them must accept (legacy), or each has cases of its own
    /// ([`TestCase::validator`]).
    pub more_validators: Vec<Validator>,
    /// Programs that every input must satisfy.
    pub input_validators: Vec<InputValidator>,
    /// 2025-09: a program that judges the source of a submission.
    pub static_validator: Option<PathBuf>,
    /// Legacy: the program that grades groups with `grading: custom`.
    pub grader: Option<PathBuf>,
    /// Legacy scoring: whether less is better.
    pub objective: Objective,
    /// The languages that may be used, by their codes; `None`: all.
    pub languages: Option<Vec<String>>,
    /// Whether a submission may write files in its working directory.
    pub allow_file_writing: bool,
    /// What `{{name}}` and `{{name.variant}}` in programs stand for: `("name.variant", text)`.
    pub constants: Vec<(String, String)>,
    /// Cases that test the validators, not the submissions.
    pub validator_cases: ValidatorCases,
    /// What is wrong with it, but does not keep it from being judged.
    pub findings: Vec<Finding>,
    /// What stands before each C or C++ source of a submission, where `include` has its `main`.
    pub stub: Option<String>,
    /// Files that a submission may read and write instead of standard input and output.
    pub file_io: FileIo,
    /// DMOJ: what a submission writes is on its way at once, flushed or not.
    pub unbuffered: bool,
    /// Test data that are still to be made.
    pub generation: Option<Generation>,
    /// Directories besides `root` that hold test data.
    pub data_dirs: Vec<PathBuf>,
    /// For archives: remove the unpacked files when the last copy of the package is dropped.
    pub unpacked: Vec<Arc<TempDirectory>>,
}

/// Files that stand for standard input and output.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileIo {
    /// What the input is called in the work directory.
    pub input: Option<String>,
    /// What the output is called there; where the submission leaves it empty, its standard output
    /// counts.
    pub output: Option<String>,
}

/// Whether more points are better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Objective {
    /// More is better.
    #[default]
    Maximize,
    /// Less is better.
    Minimize,
}

/// A program, or a grammar, that every input must satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValidator {
    /// A source file, a directory of sources, an executable, or a grammar.
    pub path: PathBuf,
    /// What it is.
    pub kind: InputValidatorKind,
}

/// What an input validator is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputValidatorKind {
    /// `validator [args] < input`; 42 accepts, anything else refuses.
    Program,
    /// A grammar for `checktestdata` (`.ctd`).
    Checktestdata,
    /// A grammar for VIVA (`.viva`).
    Viva,
    /// A testlib validator: `validator < input`; 0 accepts.
    Testlib,
}

/// The format of a package.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// ICPC/Kattis, version `legacy` (also without a version).
    Legacy,
    /// ICPC/Kattis, version `legacy-icpc`.
    LegacyIcpc,
    /// ICPC/Kattis, version `2023-07-draft`.
    Draft2023,
    /// ICPC/Kattis, version `2025-09`.
    V2025,
    /// DMOJ's `init.yml`.
    Dmoj,
    /// online-judge-tools: `test/*.in`, `test/*.out`.
    OnlineJudgeTools,
    /// Library Checker's `info.toml`.
    LibraryChecker,
    /// Luogu's `config.yml`.
    Luogu,
    /// Hydro's `config.yaml`.
    Hydro,
    /// A plain directory of `.in` with `.ans` or `.out`.
    Plain,
}

/// What sort of problem it is; the parts combine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Kind {
    /// A submission gets points, not just a verdict.
    pub scoring: bool,
    /// Submission and validator talk to each other.
    pub interactive: bool,
    /// The submission runs several times, on what the validator makes of its output.
    pub multi_pass: bool,
    /// The submission is the output itself.
    pub submit_answer: bool,
}

/// What a submission may use.
#[derive(Clone, PartialEq, Debug)]
pub struct PackageLimits {
    /// CPU time per test case.
    pub time: TimeLimit,
    /// Memory of the whole tree of processes, in bytes.
    pub memory: u64,
    /// Bytes written to standard output and standard error.
    pub output: u64,
    /// Bytes of source code, where the package limits them.
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
    /// How often a multi-pass submission runs at most.
    pub validation_passes: u32,
    /// The time limit is at least the slowest accepted submission's time, times this.
    pub ac_to_time_limit: f64,
    /// A submission that is too slow takes at least the time limit, times this.
    pub time_limit_to_tle: f64,
}

/// CPU time per test case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TimeLimit {
    /// The package says it.
    Given(Duration),
    /// It follows from the slowest accepted submission: its time times `factor`, rounded up to a
    /// multiple of `resolution`.
    Derived {
        /// How much slower than the slowest accepted submission a submission may be.
        factor: f64,
        /// The limit is a multiple of this.
        resolution: Duration,
    },
}

/// What decides whether an output is right.
#[derive(Clone, PartialEq, Debug)]
pub enum Validator {
    /// The default validator of the formats, with its arguments (`case_sensitive`, ...). A group
    /// or a case may give other arguments.
    Default,
    /// Byte for byte the same as the answer.
    Exact,
    /// A program of the package: a source file, a directory of sources, or an executable.
    Program {
        /// Where it is.
        path: PathBuf,
        /// How it is called and answers.
        protocol: ValidatorProtocol,
    },
    /// Hydro's `objective`: a form in YAML; the arguments of each case say which question of it is
    /// asked, and what is right.
    Form,
    /// A comparison that another judge has built in.
    Builtin(BuiltinChecker),
}

/// Comparisons that other judges have built in; none takes further arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BuiltinChecker {
    /// DMOJ `standard`: the same tokens, and line breaks in the same places; blank lines and
    /// the amount of white space do not matter.
    Standard,
    /// DMOJ `easy`: white space and the case of letters do not matter at all.
    Easy,
    /// DMOJ `floats`, `floatsabs`, `floatsrel`: line by line; tokens of the answer that are
    /// numbers are compared within `tolerance`, others as text.
    Floats {
        /// The most that a number may be off.
        tolerance: f64,
        /// Off by how much of what.
        mode: FloatMode,
    },
    /// DMOJ `identical`: byte for byte; where `presentation` is set, an output that differs in
    /// white space alone is a presentation error (still not accepted).
    Identical {
        /// Whether to tell wrong white space from a wrong answer.
        presentation: bool,
    },
    /// DMOJ `linecount`: as many lines as the answer (blank lines aside), each line that is
    /// right gives its share of the points.
    Linecount,
    /// The rule of Luogu and Hydro: lines are equal but for white space at
    /// their ends; empty lines at the end do not matter.
    RStripped,
    /// DMOJ `rstripped`: as many line breaks as the answer has, and each line equal but for white
    /// space at its end. Without `blank` empty lines do not count.
    EveryLine {
        /// Whether empty lines count.
        blank: bool,
    },
    /// testlib's `wcmp`: the same tokens, letters of either case told apart.
    Tokens,
    /// Byte for byte, but for the carriage returns before line feeds (oj, Hydro `strict`).
    CrlfInsensitive,
    /// DMOJ `sorted`: the same lines in any order (`lines`), or the same tokens in any order.
    Sorted {
        /// Whether whole lines are sorted, not tokens.
        lines: bool,
    },
    /// DMOJ `unordered`: the tokens of the whole output in any order.
    Unordered,
}

/// What a tolerance is measured against.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatMode {
    /// Within the absolute or the relative tolerance.
    Either,
    /// `|a - b| <= tolerance`.
    Absolute,
    /// `|a - b| <= tolerance * |a|`.
    Relative,
}

/// How a validator program is called and answers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValidatorProtocol {
    /// `validator INPUT ANSWER FEEDBACK_DIR [args] < output`; 42 accepts, 43 rejects.
    Icpc,
    /// `checker INPUT OUTPUT ANSWER [report]`; 0 accepts, 1 rejects, 2 presentation, 7 points.
    ///
    /// `partially correct (n)` on standard error is n % of the points.
    Testlib,
    /// The same, but n is of 200 (Luogu).
    TestlibOf200,
    /// `checker INPUT ACTUAL EXPECTED`; 0 accepts, anything else rejects.
    OnlineJudgeTools,
    /// `checker INPUT ANSWER OUTPUT`; 0 accepts, anything else rejects (HUSTOJ).
    Hustoj,
    /// `checker INPUT OUTPUT`; 0 accepts, anything else rejects (QDUOJ).
    Qduoj,
    /// `checker INPUT OUTPUT ANSWER FULL_SCORE SCORE_FILE MESSAGE_FILE`; the points stand in
    /// SCORE_FILE (Lemon).
    Lemon,
    /// `checker`, beside the files `input`, `user_out` and `answer`; it writes 0 to 100 (SYZOJ).
    Syzoj,
    /// DMOJ's checkers and graders in Python, through a runner: as `Icpc`, with what is known of
    /// the submission's run as a last argument, in JSON, and its source beside the runner.
    DmojPython,
    /// DMOJ's bridged programs.
    Dmoj {
        /// How it answers.
        kind: DmojKind,
        /// Its arguments.
        arguments: Vec<BridgedArgument>,
    },
}

/// How a bridged program of DMOJ answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DmojKind {
    /// 0 accepts, 1 rejects.
    Default,
    /// 0 accepts, 1 and 2 reject, 7 with `points X` on standard error gives points.
    Testlib,
    /// The same, with `partial X/Y`.
    Coci,
    /// 0 accepts, 1 rejects; two numbers on lines of their own are a share of the points.
    Peg,
    /// The same as testlib, and `points X` are per cent (VNOJ).
    TestlibPercent,
    /// The first number on standard output is a share of the points (VNOJ, as CMS has it).
    Cms,
    /// It reads the directories of the data and of the output; the last line that it writes is a
    /// share of the points (VNOJ, as Themis has it).
    Themis,
}

impl DmojKind {
    /// The arguments of such a program.
    pub fn arguments(self, interactive: bool) -> Vec<BridgedArgument> {
        use BridgedArgument::{Answer, Input, Output};
        match (self, interactive) {
            (DmojKind::Peg, _) => vec![Answer, Output, Input],
            (DmojKind::Cms, false) => vec![Input, Answer, Output],
            (DmojKind::Themis, _) => Vec::new(),
            (DmojKind::Default | DmojKind::Coci, true) => vec![Input, Answer],
            _ => vec![Input, Output, Answer],
        }
    }
}

/// An argument of a bridged program of DMOJ: a file, or a word.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BridgedArgument {
    /// The input.
    Input,
    /// The output; for interactors a file that they may write.
    Output,
    /// The answer.
    Answer,
    /// A word that is the same for every case.
    Word(String),
}

impl Package {
    /// Every test case, in judging order.
    pub fn cases(&self) -> Vec<&TestCase> {
        self.data.all_cases()
    }

    /// Every directory that holds files of the package.
    pub fn directories(&self) -> Vec<&Path> {
        let unpacked = self.unpacked.iter().map(|dir| dir.path());
        let more = self.data_dirs.iter().map(PathBuf::as_path).chain(unpacked);
        let mut places = vec![self.root.as_path()];
        for place in more {
            // What holds another, or lies in it, is shown with it.
            let known = |other: &&Path| place.starts_with(other) || other.starts_with(place);
            if !places.iter().any(known) {
                places.push(place);
            }
        }
        places
    }

    /// The same with the cases of the static validator.
    pub fn judged_cases(&self) -> Vec<&TestCase> {
        self.data.judged_cases()
    }
}

impl PackageLimits {
    /// What the formats call the typical system defaults; the time limit is to be derived.
    pub fn system_defaults() -> Self {
        const MIB: u64 = 1 << 20;
        PackageLimits {
            time: TimeLimit::Derived {
                factor: 2.0,
                resolution: Duration::from_secs(1),
            },
            memory: 2048 * MIB,
            output: 8 * MIB,
            // What a system takes where nothing is said is its own business: everything.
            code: None,
            compilation_time: Duration::from_secs(60),
            compilation_memory: 2048 * MIB,
            validation_time: Duration::from_secs(60),
            validation_memory: 2048 * MIB,
            validation_output: 8 * MIB,
            validation_passes: 2,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
        }
    }
}
