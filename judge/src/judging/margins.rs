//! Checks the margins between a given time limit and the times of the submissions.
//!
//! The ICPC formats define two factors: the limit is at least `ac_to_time_limit` times the time of
//! the slowest accepted submission, and a too slow one takes at least `time_limit_to_tle` times the
//! limit. Without these margins another machine may give other verdicts.

use super::limits::kill_at;
use super::{Overrides, Plan, PlanEntry};
use crate::event::{Event, SubmissionFinished};
use crate::submission::Submission;
use crate::verdict::Verdict;
use judge_package::{TimeLimit, TimeLimitUse};
use std::collections::HashMap;
use std::time::Duration;

/// The times of a run of the judge, from its events.
#[derive(Default)]
pub struct Margins {
    finished: Vec<SubmissionFinished>,
    /// By package and submission.
    cases: HashMap<(String, String), Vec<CaseTime>>,
}

struct CaseTime {
    case: String,
    verdict: Verdict,
    cpu_s: f64,
}

/// A submission with its time and its limit, in seconds.
type Time<'a> = (f64, f64, &'a str);

impl Margins {
    /// Notes the times in `event`.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::SubmissionFinished(finished) => self.finished.push(finished.clone()),
            Event::CaseFinished(finished) => {
                if let Some(cpu_s) = finished.cpu_s {
                    let key = (finished.package.clone(), finished.submission.clone());
                    self.cases.entry(key).or_default().push(CaseTime {
                        case: finished.case.clone(),
                        verdict: finished.verdict,
                        cpu_s,
                    });
                }
            }
            _ => {}
        }
    }

    /// A warning for each margin of a package that its slowest submission that must keep the limit,
    /// or its fastest too slow one, does not keep.
    pub fn warnings(&self, plan: &Plan, overrides: Overrides) -> Vec<String> {
        if overrides.time.is_some() {
            return Vec::new();
        }
        let entries = plan.entries.iter();
        entries.flat_map(|entry| self.of_package(entry)).collect()
    }

    fn of_package(&self, entry: &PlanEntry) -> Vec<String> {
        let package = &entry.package;
        let Some((ac_to_limit, limit_to_tle)) = package.limits.margin_keys else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
        let slowest = self.times(entry, TimeLimitUse::Lower);
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
        let too_slow = self.times(entry, TimeLimitUse::Upper);
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
        &'a self,
        entry: &'a PlanEntry,
        bound: TimeLimitUse,
    ) -> impl Iterator<Item = Time<'a>> {
        let finished = self.finished.iter();
        let as_expected =
            finished.filter(|result| result.package == entry.package.id && result.as_expected);
        as_expected.filter_map(move |result| {
            let mut planned = entry.submissions.iter().map(|planned| &planned.submission);
            let submission = planned.find(|submission| submission.name == result.submission)?;
            let key = (result.package.clone(), result.submission.clone());
            let cases = self.cases.get(&key)?.iter();
            let times = cases
                .filter(|case| is_bound(submission, case, bound))
                .map(|case| case.cpu_s);
            Some((
                times.reduce(f64::max)?,
                result.time_limit_s?,
                &*result.submission,
            ))
        })
    }
}

fn is_bound(submission: &Submission, case: &CaseTime, bound: TimeLimitUse) -> bool {
    let is_too_slow = case.verdict == Verdict::TimeLimitExceeded;
    is_too_slow == (bound == TimeLimitUse::Upper)
        && submission
            .rules
            .iter()
            .any(|rule| rule.bounds_time_limit() == bound && rule.applies_to(&case.case))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::CaseFinished;
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

    /// A submission with one case.
    fn judged(margins: &mut Margins, submission: &str, verdict: Verdict, seconds: f64) {
        margins.event(&Event::CaseFinished(CaseFinished {
            cpu_s: Some(seconds),
            ..CaseFinished::new("p", submission, "secret/1", verdict)
        }));
        margins.event(&Event::SubmissionFinished(SubmissionFinished {
            package: "p".to_owned(),
            submission: submission.to_owned(),
            verdict: Some(verdict),
            as_expected: true,
            time_limit_s: Some(1.0),
            ..SubmissionFinished::default()
        }));
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
            let mut margins = Margins::default();
            judged(&mut margins, "accepted/ac.py", Verdict::Accepted, ac);
            judged(
                &mut margins,
                "time_limit_exceeded/tle.py",
                Verdict::TimeLimitExceeded,
                tle,
            );
            judged(&mut margins, "wrong_answer/wa.py", Verdict::WrongAnswer, wa);
            let found = margins.warnings(&plan, Overrides::default());
            assert_eq!(found.len(), expected.len(), "{yaml}: {found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.contains(expected), "{found}");
            }
            let overrides = Overrides {
                time: Some(Duration::from_secs(1)),
                memory: None,
            };
            assert!(margins.warnings(&plan, overrides).is_empty());
        }
    }
}
