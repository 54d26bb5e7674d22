//! Derives the time limit of a package from the submissions that must not exceed it.
//!
//! The results of these runs are reused: under the derived limit they would be the same.

use super::diagnosis::explain::STDERR_FOLLOWS;
use super::event_queue::EventSink;
use super::scheduler::{Known, Selected, Selection, SubmissionRef, Summary};
use super::{Plan, PlanEntry, Settings};
use crate::error::Failure;
use crate::parallel::unpoisoned;
use crate::results::{
    CaseKey, CaseResult, Change, LimitRun, PackageResults, RunResults, SubmissionKey,
    SubmissionResults,
};
use crate::submission::Submission;
use crate::untrusted::{Message, Name};
use crate::verdict::Verdict;
use judge_package::units::MAX_SECONDS;
use judge_package::{CaseId, Package, Rule, TestCase, TimeLimit, TimeLimitUse};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

/// Time limit of the runs that the limit is derived from.
const CAP: Duration = Duration::from_secs(60);

/// A derived limit, and the results of the runs that it is derived from.
pub(super) struct Derived {
    /// CPU time per case.
    pub limit: Duration,
    pub run: LimitRun,
    /// Number of cases that were run for it.
    pub cases: usize,
    calibration: Calibration,
}

/// The submissions that a limit is derived from, with their results.
struct Calibration {
    plan: Plan,
    results: RunResults,
}

impl Calibration {
    fn new(package: &Package) -> Self {
        let plan = plan(package);
        let of_entry = |entry: &PlanEntry| {
            let results = SubmissionResults {
                cases: vec![None; entry.cases.len()],
                ..SubmissionResults::default()
            };
            PackageResults {
                submissions: vec![results; entry.submissions.len()],
                ..PackageResults::default()
            }
        };
        let results = RunResults {
            packages: plan.entries.iter().map(of_entry).collect(),
            ..RunResults::default()
        };
        Calibration { plan, results }
    }

    /// The submissions that are run to derive the limit.
    fn runs(&self) -> impl Iterator<Item = SubmissionRef<'_>> {
        let entries = self.plan.entries.iter().enumerate();
        entries.flat_map(move |(package, entry)| {
            let submissions = 0..entry.submissions.len();
            submissions.map(move |submission| SubmissionRef {
                plan: &self.plan,
                key: SubmissionKey {
                    package,
                    submission,
                },
                time_limit: CAP,
            })
        })
    }

    /// The results of a run, with their cases.
    fn of<'c>(
        &'c self,
        run: SubmissionRef<'c>,
    ) -> impl Iterator<Item = (&'c TestCase, &'c CaseResult)> {
        let results = &self.results.submission(run.key).cases;
        let cases = run.entry().cases.iter().zip(results);
        cases.filter_map(|(case, result)| Some((case, result.as_deref()?)))
    }

    /// The times that the limit must not be below, in seconds, each with its submission and case.
    fn bounds(&self) -> impl Iterator<Item = (f64, &Submission, &TestCase)> {
        self.runs().flat_map(|run| {
            let submission = run.submission();
            self.of(run)
                .filter(|(case, result)| bounds(submission, case, result))
                .filter_map(move |(case, result)| Some((result.cpu_s?, submission, case)))
        })
    }
}

impl Derived {
    /// The results of a submission that can be reused for these cases: every case ended within the
    /// derived limit. `None` if the submission must run again.
    pub fn known(&self, submission: &str, cases: &[TestCase]) -> Option<Known> {
        let run = self
            .calibration
            .runs()
            .find(|run| run.submission().name == submission)?;
        let places: HashMap<CaseId, usize> = run
            .entry()
            .cases
            .iter()
            .map(|case| case.id)
            .zip(0..)
            .collect();
        let of_run = self.calibration.results.submission(run.key);
        let results = cases
            .iter()
            .map(|case| {
                let result = of_run.cases[*places.get(&case.id)?].as_ref()?;
                let within = |seconds: Option<f64>, most: Duration| {
                    seconds.is_some_and(|s| s <= most.as_secs_f64())
                };
                let decided_by_time = [Verdict::TimeLimitExceeded, Verdict::JudgeError];
                let same = !decided_by_time.contains(&result.verdict)
                    && within(result.cpu_s, self.limit)
                    && within(result.wall_s, 2 * self.limit);
                same.then(|| result.clone())
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Known {
            compiled: of_run.compiled.clone(),
            results,
        })
    }
}

/// The keys of the runs and their cases in the results of the whole run, for those that are part of it.
struct Translation {
    submissions: HashMap<SubmissionKey, SubmissionKey>,
    /// By the index of the calibration's entry.
    cases: Vec<HashMap<usize, usize>>,
}

impl Translation {
    fn new(calibration: &Calibration, judged: &PlanEntry, package: usize) -> Self {
        let key = |run: SubmissionRef<'_>| {
            let mut planned = judged.submissions.iter();
            let submission =
                planned.position(|planned| planned.submission.name == run.submission().name)?;
            Some((
                run.key,
                SubmissionKey {
                    package,
                    submission,
                },
            ))
        };
        let places: HashMap<CaseId, usize> =
            judged.cases.iter().map(|case| case.id).zip(0..).collect();
        let of_entry = |entry: &PlanEntry| {
            let cases = entry.cases.iter().enumerate();
            cases
                .filter_map(|(k, case)| Some((k, *places.get(&case.id)?)))
                .collect()
        };
        Translation {
            submissions: calibration.runs().filter_map(key).collect(),
            cases: calibration.plan.entries.iter().map(of_entry).collect(),
        }
    }

    fn case(&self, at: CaseKey) -> Option<CaseKey> {
        Some(CaseKey {
            of: *self.submissions.get(&at.of)?,
            case: *self.cases.get(at.of.package)?.get(&at.case)?,
        })
    }

    /// The change in terms of the whole run, if it is about compiling or running a case.
    fn change(&self, change: &Change) -> Option<Change> {
        match change {
            Change::CompileStarted(at) => Some(Change::CompileStarted(*self.submissions.get(at)?)),
            Change::Compiled(at, compiled) => Some(Change::Compiled(
                *self.submissions.get(at)?,
                compiled.clone(),
            )),
            Change::CaseStarted(at) => Some(Change::CaseStarted(self.case(*at)?)),
            Change::CaseFinished(at, result) => {
                Some(Change::CaseFinished(self.case(*at)?, result.clone()))
            }
            _ => None,
        }
    }
}

/// Derives the time limit of an entry's package: the time of the slowest submission that must not exceed it,
/// multiplied by the format's factor and rounded up. `None` when judging was interrupted. `events` receives only the
/// starts of cases; their results are sent when the limit is known.
/// Fails when no accepted submission exists or can run here.
pub(super) fn time_limit(
    judged: &Plan,
    entry: usize,
    settings: &Settings,
    judge: impl Fn(&Plan, &Selection, &Settings, &dyn EventSink) -> Result<Summary, Failure>,
    events: &dyn EventSink,
) -> Result<Option<Derived>, Failure> {
    let package = &judged.entries[entry].package;
    let TimeLimit::Derived { factor, resolution } = package.limits.time else {
        return Ok(None);
    };
    let mut calibration = Calibration::new(package);
    let translation = Translation::new(&calibration, &judged.entries[entry], entry);
    let selected = |run: SubmissionRef<'_>| Selected {
        thorough: true,
        ..Selected::new(run.key, run.time_limit)
    };
    let selection: Selection = calibration.runs().map(selected).collect();
    let settings = &Settings {
        fail_fast: false,
        ..settings.clone()
    };
    let seen = Mutex::new(Vec::new());
    let keep = |change: Change| match change {
        Change::CaseStarted(_) => {
            if let Some(change) = translation.change(&change) {
                events.send(change);
            }
        }
        _ => unpoisoned(seen.lock()).push(change),
    };
    let summary = judge(&calibration.plan, &selection, settings, &keep)?;
    let seen = unpoisoned(seen.into_inner());
    if summary.interrupted {
        // No limit is derived: the results so far are all there is to report.
        let known = seen.iter().filter_map(|change| translation.change(change));
        known.for_each(|change| events.send(change));
        return Ok(None);
    }
    seen.iter()
        .for_each(|change| calibration.results.apply(change));
    let has_accepted = calibration
        .bounds()
        .any(|(_, submission, _)| is_accepted(submission));
    let slowest = calibration.bounds().max_by(|a, b| {
        let by_name = || b.1.name.cmp(&a.1.name);
        a.0.total_cmp(&b.0).then_with(by_name)
    });
    let Some((seconds, submission, case)) = slowest.filter(|_| has_accepted) else {
        return Err(no_accepted(package, &calibration));
    };
    Ok(Some(Derived {
        limit: rounded_up(seconds * factor, resolution),
        run: LimitRun {
            submission: Name::from(&submission.name),
            case: Name::from(&case.name),
            cpu_s: seconds,
            factor,
            resolution_s: resolution.as_secs_f64(),
        },
        cases: summary.cases,
        calibration,
    }))
}

/// The error of a package without a limit and without a submission to derive it from.
fn no_accepted(package: &Package, calibration: &Calibration) -> Failure {
    let fix = match calibration.runs().next() {
        None => "",
        Some(_) => "fix them, or ",
    };
    Failure::usage(format!(
        "{}: the package has no time limit, and no accepted submission that can be run here to derive \
         it from{}",
        package.origin.display(),
        failures(calibration)
    ))
    .help(format!(
        "{fix}add `limits: {{ time_limit: SECONDS }}` to problem.yaml, or judge with --time-limit SECONDS"
    ))
}

fn is_accepted(submission: &Submission) -> bool {
    submission.expected.permitted == [Verdict::Accepted]
}

/// Whether the time of a case is a lower bound of the limit. A verdict that the submission must not get
/// says nothing about its time.
fn bounds(submission: &Submission, case: &TestCase, result: &CaseResult) -> bool {
    result.verdict != Verdict::TimeLimitExceeded
        && submission.rules.iter().any(|rule| {
            rule.bounds_time_limit() == TimeLimitUse::Lower
                && rule.applies_to(&case.name)
                && rule.expected.allows(result.verdict)
        })
}

/// One line for each accepted submission that should have determined the limit and failed.
fn failures(calibration: &Calibration) -> String {
    let accepted = calibration
        .runs()
        .filter(|run| run.key.package == 0 && is_accepted(run.submission()));
    let lines = accepted.filter_map(|run| {
        let compiled = calibration.results.submission(run.key).compiled.as_deref();
        let (what, why) = match (compiled, calibration.of(run).next()) {
            (_, Some((case, result))) => (
                format!("{} {}", result.verdict, case.name),
                result
                    .message
                    .as_ref()
                    .map(|message| reason_of_run(message.raw())),
            ),
            (Some(compiled), None) => {
                let what = if compiled.skipped { "skipped" } else { "CE" };
                let text = compiled.message.as_ref().map_or("", Message::raw);
                // A compiler prints the location before the error.
                let first = text.lines().find(|line| line.contains("error"));
                let first = first.or_else(|| text.lines().next()).map(str::to_owned);
                (what.to_owned(), first)
            }
            (None, None) => return None,
        };
        let why = why.map(|line| format!(": {line}"));
        let name = &run.submission().name;
        Some(format!("\n  {name}: {what}{}", why.unwrap_or_default()))
    });
    lines.collect()
}

/// The message of a failed run in one line: how it ended, and the last line of its standard error.
fn reason_of_run(message: &str) -> String {
    let (how, stderr) = message.split_once(STDERR_FOLLOWS).unwrap_or((message, ""));
    let how = how.lines().next().unwrap_or_default();
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    match last.filter(|last| !how.contains(last)) {
        Some(last) => format!("{how}; {last}"),
        None => how.to_owned(),
    }
}

/// The submissions that must not exceed the limit over all cases, and each one that must not do so in
/// some cases over those.
fn plan(package: &Package) -> Plan {
    let lower = |rules: &[Rule], is_it: &dyn Fn(&Rule) -> bool| {
        let mut rules = rules.iter();
        rules.any(|rule| rule.bounds_time_limit() == TimeLimitUse::Lower && is_it(rule))
    };
    let everywhere = |rules: &[Rule]| lower(rules, &|rule| rule.scope.is_none());
    let (all, others): (Vec<_>, Vec<_>) = Submission::of_package(package, |_| true)
        .into_iter()
        .partition(|submission| everywhere(&submission.rules));
    let cases = || package.cases().into_iter().cloned();
    let mut entries = vec![PlanEntry::new(package.clone(), cases().collect(), all)];
    for submission in others {
        let in_scope =
            |case: &TestCase| lower(&submission.rules, &|rule| rule.applies_to(&case.name));
        let cases: Vec<TestCase> = cases().filter(in_scope).collect();
        if !cases.is_empty() {
            entries.push(PlanEntry::new(package.clone(), cases, [submission]));
        }
    }
    Plan { entries }
}

/// A time limit: the seconds, rounded up to a multiple of `resolution`.
pub fn rounded_up(seconds: f64, resolution: Duration) -> Duration {
    let step = resolution.as_secs_f64().max(0.001);
    // Tolerates floating-point error: a limit that is 1e-9 steps over a multiple is that multiple.
    let steps = (seconds / step - 1e-9).ceil().max(1.0);
    // The factor of a package is unbounded; the time limit is not.
    Duration::from_secs_f64((steps * step).min(MAX_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_how_a_run_ended_and_its_last_line() {
        for (message, expected) in [
            ("exit code 3", "exit code 3"),
            (
                "exit code 1\nstandard error:\nTraceback: index 7\n\n",
                "exit code 1; Traceback: index 7",
            ),
            (
                "exit code 1; ValueError: 7\nstandard error:\n  File 1\nValueError: 7\n",
                "exit code 1; ValueError: 7",
            ),
            (
                "line 1, column 1: expected \"1\"\nmore",
                "line 1, column 1: expected \"1\"",
            ),
        ] {
            assert_eq!(reason_of_run(message), expected);
        }
    }

    #[test]
    fn a_limit_is_a_multiple_of_its_resolution() {
        let second = Duration::from_secs(1);
        assert_eq!(rounded_up(0.01, second), second);
        assert_eq!(rounded_up(1.0, second), second);
        assert_eq!(rounded_up(1.01, second), 2 * second);
        assert_eq!(rounded_up(0.31, second / 10), 4 * second / 10);
        assert_eq!(rounded_up(1e300, second).as_secs_f64(), MAX_SECONDS);
        assert_eq!(rounded_up(f64::INFINITY, second).as_secs_f64(), MAX_SECONDS);
    }
}
