//! The results of a run: what was planned, and what is known of it so far. Every report, and every command that works
//! with results, reads [`RunResults`].
//!
//! Packages, submissions and cases are indices, so nothing is looked up by name. Judging sends [`Change`]s; each is
//! applied once, and a reader gets the change together with the results that contain it. `event::Event` is the form in
//! which a change leaves the process.

mod case;
mod details;
mod run;

pub use case::{CaseResult, MeasuredBy};
pub use details::{Board, CaseImage, Details, Difference, Excerpt, ExcerptLine, House, KeptOutput};
pub use run::{GroupNotRun, LayerState, LimitOrigin, LimitRun, Machine, RunFinished, RunStarted};

use crate::untrusted::{Message, Name};
use crate::verdict::Verdict;
use judge_package::{Expectation, Severity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A submission of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct SubmissionKey {
    /// Index of its package in [`RunResults::packages`].
    pub package: usize,
    /// Index in [`PackageResults::submissions`].
    pub submission: usize,
}

/// A case of a submission.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct CaseKey {
    /// The submission.
    pub of: SubmissionKey,
    /// Index in [`PackageStarted::cases`].
    pub case: usize,
}

/// A change of the results.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Judging starts.
    RunStarted(RunStarted),
    /// The next package, or more about one: its limits once a derived time limit is known.
    PackageStarted(usize, PackageStarted),
    /// The next submission of its package, which will be judged; or more about one.
    SubmissionPlanned(SubmissionKey, SubmissionPlanned),
    /// A defect of a package that can be judged all the same.
    Finding(Finding),
    /// A submission is being compiled.
    CompileStarted(SubmissionKey),
    /// A submission was compiled, or its compiler is missing.
    Compiled(SubmissionKey, Arc<Compilation>),
    /// A test case starts. If the case is cancelled as irrelevant, it does not finish. If the time limit is derived from
    /// the case, its other changes follow when the limit is known.
    CaseStarted(CaseKey),
    /// A test case has its verdict.
    CaseFinished(CaseKey, Arc<CaseResult>),
    /// All cases of a submission are judged.
    SubmissionFinished(SubmissionKey, Arc<SubmissionResult>),
    /// Everything is judged.
    RunFinished(RunFinished),
}

/// A package before it is judged. In JSON its id is `package` and its title is `name`.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PackageStarted {
    /// Its id.
    #[serde(rename = "package")]
    pub id: Name,
    /// The problem's title.
    #[serde(rename = "name")]
    pub title: Name,
    /// CPU seconds per test case; `None` until it is derived from the accepted submissions.
    pub time_limit_s: Option<f64>,
    /// Bytes of memory.
    pub memory_limit_bytes: u64,
    /// Origin of the time limit, if neither the package nor the command line gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_from: Option<LimitOrigin>,
    /// Origin of the memory limit, if neither the package nor the command line gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit_from: Option<LimitOrigin>,
    /// The package's format, if a limit is its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The run that a derived time limit, once it is known, is derived from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_run: Option<LimitRun>,
    /// The cases that will be judged, in judging order.
    pub cases: Vec<Name>,
    /// The package's directory or archive, relative to the working directory if inside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Name>,
}

/// A submission before it is judged.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SubmissionPlanned {
    /// Its name.
    pub name: Name,
    /// The executable, source file or directory, relative to the working directory if inside it; `None` for a binary of
    /// the workspace.
    pub path: Option<Name>,
    /// The expected verdicts.
    pub expected: Expectation,
    /// The source code, if it is one file; cut after 16 KiB.
    pub source: Option<Message>,
}

impl SubmissionPlanned {
    /// The expected verdicts: `AC`, `WA|TLE`; `None` if any is.
    pub fn expected_text(&self) -> Option<String> {
        expected_verdicts(&self.expected).map(codes)
    }

    /// The expected verdicts; AC if any is.
    pub fn wanted(&self) -> &[Verdict] {
        expected_verdicts(&self.expected).unwrap_or(&[Verdict::Accepted])
    }
}

/// The codes of verdicts: `WA|TLE`.
pub fn codes(verdicts: &[Verdict]) -> String {
    let codes: Vec<&str> = verdicts.iter().map(|verdict| verdict.code()).collect();
    codes.join("|")
}

/// The verdicts that are shown as the expected ones; `None` if any is.
pub fn expected_verdicts(expected: &Expectation) -> Option<&[Verdict]> {
    let lists = [&expected.outcome, &expected.required, &expected.permitted];
    let shown = lists.into_iter().find(|list| !list.is_empty());
    shown.map(Vec::as_slice)
}

/// A defect of a package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The package's id. Findings may precede the package, and exist for one without submissions.
    pub package: Name,
    /// Whether the package is wrong, or only doubtful.
    #[serde(with = "SeverityText")]
    pub severity: Severity,
    /// Path of the file in the package; empty if it is about the whole package.
    pub path: Name,
    /// The line, from 1, where known.
    pub line: Option<usize>,
    /// The column, from 1, where known.
    pub column: Option<usize>,
    /// The error message.
    pub message: Message,
    /// A remedy.
    pub remedy: Option<Message>,
}

/// The texts of [`Severity`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Severity", rename_all = "lowercase")]
enum SeverityText {
    Error,
    Warning,
}

/// The result of compiling a submission.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Compilation {
    /// The language's name; empty if there was nothing to compile.
    pub language: String,
    /// Whether compiling succeeded.
    pub ok: bool,
    /// Whether the submission is skipped because this machine lacks the compiler.
    #[serde(default)]
    pub skipped: bool,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// The compiler's message, or which compiler is missing.
    pub message: Option<Message>,
    /// The hash of the package's files, if other machines judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package_hash: Option<String>,
}

/// The verdict of a submission, with its figures.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SubmissionResult {
    /// Its verdict; `None` when it was skipped because the compiler is missing.
    pub verdict: Option<Verdict>,
    /// Whether the verdict is expected; a skipped submission counts as expected.
    pub as_expected: bool,
    /// The expectation that it does not meet, if the verdict and the expected ones do not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmet: Option<Message>,
    /// The groups that were not run, because one that they require failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups_not_run: Vec<GroupNotRun>,
    /// Points, for a scoring problem.
    pub score: Option<f64>,
    /// Maximum CPU seconds of a case.
    pub max_cpu_s: Option<f64>,
    /// Maximum memory of a case, in bytes.
    pub max_memory_bytes: Option<u64>,
    /// The CPU-time limit of its cases, in seconds.
    #[serde(default)]
    pub time_limit_s: Option<f64>,
    /// Why grading its cases failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Grading failed because of this machine, and not of the package.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_failed: bool,
}

/// The results of a run so far.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RunResults {
    /// The start of the run.
    pub started: RunStarted,
    /// In the order of the plan.
    pub packages: Vec<PackageResults>,
    /// In the order in which they were found.
    pub findings: Vec<Finding>,
    /// Figures and how they were measured: `("CPU time", "cgroup-v2")`.
    pub measured: BTreeSet<(&'static str, String)>,
    /// The end of the run.
    pub end: Option<RunFinished>,
}

/// The results of a package so far.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PackageResults {
    /// The package.
    pub about: PackageStarted,
    /// In the order of the plan.
    pub submissions: Vec<SubmissionResults>,
}

/// The results of a submission so far.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SubmissionResults {
    /// The submission.
    pub planned: SubmissionPlanned,
    /// Set once it is compiled.
    pub compiled: Option<Arc<Compilation>>,
    /// By case; `None` for one that has not finished.
    pub cases: Vec<Option<Arc<CaseResult>>>,
    /// Its verdict; `None` until all of its cases are decided.
    pub finished: Option<Arc<SubmissionResult>>,
}

impl RunResults {
    /// Applies a change. Keys are those of the plan; one of a package or submission that was not announced is ignored.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::RunStarted(started) => self.started = started.clone(),
            Change::PackageStarted(at, started) => match self.packages.get_mut(*at) {
                Some(package) => {
                    package.about = started.clone();
                    for of in &mut package.submissions {
                        of.cases.resize(package.about.cases.len(), None);
                    }
                }
                None => self.packages.push(PackageResults {
                    about: started.clone(),
                    submissions: Vec::new(),
                }),
            },
            Change::SubmissionPlanned(at, planned) => {
                let Some(package) = self.packages.get_mut(at.package) else {
                    return;
                };
                match package.submissions.get_mut(at.submission) {
                    Some(of) => of.planned = planned.clone(),
                    None => package.submissions.push(SubmissionResults {
                        planned: planned.clone(),
                        cases: vec![None; package.about.cases.len()],
                        ..SubmissionResults::default()
                    }),
                }
            }
            Change::Finding(finding) => self.findings.push(finding.clone()),
            Change::Compiled(at, compilation) => {
                if let Some(submission) = self.submission_mut(*at) {
                    submission.compiled = Some(compilation.clone());
                }
            }
            Change::CaseFinished(at, result) => {
                for (figure, by) in result.measured_by.named() {
                    let is_known = |m: &(&str, String)| m.0 == figure && m.1 == by;
                    if !self.measured.iter().any(is_known) {
                        self.measured.insert((figure, by.to_owned()));
                    }
                }
                let submission = self.submission_mut(at.of);
                if let Some(place) = submission.and_then(|of| of.cases.get_mut(at.case)) {
                    *place = Some(result.clone());
                }
            }
            Change::SubmissionFinished(at, result) => {
                if let Some(submission) = self.submission_mut(*at) {
                    submission.finished = Some(result.clone());
                }
            }
            Change::RunFinished(end) => self.end = Some(end.clone()),
            Change::CompileStarted(_) | Change::CaseStarted(_) => {}
        }
    }

    /// The package of a submission.
    ///
    /// # Panics
    ///
    /// If it was not announced.
    pub fn package(&self, at: SubmissionKey) -> &PackageResults {
        &self.packages[at.package]
    }

    /// A submission.
    ///
    /// # Panics
    ///
    /// If it was not announced.
    pub fn submission(&self, at: SubmissionKey) -> &SubmissionResults {
        &self.packages[at.package].submissions[at.submission]
    }

    fn submission_mut(&mut self, at: SubmissionKey) -> Option<&mut SubmissionResults> {
        self.packages
            .get_mut(at.package)?
            .submissions
            .get_mut(at.submission)
    }

    /// The result of a case, if it has one.
    pub fn case(&self, at: CaseKey) -> Option<&Arc<CaseResult>> {
        let package = self.packages.get(at.of.package)?;
        package
            .submissions
            .get(at.of.submission)?
            .cases
            .get(at.case)?
            .as_ref()
    }

    /// The name of a case.
    ///
    /// # Panics
    ///
    /// If its package was not announced.
    pub fn case_name(&self, at: CaseKey) -> &Name {
        &self.packages[at.of.package].about.cases[at.case]
    }

    /// The results of all finished submissions.
    pub fn finished(&self) -> impl Iterator<Item = (&SubmissionResults, &SubmissionResult)> {
        self.packages.iter().flat_map(PackageResults::finished)
    }

    /// The ids of all packages with results or findings, each once.
    pub fn ids(&self) -> Vec<&Name> {
        let judged = self.packages.iter().map(|package| &package.about.id);
        let found = self.findings.iter().map(|finding| &finding.package);
        let mut ids: Vec<&Name> = Vec::new();
        for id in judged.chain(found) {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }
}

impl PackageResults {
    /// The finished submissions, in the order of the plan.
    pub fn finished(&self) -> impl Iterator<Item = (&SubmissionResults, &SubmissionResult)> {
        let finished = |of| Some((of, SubmissionResults::finished(of)?));
        self.submissions.iter().filter_map(finished)
    }

    /// Submissions with judged cases that are not finished.
    pub fn unfinished(&self) -> impl Iterator<Item = &SubmissionResults> {
        let is_unfinished =
            |of: &&SubmissionResults| of.finished.is_none() && of.cases.iter().any(Option::is_some);
        self.submissions.iter().filter(is_unfinished)
    }

    /// The judged cases of a submission with their names, in order.
    pub fn judged<'r>(&'r self, of: &'r SubmissionResults) -> Vec<(&'r Name, &'r CaseResult)> {
        let named = self.about.cases.iter().zip(&of.cases);
        named
            .filter_map(|(name, case)| Some((name, case.as_deref()?)))
            .collect()
    }
}

impl SubmissionResults {
    /// Its verdict, if it is finished.
    pub fn finished(&self) -> Option<&SubmissionResult> {
        self.finished.as_deref()
    }

    /// The result of a case.
    pub fn case(&self, case: usize) -> Option<&CaseResult> {
        self.cases.get(case)?.as_deref()
    }

    /// The message of the compiler.
    pub fn compiler_message(&self) -> Option<&Message> {
        self.compiled.as_ref()?.message.as_ref()
    }

    /// The name of the language; empty if there was nothing to compile.
    pub fn language(&self) -> &str {
        self.compiled
            .as_ref()
            .map_or("", |compiled| &compiled.language)
    }

    /// The results of the judged cases.
    pub fn results(&self) -> impl Iterator<Item = &CaseResult> {
        self.cases.iter().flatten().map(|case| &**case)
    }

    /// Whether it is finished, as expected and accepted in every judged case: where points count, a submission is
    /// accepted with a part of them, too, and its time may be that of a case that it did not solve.
    pub fn solves_every_case(&self) -> bool {
        let is_accepted = |finished: &SubmissionResult| {
            finished.as_expected && finished.verdict == Some(Verdict::Accepted)
        };
        self.finished().is_some_and(is_accepted) && self.results().all(CaseResult::is_accepted)
    }
}
