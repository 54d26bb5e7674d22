//! Compares the verdicts of a submission with the expected ones.

use super::grading::Outcomes;
use crate::verdict::Verdict;
use judge_package::{Expectation, Rule};

/// Whether a submission meets all of its rules.
pub fn meets(
    rules: &[Rule],
    outcomes: &Outcomes<'_>,
    verdict: Verdict,
    score: Option<f64>,
) -> bool {
    verdict != Verdict::JudgeError
        && rules.iter().all(|rule| {
            let verdicts: Vec<Verdict> = outcomes
                .values()
                .filter(|outcome| rule.applies_to(outcome.name))
                .map(|outcome| outcome.verdict)
                .chain((verdict == Verdict::CompileError).then_some(verdict))
                .collect();
            let score = if rule.scope.is_none() { score } else { None };
            as_expected(&rule.expected, &verdicts, verdict, score)
        })
}

/// Whether the verdicts of the cases and of the submission, and the points, are as expected.
fn as_expected(
    expected: &Expectation,
    verdicts: &[Verdict],
    whole: Verdict,
    score: Option<f64>,
) -> bool {
    let scored = match (expected.score, score) {
        (Some((least, most)), Some(score)) => (least..=most).contains(&score),
        _ => true,
    };
    scored && expected.is_met(verdicts, whole)
}

/// The expected verdicts as text: `AC`, `WA|TLE`; `None` if any verdict is allowed.
pub fn expected_text(expected: &Expectation) -> Option<String> {
    let verdicts = [&expected.outcome, &expected.required, &expected.permitted]
        .into_iter()
        .find(|list| !list.is_empty())?;
    let codes: Vec<&str> = verdicts.iter().map(|v| v.code()).collect();
    Some(codes.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::grading::CaseOutcome;
    use judge_package::CaseId;

    fn outcomes<'a>(list: &[(&'a str, Verdict)]) -> Outcomes<'a> {
        let outcome = |(id, &(name, verdict)): (usize, &(&'a str, Verdict))| {
            let score = None;
            (
                CaseId(id),
                CaseOutcome {
                    name,
                    verdict,
                    score,
                },
            )
        };
        list.iter().enumerate().map(outcome).collect()
    }

    #[test]
    fn a_slow_submission_must_be_slow_somewhere() {
        let slow = Rule {
            expected: Expectation {
                permitted: vec![Verdict::Accepted, Verdict::TimeLimitExceeded],
                required: vec![Verdict::TimeLimitExceeded],
                ..Expectation::default()
            },
            ..Rule::default()
        };
        let rules = [slow];
        let met =
            |list: &[(&'static str, Verdict)], whole| meets(&rules, &outcomes(list), whole, None);
        let tle = Verdict::TimeLimitExceeded;
        assert!(met(&[("a", Verdict::Accepted), ("b", tle)], tle));
        assert!(!met(&[("a", Verdict::Accepted)], Verdict::Accepted));
        assert!(!met(&[("a", Verdict::WrongAnswer), ("b", tle)], tle));
        assert!(!met(
            &[("a", Verdict::JudgeError), ("b", tle)],
            Verdict::JudgeError
        ));
    }
}
