//! Finds the cases that become irrelevant once a case has failed.
//!
//! If the package says so, a judge ends a group at its first failure. The cases after it can then
//! change neither verdict nor points; `judge verify` runs them only if the expectation is not met
//! without them.

use crate::package::{CaseId, Group, Part, Rule, VerdictMode};

/// The cases that [`super::grading::of_submission`] ignores once `failed` is not accepted.
pub fn irrelevant_after(data: &Group, failed: CaseId) -> Vec<CaseId> {
    let mut irrelevant = Vec::new();
    walk(data, failed, &mut irrelevant);
    irrelevant
}

/// Returns whether the failed case makes the group fail; `None` if it is not in the group.
fn walk(group: &Group, failed: CaseId, irrelevant: &mut Vec<CaseId>) -> Option<bool> {
    let mut found = None;
    for part in group.parts() {
        match found {
            None => {
                found = match part {
                    Part::Case(case) => (case.id == failed).then_some(true),
                    Part::Group(inner) => walk(inner, failed, irrelevant),
                };
            }
            Some(true) if group.stop_at_first => match part {
                Part::Case(case) => irrelevant.push(case.id),
                Part::Group(inner) => irrelevant.extend(inner.judged_cases().iter().map(|c| c.id)),
            },
            Some(_) => break,
        }
    }
    // A group can be accepted although a case failed: then the failure says nothing about its
    // parent.
    let forgiving = group.verdict_mode == VerdictMode::AlwaysAccept
        || group.accept_if_any
        || group.ignore_sample
        || group.custom_grader_flags.is_some();
    found.map(|fails| fails && !forgiving)
}

/// Whether these rules concern the verdict of the whole submission, and not certain cases.
pub fn only_whole(rules: &[Rule]) -> bool {
    rules
        .iter()
        .all(|rule| rule.scope.is_none() && rule.message.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::TestCase;

    fn group(name: &str, cases: [usize; 2]) -> Group {
        let case = |id| TestCase {
            id: CaseId(id),
            ..TestCase::default()
        };
        Group {
            cases: cases.map(case).into(),
            ..Group::new(name)
        }
    }

    #[test]
    fn cases_after_the_first_failure_are_irrelevant_if_judging_ends_there() {
        let mut data = Group::new("");
        data.groups = vec![group("sample", [0, 1]), group("secret", [2, 3])];
        let ids_behind = |data: &Group, failed| -> Vec<usize> {
            let irrelevant = irrelevant_after(data, CaseId(failed));
            irrelevant.into_iter().map(|id| id.0).collect()
        };
        assert_eq!(ids_behind(&data, 0), [1, 2, 3]);
        assert_eq!(ids_behind(&data, 2), [3]);
        assert!(ids_behind(&data, 3).is_empty());
        assert!(ids_behind(&data, 4).is_empty());
        // The root continues after a group that failed: its other groups count.
        data.stop_at_first = false;
        assert_eq!(ids_behind(&data, 0), [1]);
        // A group that is accepted unconditionally does not end its parent.
        data.stop_at_first = true;
        data.groups[0].verdict_mode = VerdictMode::AlwaysAccept;
        assert_eq!(ids_behind(&data, 0), [1]);
        data.groups[1].stop_at_first = false;
        assert!(ids_behind(&data, 2).is_empty());
    }
}
