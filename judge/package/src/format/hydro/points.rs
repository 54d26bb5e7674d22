//! The points of the subtasks and cases of a Hydro problem.

use crate::model::{
    Aggregation, Package, Points, TestlibChecker, Validation, Validator, ValidatorProtocol,
};

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
    let parts = parts(&package.validation);
    for group in &mut data.groups {
        let total = group.max_score.unwrap_or_default();
        if group.aggregation == Aggregation::Sum {
            share(group.cases.iter_mut().map(|case| &mut case.score), total);
        }
        for case in &mut group.cases {
            case.score = case.score.filter(|points| *points != 0.0).or(Some(total));
        }
        // A case that gets a part of its points does not end the subtask.
        group.stop_at_first &= parts.is_none();
    }
    if let Some(parts) = parts {
        data.visit_cases(&mut |case| case.points = parts);
    }
}

/// Which points a checker can give to a case besides all or none.
fn parts(validation: &Validation) -> Option<Points> {
    use ValidatorProtocol::{Icpc, Lemon, Syzoj, Testlib};
    validation
        .validators()
        .iter()
        .find_map(|validator| match validator {
            Validator::Testlib(TestlibChecker::Pointscmp) => Some(Points::Whole),
            Validator::Program { protocol, .. } => match protocol {
                Testlib => Some(Points::Whole),
                Icpc | Lemon | Syzoj => Some(Points::OfRejected),
                _ => None,
            },
            _ => None,
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
