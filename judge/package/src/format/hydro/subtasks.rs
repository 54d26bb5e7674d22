//! The subtasks of a Hydro problem: those that the names of files make, and the points of all.

use crate::format::common::last;
use crate::model::{
    Aggregation, Group, Package, Points, TestCase, Validation, Validator, ValidatorProtocol,
};

/// Distributes cases that no configuration lists: `1-2.in` is a case of the subtask 1. Without such a
/// name, all are cases of the problem itself. The settings of subtasks in `data` remain.
pub fn by_names(data: &mut Group, cases: Vec<TestCase>) {
    let has_settings = !data.groups.is_empty();
    if !has_settings && cases.iter().all(|case| subtask(&case.name).is_none()) {
        data.cases = cases;
        return;
    }
    for mut case in cases {
        let number = subtask(&case.name);
        let name = format!("subtask{}", number.unwrap_or(1));
        case.name = format!("{name}/{}", case.name);
        match data.groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.cases.push(case),
            None => {
                let mut group = Group::new(name);
                (group.aggregation, group.stop_at_first) = match number {
                    Some(_) => (Aggregation::Min, true),
                    None => (Aggregation::Sum, false),
                };
                group.cases.push(case);
                data.groups.push(group);
            }
        }
    }
    data.groups.retain(|group| !group.cases.is_empty());
}

/// The number of the subtask in the name of a case, without extension: the digits before the last `-` or
/// `_`, if a number follows.
fn subtask(name: &str) -> Option<u64> {
    let (before, number) = last(name).rsplit_once(['-', '_'])?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let digits = &before[start..];
    (is_number(number) && is_number(digits)).then(|| digits.parse().ok())?
}

/// Gives points to subtasks and cases that have none, as whole numbers: what remains of 100 to subtasks,
/// what remains of a subtask to its cases if their points are added.
pub fn set_points(package: &mut Package) {
    let data = &mut package.data;
    if data.groups.is_empty() {
        share(data.cases.iter_mut().map(|case| &mut case.score), 100.0);
    } else {
        share(
            data.groups.iter_mut().map(|group| &mut group.max_score),
            100.0,
        );
    }
    let gives_parts = gives_parts(&package.validation);
    for group in &mut data.groups {
        let total = group.max_score.unwrap_or_default();
        if group.aggregation == Aggregation::Sum {
            share(group.cases.iter_mut().map(|case| &mut case.score), total);
        }
        for case in &mut group.cases {
            case.score = case.score.filter(|points| *points != 0.0).or(Some(total));
        }
        // A case that gets a part of its points does not end the subtask.
        group.stop_at_first &= !gives_parts;
    }
    if gives_parts {
        data.visit_cases(&mut |case| case.points = Points::Whole);
    }
}

/// Whether a checker can give a part of the points of a case.
fn gives_parts(validation: &Validation) -> bool {
    use ValidatorProtocol::{Lemon, Syzoj, Testlib};
    validation.validators().iter().any(|validator| {
        matches!(
            validator,
            Validator::Program {
                protocol: Testlib | Lemon | Syzoj,
                ..
            }
        )
    })
}

/// Distributes what remains of `total` to those without points, the larger parts to the last ones.
fn share<'a>(points: impl Iterator<Item = &'a mut Option<f64>>, total: f64) {
    let mut given = 0.0;
    let mut without = Vec::new();
    for points in points {
        match points.filter(|points| *points != 0.0) {
            Some(own) => given += own,
            None => without.push(points),
        }
    }
    let (rest, count) = (f64::max(total - given, 0.0), without.len() as f64);
    let base = (rest / count).floor();
    let smaller = count - rest % count;
    for (points, k) in without.into_iter().zip(0..) {
        let more = f64::from(k) >= smaller;
        *points = Some(base + f64::from(u8::from(more)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_contain_the_number_of_a_subtask() {
        for (name, number) in [
            ("1-2", Some(1)),
            ("data3_10", Some(3)),
            ("in/2-1", Some(2)),
            ("sample-1", None),
            ("data1", None),
            ("1-a", None),
            ("12", None),
        ] {
            assert_eq!(subtask(name), number, "{name}");
        }
    }

    #[test]
    fn what_remains_is_shared_as_whole_numbers() {
        let shared = |given: &[Option<f64>], total| {
            let mut points = given.to_vec();
            share(points.iter_mut(), total);
            points.into_iter().flatten().collect::<Vec<f64>>()
        };
        assert_eq!(shared(&[None; 3], 100.0), [33.0, 33.0, 34.0]);
        assert_eq!(
            shared(&[Some(40.0), None, Some(0.0)], 100.0),
            [40.0, 30.0, 30.0]
        );
        assert_eq!(shared(&[None; 3], 10.0), [3.0, 3.0, 4.0]);
        assert_eq!(shared(&[Some(120.0), None], 100.0), [120.0, 0.0]);
        assert_eq!(shared(&[], 100.0), [] as [f64; 0]);
    }
}
