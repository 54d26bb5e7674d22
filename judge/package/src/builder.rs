//! Builds every package: a reader fills a [`PackageBuilder`], and [`PackageBuilder::finish`]
//! establishes what the rest of the judge relies on.
//!
//! Cases are numbered, their names are unique, their number is bounded, points are finite, findings
//! are not repeated, and every file that the package names is a regular file inside it.

use super::error::{Finding, PackageError};
use super::input::package_dir::{Containment, PackageDir};
use super::input::staging_dir::StagingDir;
use super::input::tree::{MAX_ENTRIES, Tree};
use super::model::{AnswerOf, CaseId, DataFile, Group, InputOf, Package, Recipe, TestCase};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The maximum number of test cases of a package, equal to that of files.
pub const MAX_CASES: usize = MAX_ENTRIES;

/// A package that a reader is filling.
pub struct PackageBuilder {
    /// The directory that is read, with the findings so far.
    pub tree: Tree,
    /// The package so far.
    pub package: Package,
    staging_dirs: Vec<StagingDir>,
}

impl PackageBuilder {
    /// A package without cases and with default limits, called `id`.
    pub fn new(tree: Tree, id: String) -> Self {
        let package = Package {
            name: id.clone(),
            id,
            root: tree.root.clone(),
            origin: tree.root.clone(),
            data: Group::new(""),
            allow_file_writing: true,
            ..Package::default()
        };
        PackageBuilder {
            tree,
            package,
            staging_dirs: Vec::new(),
        }
    }

    /// Creates a directory for assembled files, which exists as long as the package.
    pub fn staging_dir(&mut self) -> Result<StagingDir, PackageError> {
        let staging_dir = StagingDir::new()?;
        self.keep(&staging_dir);
        Ok(staging_dir)
    }

    /// Keeps a directory for assembled files as long as the package.
    pub fn keep(&mut self, staging_dir: &StagingDir) {
        self.package.unpacked.push(staging_dir.guard());
        self.staging_dirs.push(staging_dir.clone());
    }

    /// Adds a case to generate and returns the files of its input and answer.
    pub fn generate(&mut self, recipe: Recipe) -> (DataFile, DataFile) {
        let generation = self.package.generation.get_or_insert_default();
        let index = generation.recipes.len();
        generation.recipes.push(recipe);
        let names = (Recipe::input_name(index), Recipe::answer_name(index));
        (DataFile::Generated(names.0), DataFile::Generated(names.1))
    }

    /// Completes the package. Fails when a guarantee does not hold.
    pub fn finish(self) -> Result<Package, PackageError> {
        let mut package = self.package;
        for staging_dir in &self.staging_dirs {
            package.originals.extend(staging_dir.originals());
        }
        number(&mut package)?;
        unique_names(&mut package.data);
        unique_submissions(&mut package);
        check_points(&package)?;
        let largest_answer = check_files(&self.tree.dir, &package)?;
        package.limits.fit_answer(largest_answer);
        package.findings = self.tree.findings;
        empty_groups(&package.data, &package.origin, &mut package.findings);
        // A file that is read several times yields the same finding several times.
        let mut known = HashSet::new();
        package
            .findings
            .retain(|finding| known.insert(finding.error.clone()));
        Ok(package)
    }
}

fn number(package: &mut Package) -> Result<(), PackageError> {
    let mut count = 0;
    package.data.visit_cases(&mut |case| {
        case.id = CaseId(count);
        count += 1;
    });
    match count > MAX_CASES {
        true => Err(too_many(&package.root, count)),
        false => Ok(()),
    }
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
    let error = PackageError::new(&package.root, "the sum of its points is not finite");
    match points(&package.data).is_finite() {
        true => Ok(()),
        false => Err(error.remedy("give the cases fewer points")),
    }
}

/// Reports groups that have points but no case: some judges give these points to every submission, others to none.
fn empty_groups(group: &Group, package: &Path, findings: &mut Vec<Finding>) {
    let points = group.max_score.unwrap_or(0.0);
    let is_empty = group.all_cases().is_empty() && group.static_validation.is_none();
    if points > 0.0 && is_empty && !group.name.is_empty() {
        let what = format!(
            "the group `{}` has {points} points and no test case",
            group.name
        );
        let error = PackageError::new(package, what).remedy("add cases, or remove the group");
        findings.push(Finding::error(error).of_runs_if(true));
    }
    for inner in &group.groups {
        empty_groups(inner, package, findings);
    }
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
/// expected kind. Returns the size of the largest answer in bytes.
fn check_files(dir: &PackageDir, package: &Package) -> Result<u64, PackageError> {
    let mut inside = Containment::new(dir, package.directories());
    let own = &package.validator_cases;
    let own = own.invalid_input.iter().chain(&own.invalid_output);
    let own = own.chain(&package.validator_cases.valid_output);
    let mut largest_answer = 0;
    for case in own.chain(package.cases()) {
        // Only `PackageBuilder::generate` creates other files, each with its recipe.
        if let DataFile::Ready(path) = &case.input {
            inside.file(path)?;
        }
        if let Some(DataFile::Ready(path)) = &case.answer {
            largest_answer = largest_answer.max(inside.file(path)?);
        }
        if let Some(path) = &case.output {
            inside.file(path)?;
        }
        if let Some(path) = &case.illustration {
            inside.file(path)?;
        }
        case.files.iter().try_for_each(|dir| inside.any(dir))?;
    }
    let mut files: Vec<&PathBuf> = Vec::new();
    let mut programs: Vec<&PathBuf> = package.validation.programs().collect();
    programs.extend(package.input_validators.iter().map(|v| &v.path));
    programs.extend(package.submissions.iter().map(|s| &s.path));
    programs.extend(&package.static_validator);
    programs.extend(&package.grader);
    programs.extend(&package.input_visualizer);
    programs.extend(&package.output_visualizer);
    programs.extend(&package.include);
    if let Some(generation) = &package.generation {
        programs.extend(&generation.solution);
        files.extend(&generation.hashes);
        for recipe in &generation.recipes {
            match &recipe.input {
                InputOf::File(path) => files.push(path),
                InputOf::Program { path, stdin, .. } => {
                    programs.push(path);
                    files.extend(stdin);
                }
            }
            if let AnswerOf::File(path) = &recipe.answer {
                files.push(path);
            }
        }
    }
    for path in files {
        inside.file(path)?;
    }
    programs.into_iter().try_for_each(|path| inside.any(path))?;
    Ok(largest_answer)
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
