//! Combines the verdicts of cases into those of groups and submissions.

use crate::verdict::Verdict;
use judge_package::{Aggregation, CaseId, Group, Package, Part, TestCase, VerdictMode};
use std::collections::{BTreeMap, HashMap};

/// Outcome of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CaseOutcome<'a> {
    /// Its name, for rules that apply to certain cases.
    pub name: &'a str,
    pub verdict: Verdict,
    /// The points that the validator gave, if any.
    pub score: Option<f64>,
}

/// The outcomes by case; a case that was not run is missing.
pub type Outcomes<'a> = BTreeMap<CaseId, CaseOutcome<'a>>;

/// Calls the package's grader for a group: with the group's flags, and the verdict and points of
/// each part in order.
pub type GradeFn<'g> = dyn FnMut(&[String], &[Joined]) -> Result<Joined, GradingFault> + 'g;

/// Verdict and points of a case or a group.
pub type Joined = (Verdict, f64);

/// Result of a submission.
#[derive(Clone, PartialEq, Debug)]
pub struct Graded {
    pub verdict: Verdict,
    /// Its points, for a scoring problem.
    pub score: Option<f64>,
    /// Why grading failed.
    pub trouble: Option<GradingFault>,
}

impl Graded {
    /// That of a part of the cases, which another process grades.
    pub fn of_part() -> Self {
        Graded {
            verdict: Verdict::Accepted,
            score: None,
            trouble: None,
        }
    }

    /// The result when grading failed.
    pub fn failed(trouble: GradingFault) -> Self {
        Graded {
            verdict: Verdict::JudgeError,
            score: None,
            trouble: Some(trouble),
        }
    }
}

/// Why grading failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GradingFault {
    pub message: String,
    /// Whether this machine failed, and not the package.
    pub of_machine: bool,
}

impl GradingFault {
    /// A defect of the package.
    pub fn of_package(message: String) -> Self {
        GradingFault {
            message,
            of_machine: false,
        }
    }
}

/// Grades a submission: its verdict and, for a scoring problem, its points. `grade` is called for
/// groups with custom grading.
///
/// A judge error in any case makes the submission's verdict JE. In a scoring problem, a submission
/// that is not accepted but has points is partially accepted.
pub fn of_submission(
    package: &Package,
    outcomes: &Outcomes<'_>,
    grade: &mut GradeFn<'_>,
) -> Graded {
    if outcomes.values().any(|o| o.verdict == Verdict::JudgeError) {
        return Graded {
            verdict: Verdict::JudgeError,
            score: None,
            trouble: None,
        };
    }
    let mut judge = Judge {
        outcomes,
        passed: HashMap::new(),
        grade,
    };
    let (verdict, score) = match judge.group(&package.data) {
        Ok(result) => result,
        Err(trouble) => return Graded::failed(trouble),
    };
    if !package.kind.scoring {
        return Graded {
            verdict,
            score: None,
            trouble: None,
        };
    }
    let verdict = match verdict {
        Verdict::Accepted => verdict,
        _ if score > 0.0 => Verdict::PartiallyAccepted,
        _ => verdict,
    };
    Graded {
        verdict,
        score: Some(score),
        trouble: None,
    }
}

struct Judge<'j, 'o, 'g> {
    outcomes: &'j Outcomes<'o>,
    /// The accepted groups, for groups that require them.
    passed: HashMap<String, bool>,
    grade: &'j mut GradeFn<'g>,
}

impl Judge<'_, '_, '_> {
    /// The verdict and points of a group.
    fn group(&mut self, group: &Group) -> Result<Joined, GradingFault> {
        let mut parts: Vec<Joined> = Vec::new();
        for part in group.parts() {
            let (result, is_gate) = match part {
                Part::Case(case) => match self.case(case) {
                    Some(result) => (result, case.is_gate),
                    None => continue,
                },
                Part::Group(inner) => (self.inner(inner)?, inner.is_gate),
            };
            parts.push(result);
            // Judging stops here. Later cases that ran in parallel do not count.
            if (group.stop_at_first || is_gate) && is_bad(result.0) {
                break;
            }
        }
        if group.ignore_sample && parts.len() > 1 {
            parts.remove(0);
        }
        let (verdict, points) = match &group.custom_grader_flags {
            Some(flags) if !parts.is_empty() => (self.grade)(flags, &parts)?,
            _ => {
                let verdict = join_verdicts(group, &parts);
                (verdict, join_points(group, &parts, verdict))
            }
        };
        bounded(group, verdict, points)
    }

    /// `None` when the case was not run.
    fn case(&self, case: &TestCase) -> Option<Joined> {
        let outcome = self.outcomes.get(&case.id)?;
        let accepted = matches!(
            outcome.verdict,
            Verdict::Accepted | Verdict::PartiallyAccepted
        );
        let points = if accepted {
            outcome.score.or(case.score).unwrap_or(1.0)
        } else {
            outcome.score.or(case.reject_score).unwrap_or(0.0)
        };
        Some((outcome.verdict, points))
    }

    /// Grades a group, which may require others.
    fn inner(&mut self, inner: &Group) -> Result<Joined, GradingFault> {
        let (verdict, points) = self.group(inner)?;
        let allowed = inner
            .requires
            .iter()
            .all(|name| self.passed.get(name).copied().unwrap_or(true));
        let accepted = verdict == Verdict::Accepted && allowed;
        self.passed.insert(inner.name.clone(), accepted);
        Ok((verdict, if allowed { points } else { 0.0 }))
    }
}

/// The points of a group. They must be within its maximum or its declared range.
fn bounded(group: &Group, verdict: Verdict, points: f64) -> Result<Joined, GradingFault> {
    let name = match group.name.as_str() {
        "" => "the package",
        name => name,
    };
    // Tolerates floating-point error of sums of fractions.
    let hair = 1e-9 * points.abs().max(1.0);
    if let Some((least, most)) = group.range
        && !(least - hair..=most + hair).contains(&points)
    {
        return Err(GradingFault::of_package(format!(
            "{name} came to {points} points, outside its range of {least} to {most}"
        )));
    }
    let Some(most) = group.max_score else {
        return Ok((verdict, points));
    };
    if group.excess_is_error && points > most * (1.0 + 1e-9) {
        return Err(GradingFault::of_package(format!(
            "{name} came to {points} points, more than its max_score of {most}"
        )));
    }
    Ok((verdict, points.min(most)))
}

fn join_verdicts(group: &Group, parts: &[(Verdict, f64)]) -> Verdict {
    let mut bad = parts
        .iter()
        .map(|part| part.0)
        .filter(|verdict| is_bad(*verdict));
    if group.accept_if_any && parts.iter().any(|part| part.0 == Verdict::Accepted) {
        return Verdict::Accepted;
    }
    let joined = match group.verdict_mode {
        VerdictMode::AlwaysAccept => None,
        VerdictMode::First => bad.next(),
        VerdictMode::Worst => bad.max_by_key(|&verdict| badness(verdict)),
    };
    joined.unwrap_or_else(|| {
        let partly = parts
            .iter()
            .any(|part| part.0 == Verdict::PartiallyAccepted);
        if partly {
            Verdict::PartiallyAccepted
        } else {
            Verdict::Accepted
        }
    })
}

fn is_bad(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::PartiallyAccepted)
}

/// Rank in the formats' order of the "worst" verdict.
fn badness(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::JudgeError => 9,
        Verdict::CompileError => 8,
        Verdict::RunTimeError => 7,
        Verdict::MemoryLimitExceeded => 6,
        Verdict::TimeLimitExceeded => 5,
        Verdict::OutputLimitExceeded => 4,
        Verdict::WrongAnswer => 3,
        Verdict::PresentationError => 2,
        Verdict::PartiallyAccepted => 1,
        Verdict::Accepted => 0,
    }
}

fn join_points(group: &Group, parts: &[(Verdict, f64)], verdict: Verdict) -> f64 {
    let points = || parts.iter().map(|part| part.1);
    let sum: f64 = points().sum();
    match group.aggregation {
        Aggregation::PassFail if verdict != Verdict::Accepted => 0.0,
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

    fn joined(group: &Group, outcomes: &Outcomes<'_>) -> (Verdict, f64) {
        joined_by(group, outcomes, &mut |_, _| unreachable!("no grader")).unwrap()
    }

    fn joined_by(
        group: &Group,
        outcomes: &Outcomes<'_>,
        grade: &mut GradeFn<'_>,
    ) -> Result<Joined, GradingFault> {
        let passed = HashMap::new();
        let mut judge = Judge {
            outcomes,
            passed,
            grade,
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

    #[test]
    fn points_outside_the_range_are_a_judge_error() {
        let mut group = group(&["a"]);
        group.aggregation = Aggregation::Sum;
        group.cases[0].score = Some(3.0);
        let results = outcomes(&[("a", Verdict::Accepted)]);
        let mut bounded = |least, most| {
            group.range = Some((least, most));
            joined_by(&group, &results, &mut |_, _| unreachable!("no grader"))
        };
        assert_eq!(bounded(0.0, 3.0), Ok((Verdict::Accepted, 3.0)));
        assert_eq!(
            bounded(f64::NEG_INFINITY, 5.0),
            Ok((Verdict::Accepted, 3.0))
        );
        let trouble = bounded(0.0, 2.5).unwrap_err().message;
        assert_eq!(
            trouble,
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
