//! Checks the points of the groups of a scoring problem.

use super::{PackageError, Report};
use crate::format::icpc::Version;
use crate::model::{Aggregation, Group};

/// Checks the groups.
pub fn check(report: &mut Report<'_>) {
    let package = report.package;
    if has_static_validation(&package.data) && package.static_validator.is_none() {
        report.error(
            PackageError::new(
                report.path("static_validator"),
                "is missing, but a `test_group.yaml` gives a `static_validation_score`",
            )
            .remedy("add the validator, or remove the key"),
        );
    }
    if package.kind.submit_answer && package.static_validator.is_some() {
        report.error(PackageError::new(
            report.path("static_validator"),
            "is not possible: a submission of type `submit-answer` has no source",
        ));
    }
    if report.version != Version::V2025 || !package.kind.scoring {
        return;
    }
    let Some(secret) = package
        .data
        .groups
        .iter()
        .find(|group| group.name == "secret")
    else {
        return;
    };
    let file = |group: &Group| report.path(&format!("data/{}/test_group.yaml", group.name));
    let mut complaints = Vec::new();
    for group in &secret.groups {
        if group.max_score.is_none() && secret.max_score.is_some() {
            complaints.push(
                PackageError::new(
                    file(group),
                    "the group's score is unbounded, but that of `secret` is bounded",
                )
                .remedy("give `max_score`, or make `secret` unbounded"),
            );
        }
        if secret.aggregation == Aggregation::PassFail && group.aggregation != Aggregation::PassFail
        {
            complaints.push(
                PackageError::new(
                    file(group),
                    "`secret` is `pass-fail`, so its groups must be, too",
                )
                .remedy("give `score_aggregation: pass-fail` here, or another in `secret`"),
            );
        }
        for required in &group.requires {
            let scored = secret
                .groups
                .iter()
                .any(|other| &other.name == required && other.aggregation != Aggregation::PassFail);
            if scored {
                complaints.push(
                    PackageError::new(
                        file(group),
                        format!("`require_pass` names `{required}`, which is not `pass-fail`"),
                    )
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
        complaints.push(
            PackageError::new(
                file(secret),
                format!("the groups give up to {sum} points, `secret` up to {most}"),
            )
            .remedy(
                "make the `max_score` of the groups add up to that of `secret` (100 if not given)",
            ),
        );
    }
    for complaint in complaints {
        report.error(complaint);
    }
}

fn has_static_validation(group: &Group) -> bool {
    group.static_validation.is_some() || group.groups.iter().any(has_static_validation)
}
