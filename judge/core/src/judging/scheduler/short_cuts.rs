//! Which runs of cases are unnecessary.
//!
//! `judge verify` asks only for verdicts. If the package says so, a judge ends a group at its first
//! failure; the cases after it can then change neither verdict nor points, and run only if the
//! expectation is not met without them. Of equal cases the first one runs: packages with groups
//! list a case in several of them, and a program does the same on the same data.

use super::super::equal_cases::first_equal;
use super::super::{Extent, Plan, Settings};
use super::protocol::{CaseAt, Cases, Requirement};
use super::runner::Selection;
use judge_package::{CaseId, Group, Part, Rule, TestCase, VerdictMode};
use std::collections::{HashMap, HashSet};

/// The unnecessary runs of a selection.
pub struct ShortCuts<'a> {
    plan: &'a Plan,
    /// The plan entry of each submission of the selection.
    entries: Vec<usize>,
    /// Equal cases per judged entry, if not every case has to run.
    equal: HashMap<usize, EqualCases>,
}

impl<'a> ShortCuts<'a> {
    /// Compares the data of the cases if not every case has to run.
    pub fn new(plan: &'a Plan, selection: &Selection, settings: &Settings) -> Self {
        let mut equal = HashMap::new();
        if settings.extent == Extent::Decisive {
            for selected in selection.iter().filter(|selected| selected.known.is_none()) {
                let entry = selected.key.package;
                equal.entry(entry).or_insert_with(|| {
                    let cases: Vec<&TestCase> = plan.entries[entry].cases.iter().collect();
                    EqualCases::new(first_equal(&cases))
                });
            }
        }
        ShortCuts {
            plan,
            entries: selection
                .iter()
                .map(|selected| selected.key.package)
                .collect(),
            equal,
        }
    }
}

impl Cases for ShortCuts<'_> {
    fn irrelevant_after(&self, (submission, failed): CaseAt) -> Vec<usize> {
        let entry = &self.plan.entries[self.entries[submission]];
        let irrelevant = irrelevant_after(&entry.package.data, entry.cases[failed].id);
        let cases = entry.cases.iter().enumerate();
        let behind = cases.filter(|(_, case)| irrelevant.contains(&case.id));
        behind.map(|(place, _)| place).collect()
    }

    fn equal_to(&self, (submission, case): CaseAt) -> Box<dyn Iterator<Item = (usize, bool)> + '_> {
        let entry = self.entries[submission];
        let cases = &self.plan.entries[entry].cases;
        let others = self.equal.get(&entry).into_iter();
        let others = others.flat_map(move |equal| equal.others(case));
        Box::new(others.map(move |other| (other, cases[other].score == cases[case].score)))
    }
}

/// Groups of equal cases; most cases are in none.
struct EqualCases {
    groups: HashMap<usize, Vec<usize>>,
    of: Vec<usize>,
}

impl EqualCases {
    /// Builds the groups from the index of the first equal case of each case.
    fn new(first: Vec<usize>) -> Self {
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for (case, &first) in first.iter().enumerate() {
            groups.entry(first).or_default().push(case);
        }
        groups.retain(|_, cases| cases.len() > 1);
        EqualCases { groups, of: first }
    }

    fn others(&self, case: usize) -> impl Iterator<Item = usize> {
        let group = self.of.get(case).and_then(|first| self.groups.get(first));
        let cases = group.map_or(&[][..], Vec::as_slice).iter().copied();
        cases.filter(move |&other| other != case)
    }
}

/// The cases that grading ignores once `failed` is not accepted.
fn irrelevant_after(data: &Group, failed: CaseId) -> HashSet<CaseId> {
    let mut irrelevant = HashSet::new();
    walk(data, failed, &mut irrelevant);
    irrelevant
}

/// Returns whether the failed case makes the group fail; `None` if it is not in the group.
fn walk(group: &Group, failed: CaseId, irrelevant: &mut HashSet<CaseId>) -> Option<bool> {
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
                Part::Case(case) => irrelevant.extend([case.id]),
                Part::Group(inner) => irrelevant.extend(inner.judged_cases().iter().map(|c| c.id)),
            },
            Some(_) => break,
        }
    }
    found.map(|fails| fails && !is_forgiving(group))
}

/// Whether a group can be accepted although a case failed: then the failure says nothing about its
/// parent.
fn is_forgiving(group: &Group) -> bool {
    group.verdict_mode == VerdictMode::AlwaysAccept
        || group.accept_if_any
        || group.ignore_sample
        || group.custom_grader_flags.is_some()
}

/// Which of the `cases`, a selection from `data`, run only if others are accepted.
pub fn requirements(data: &Group, cases: &[TestCase]) -> Vec<Requirement> {
    let places: HashMap<CaseId, usize> = (0..).zip(cases).map(|(k, case)| (case.id, k)).collect();
    // The cases of a group are contiguous.
    let range = |group: &Group| {
        let cases = group.judged_cases().into_iter();
        let places = || cases.clone().filter_map(|case| places.get(&case.id));
        Some(*places().min()?..places().max()? + 1)
    };
    let groups = with_inner(data);
    let mut found = Vec::new();
    for group in &groups {
        let required = groups.iter().filter(|other| {
            group.requires.contains(&other.name) && !with_inner(other).into_iter().any(is_forgiving)
        });
        for required in required.filter_map(|required| range(required)) {
            // A requirement of later cases would never end.
            if let Some(dependents) = range(group).filter(|own| required.end <= own.start) {
                found.push(Requirement {
                    dependents,
                    required,
                });
            }
        }
    }
    found
}

/// The group and all groups in it.
pub fn with_inner(group: &Group) -> Vec<&Group> {
    let inner = group.groups.iter().flat_map(with_inner);
    std::iter::once(group).chain(inner).collect()
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
            (0..5)
                .filter(|k| irrelevant.contains(&CaseId(*k)))
                .collect()
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
