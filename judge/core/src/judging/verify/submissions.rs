//! Finds kinds of submissions that a package lacks, and limits that its submissions show to be absurd.

use crate::judging::{Overrides, Plan, PlanEntry};
use crate::results::{PackageResults, RunResults, expected_verdicts};
use crate::verdict::Verdict;
use judge_package::{
    Finding, LimitSource, Package, PackageError, PackagedSubmission, TimeLimit, TimeLimitUse,
};

/// A time limit above this factor times the slowest accepted submission finds no slow program.
const MAX_FACTOR: f64 = 20.0;

/// Times below this count as this: every limit is far above them.
const MIN_SECONDS: f64 = 0.05;

/// Warnings about the kinds of submissions that a package lacks, and about its memory limit.
pub fn of_package(package: &Package) -> Vec<Finding> {
    let mut findings: Vec<Finding> = missing(package).into_iter().map(Finding::warning).collect();
    findings.extend(memory(package, judge_os::total_memory()).map(Finding::warning));
    findings
}

fn missing(package: &Package) -> Vec<PackageError> {
    let all = &package.submissions;
    // Without any submission there is an error already; other formats have none.
    if all.is_empty() {
        return Vec::new();
    }
    let fails_with = |submission: &PackagedSubmission, wanted: &[Verdict]| {
        let verdicts = expected_verdicts(&submission.expected).unwrap_or_default();
        let accepted = verdicts.contains(&Verdict::Accepted);
        !accepted && verdicts.iter().any(|verdict| wanted.contains(verdict))
    };
    let must_be_slow = |submission: &PackagedSubmission| {
        let mut rules = submission.rules.iter();
        rules.any(|rule| rule.bounds_time_limit() == TimeLimitUse::Upper)
            || fails_with(submission, &[Verdict::TimeLimitExceeded])
    };
    let wrong = [
        Verdict::WrongAnswer,
        Verdict::PresentationError,
        Verdict::RunTimeError,
        Verdict::PartiallyAccepted,
    ];
    // Other formats than the ICPC's say in a configuration what a solution must get.
    let by_directory = package.root.join("submissions");
    let is_by_directory = by_directory.is_dir();
    let finding = |what: &str, kind: &str, verdict: &str| match is_by_directory {
        true => PackageError::new(&by_directory, what)
            .remedy(format!("add {kind} as `submissions/{verdict}/NAME`")),
        false => PackageError::new(&package.root, what).remedy(format!(
            "add {kind}, and say in the configuration that it must fail"
        )),
    };
    let mut missing = Vec::new();
    if !all
        .iter()
        .any(|one| fails_with(one, &wrong) || one.expected.score.is_some())
    {
        let what =
            "no submission is expected to be wrong: nothing shows that the data find mistakes";
        let kind = "a plausible wrong solution";
        missing.push(finding(what, kind, "wrong_answer"));
    }
    if !package.kind.submit_answer && !all.iter().any(must_be_slow) {
        let what = "no submission is expected to be too slow: nothing shows that the limit finds slow \
                    programs";
        missing.push(finding(what, "a slow solution", "time_limit_exceeded"));
    }
    missing
}

fn memory(package: &Package, machine: Option<u64>) -> Option<PackageError> {
    let limit = package.limits.memory;
    let machine = machine.filter(|&machine| limit > machine)?;
    if package.limits.memory_from != LimitSource::Package {
        return None;
    }
    let what = format!(
        "the memory limit of {} MiB is above the {} MiB of this machine",
        limit >> 20,
        machine >> 20
    );
    let remedy = "set it to what a solution needs, in the unit of the format (usually MiB)";
    Some(PackageError::new(&package.root, what).remedy(remedy))
}

/// Warnings that only the results show: a limit far above the times, a submission that no case
/// distinguishes from a right one.
pub fn result_warnings(plan: &Plan, results: &RunResults, overrides: Overrides) -> Vec<String> {
    let entries = plan.entries.iter().zip(&results.packages);
    let of_entry = |(entry, results): (&PlanEntry, &PackageResults)| {
        let far = match overrides.time {
            None => far_limit(&entry.package, results),
            Some(_) => None,
        };
        far.into_iter()
            .chain(not_separated(entry, results))
            .collect::<Vec<_>>()
    };
    entries.flat_map(of_entry).collect()
}

fn far_limit(package: &Package, results: &PackageResults) -> Option<String> {
    let (TimeLimit::Given(limit), LimitSource::Package) =
        (package.limits.time, package.limits.time_from)
    else {
        return None;
    };
    let accepted = results.finished().filter(|(of, _)| of.solves_every_case());
    let times = accepted.filter_map(|(of, finished)| Some((finished.max_cpu_s?, &of.planned.name)));
    let (slowest, name) = times.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let limit = limit.as_secs_f64();
    (limit > MAX_FACTOR * slowest.max(MIN_SECONDS)).then(|| {
        format!(
            "{}: the time limit of {limit} s is more than {MAX_FACTOR} times the {slowest:.3} s of the \
             slowest accepted submission ({name}); set it lower, in the unit of the format",
            package.id
        )
    })
}

/// Submissions that are allowed to fail, and fail nowhere.
fn not_separated<'r>(
    entry: &'r PlanEntry,
    results: &'r PackageResults,
) -> impl Iterator<Item = String> + 'r {
    let package = &entry.package;
    results.finished().filter_map(move |(of, finished)| {
        let verdicts = expected_verdicts(&of.planned.expected)?;
        let may_fail = verdicts.iter().any(|verdict| *verdict != Verdict::Accepted);
        let passes = finished.as_expected && finished.verdict == Some(Verdict::Accepted);
        (may_fail && passes).then(|| {
            format!(
                "{}: no case distinguishes {} from an accepted submission; add one, or move it to \
                 `accepted`",
                package.id, of.planned.name
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_package::{Expectation, PackageLimits};

    fn expecting(verdict: Verdict) -> PackagedSubmission {
        PackagedSubmission {
            expected: Expectation {
                outcome: vec![verdict],
                ..Expectation::default()
            },
            ..PackagedSubmission::default()
        }
    }

    #[test]
    fn a_package_has_a_wrong_and_a_slow_submission() {
        let package = |verdicts: &[Verdict]| Package {
            submissions: verdicts.iter().map(|verdict| expecting(*verdict)).collect(),
            ..Package::default()
        };
        use Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
        for (verdicts, expected) in [
            (&[][..], 0),
            (&[Accepted], 2),
            (&[Accepted, WrongAnswer], 1),
            (&[Accepted, TimeLimitExceeded], 1),
            (&[RunTimeError, TimeLimitExceeded], 0),
        ] {
            assert_eq!(missing(&package(verdicts)).len(), expected, "{verdicts:?}");
        }
    }

    #[test]
    fn a_memory_limit_is_compared_with_the_machine() {
        let limits = PackageLimits {
            memory: 2 << 30,
            memory_from: LimitSource::Package,
            ..PackageLimits::default()
        };
        let package = Package {
            limits,
            ..Package::default()
        };
        assert_eq!(memory(&package, Some(4 << 30)), None);
        let found = memory(&package, Some(1 << 30)).expect("a warning");
        assert!(found.what.contains("2048 MiB is above the 1024 MiB"));
    }
}
