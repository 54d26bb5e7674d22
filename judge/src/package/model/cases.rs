//! Test data as the judge sees it: groups, cases, and how their results are joined.

use std::path::PathBuf;
use std::time::Duration;

/// Test cases and groups that are judged together.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The path below the data directory: `secret/group1`; empty for the root.
    pub name: String,
    /// The cases directly in this group, in judging order.
    pub cases: Vec<TestCase>,
    /// The groups in it, in judging order; [`Group::parts`] says how they mix with `cases`.
    pub groups: Vec<Group>,
    /// How many of the cases directly in the group around this one come before it.
    pub after: usize,
    /// How the results of the parts make the result of the group.
    pub aggregation: Aggregation,
    /// Other groups that must be accepted first (2025-09 `require_pass`, Hydro `if`).
    pub requires: Vec<String>,
    /// The most points the group gives, where it is scored and bounded.
    pub max_score: Option<f64>,
    /// Whether nothing behind it is judged when it is not accepted (DMOJ's batches of 0 points).
    pub is_gate: bool,
    /// Whether judging of the group ends at the first case that is not accepted.
    pub stop_at_first: bool,
    /// How the verdicts of the parts make the verdict of the group.
    pub verdict_mode: VerdictMode,
    /// Legacy `accept_if_any_accepted`: one accepted part is enough.
    pub accept_if_any: bool,
    /// Legacy `ignore_sample`: the first part (the samples) counts neither for the verdict nor
    /// for the score. Only on the root.
    pub ignore_sample: bool,
    /// Whether more points than `max_score` are a judge error, not just cut.
    pub excess_is_error: bool,
    /// The least and the most points the format allows for the group (legacy `range`).
    pub range: Option<(f64, f64)>,
    /// Legacy `grading: custom`: the flags for [`crate::package::Package::grader`], which then decides
    /// instead of `aggregation` and `verdict_mode`.
    pub custom_grader_flags: Option<Vec<String>>,
    /// Whether [`crate::package::Package::static_validator`] judges the source as a further case of the
    /// group.
    pub static_validation: Option<StaticValidation>,
}

impl Group {
    /// A group without parts that is accepted when each of its parts is.
    pub fn new(name: impl Into<String>) -> Self {
        Group {
            name: name.into(),
            cases: Vec::new(),
            groups: Vec::new(),
            after: usize::MAX,
            aggregation: Aggregation::PassFail,
            requires: Vec::new(),
            max_score: None,
            is_gate: false,
            stop_at_first: true,
            verdict_mode: VerdictMode::Worst,
            accept_if_any: false,
            ignore_sample: false,
            excess_is_error: false,
            range: None,
            custom_grader_flags: None,
            static_validation: None,
        }
    }

    /// Calls `visit` on every test case of the group, static ones too, in judging order.
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

    /// Every test case of the group and of the groups in it that has an input, in judging order.
    pub fn all_cases(&self) -> Vec<&TestCase> {
        let mut cases = self.judged_cases();
        cases.retain(|case| !case.is_static);
        cases
    }

    /// The same with the static validation cases, which look at the source.
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

/// What a group is made of.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A test case.
    Case(&'a TestCase),
    /// A group with its own rules.
    Group(&'a Group),
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

/// How the verdicts of the parts make the verdict of a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum VerdictMode {
    /// Accepted when every part is, otherwise the worst of them in the order JE, IF, RTE, MLE,
    /// TLE, OLE, WA.
    #[default]
    Worst,
    /// Accepted when every part is, otherwise the first that is not.
    First,
    /// Accepted whatever the parts say; only the points count.
    AlwaysAccept,
}

/// A further case of a group that looks at the source (2025-09 `static_validation_score`).
#[derive(Clone, PartialEq, Debug)]
pub struct StaticValidation {
    /// The most points it gives; `None` for `pass-fail`.
    pub score: Option<f64>,
    /// Arguments for the static validator.
    pub args: Vec<String>,
}

/// The number of a case among all cases of its package, in judging order: the key of its results.
/// The name is for people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct CaseId(pub usize);

/// One input and what is right for it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TestCase {
    /// Its number in the package.
    pub id: CaseId,
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
    /// Which of the package's output validators alone decides (DMOJ); `None`: all of them.
    pub validator: Option<usize>,
    /// Whether the validator gives points to a run that failed, too (DMOJ's `run_on_error`).
    pub checks_failed_runs: bool,
    /// A directory whose files are put into the working directory.
    pub files: Option<PathBuf>,
    /// Whether it is a sample.
    pub sample: bool,
    /// The points it gives when accepted, where it is scored.
    pub score: Option<f64>,
    /// The points it gives when not accepted (legacy `reject_score`), where that is not 0.
    pub reject_score: Option<f64>,
    /// A time limit of its own, where the format has that (Luogu, Hydro).
    pub time_limit: Option<Duration>,
    /// A memory limit of its own, in bytes.
    pub memory_limit: Option<u64>,
    /// Arguments for the input validators.
    pub input_validator_args: InputValidatorArgs,
    /// `X.out`: an output that the package shows, or that `valid_output` and `invalid_output`
    /// put to the output validator.
    pub output: Option<PathBuf>,
    /// What the case is for (`description`, or legacy's `.desc`).
    pub description: Option<String>,
    /// Whether the case is [`crate::package::Package::static_validator`]'s: it has no input, and
    /// `validator_args` are for that program.
    pub is_static: bool,
    /// Which points a validator may give.
    pub points: Points,
    /// Whether nothing behind it is judged when it is not accepted (DMOJ's cases of 0 points).
    pub is_gate: bool,
}

/// Which points a validator may give to a case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Points {
    /// Any; what it says counts.
    #[default]
    Free,
    /// What it says does not count (samples).
    Ignored,
    /// Any, those of a rejected output too (DMOJ).
    Granted,
    /// None (a case of a `pass-fail` group).
    Forbidden,
    /// At most [`TestCase::score`], or a share of that.
    Bounded,
    /// It must say how many.
    Demanded,
}

/// Arguments for the input validators.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InputValidatorArgs {
    /// For each validator that `by_name` does not list.
    pub all: Vec<String>,
    /// For the validator of that name (its file's or directory's base name).
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

/// Cases that are never put to a submission: they test the validators.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ValidatorCases {
    /// `invalid_input`: at least one input validator must refuse each; no answers.
    pub invalid_input: Vec<TestCase>,
    /// `invalid_output`: the output validator must refuse each case's `output`.
    pub invalid_output: Vec<TestCase>,
    /// `valid_output`: the output validator must accept each case's `output`.
    pub valid_output: Vec<TestCase>,
}
