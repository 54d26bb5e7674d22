//! Checks validators and submissions: which must exist, and their descriptions.

use super::layout::{LANGUAGES, is_language};
use super::{PackageError, Report};
use crate::input::staging_dir::base_name;
use crate::input::text;
use crate::input::yaml::advice;
use crate::model::{Expectation, InputValidator, PackagedSubmission, Validator};
use crate::statement::{StatementKind, statements};
use crate::verdict::Verdict;
use std::collections::BTreeSet;
use std::path::Path;
use walkdir::{DirEntry, WalkDir};

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
    named_validators(report);
    if let [Validator::Default(_)] = package.validation.validators() {
        default_validator_arguments(report);
    }
    let accepted = |name: &str| name.starts_with("accepted/");
    if !package.submissions.iter().any(|one| accepted(&one.name)) {
        let what = "there is no accepted submission";
        report.error(
            PackageError::new(report.path("submissions/accepted"), what)
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
            let what = format!("has {size} bytes of source code; {limit} are allowed");
            report.error(
                PackageError::new(&submission.path, what)
                    .remedy("shorten it, or raise `limits: code`"),
            );
        }
    }
    undefined_constants(report);
}

/// Reports arguments for an input validator that does not exist: every validator would run without them.
fn named_validators(report: &mut Report<'_>) {
    let package = report.package;
    let name = |validator: &InputValidator| base_name(package.original(&validator.path));
    let names: Vec<String> = package.input_validators.iter().map(name).collect();
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let cases = package.cases().into_iter();
    let cases = cases.chain(&package.validator_cases.invalid_input);
    let given = cases.flat_map(|case| &case.input_validator_args.by_name);
    let given: BTreeSet<&str> = given.map(|(name, _)| &name[..]).collect();
    for name in given {
        let is_known = |own: &&str| *own == name || own.split('.').next() == Some(name);
        if !known.iter().any(is_known) {
            let what = format!("arguments are given to `{name}`, which is no input validator");
            let error = PackageError::new(report.path("data"), what);
            report.error(error.remedy(advice(name, &known)));
        }
    }
}

/// Reports rules of one submission that contradict each other.
fn contradictions(report: &mut Report<'_>, submission: &PackagedSubmission) {
    let rules = submission.rules.iter().filter(|rule| rule.scope.is_none());
    let rules: Vec<&Expectation> = rules.map(|rule| &rule.expected).collect();
    let mut left = vec![
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimitExceeded,
        Verdict::RunTimeError,
    ];
    for rule in rules.iter().filter(|rule| !rule.permitted.is_empty()) {
        left.retain(|verdict| rule.permitted.contains(verdict));
    }
    let is_unmet = |required: &[Verdict]| {
        !required.is_empty() && !required.iter().any(|verdict| left.contains(verdict))
    };
    let unmet = rules.iter().any(|rule| is_unmet(&rule.required));
    let outcomes = rules.iter().any(|rule| !rule.outcome.is_empty());
    if !outcomes && !rules.is_empty() && (left.is_empty() || unmet) {
        let what = "no verdict meets the rules of both its directory and `submissions.yaml`";
        report.error(
            PackageError::new(&submission.path, what)
                .remedy("change `permitted` and `required` in `submissions.yaml`"),
        );
    }
}

/// Checks the tolerances of the default validator, each set of arguments once.
fn default_validator_arguments(report: &mut Report<'_>) {
    let cases = report.package.cases().into_iter();
    let sets: BTreeSet<&Vec<String>> = cases.map(|case| &case.validator_args).collect();
    let data = report.path("data");
    for args in sets {
        let complaint =
            |what: &str| PackageError::new(&data, format!("{what}: `{}`", args.join(" ")));
        let mut given = args.iter();
        while let Some(arg) = given.next() {
            if !arg.starts_with("float_") {
                continue;
            }
            if given.next().is_none_or(|value| value.starts_with('-')) {
                let what = format!("`{arg}` needs a number that is not negative");
                report.error(complaint(&what).remedy("write `float_tolerance 1e-6`"));
                break;
            }
        }
    }
}

/// Reports `{{name}}` in programs and statements if the package defines constants, but not this one, and
/// `\constant{name}` in statements.
fn undefined_constants(report: &mut Report<'_>) {
    let package = report.package;
    let known: Vec<&str> = package.constants.iter().map(|(name, _)| &**name).collect();
    for file in statements(&package.root) {
        let source = text::read(&file.path, 1 << 20).unwrap_or_default();
        let unknown: Vec<(String, &str)> = match file.kind {
            StatementKind::Tex => commands(&source)
                .map(|name| (format!("\\constant{{{name}}}"), name))
                .collect(),
            StatementKind::Markdown if !known.is_empty() => sequences(&source)
                .filter(|name| !["nextsample", "remainingsamples"].contains(name))
                .map(|name| (format!("{{{{{name}}}}}"), name))
                .collect(),
            _ => Vec::new(),
        };
        for (shown, name) in unknown.iter().filter(|(_, name)| !known.contains(name)) {
            let what = format!("`{shown}` is not a constant of the package");
            report.warning(PackageError::new(&file.path, what).remedy(advice(name, &known)));
        }
    }
    if known.is_empty() {
        return;
    }
    let validators = package.input_validators.iter().map(|v| &v.path);
    let submissions = package.submissions.iter().map(|one| &one.path);
    let programs = validators.chain(submissions).chain(&package.include);
    for file in programs.flat_map(|program| files_of(program)) {
        let source = text::read(file.path(), 1 << 20).unwrap_or_default();
        for name in sequences(&source).filter(|name| !known.contains(name)) {
            let what = format!("`{{{{{name}}}}}` is not a constant of the package");
            report.warning(PackageError::new(file.path(), what).remedy(advice(name, &known)));
        }
    }
}

/// The names in the commands `\constant{name}` of a text.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let rests = text.split("\\constant{").skip(1);
    rests.filter_map(|rest| Some(rest.split_once('}')?.0.trim()))
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
    let files = files_of(path).filter(|entry| !base_name(entry.path()).starts_with('.'));
    let metadata = files.filter_map(|entry| entry.path().metadata().ok());
    let files = metadata.filter(std::fs::Metadata::is_file);
    files.map(|metadata| metadata.len()).sum()
}

/// The files and directories of a program.
fn files_of(program: &Path) -> impl Iterator<Item = DirEntry> {
    let entries = WalkDir::new(program).sort_by_file_name().max_depth(8);
    entries.into_iter().flatten().take(1000)
}
