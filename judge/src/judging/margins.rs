//! Checks the margins between a given time limit and the times of the submissions.
//!
//! The ICPC formats define two factors: the limit is at least `ac_to_time_limit` times the time of
//! the slowest accepted submission, and a too slow one takes at least `time_limit_to_tle` times the
//! limit. Without these margins another machine may give other verdicts.

use super::limits::kill_at;
use super::{Overrides, Plan, PlanEntry};
use crate::event::SubmissionFinished;
use crate::verdict::Verdict;
use judge_package::{TimeLimit, TimeLimitUse};
use std::time::Duration;

/// A warning for each margin of a package that its slowest accepted submission or its fastest too
/// slow one does not keep.
pub fn warnings(plan: &Plan, overrides: Overrides, finished: &[SubmissionFinished]) -> Vec<String> {
    if overrides.time.is_some() {
        return Vec::new();
    }
    let of_package = |entry: &PlanEntry| of_package(entry, finished);
    plan.entries.iter().flat_map(of_package).collect()
}

fn of_package(entry: &PlanEntry, finished: &[SubmissionFinished]) -> Vec<String> {
    let package = &entry.package;
    let Some((ac_to_limit, limit_to_tle)) = package.limits.margin_keys else {
        return Vec::new();
    };
    let times = |bound: TimeLimitUse, verdict: Verdict| {
        let bounding = finished.iter().filter(move |result| {
            result.package == package.id && result.as_expected && result.verdict == Some(verdict)
        });
        bounding.filter_map(move |result| {
            let mut planned = entry.submissions.iter().map(|planned| &planned.submission);
            let submission = planned.find(|submission| submission.name == result.submission)?;
            let mut rules = submission.rules.iter();
            rules
                .any(|rule| rule.bounds_time_limit() == bound)
                .then_some(())?;
            Some((result.max_cpu_s?, result.time_limit_s?, &*result.submission))
        })
    };
    let mut warnings = Vec::new();
    let slowest = times(TimeLimitUse::Lower, Verdict::Accepted).max_by(|a, b| a.0.total_cmp(&b.0));
    let factor = package.limits.ac_to_time_limit;
    if let (Some((seconds, limit, name)), TimeLimit::Given(_)) = (slowest, package.limits.time)
        && seconds * factor > limit
    {
        warnings.push(format!(
            "{}: {name} takes {seconds:.3} s of the {limit:.3} s allowed; {ac_to_limit} asks for a \
             limit of {factor} times that, {:.3} s",
            package.id,
            seconds * factor
        ));
    }
    let fastest =
        times(TimeLimitUse::Upper, Verdict::TimeLimitExceeded).min_by(|a, b| a.0.total_cmp(&b.0));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submission::Submission;
    use judge_package::Package;
    use std::fs;
    use std::path::Path;

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

    fn finished(submission: &str, verdict: Verdict, seconds: f64) -> SubmissionFinished {
        SubmissionFinished {
            package: "p".to_owned(),
            submission: submission.to_owned(),
            verdict: Some(verdict),
            as_expected: true,
            max_cpu_s: Some(seconds),
            time_limit_s: Some(1.0),
            ..SubmissionFinished::default()
        }
    }

    #[test]
    fn a_given_limit_keeps_the_margins_of_its_format() {
        let v2025 = "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 1}\n";
        let legacy =
            "name: P\nlimits: {time_limit: 1, time_multiplier: 4, time_safety_margin: 3}\n";
        let derived = "problem_format_version: 2025-09\nname: P\n";
        for (yaml, ac, tle, expected) in [
            (v2025, 0.4, 1.6, &[][..]),
            (
                v2025,
                0.7,
                1.6,
                &["ac_to_time_limit asks for a limit of 2 times that, 1.400 s"],
            ),
            (
                v2025,
                0.4,
                1.08,
                &["time_limit_to_tle asks for 1.5 times the limit, 1.500 s"],
            ),
            // Killed: the time of the whole run is unknown.
            (v2025, 0.4, 1.13, &[]),
            (
                legacy,
                0.4,
                1.01,
                &[
                    "time_multiplier asks",
                    "time_safety_margin asks for 3 times",
                ],
            ),
            (derived, 0.7, 1.6, &[]),
        ] {
            let dir = tempfile::tempdir().expect("a temporary directory");
            let plan = plan(dir.path(), yaml);
            let finished = [
                finished("accepted/ac.py", Verdict::Accepted, ac),
                finished(
                    "time_limit_exceeded/tle.py",
                    Verdict::TimeLimitExceeded,
                    tle,
                ),
                finished("wrong_answer/wa.py", Verdict::WrongAnswer, 0.9),
            ];
            let found = warnings(&plan, Overrides::default(), &finished);
            assert_eq!(found.len(), expected.len(), "{yaml}: {found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.contains(expected), "{found}");
            }
            let overrides = Overrides {
                time: Some(Duration::from_secs(1)),
                memory: None,
            };
            assert!(warnings(&plan, overrides, &finished).is_empty());
        }
    }
}
