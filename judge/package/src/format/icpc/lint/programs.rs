//! Checks validators and submissions: which must exist, and their descriptions.

use super::layout::{LANGUAGES, file_name, is_language};
use super::{PackageError, Report};
use crate::input::yaml::advice;
use crate::model::{DEFAULT_VALIDATOR_ARGUMENTS, Package, Validator};
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::path::Path;
use walkdir::WalkDir;

/// Checks validators and submissions.
pub fn check(report: &mut Report<'_>) {
    let package = report.package;
    if package.input_validators.is_empty() {
        report.error(
            PackageError::new(
                report.path("input_validators"),
                "there is no input validator",
            )
            .remedy("add a program that exits with 42 when its input is right"),
        );
    }
    if package.validation.validators() == [Validator::Default] {
        default_validator_arguments(report);
    }
    let accepted = |name: &str| name.starts_with("accepted/");
    if !package.submissions.iter().any(|one| accepted(&one.name)) {
        report.error(
            PackageError::new(
                report.path("submissions/accepted"),
                "there is no accepted submission",
            )
            .remedy("add a right solution"),
        );
    }
    for submission in &package.submissions {
        if let Some(language) = &submission.language
            && !is_language(language)
        {
            let what = format!("`submissions.yaml` calls its language `{language}`");
            report.error(
                PackageError::new(&submission.path, what).remedy(advice(language, &LANGUAGES)),
            );
        }
        contradictions(report, submission);
        let size = size_of(&submission.path);
        if let Some(limit) = package.limits.code
            && size > limit
        {
            report.error(
                PackageError::new(
                    &submission.path,
                    format!("has {size} bytes of source code; {limit} are allowed"),
                )
                .remedy("shorten it, or raise `limits: code`"),
            );
        }
    }
    if let Some(languages) = &package.languages {
        for code in languages {
            if !is_language(code) {
                report.error(
                    PackageError::new(
                        report.path("problem.yaml"),
                        format!("`languages` names `{code}`, which is not a language code"),
                    )
                    .remedy(advice(code, &LANGUAGES)),
                );
            }
        }
    }
    undefined_constants(report, package);
}

/// Reports rules of one submission that contradict each other.
fn contradictions(report: &mut Report<'_>, submission: &crate::PackagedSubmission) {
    let rules: Vec<_> = submission
        .rules
        .iter()
        .filter(|rule| rule.scope.is_none())
        .collect();
    let all = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimitExceeded,
        Verdict::RunTimeError,
    ];
    let left: Vec<Verdict> = all
        .into_iter()
        .filter(|verdict| {
            rules.iter().all(|rule| {
                rule.expected.permitted.is_empty() || rule.expected.permitted.contains(verdict)
            })
        })
        .collect();
    let unmet = rules.iter().any(|rule| {
        let required = &rule.expected.required;
        !required.is_empty() && !required.iter().any(|verdict| left.contains(verdict))
    });
    let outcomes = rules.iter().any(|rule| !rule.expected.outcome.is_empty());
    if !outcomes && !rules.is_empty() && (left.is_empty() || unmet) {
        report.error(
            PackageError::new(
                &submission.path,
                "no verdict meets the rules of both its directory and `submissions.yaml`",
            )
            .remedy("change `permitted` and `required` in `submissions.yaml`"),
        );
    }
}

/// Checks the arguments of the default validator, each set once.
fn default_validator_arguments(report: &mut Report<'_>) {
    let sets: BTreeSet<&Vec<String>> = report
        .package
        .cases()
        .into_iter()
        .map(|case| &case.validator_args)
        .collect();
    let mut complaints = Vec::new();
    for args in sets {
        let complaint = |what: String| {
            PackageError::new(report.path("data"), format!("{what}: `{}`", args.join(" ")))
        };
        let mut given = args.iter();
        let mut tolerances: Vec<&str> = Vec::new();
        while let Some(arg) = given.next() {
            if !DEFAULT_VALIDATOR_ARGUMENTS.contains(&arg.as_str()) {
                let what = format!("`{arg}` is not an argument of the default validator");
                complaints.push(complaint(what).remedy(advice(arg, &DEFAULT_VALIDATOR_ARGUMENTS)));
                break;
            }
            if !arg.starts_with("float_") {
                continue;
            }
            let value = given.next().and_then(|value| value.parse::<f64>().ok());
            if !value.is_some_and(|value| value >= 0.0 && value.is_finite()) {
                let what = format!("`{arg}` needs a number that is not negative");
                complaints.push(complaint(what).remedy("write `float_tolerance 1e-6`"));
                break;
            }
            let again = tolerances.contains(&arg.as_str());
            let mixed = !tolerances.is_empty()
                && (arg == "float_tolerance" || tolerances.contains(&"float_tolerance"));
            if again || mixed {
                complaints.push(complaint(
                    "tolerances that contradict each other".to_owned(),
                ));
                break;
            }
            tolerances.push(arg);
        }
    }
    for complaint in complaints {
        report.error(complaint);
    }
}

/// Reports `{{name}}` in programs if the package defines constants, but not this one.
fn undefined_constants(report: &mut Report<'_>, package: &Package) {
    if package.constants.is_empty() {
        return;
    }
    let programs = package
        .input_validators
        .iter()
        .map(|validator| validator.path.as_path())
        .chain(package.submissions.iter().map(|one| one.path.as_path()))
        .chain(package.include.as_deref());
    let mut complaints = Vec::new();
    for program in programs {
        for file in WalkDir::new(program)
            .sort_by_file_name()
            .max_depth(8)
            .into_iter()
            .flatten()
            .take(1000)
        {
            let Ok(source) = crate::input::text::read(file.path(), 1 << 20) else {
                continue;
            };
            for name in sequences(&source) {
                if !package.constants.iter().any(|(known, _)| known == name) {
                    let known: Vec<&str> = package.constants.iter().map(|(k, _)| &**k).collect();
                    complaints.push(
                        PackageError::new(
                            file.path(),
                            format!("`{{{{{name}}}}}` is not a constant of the package"),
                        )
                        .remedy(advice(name, &known)),
                    );
                }
            }
        }
    }
    for complaint in complaints {
        report.warning(complaint);
    }
}

/// The names in the constant references of a text.
fn sequences(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{").skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once("}}")?;
        let word = |part: &str| {
            !part.is_empty()
                && !part.starts_with(|c: char| c.is_ascii_digit())
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        (name.split('.').count() <= 2 && name.split('.').all(word)).then_some(name)
    })
}

fn size_of(path: &Path) -> u64 {
    WalkDir::new(path)
        .sort_by_file_name()
        .max_depth(8)
        .into_iter()
        .flatten()
        .take(1000)
        .filter(|entry| !file_name(entry.path()).starts_with('.'))
        .filter_map(|entry| entry.path().metadata().ok())
        .filter(std::fs::Metadata::is_file)
        .map(|metadata| metadata.len())
        .sum()
}
