//! Checks the margins between a given time limit and the times of the submissions.
//!
//! The ICPC formats define two factors: the limit is at least `ac_to_time_limit` times the time of
//! the slowest accepted submission, and a too slow one takes at least `time_limit_to_tle` times the
//! limit. Without these margins another machine may give other verdicts.

use crate::judging::limits::kill_at;
use crate::judging::{Overrides, Plan, PlanEntry};
use crate::results::{CaseResult, PackageResults, RunResults};
use crate::submission::Submission;
use crate::untrusted::Name;
use crate::verdict::Verdict;
use judge_package::{TimeLimit, TimeLimitUse};
use std::time::Duration;

/// A submission with its time and its limit, in seconds.
type Time<'a> = (f64, f64, &'a Name);

/// A warning for each margin of a package that its slowest submission that must keep the limit, or
/// its fastest too slow one, does not keep.
pub fn margin_warnings(plan: &Plan, results: &RunResults, overrides: Overrides) -> Vec<String> {
    if overrides.time.is_some() {
        return Vec::new();
    }
    let entries = plan.entries.iter().zip(&results.packages);
    entries
        .flat_map(|(entry, results)| of_package(entry, results))
        .collect()
}

fn of_package(entry: &PlanEntry, results: &PackageResults) -> Vec<String> {
    let package = &entry.package;
    let Some((ac_to_limit, limit_to_tle)) = package.limits.margin_keys else {
        return Vec::new();
    };
    let mut warnings = Vec::new();
    let slowest = times(entry, results, TimeLimitUse::Lower);
    let slowest = slowest.max_by(|a, b| a.0.total_cmp(&b.0));
    let factor = package.limits.ac_to_time_limit;
    if let (Some((seconds, limit, name)), TimeLimit::Given(_)) = (slowest, package.limits.time)
        && seconds * factor > limit
    {
        warnings.push(format!(
            "{}: {name} takes {seconds:.3} s of the {limit:.3} s allowed; {ac_to_limit} asks for \
             a limit of {factor} times that, {:.3} s",
            package.id,
            seconds * factor
        ));
    }
    // A program that waits is stopped by the wall clock: its CPU time is below the limit.
    let too_slow = times(entry, results, TimeLimitUse::Upper);
    let too_slow = too_slow.filter(|(seconds, limit, _)| seconds > limit);
    let fastest = too_slow.min_by(|a, b| a.0.total_cmp(&b.0));
    let factor = package.limits.time_limit_to_tle;
    if let Some((seconds, limit, name)) = fastest
        && seconds < limit * factor
        // A killed run would have taken longer, by an unknown time.
        && seconds < kill_at(Duration::from_secs_f64(limit)).as_secs_f64()
    {
        warnings.push(format!(
            "{}: {name} takes {seconds:.3} s, little more than the {limit:.3} s allowed; \
             {limit_to_tle} asks for {factor} times the limit, {:.3} s",
            package.id,
            limit * factor
        ));
    }
    warnings
}

/// The submissions that bound the limit in this way, with the time of their slowest case in scope.
fn times<'a>(
    entry: &'a PlanEntry,
    results: &'a PackageResults,
    bound: TimeLimitUse,
) -> impl Iterator<Item = Time<'a>> {
    let submissions = entry.submissions.iter().zip(&results.submissions);
    submissions.filter_map(move |(planned, of)| {
        let finished = of.finished().filter(|finished| finished.as_expected)?;
        let is_bound = |(name, case): &(&Name, &CaseResult)| {
            is_bound(&planned.submission, name.raw(), case, bound)
        };
        let judged = results.judged(of).into_iter().filter(is_bound);
        let slowest = judged.filter_map(|(_, case)| case.cpu_s).reduce(f64::max);
        Some((slowest?, finished.time_limit_s?, &of.planned.name))
    })
}

fn is_bound(submission: &Submission, case: &str, result: &CaseResult, bound: TimeLimitUse) -> bool {
    let is_too_slow = result.verdict == Verdict::TimeLimitExceeded;
    is_too_slow == (bound == TimeLimitUse::Upper)
        && submission
            .rules
            .iter()
            .any(|rule| rule.bounds_time_limit() == bound && rule.applies_to(case))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{
        CaseKey, Change, PackageStarted, SubmissionKey, SubmissionPlanned, SubmissionResult,
    };
    use judge_package::Package;
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    fn plan(dir: &Path, yaml: &str) -> Plan {
        for (name, text) in [
            ("problem.yaml", yaml),
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", ""),
            ("submissions/accepted/ac.py", ""),
            ("submissions/time_limit_exceeded/tle.py", ""),
            ("submissions/wrong_answer/wa.py", ""),
        ] {
            let path = dir.join("p").join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("created");
            fs::write(path, text).expect("written");
        }
        let package = Package::read(&dir.join("p")).expect("a package");
        let submissions = Submission::of_package(&package, |_| true);
        let cases = package.cases().into_iter().cloned().collect();
        Plan {
            entries: vec![PlanEntry::new(package, cases, submissions)],
        }
    }

    /// The results of submissions over one case: name, verdict and seconds of each.
    fn results(plan: &Plan, judged: &[(&str, Verdict, f64)]) -> RunResults {
        let mut results = RunResults::default();
        let started = PackageStarted {
            cases: [Name::from("secret/1")].into(),
            ..PackageStarted::default()
        };
        results.apply(&Change::PackageStarted(0, started));
        for (submission, planned) in plan.entries[0].submissions.iter().enumerate() {
            let at = SubmissionKey {
                package: 0,
                submission,
            };
            let name = &planned.submission.name;
            let planned = SubmissionPlanned {
                name: Name::from(name),
                ..SubmissionPlanned::default()
            };
            results.apply(&Change::SubmissionPlanned(at, planned));
            let mut judged = judged.iter();
            let (_, verdict, seconds) = *judged.find(|judged| judged.0 == name).expect("a result");
            let case = CaseResult {
                cpu_s: Some(seconds),
                ..CaseResult::new(verdict)
            };
            results.apply(&Change::CaseFinished(
                CaseKey { of: at, case: 0 },
                Arc::new(case),
            ));
            let finished = SubmissionResult {
                verdict: Some(verdict),
                as_expected: true,
                time_limit_s: Some(1.0),
                ..SubmissionResult::default()
            };
            results.apply(&Change::SubmissionFinished(at, Arc::new(finished)));
        }
        results
    }

    #[test]
    fn a_given_limit_keeps_the_margins_of_its_format() {
        let v2025 = "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 1}\n";
        let legacy =
            "name: P\nlimits: {time_limit: 1, time_multiplier: 4, time_safety_margin: 3}\n";
        let derived = "problem_format_version: 2025-09\nname: P\n";
        let small = "ac_to_time_limit asks for a limit of 2 times that, 1.400 s";
        for (yaml, ac, tle, wa, expected) in [
            (v2025, 0.4, 1.6, 0.4, &[][..]),
            (v2025, 0.7, 1.6, 0.4, &[small]),
            // A wrong submission must not be too slow either.
            (v2025, 0.4, 1.6, 0.7, &[small]),
            (
                v2025,
                0.4,
                1.08,
                0.4,
                &["time_limit_to_tle asks for 1.5 times the limit, 1.500 s"],
            ),
            // Killed: the time of the whole run is unknown.
            (v2025, 0.4, 1.13, 0.4, &[]),
            // It waits, and was stopped by the wall clock.
            (v2025, 0.4, 0.01, 0.4, &[]),
            (
                legacy,
                0.4,
                1.01,
                0.4,
                &[
                    "time_multiplier asks",
                    "time_safety_margin asks for 3 times",
                ],
            ),
            // In legacy only the accepted submissions count.
            (legacy, 0.2, 3.1, 0.9, &[]),
            (derived, 0.7, 1.6, 0.4, &[]),
        ] {
            let dir = tempfile::tempdir().expect("a temporary directory");
            let plan = plan(dir.path(), yaml);
            let judged = [
                ("accepted/ac.py", Verdict::Accepted, ac),
                (
                    "time_limit_exceeded/tle.py",
                    Verdict::TimeLimitExceeded,
                    tle,
                ),
                ("wrong_answer/wa.py", Verdict::WrongAnswer, wa),
            ];
            let results = results(&plan, &judged);
            let found = margin_warnings(&plan, &results, Overrides::default());
            assert_eq!(found.len(), expected.len(), "{yaml}: {found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.contains(expected), "{found}");
            }
            let overrides = Overrides {
                time: Some(Duration::from_secs(1)),
                memory: None,
            };
            assert!(margin_warnings(&plan, &results, overrides).is_empty());
        }
    }
}
