//! Combines the verdicts of cases into those of groups and submissions.

use super::toolchain::BadHelper;
use crate::checker::CheckFault;
use crate::error::Failure;
use crate::verdict::Verdict;
use judge_package::{Aggregation, CaseId, Group, Package, Part, TestCase, VerdictMode};
use std::collections::{BTreeMap, HashMap};

/// Outcome of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CaseOutcome<'a> {
    /// Its name, for rules that apply to certain cases.
    pub name: &'a str,
    /// Its verdict.
    pub verdict: Verdict,
    /// The points that the validator gave, if any.
    pub score: Option<f64>,
    /// The message about the case, for rules that require a text in it.
    pub message: Option<&'a str>,
}

/// The outcomes by case; a case that was not run is missing.
pub type Outcomes<'a> = BTreeMap<CaseId, CaseOutcome<'a>>;

/// Calls the package's grader for a group: with the group's flags, and the verdict and points of
/// each part in order.
pub type GradeFn<'g> = dyn FnMut(&[String], &[Joined]) -> Result<Joined, JudgeError> + 'g;

/// Verdict and points of a case or a group.
pub type Joined = (Verdict, f64);

/// Result of a submission.
#[derive(Clone, PartialEq, Debug)]
pub struct Graded {
    pub verdict: Verdict,
    /// Its points, for a scoring problem.
    pub score: Option<f64>,
    /// The points of each group with results, by its name.
    pub groups: HashMap<String, f64>,
    /// Why grading failed.
    pub error: Option<JudgeError>,
}

impl Graded {
    /// The result when grading succeeded.
    pub fn new(verdict: Verdict, score: Option<f64>) -> Self {
        Graded {
            verdict,
            score,
            groups: HashMap::new(),
            error: None,
        }
    }

    /// The result when grading failed.
    pub fn failed(error: impl Into<JudgeError>) -> Self {
        Graded {
            error: Some(error.into()),
            ..Graded::new(Verdict::JudgeError, None)
        }
    }
}

/// A failure of the judge or the package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgeError {
    pub message: String,
    /// Whether this machine failed, and not the package.
    pub of_machine: bool,
}

impl JudgeError {
    /// A defect of the package.
    pub fn of_package(message: String) -> Self {
        JudgeError {
            message,
            of_machine: false,
        }
    }
}

impl From<BadHelper> for JudgeError {
    fn from(bad: BadHelper) -> Self {
        JudgeError {
            of_machine: bad.of_machine,
            message: bad.to_string(),
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        match error.of_machine {
            true => Failure::Internal(error.message),
            false => Failure::usage(error.message),
        }
    }
}

impl From<CheckFault> for JudgeError {
    fn from(fault: CheckFault) -> Self {
        JudgeError {
            message: fault.to_string(),
            of_machine: fault.is_of_machine(),
        }
    }
}

/// Grades a submission: its verdict and, for a scoring problem, its points. `grade` is called for
/// groups with custom grading.
///
/// A judge error in any case makes the submission's verdict JE. In a scoring problem, a submission
/// that is not accepted but has points is partially accepted, unless the format ignores them.
pub fn of_submission(
    package: &Package,
    outcomes: &Outcomes<'_>,
    grade: &mut GradeFn<'_>,
) -> Graded {
    if outcomes.values().any(|o| o.verdict == Verdict::JudgeError) {
        return Graded::new(Verdict::JudgeError, None);
    }
    let mut judge = Judge {
        outcomes,
        passed: HashMap::new(),
        points: HashMap::new(),
        grade,
    };
    let graded = match judge.group(&package.data) {
        Err(error) => Graded::failed(error),
        Ok((verdict, _)) if !package.kind.scoring => Graded::new(verdict, None),
        Ok((verdict, score)) if verdict != Verdict::Accepted && score > 0.0 => {
            match package.policy.points_if_rejected {
                true => Graded::new(Verdict::PartiallyAccepted, Some(score)),
                false => Graded::new(verdict, Some(0.0)),
            }
        }
        Ok((verdict, score)) => Graded::new(verdict, Some(score)),
    };
    Graded {
        groups: judge.points,
        ..graded
    }
}

struct Judge<'j, 'o, 'g> {
    outcomes: &'j Outcomes<'o>,
    /// The accepted groups, for groups that require them.
    passed: HashMap<String, bool>,
    /// The points of groups so far.
    points: HashMap<String, f64>,
    grade: &'j mut GradeFn<'g>,
}

impl Judge<'_, '_, '_> {
    /// The verdict and points of a group. Parts without a result count neither for the verdict nor for
    /// the points: their cases were not selected, or judging had ended.
    fn group(&mut self, group: &Group) -> Result<Joined, JudgeError> {
        let mut parts: Vec<Joined> = Vec::new();
        let mut is_first_judged = false;
        let mut is_complete = true;
        for (index, part) in group.parts().into_iter().enumerate() {
            let (result, is_gate) = match part {
                Part::Case(case) => (self.case(case), case.is_gate),
                Part::Group(inner) => {
                    let cases = inner.judged_cases();
                    let has_result = |case: &&&TestCase| self.outcomes.contains_key(&case.id);
                    let judged = cases.iter().filter(has_result).count();
                    is_complete &= judged == cases.len();
                    let result = match judged == 0 && !cases.is_empty() {
                        true => None,
                        false => Some(self.inner(inner)?),
                    };
                    (result, inner.is_gate)
                }
            };
            let Some(result) = result else {
                is_complete = false;
                continue;
            };
            is_first_judged |= index == 0;
            parts.push(result);
            // Judging stops here. Later cases that ran in parallel do not count.
            if (group.stop_at_first || is_gate) && is_bad(result.0) {
                break;
            }
        }
        if group.ignore_sample && is_first_judged && parts.len() > 1 {
            parts.remove(0);
        }
        let (verdict, points) = match &group.custom_grader_flags {
            Some(flags) if !parts.is_empty() => (self.grade)(flags, &parts)?,
            _ => {
                let verdict = join_verdicts(group, &parts);
                let passed = verdict == Verdict::Accepted && (is_complete || group.accept_if_any);
                (verdict, join_points(group, &parts, passed))
            }
        };
        bounded(group, verdict, points)
    }

    /// `None` when the case was not run.
    fn case(&self, case: &TestCase) -> Option<Joined> {
        let outcome = self.outcomes.get(&case.id)?;
        let (own, default) = match is_bad(outcome.verdict) {
            false => (case.score, 1.0),
            true => (case.reject_score, 0.0),
        };
        let points = outcome.score.or(own).unwrap_or(default);
        Some((outcome.verdict, points))
    }

    /// Grades a group, which may require others.
    fn inner(&mut self, inner: &Group) -> Result<Joined, JudgeError> {
        let (verdict, points) = self.group(inner)?;
        let allowed = inner
            .requires
            .iter()
            .all(|name| self.passed.get(name).copied().unwrap_or(true));
        let accepted = verdict == Verdict::Accepted && allowed;
        self.passed.insert(inner.name.clone(), accepted);
        let points = if allowed { points } else { 0.0 };
        self.points.insert(inner.name.clone(), points);
        Ok((verdict, points))
    }
}

/// The points of a group. They must be within its maximum or its declared range.
fn bounded(group: &Group, verdict: Verdict, points: f64) -> Result<Joined, JudgeError> {
    let name = match group.name.as_str() {
        "" => "the package",
        name => name,
    };
    // Tolerates floating-point error of sums of fractions.
    let tolerance = 1e-9 * points.abs().max(1.0);
    if let Some((least, most)) = group.range
        && !(least - tolerance..=most + tolerance).contains(&points)
    {
        return Err(JudgeError::of_package(format!(
            "{name} came to {points} points, outside its range of {least} to {most}"
        )));
    }
    let Some(most) = group.max_score else {
        return Ok((verdict, points));
    };
    if group.excess_is_error && points > most * (1.0 + 1e-9) {
        return Err(JudgeError::of_package(format!(
            "{name} came to {points} points, more than its max_score of {most}"
        )));
    }
    Ok((verdict, points.min(most)))
}

fn join_verdicts(group: &Group, parts: &[Joined]) -> Verdict {
    let has = |verdict| parts.iter().any(|part| part.0 == verdict);
    if group.accept_if_any && has(Verdict::Accepted) {
        return Verdict::Accepted;
    }
    let verdicts = parts.iter().map(|part| part.0);
    let mut bad = verdicts.filter(|verdict| is_bad(*verdict));
    let joined = match group.verdict_mode {
        VerdictMode::AlwaysAccept => None,
        VerdictMode::First => bad.next(),
        VerdictMode::Worst => {
            bad.max_by_key(|verdict| WORST_LAST.iter().position(|v| v == verdict))
        }
    };
    joined.unwrap_or(match has(Verdict::PartiallyAccepted) {
        true => Verdict::PartiallyAccepted,
        false => Verdict::Accepted,
    })
}

fn is_bad(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::PartiallyAccepted)
}

/// The formats' order of the "worst" verdict.
const WORST_LAST: [Verdict; 9] = [
    Verdict::PresentationError,
    Verdict::WrongAnswer,
    Verdict::OutputLimitExceeded,
    Verdict::TimeLimitExceeded,
    Verdict::MemoryLimitExceeded,
    Verdict::RunTimeError,
    Verdict::SecurityViolation,
    Verdict::CompileError,
    Verdict::JudgeError,
];

/// `passed`: all parts were judged, and the group is accepted.
fn join_points(group: &Group, parts: &[Joined], passed: bool) -> f64 {
    let points = || parts.iter().map(|part| part.1);
    let sum: f64 = points().sum();
    match group.aggregation {
        Aggregation::PassFail if !passed => 0.0,
        Aggregation::PassFail => group.max_score.unwrap_or(sum),
        Aggregation::Sum => sum,
        Aggregation::Min => points().reduce(f64::min).unwrap_or(0.0),
        Aggregation::Max => points().reduce(f64::max).unwrap_or(0.0),
        Aggregation::Average if parts.is_empty() => 0.0,
        Aggregation::Average => sum / parts.len() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The case named `letter`.
    fn id(name: &str) -> CaseId {
        CaseId(usize::from(name.as_bytes()[0]))
    }

    fn group(names: &[&str]) -> Group {
        let mut group = Group::new("secret");
        group.cases = names
            .iter()
            .map(|name| TestCase {
                id: id(name),
                name: (*name).to_owned(),
                ..TestCase::default()
            })
            .collect();
        group
    }

    fn outcomes<'a>(list: &[(&'a str, Verdict)]) -> Outcomes<'a> {
        list.iter()
            .map(|&(name, verdict)| {
                let outcome = CaseOutcome {
                    name,
                    verdict,
                    score: None,
                    message: None,
                };
                (id(name), outcome)
            })
            .collect()
    }

    #[test]
    fn cases_with_the_same_name_have_separate_results() {
        let mut group = group(&["a", "b"]);
        group.cases[1].name = "a".to_owned();
        let mut results = outcomes(&[("a", Verdict::WrongAnswer), ("b", Verdict::Accepted)]);
        results.values_mut().for_each(|outcome| outcome.name = "a");
        group.aggregation = Aggregation::Sum;
        group.stop_at_first = false;
        assert_eq!(joined(&group, &results), (Verdict::WrongAnswer, 1.0));
    }

    fn joined(group: &Group, outcomes: &Outcomes<'_>) -> Joined {
        checked(group, outcomes).unwrap()
    }

    fn checked(group: &Group, outcomes: &Outcomes<'_>) -> Result<Joined, JudgeError> {
        let mut judge = Judge {
            outcomes,
            passed: HashMap::new(),
            points: HashMap::new(),
            grade: &mut |_, _| unreachable!("no grader"),
        };
        judge.group(group)
    }

    #[test]
    fn a_group_takes_the_first_or_the_worst_verdict() {
        let mut group = group(&["a", "b", "c"]);
        let results = outcomes(&[
            ("a", Verdict::Accepted),
            ("b", Verdict::WrongAnswer),
            ("c", Verdict::TimeLimitExceeded),
        ]);
        // If judging ends at the first failure, later cases cannot make the verdict worse.
        assert_eq!(joined(&group, &results).0, Verdict::WrongAnswer);
        group.stop_at_first = false;
        assert_eq!(joined(&group, &results).0, Verdict::TimeLimitExceeded);
        group.verdict_mode = VerdictMode::First;
        assert_eq!(joined(&group, &results).0, Verdict::WrongAnswer);
        group.verdict_mode = VerdictMode::AlwaysAccept;
        assert_eq!(joined(&group, &results).0, Verdict::Accepted);
    }

    #[test]
    fn points_are_aggregated_as_the_group_says() {
        let mut group = group(&["a", "b"]);
        group.cases[0].score = Some(3.0);
        group.cases[1].score = Some(5.0);
        let results = outcomes(&[("a", Verdict::Accepted), ("b", Verdict::WrongAnswer)]);
        for (aggregation, points) in [
            (Aggregation::PassFail, 0.0),
            (Aggregation::Sum, 3.0),
            (Aggregation::Min, 0.0),
            (Aggregation::Max, 3.0),
            (Aggregation::Average, 1.5),
        ] {
            group.aggregation = aggregation;
            assert_eq!(joined(&group, &results).1, points, "{aggregation:?}");
        }
    }

    /// As after `--case`, or after a failure with `--fail-fast`.
    #[test]
    fn groups_that_were_not_judged_in_full_give_no_points_for_passing() {
        let scored = |names: &[&str]| Group {
            aggregation: Aggregation::PassFail,
            max_score: Some(50.0),
            ..group(names)
        };
        let mut outer = Group::new("");
        outer.aggregation = Aggregation::Sum;
        outer.groups = vec![scored(&["a", "b"]), scored(&["c", "d"])];
        let joined = |results: &[_]| joined(&outer, &outcomes(results));
        let (accepted, wrong) = (Verdict::Accepted, Verdict::WrongAnswer);
        assert_eq!(joined(&[("a", wrong)]), (wrong, 0.0));
        assert_eq!(joined(&[("a", accepted)]), (accepted, 0.0));
        assert_eq!(
            joined(&[("c", accepted), ("d", accepted)]),
            (accepted, 50.0)
        );
        let all = ["a", "b", "c", "d"].map(|name| (name, accepted));
        assert_eq!(joined(&all), (accepted, 100.0));
    }

    #[test]
    fn points_outside_the_range_are_a_judge_error() {
        let mut group = group(&["a"]);
        group.aggregation = Aggregation::Sum;
        group.cases[0].score = Some(3.0);
        let results = outcomes(&[("a", Verdict::Accepted)]);
        let mut bounded = |least, most| {
            group.range = Some((least, most));
            checked(&group, &results)
        };
        assert_eq!(bounded(0.0, 3.0), Ok((Verdict::Accepted, 3.0)));
        assert_eq!(
            bounded(f64::NEG_INFINITY, 5.0),
            Ok((Verdict::Accepted, 3.0))
        );
        let error = bounded(0.0, 2.5).unwrap_err().message;
        assert_eq!(
            error,
            "secret came to 3 points, outside its range of 0 to 2.5"
        );
        assert!(bounded(4.0, 9.0).is_err());
    }

    #[test]
    fn a_group_counts_only_when_what_it_requires_was_accepted() {
        let mut outer = Group::new("");
        outer.aggregation = Aggregation::Sum;
        let mut second = group(&["b"]);
        second.name = "second".into();
        second.requires = vec!["secret".into()];
        outer.groups = vec![group(&["a"]), second];
        let results = outcomes(&[("a", Verdict::WrongAnswer), ("b", Verdict::Accepted)]);
        assert_eq!(joined(&outer, &results).1, 0.0);
        let results = outcomes(&[("a", Verdict::Accepted), ("b", Verdict::Accepted)]);
        assert_eq!(joined(&outer, &results).1, 2.0);
    }
}
