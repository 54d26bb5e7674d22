//! Compares the verdicts of a submission with the expected ones.

use super::grading::{Graded, Outcomes};
use crate::figures::points;
use crate::results::codes;
use crate::verdict::Verdict;
use judge_package::{Expectation, Rule};

/// An expectation that a submission does not meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// A text that continues the verdict.
    pub what: String,
    /// Whether the rule is about the verdicts of all cases, which the expected ones list.
    pub is_verdict: bool,
}

/// The first rule that a submission does not meet; `None` if it meets all of them.
pub fn unmet(rules: &[Rule], outcomes: &Outcomes<'_>, graded: &Graded) -> Option<Unmet> {
    if graded.verdict == Verdict::JudgeError {
        return Some(Unmet {
            what: "judging failed".to_owned(),
            is_verdict: true,
        });
    }
    rules
        .iter()
        .find_map(|rule| unmet_rule(rule, outcomes, graded))
}

fn unmet_rule(rule: &Rule, outcomes: &Outcomes<'_>, graded: &Graded) -> Option<Unmet> {
    let (expected, whole) = (&rule.expected, graded.verdict);
    let place = match &rule.scope {
        Some(scope) => format!(" in {scope}"),
        None => String::new(),
    };
    let cases = || {
        let all = outcomes.values();
        all.filter(|outcome| rule.applies_to(outcome.name))
    };
    let (score, is_whole) = match &rule.scope {
        Some(group) => (graded.groups.get(group).copied(), false),
        None => (graded.score, true),
    };
    let special = |what| Unmet {
        what,
        is_verdict: false,
    };
    let of_verdict = |what| Unmet {
        what,
        is_verdict: is_whole,
    };
    if let (Some((least, most)), Some(score)) = (expected.score, score)
        && !(least..=most).contains(&score)
    {
        let wanted = match (least.is_finite(), most.is_finite()) {
            (true, true) if least == most => format!("not {}", points(most)),
            (true, true) => format!("not {} to {}", points(least), points(most)),
            (true, false) => format!("not more than {}", points(least.next_down())),
            _ => format!("not fewer than {}", points(most.next_up())),
        };
        let score = points(score);
        return Some(special(format!("{score} points{place}, {wanted}")));
    }
    let mut verdicts: Vec<Verdict> = cases().map(|outcome| outcome.verdict).collect();
    verdicts.extend((whole == Verdict::CompileError).then_some(whole));
    if !expected.is_met(&verdicts, whole) {
        let permitted = Expectation {
            permitted: expected.permitted.clone(),
            ..Expectation::default()
        };
        let mut others = cases().filter(|case| !permitted.is_met(&[case.verdict], case.verdict));
        return Some(of_verdict(match others.next() {
            Some(case) => {
                let (name, verdict) = (case.name, case.verdict.code());
                format!("{verdict} on {name} is not permitted{place}")
            }
            None if !expected.required.is_empty() => {
                format!("no case{place} gets {}", codes(&expected.required))
            }
            None => format!("{} in total", whole.code()),
        }));
    }
    // A grader of the package can reject a submission that is right in every case.
    if is_whole && expected.permitted == [Verdict::Accepted] && whole != Verdict::Accepted {
        return Some(of_verdict(format!("{} in total", whole.code())));
    }
    let text = rule.message.as_deref()?;
    let mut messages = cases().filter_map(|case| case.message);
    let is_said = messages.any(|message| message.contains(text));
    (!is_said).then(|| special(format!("no case{place} has the message `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::grading::CaseOutcome;
    use judge_package::CaseId;

    fn outcomes<'a>(list: &[(&'a str, Verdict)]) -> Outcomes<'a> {
        let outcome = |(id, &(name, verdict)): (usize, &(&'a str, Verdict))| {
            let outcome = CaseOutcome {
                name,
                verdict,
                score: None,
                message: (verdict == Verdict::WrongAnswer).then_some("the sum is wrong"),
            };
            (CaseId(id), outcome)
        };
        list.iter().enumerate().map(outcome).collect()
    }

    fn graded(verdict: Verdict) -> Graded {
        Graded::new(verdict, None)
    }

    #[test]
    fn a_grader_can_reject_a_submission_that_is_right_in_every_case() {
        let accepted = [Rule {
            expected: Expectation::accepted(),
            ..Rule::default()
        }];
        let cases = outcomes(&[("a", Verdict::Accepted)]);
        assert_eq!(unmet(&accepted, &cases, &graded(Verdict::Accepted)), None);
        let rejected = graded(Verdict::WrongAnswer);
        let reason = unmet(&accepted, &cases, &rejected);
        assert_eq!(reason.unwrap().what, "WA in total");
        // A rule about some cases does not concern the others.
        let scoped = accepted.map(|rule| Rule {
            scope: Some("a".to_owned()),
            ..rule
        });
        assert_eq!(unmet(&scoped, &cases, &rejected), None);
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
        let reason = |list: &[(&'static str, Verdict)], whole| {
            let unmet = unmet(&rules, &outcomes(list), &graded(whole));
            unmet.map_or(String::new(), |unmet| unmet.what)
        };
        let tle = Verdict::TimeLimitExceeded;
        assert_eq!(reason(&[("a", Verdict::Accepted), ("b", tle)], tle), "");
        assert_eq!(
            reason(&[("a", Verdict::Accepted)], Verdict::Accepted),
            "no case gets TLE"
        );
        assert_eq!(
            reason(&[("a", Verdict::WrongAnswer), ("b", tle)], tle),
            "WA on a is not permitted"
        );
        assert_eq!(
            reason(
                &[("a", Verdict::JudgeError), ("b", tle)],
                Verdict::JudgeError
            ),
            "judging failed"
        );
    }

    #[test]
    fn points_of_groups_and_messages_are_compared() {
        let score = |scope: Option<&str>, score| Rule {
            scope: scope.map(str::to_owned),
            expected: Expectation {
                score: Some(score),
                ..Expectation::default()
            },
            ..Rule::default()
        };
        let said = |text: &str| Rule {
            message: Some(text.to_owned()),
            ..Rule::default()
        };
        let cases = outcomes(&[
            ("secret/g1/1", Verdict::WrongAnswer),
            ("secret/g2/1", Verdict::Accepted),
        ]);
        let groups = [("secret/g1", 0.0), ("secret/g2", 40.0)];
        let result = Graded {
            groups: groups
                .map(|(name, points)| (name.to_owned(), points))
                .into(),
            ..Graded::new(Verdict::PartiallyAccepted, Some(40.0))
        };
        for (rule, reason) in [
            (score(Some("secret/g2"), (40.0, 40.0)), None),
            (
                score(Some("secret/g1"), (60.0, 60.0)),
                Some("0 points in secret/g1, not 60"),
            ),
            (score(None, (50.0, 60.0)), Some("40 points, not 50 to 60")),
            (
                score(None, (f64::NEG_INFINITY, 40.0_f64.next_down())),
                Some("40 points, not fewer than 40"),
            ),
            (
                score(None, (40.0_f64.next_up(), f64::INFINITY)),
                Some("40 points, not more than 40"),
            ),
            (said("sum is"), None),
            (said("product"), Some("no case has the message `product`")),
        ] {
            let found = unmet(&[rule], &cases, &result);
            assert_eq!(found.map(|unmet| unmet.what).as_deref(), reason);
        }
    }
}
