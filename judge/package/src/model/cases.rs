//! Test data: groups, cases, and how their results are combined.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Test cases and groups that are judged together.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Group {
    /// The path below the data directory, such as `secret/group1`; empty for the root.
    pub name: String,
    /// The cases directly in this group, in judging order.
    pub cases: Vec<TestCase>,
    /// The groups in it, in judging order; [`Group::parts`] defines the order among `cases`.
    pub groups: Vec<Group>,
    /// The number of cases of the parent group that come before this group.
    pub after: usize,
    /// How the scores of the parts are combined.
    pub aggregation: Aggregation,
    /// Other groups that must be accepted first (2025-09 `require_pass`, Hydro `if`).
    pub requires: Vec<String>,
    /// The maximum score, if there is one.
    pub max_score: Option<f64>,
    /// Whether nothing after it is judged if it is not accepted (DMOJ's batches of 0 points).
    pub is_gate: bool,
    /// Whether judging of the group ends at the first case that is not accepted.
    pub stop_at_first: bool,
    /// How the verdicts of the parts are combined.
    pub verdict_mode: VerdictMode,
    /// Legacy `accept_if_any_accepted`: one accepted part is enough.
    pub accept_if_any: bool,
    /// Legacy `ignore_sample`: the first part (the samples) counts neither for the verdict nor
    /// for the score. Only on the root.
    pub ignore_sample: bool,
    /// Whether a score above `max_score` is a judge error instead of being reduced to it.
    pub excess_is_error: bool,
    /// The minimum and maximum score that the format allows for the group (legacy `range`).
    pub range: Option<(f64, f64)>,
    /// Legacy `grading: custom`: the flags for [`crate::Package::grader`], which then
    /// decides instead of `aggregation` and `verdict_mode`.
    pub custom_grader_flags: Option<Vec<String>>,
    /// Whether [`crate::Package::static_validator`] judges the source as an additional
    /// case of the group.
    pub static_validation: Option<StaticValidation>,
}

impl Group {
    /// An empty group that is accepted if all of its parts are.
    pub fn new(name: impl Into<String>) -> Self {
        Group {
            name: name.into(),
            after: usize::MAX,
            stop_at_first: true,
            ..Group::default()
        }
    }

    /// Calls `visit` for every test case of the group in judging order, including static ones.
    pub fn visit_cases(&mut self, visit: &mut impl FnMut(&mut TestCase)) {
        let mut groups = self.groups.iter_mut().peekable();
        for (index, case) in self.cases.iter_mut().enumerate() {
            while let Some(group) = groups.next_if(|group| group.after <= index) {
                group.visit_cases(visit);
            }
            visit(case);
        }
        groups.for_each(|group| group.visit_cases(visit));
    }

    /// The cases and groups directly in it, in judging order.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::with_capacity(self.cases.len() + self.groups.len());
        let mut groups = self.groups.iter().peekable();
        for (index, case) in self.cases.iter().enumerate() {
            while let Some(group) = groups.next_if(|group| group.after <= index) {
                parts.push(Part::Group(group));
            }
            parts.push(Part::Case(case));
        }
        parts.extend(groups.map(Part::Group));
        parts
    }

    /// Every test case that has an input, in judging order, including those of subgroups.
    pub fn all_cases(&self) -> Vec<&TestCase> {
        let mut cases = self.judged_cases();
        cases.retain(|case| !case.is_static);
        cases
    }

    /// All cases including the static validation cases, which examine the source.
    pub fn judged_cases(&self) -> Vec<&TestCase> {
        let mut cases = Vec::new();
        for part in self.parts() {
            match part {
                Part::Case(case) => cases.push(case),
                Part::Group(group) => cases.extend(group.judged_cases()),
            }
        }
        cases
    }
}

/// A direct member of a group.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A test case.
    Case(&'a TestCase),
    /// A group with its own settings.
    Group(&'a Group),
}

/// How the scores of the parts of a group are combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Aggregation {
    /// Accepted when every part is; `max_score` or 0 points.
    #[default]
    PassFail,
    /// The sum of the parts' points.
    Sum,
    /// The minimum of the parts' points.
    Min,
    /// The maximum of the parts' points (legacy).
    Max,
    /// The mean of the parts' points (legacy).
    Average,
}

/// How the verdicts of the parts of a group are combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum VerdictMode {
    /// Accepted if every part is, otherwise the worst verdict in the order JE, IF, RTE, MLE, TLE,
    /// OLE, WA.
    #[default]
    Worst,
    /// Accepted if every part is, otherwise the first other verdict.
    First,
    /// Always accepted; only the points count.
    AlwaysAccept,
}

/// A case that examines the source (2025-09 `static_validation_score`).
#[derive(Clone, PartialEq, Debug)]
pub struct StaticValidation {
    /// The maximum score; `None` for `pass-fail`.
    pub score: Option<f64>,
    /// Arguments for the static validator.
    pub args: Vec<String>,
}

/// The index of a case among all cases of its package in judging order. Results are keyed by it;
/// the name is only for display.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct CaseId(pub usize);

/// A file of test data. It dereferences to its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataFile {
    /// It exists.
    Ready(PathBuf),
    /// A program of the package generates it before judging: its name in the directory of generated
    /// data.
    Generated(PathBuf),
}

impl Deref for DataFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        match self {
            DataFile::Ready(path) | DataFile::Generated(path) => path,
        }
    }
}

impl AsRef<Path> for DataFile {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl From<PathBuf> for DataFile {
    fn from(path: PathBuf) -> Self {
        DataFile::Ready(path)
    }
}

impl Default for DataFile {
    fn default() -> Self {
        DataFile::Ready(PathBuf::new())
    }
}

/// One input and how its output is judged.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TestCase {
    /// The index in the package.
    pub id: CaseId,
    /// The path below the data directory, without extension: `secret/02-hard`.
    pub name: String,
    /// The input.
    pub input: DataFile,
    /// The answer file; interactive and submit-answer problems may have none.
    pub answer: Option<DataFile>,
    /// Arguments for the submission.
    pub args: Vec<String>,
    /// Arguments for the output validator.
    pub validator_args: Vec<String>,
    /// The index of the output validator that decides, if each case has its own
    /// ([`crate::Validation::PerCase`]).
    pub validator: usize,
    /// Whether the validator also runs, and may give points, after a failed run (DMOJ's
    /// `run_on_error`).
    pub checks_failed_runs: bool,
    /// A directory whose files are copied into the working directory.
    pub files: Option<PathBuf>,
    /// Whether it is a sample.
    pub sample: bool,
    /// The points for an accepted run, if the case is scored.
    pub score: Option<f64>,
    /// The points for a rejected run (legacy `reject_score`), if not 0.
    pub reject_score: Option<f64>,
    /// The case's own time limit (Luogu, Hydro).
    pub time_limit: Option<Duration>,
    /// The case's own memory limit, in bytes.
    pub memory_limit: Option<u64>,
    /// Arguments for the input validators.
    pub input_validator_args: InputValidatorArgs,
    /// Arguments for the package's visualizers.
    pub visualizer_args: VisualizerArgs,
    /// An image of the case for the judges.
    pub illustration: Option<PathBuf>,
    /// `X.out`: an output that statements show, or that `valid_output` and `invalid_output` pass to
    /// the output validator.
    pub output: Option<PathBuf>,
    /// The purpose of the case (`description`, or legacy's `.desc`).
    pub description: Option<String>,
    /// A message for those who fail it (`hint`, or legacy's `.hint`).
    pub hint: Option<String>,
    /// 2025-09: whether those who fail it may see it, if the package says so.
    pub full_feedback: Option<bool>,
    /// Whether this is a case of [`crate::Package::static_validator`]: it has no input,
    /// and `validator_args` are for that program.
    pub is_static: bool,
    /// Which points a validator may give.
    pub points: Points,
    /// Which part of a submission is the output, if the submission is the output.
    pub submitted: SubmittedOutput,
    /// Whether nothing after it is judged if it is not accepted (DMOJ's cases of 0 points).
    pub is_gate: bool,
}

/// Which part of a submission is the output of a case.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum SubmittedOutput {
    /// The file that is named like the case.
    #[default]
    ByName,
    /// All of it: one file for all cases (Hydro).
    Whole,
    /// The file with this name in a directory or an archive (Hydro).
    File(String),
}

/// Which points a validator may give for a case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Points {
    /// Any number of points.
    #[default]
    Free,
    /// The validator's points are ignored (samples).
    Ignored,
    /// Any number of points, also for a rejected output (DMOJ).
    Granted,
    /// A share of [`TestCase::score`], rounded down to a whole number; less than all of it is a wrong
    /// answer (Hydro, Luogu).
    Whole,
    /// A rejected output has the points that the validator gives, at most [`TestCase::score`]; an
    /// accepted one has all (Hydro's kattis, lemon and syzoj).
    OfRejected,
    /// None (a case of a `pass-fail` group).
    Forbidden,
    /// At most [`TestCase::score`], or a fraction of it.
    Bounded,
    /// The validator must give points.
    Demanded,
}

/// Arguments for the visualizers of a package.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct VisualizerArgs {
    /// For the input visualizer.
    pub input: Vec<String>,
    /// For the output visualizer.
    pub output: Vec<String>,
}

/// Arguments for the input validators.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InputValidatorArgs {
    /// For each validator not in `by_name`.
    pub all: Vec<String>,
    /// For the validator with this name (the base name of its file or directory).
    pub by_name: Vec<(String, Vec<String>)>,
}

impl InputValidatorArgs {
    /// The arguments of the validator `name` (a base name, with or without extension).
    pub fn of(&self, name: &str) -> &[String] {
        let stem = name.split('.').next().unwrap_or(name);
        self.by_name
            .iter()
            .find(|(key, _)| key == name || key == stem)
            .map_or(&self.all, |(_, args)| args)
    }
}

/// Cases that test the validators and are never run with a submission.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ValidatorCases {
    /// `invalid_input`: at least one input validator must reject each of them; they have no
    /// answers.
    pub invalid_input: Vec<TestCase>,
    /// `invalid_output`: the output validator must reject the `output` of each case.
    pub invalid_output: Vec<TestCase>,
    /// `valid_output`: the output validator must accept the `output` of each case.
    pub valid_output: Vec<TestCase>,
}
