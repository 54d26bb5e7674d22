//! The types every reader fills and every other part of the judge works with.

use crate::verdict::Verdict;
use std::path::PathBuf;
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
    /// Bytes of source code, where limited.
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
}

/// How a validator program is called and answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValidatorProtocol {
    /// `validator INPUT ANSWER FEEDBACK_DIR [args] < output`; 42 accepts, 43 rejects.
    Icpc,
    /// `checker INPUT OUTPUT ANSWER [report]`; 0 accepts, 1 rejects, 2 presentation, 7 points.
    Testlib,
    /// `checker INPUT ACTUAL EXPECTED`; 0 accepts, anything else rejects.
    OnlineJudgeTools,
}

/// Test cases and groups that are judged together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The path below the data directory: `secret/group1`; empty for the root.
    pub name: String,
    /// The cases directly in this group, in judging order.
    pub cases: Vec<TestCase>,
    /// The groups in it, in judging order; they are judged after `cases`.
    pub groups: Vec<Group>,
    /// How the results of the parts make the result of the group.
    pub aggregation: Aggregation,
    /// Other groups that must be accepted first (2025-09 `require_pass`, Hydro `if`).
    pub requires: Vec<String>,
    /// The most points the group gives, where it is scored and bounded.
    pub max_score: Option<f64>,
    /// Whether judging of the group ends at the first case that is not accepted.
    pub stop_at_first: bool,
}

/// How the results of the parts make the result of a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aggregation {
    /// Accepted when every part is; `max_score` or 0 points.
    PassFail,
    /// The sum of the parts' points.
    Sum,
    /// The least of the parts' points.
    Min,
    /// The most of the parts' points (legacy).
    Max,
    /// The mean of the parts' points (legacy).
    Average,
}

/// One input and what is right for it.
#[derive(Clone, PartialEq, Debug)]
pub struct TestCase {
    /// The path below the data directory, without extension: `secret/02-hard`.
    pub name: String,
    /// The input.
    pub input: PathBuf,
    /// The answer; interactive and submit-answer problems may have none.
    pub answer: Option<PathBuf>,
    /// Arguments for the submission.
    pub args: Vec<String>,
    /// Arguments for the output validator.
    pub validator_args: Vec<String>,
    /// A directory whose files are put into the working directory.
    pub files: Option<PathBuf>,
    /// Whether it is a sample.
    pub sample: bool,
    /// The points it gives, where it is scored.
    pub score: Option<f64>,
    /// A time limit of its own, where the format has that (Luogu, Hydro).
    pub time_limit: Option<Duration>,
    /// A memory limit of its own, in bytes.
    pub memory_limit: Option<u64>,
}

/// A submission that comes with the package.
#[derive(Clone, PartialEq, Debug)]
pub struct PackagedSubmission {
    /// A source file, or a directory of them.
    pub path: PathBuf,
    /// What its author expects.
    pub expected: Expectation,
    /// The language, where the package says it.
    pub language: Option<String>,
    /// The file or class to start, where the package says it.
    pub entry_point: Option<String>,
}

/// What a submission should get.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expectation {
    /// The verdicts that a test case may get; empty means any.
    pub permitted: Vec<Verdict>,
    /// At least one test case must get one of these; empty means no such demand.
    pub required: Vec<Verdict>,
    /// The least and the most points, where they are given.
    pub score: Option<(f64, f64)>,
}

impl Package {
    /// Every test case, in judging order.
    pub fn cases(&self) -> Vec<&TestCase> {
        fn walk<'a>(group: &'a Group, into: &mut Vec<&'a TestCase>) {
            into.extend(&group.cases);
            for inner in &group.groups {
                walk(inner, into);
            }
        }
        let mut cases = Vec::new();
        walk(&self.data, &mut cases);
        cases
    }
}

impl Expectation {
    /// Every case accepted.
    pub fn accepted() -> Self {
        Expectation {
            permitted: vec![Verdict::Accepted],
            required: vec![Verdict::Accepted],
            score: None,
        }
    }
}
