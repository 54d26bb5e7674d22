//! Completes every package that a reader returns and establishes what the rest of the judge relies
//! on.
//!
//! Cases are numbered, their names are unique, their number is bounded, points are finite, findings
//! are not repeated, and every file that the package names is a regular file inside it.

use super::error::PackageError;
use super::input::package_dir::Containment;
use super::input::tree::MAX_ENTRIES;
use super::model::{AnswerOf, InputOf};
use super::model::{CaseId, Group, TestCase};
use super::model::{Package, Validator};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The maximum number of test cases of a package, equal to that of files.
pub const MAX_CASES: usize = MAX_ENTRIES;

/// Completes a package that a reader assembled.
///
/// # Errors
///
/// When a guarantee does not hold.
pub fn finish(mut package: Package) -> Result<Package, PackageError> {
    number(&mut package)?;
    unique_names(&mut package.data);
    unique_submissions(&mut package);
    check_points(&package)?;
    check_files(&package)?;
    // A file that is read several times yields the same finding several times.
    let mut told = HashSet::new();
    package
        .findings
        .retain(|finding| told.insert(finding.error.clone()));
    Ok(package)
}

fn number(package: &mut Package) -> Result<(), PackageError> {
    let mut count = 0;
    package.data.visit_cases(&mut |case| {
        case.id = CaseId(count);
        count += 1;
    });
    if count > MAX_CASES {
        return Err(too_many(&package.root, count));
    }
    Ok(())
}

/// The error for a package with more than [`MAX_CASES`] test cases.
pub fn too_many(path: &Path, count: usize) -> PackageError {
    PackageError::new(
        path,
        format!("has {count} test cases; at most {MAX_CASES} are judged"),
    )
    .remedy("leave cases out")
}

/// Renames a case whose name is already taken to the first free one of `NAME-2`, `NAME-3`, ...
fn unique_names(data: &mut Group) {
    let mut unique = Unique::default();
    data.visit_cases(&mut |case| unique.reserve(&case.name));
    data.visit_cases(&mut |case| unique.take(&mut case.name));
}

fn unique_submissions(package: &mut Package) {
    let mut unique = Unique::default();
    for submission in &package.submissions {
        unique.reserve(&submission.name);
    }
    for submission in &mut package.submissions {
        unique.take(&mut submission.name);
    }
}

/// Makes names unique in linear time.
#[derive(Default)]
struct Unique {
    /// Names that are taken or that a later case has originally.
    reserved: HashSet<String>,
    /// For each name in use, the suffix to try next.
    next: HashMap<String, usize>,
}

impl Unique {
    fn reserve(&mut self, name: &str) {
        if !self.reserved.contains(name) {
            self.reserved.insert(name.to_owned());
        }
    }

    fn take(&mut self, name: &mut String) {
        let Some(next) = self.next.get_mut(name) else {
            self.next.insert(name.clone(), 2);
            return;
        };
        loop {
            let candidate = format!("{name}-{next}");
            *next += 1;
            if self.reserved.insert(candidate.clone()) {
                *name = candidate;
                return;
            }
        }
    }
}

/// Checks that the sum of all points is finite.
fn check_points(package: &Package) -> Result<(), PackageError> {
    let sum = points(&package.data);
    if sum.is_finite() {
        return Ok(());
    }
    Err(
        PackageError::new(&package.root, "the sum of its points is not finite")
            .remedy("give the cases fewer points"),
    )
}

/// The sum of the absolute values of all points in a group.
fn points(group: &Group) -> f64 {
    let of_case =
        |case: &TestCase| case.score.unwrap_or(0.0).abs() + case.reject_score.unwrap_or(0.0).abs();
    let cases: f64 = group.cases.iter().map(of_case).sum();
    let groups: f64 = group.groups.iter().map(points).sum();
    cases + groups + group.max_score.unwrap_or(0.0).abs()
}

/// Checks that every file that the package names exists, lies inside the package and is of the
/// expected kind.
fn check_files<'p>(package: &'p Package) -> Result<(), PackageError> {
    let mut inside = Containment::new(package.directories());
    let recipes = package.generation.as_ref().map_or(&[][..], |g| &g.recipes);
    let generated = |file: &Path| {
        let number = file
            .file_stem()
            .and_then(|stem| stem.to_str()?.parse().ok());
        number.is_some_and(|number: usize| number < recipes.len()) && file.components().count() == 1
    };
    let validator_cases = &package.validator_cases;
    let cases = [
        &validator_cases.invalid_input,
        &validator_cases.invalid_output,
        &validator_cases.valid_output,
    ];
    let cases = cases.into_iter().flatten().chain(package.cases());
    for case in cases {
        let files = [
            Some(&case.input),
            case.answer.as_ref(),
            case.output.as_ref(),
        ];
        for file in files.into_iter().flatten() {
            if !generated(file) {
                inside.file(file)?;
            }
        }
        if let Some(dir) = &case.files {
            inside.any(dir)?;
        }
    }
    let program = |validator: &'p Validator| match validator {
        Validator::Program { path, .. } => Some(path.as_path()),
        _ => None,
    };
    let validators = std::iter::once(&package.validator).chain(&package.more_validators);
    let programs = validators
        .filter_map(program)
        .chain(package.input_validators.iter().map(|v| v.path.as_path()))
        .chain(package.submissions.iter().map(|s| s.path.as_path()))
        .chain(package.static_validator.as_deref())
        .chain(package.grader.as_deref())
        .chain(package.include.as_deref());
    for path in programs {
        inside.any(path)?;
    }
    for recipe in recipes {
        match &recipe.input {
            InputOf::File(path) => inside.file(path)?,
            InputOf::Program { path, stdin, .. } => {
                inside.any(path)?;
                stdin
                    .as_deref()
                    .map_or(Ok(()), |stdin| inside.file(stdin))?;
            }
        }
        if let AnswerOf::File(path) = &recipe.answer {
            inside.file(path)?;
        }
    }
    if let Some(generation) = &package.generation {
        generation
            .solution
            .as_deref()
            .map_or(Ok(()), |path| inside.any(path))?;
        generation
            .hashes
            .as_deref()
            .map_or(Ok(()), |path| inside.file(path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<String> {
        let case = |name: &&str| TestCase {
            name: (*name).to_owned(),
            ..TestCase::default()
        };
        let mut data = Group::new("");
        data.cases = names.iter().map(case).collect();
        unique_names(&mut data);
        data.cases.into_iter().map(|case| case.name).collect()
    }

    #[test]
    fn a_name_in_use_gets_the_first_free_suffix() {
        assert_eq!(named(&["a", "b", "a", "a"]), ["a", "b", "a-2", "a-3"]);
        // A name that a later case has originally is kept for it.
        assert_eq!(
            named(&["a", "a", "a-2", "a-2"]),
            ["a", "a-3", "a-2", "a-2-2"]
        );
    }

    #[test]
    fn sixty_thousand_cases_of_one_name_are_named_at_once() {
        let names = named(&["same"; 60_000]);
        assert_eq!(names[59_999], "same-60000");
        let unique: HashSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }
}
