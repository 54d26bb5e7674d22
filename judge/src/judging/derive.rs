//! Derives the time limit of a package from the submissions that must not exceed it.
//!
//! The results of these runs are reused: under the derived limit they would be the same.

use super::build::Toolchain;
use super::event_queue::EventSink;
use super::explain::STDERR_FOLLOWS;
use super::scheduler::{Known, Selected, Selection, Summary};
use super::{Plan, PlanEntry, Settings};
use crate::error::Failure;
use crate::event::{CaseFinished, Event, LimitRun};
use crate::parallel::unpoisoned;
use crate::submission::Submission;
use crate::verdict::Verdict;
use judge_package::units::MAX_SECONDS;
use judge_package::{Package, Rule, TestCase, TimeLimit, TimeLimitUse};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

/// Time limit of the runs that the limit is derived from.
const CAP: Duration = Duration::from_secs(60);

/// A derived limit, and the results of the runs that it is derived from.
pub(super) struct Derived {
    /// CPU time per case.
    pub limit: Duration,
    /// The run that it is derived from.
    pub run: LimitRun,
    /// Number of cases that were run for it.
    pub cases: usize,
    /// Results over all cases, by the submission's name.
    known: HashMap<String, Known>,
}

impl Derived {
    /// The results of a submission that can be reused for these cases: every case ended within the
    /// derived limit. `None` if the submission must run again.
    pub fn known(&self, submission: &str, cases: &[TestCase]) -> Option<Known> {
        let known = self.known.get(submission)?;
        let by_name: HashMap<&str, &CaseFinished> = known
            .results
            .iter()
            .map(|result| (result.case.as_str(), result))
            .collect();
        let results = cases
            .iter()
            .map(|case| {
                let result = *by_name.get(case.name.as_str())?;
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
            compiled: known.compiled.clone(),
            results,
        })
    }
}

/// Derives the time limit: the time of the slowest submission that must not exceed it, multiplied by
/// the format's factor and rounded up. `None` when judging was interrupted. `events` receives only the starts of
/// cases; their results are sent when the limit is known.
///
/// # Errors
///
/// When no accepted submission exists or can run here.
pub(super) fn time_limit(
    package: &Package,
    settings: &Settings,
    toolchain: &Toolchain,
    judge: impl Fn(&Plan, &Selection, &Settings, &Toolchain, &dyn EventSink) -> Result<Summary, Failure>,
    events: &dyn EventSink,
) -> Result<Option<Derived>, Failure> {
    let TimeLimit::Derived { factor, resolution } = package.limits.time else {
        return Ok(None);
    };
    let plan = plan(package);
    let selected = |(entry, planned): (usize, &PlanEntry)| {
        let submissions = 0..planned.submissions.len();
        submissions.map(move |submission| Selected {
            thorough: true,
            ..Selected::new(entry, submission, CAP)
        })
    };
    let selection: Selection = plan.entries.iter().enumerate().flat_map(selected).collect();
    let settings = &Settings {
        fail_fast: false,
        ..settings.clone()
    };
    let seen = Mutex::new(Vec::new());
    let keep = |event: Event| match event {
        Event::CaseStarted { .. } => events.send(event),
        _ => unpoisoned(seen.lock()).push(event),
    };
    let summary = judge(&plan, &selection, settings, toolchain, &keep)?;
    let seen = unpoisoned(seen.into_inner());
    if summary.interrupted {
        // No limit is derived: the results so far are all there is to report.
        let is_of_end = |event: &Event| matches!(event, Event::SubmissionFinished(_));
        let known = seen.into_iter().filter(|event| !is_of_end(event));
        known.for_each(|event| events.send(event));
        return Ok(None);
    }
    let mut known: HashMap<String, Known> = HashMap::new();
    for event in seen {
        match event {
            Event::CompileFinished { ref submission, .. } => {
                let name = submission.clone();
                known.entry(name).or_default().compiled = Some(event);
            }
            Event::CaseFinished(case) => {
                let known = known.entry(case.submission.clone()).or_default();
                known.results.push(case);
            }
            _ => {}
        }
    }
    let bounding: Vec<(&Submission, &CaseFinished)> = plan
        .entries
        .iter()
        .flat_map(|entry| &entry.submissions)
        .flat_map(|planned| {
            let submission = &planned.submission;
            let results = known.get(&submission.name).into_iter();
            let results = results.flat_map(|known| &known.results);
            results.filter_map(move |case| bounds(submission, case).then_some((submission, case)))
        })
        .collect();
    let has_accepted = bounding
        .iter()
        .any(|(submission, _)| submission.expected.permitted == [Verdict::Accepted]);
    let slowest = bounding
        .iter()
        .filter_map(|(_, case)| Some((case.cpu_s?, case)))
        .max_by(|a, b| {
            let by_name = || b.1.submission.cmp(&a.1.submission);
            a.0.total_cmp(&b.0).then_with(by_name)
        });
    match slowest.filter(|_| has_accepted) {
        Some((seconds, case)) => Ok(Some(Derived {
            limit: rounded_up(seconds * factor, resolution),
            run: LimitRun {
                submission: case.submission.clone(),
                case: case.case.clone(),
                cpu_s: seconds,
                factor,
                resolution_s: resolution.as_secs_f64(),
            },
            cases: summary.cases,
            known,
        })),
        None => Err(Failure::usage(format!(
            "{}: the package has no time limit, and no accepted submission that can be run here \
             to derive it from{}\n  help: {}add `limits: {{ time_limit: SECONDS }}` to \
             problem.yaml, or judge with --time-limit SECONDS",
            package.origin.display(),
            failures(&plan, &known),
            if known.is_empty() {
                ""
            } else {
                "fix them, or "
            },
        ))),
    }
}

/// Whether the time of a case is a lower bound of the limit. A verdict that the submission must not get
/// says nothing about its time.
fn bounds(submission: &Submission, case: &CaseFinished) -> bool {
    case.verdict != Verdict::TimeLimitExceeded
        && submission.rules.iter().any(|rule| {
            rule.bounds_time_limit() == TimeLimitUse::Lower
                && rule.applies_to(&case.case)
                && rule.expected.allows(case.verdict)
        })
}

/// One line for each accepted submission that should have determined the limit and failed.
fn failures(plan: &Plan, known: &HashMap<String, Known>) -> String {
    let entry = &plan.entries[0];
    let accepted = entry
        .submissions
        .iter()
        .filter(|planned| planned.submission.expected.permitted == [Verdict::Accepted]);
    let lines = accepted.filter_map(|planned| {
        let name = &planned.submission.name;
        let known = known.get(name)?;
        let of_case =
            |case: &TestCase| known.results.iter().find(|result| result.case == case.name);
        let (what, why) = match (&known.compiled, entry.cases.iter().find_map(of_case)) {
            (_, Some(result)) => (
                format!("{} {}", result.verdict, result.case),
                result.message.as_deref().map(reason_of_run),
            ),
            (
                Some(Event::CompileFinished {
                    message, skipped, ..
                }),
                None,
            ) => {
                let text = message.as_deref().unwrap_or_default();
                // A compiler prints the location before the error.
                let first = text.lines().find(|line| line.contains("error"));
                let first = first.or_else(|| text.lines().next()).map(str::to_owned);
                (if *skipped { "skipped" } else { "CE" }.to_owned(), first)
            }
            _ => return None,
        };
        let why = why.map(|line| format!(": {line}"));
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

fn rounded_up(seconds: f64, resolution: Duration) -> Duration {
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
