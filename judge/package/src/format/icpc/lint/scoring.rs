//! Checks the points of the groups of a scoring problem.

use super::{PackageError, Report};
use crate::format::icpc::Version;
use crate::model::{Aggregation, Group};

pub fn check(report: &mut Report<'_>) {
    let package = report.package;
    if has_static_validation(&package.data) && package.static_validator.is_none() {
        let what = "is missing, but a `test_group.yaml` gives a `static_validation_score`";
        report.error(
            PackageError::new(report.path("static_validator"), what)
                .remedy("add the validator, or remove the key"),
        );
    }
    if !has_static_validation(&package.data)
        && let Some(validator) = &package.static_validator
    {
        let what = "is never run: no `test_group.yaml` gives a `static_validation_score`";
        report.warning(
            PackageError::new(validator, what).remedy(
                "write `static_validation_score: pass-fail` in `data/secret/test_group.yaml`",
            ),
        );
    }
    if package.kind.submit_answer && package.static_validator.is_some() {
        let what = "is not possible: a submission of type `submit-answer` has no source";
        report.error(PackageError::new(report.path("static_validator"), what));
    }
    if report.version != Version::V2025 || !package.kind.scoring {
        return;
    }
    let mut groups = package.data.groups.iter();
    let Some(secret) = groups.find(|group| group.name == "secret") else {
        return;
    };
    let root = &package.root;
    let file = |group: &Group| root.join(format!("data/{}/test_group.yaml", group.name));
    for group in &secret.groups {
        if group.max_score.is_none() && secret.max_score.is_some() {
            let what = "the group's score is unbounded, but that of `secret` is bounded";
            report.error(
                PackageError::new(file(group), what)
                    .remedy("give `max_score`, or make `secret` unbounded"),
            );
        }
        if secret.aggregation == Aggregation::PassFail && group.aggregation != Aggregation::PassFail
        {
            let what = "`secret` is `pass-fail`, so its groups must be, too";
            report.error(
                PackageError::new(file(group), what)
                    .remedy("give `score_aggregation: pass-fail` here, or another in `secret`"),
            );
        }
        for required in &group.requires {
            let is_scored = |other: &Group| other.aggregation != Aggregation::PassFail;
            let mut others = secret.groups.iter();
            if others.any(|other| &other.name == required && is_scored(other)) {
                let what = format!("`require_pass` names `{required}`, which is not `pass-fail`");
                report.error(
                    PackageError::new(file(group), what)
                        .remedy("only groups with `pass-fail` aggregation can be required"),
                );
            }
        }
    }
    let sum: Option<f64> = secret.groups.iter().map(|group| group.max_score).sum();
    if let (Some(sum), Some(most), Aggregation::Sum, false) = (
        sum,
        secret.max_score,
        secret.aggregation,
        secret.groups.is_empty(),
    ) && (sum - most).abs() > 1e-9
    {
        let what = format!("the groups give up to {sum} points, `secret` up to {most}");
        let error = PackageError::new(file(secret), what).remedy(
            "make the `max_score` of the groups add up to that of `secret` (100 if not given)",
        );
        // A score above the maximum is a judge error.
        match sum > most {
            true => report.error(error),
            false => report.warning(error),
        }
    }
}

fn has_static_validation(group: &Group) -> bool {
    group.static_validation.is_some() || group.groups.iter().any(has_static_validation)
}
