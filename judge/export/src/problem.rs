//! The form of a package that every writer understands.

use crate::Target;
use crate::data::Data;
use crate::judging::{Decision, InputValidator, Judging, input_validators};
use crate::metadata::Metadata;
use crate::output::Output;
use crate::program::{SourceFile, Sources};
use judge_package::{
    DataFile, LimitSource, Package, PackageError, StatementFile, TimeLimit, statements,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A problem, ready to be written in any format.
#[derive(Debug)]
pub struct Problem<'p> {
    pub package: &'p Package,
    /// Names, authors, licence.
    pub metadata: Metadata,
    /// The time limit, or how it is derived.
    pub time: TimeLimit,
    pub data: Data<'p>,
    /// How outputs are judged.
    pub judging: Judging,
    /// Programs and grammars that must accept every input.
    pub input_validators: Vec<InputValidator>,
    pub statements: Vec<StatementFile>,
}

impl<'p> Problem<'p> {
    /// Describes a package; `time_limit` replaces its own.
    pub fn new(package: &'p Package, time_limit: Option<Duration>) -> Result<Self, PackageError> {
        let is_generated = |file: &DataFile| matches!(file, DataFile::Generated(_));
        let mut cases = package.cases().into_iter();
        if cases
            .any(|case| is_generated(&case.input) || case.answer.as_ref().is_some_and(is_generated))
        {
            let what = "has test data that is not generated yet";
            return Err(PackageError::new(&package.root, what).remedy("generate it first"));
        }
        let (cases, data) = (package.cases(), Data::new(package));
        // Every case of the package is among the tests.
        debug_assert_eq!(cases.len(), data.tests().count());
        Ok(Problem {
            package,
            metadata: Metadata::of(package)?,
            time: time_limit.map_or(package.limits.time, TimeLimit::Given),
            data,
            judging: Judging::new(package)?,
            input_validators: input_validators(package)?,
            statements: statements(&package.root),
        })
    }

    /// The time limit of a format that does not derive one.
    pub fn fixed_time(&self) -> Result<Duration, PackageError> {
        self.time.fixed().ok_or_else(|| {
            let what = "derives its time limit from its submissions, which the format cannot";
            PackageError::new(&self.package.root, what)
                .remedy("give the limit: --time-limit SECONDS")
        })
    }

    /// The same in seconds.
    pub fn fixed_seconds(&self) -> Result<f64, PackageError> {
        Ok(self.fixed_time()?.as_secs_f64())
    }

    /// Records what only the ICPC formats express, and what other formats have no place for.
    pub fn losses_outside_icpc(&self, out: &mut Output) {
        if self.package.kind.multi_pass {
            out.changes("several passes");
        }
        self.losses_outside_icpc_but_passes(out);
    }

    /// The same for a format that has several passes.
    pub fn losses_outside_icpc_but_passes(&self, out: &mut Output) {
        let package = self.package;
        let mut cases = package.cases().into_iter();
        if cases.clone().any(|case| !case.args.is_empty()) {
            out.changes("the arguments of submissions");
        }
        if cases.any(|case| case.files.is_some()) {
            out.changes("the files beside the input (`.files`)");
        }
        if package.include.is_some() || package.stub.is_some() {
            out.changes("the files that are compiled with submissions");
        }
        if package.limits.code.is_some() {
            out.changes("the limit of the source's size");
        }
        if package.languages.is_some() {
            out.changes("the list of permitted languages");
        }
        if self.judging.has_own_args {
            out.changes("different arguments of the validator for single cases");
        }
        self.losses_everywhere(out);
    }

    /// Records what only version 2025-09 has and no verdict depends on.
    pub fn losses_outside_2025(&self, out: &mut Output) {
        let (package, metadata) = (self.package, &self.metadata);
        let cases = package.cases();
        let draws = package.input_visualizer.is_some() || package.output_visualizer.is_some();
        for (is_lost, what) in [
            (draws, "the visualizers"),
            (
                metadata.credits.is_some(),
                "credits other than the names of authors",
            ),
            (metadata.embargo.is_some(), "the embargo"),
            (metadata.version.is_some(), "the version"),
            (
                cases.iter().any(|case| case.full_feedback.is_some()),
                "`full_feedback` of cases",
            ),
            (
                package.root.join("attachments/templates").is_dir(),
                "the code templates",
            ),
        ] {
            if is_lost {
                out.leaves_out(what);
            }
        }
    }

    /// Records the documents and metadata that a format outside of the ICPC's has no place for.
    pub fn documents_outside_icpc(&self, target: Target, out: &mut Output) {
        let (package, metadata) = (self.package, &self.metadata);
        let cases = package.cases();
        let has_attachments = matches!(target, Target::Hydro | Target::Cms);
        for (is_lost, what) in [
            (
                !has_attachments && !self.attachments().is_empty(),
                "the files for contestants",
            ),
            (self.solution().is_some(), "the description of the solution"),
            (
                cases.iter().any(|case| case.illustration.is_some()),
                "the illustrations of cases",
            ),
            (
                cases.iter().any(|case| case.hint.is_some()),
                "the hints of cases",
            ),
            (
                metadata.names.len() > 1 && target != Target::Polygon,
                "the titles in other languages",
            ),
        ] {
            if is_lost {
                out.leaves_out(what);
            }
        }
        let parts = [
            (!metadata.authors.is_empty(), "the authors"),
            (!metadata.sources.is_empty(), "the source"),
            (
                metadata.license.is_some() || metadata.rights_owner.is_some(),
                "the licence",
            ),
            (
                !metadata.keywords.is_empty() && target != Target::Hydro,
                "the keywords",
            ),
        ];
        let parts = parts.iter().filter(|(is_lost, _)| *is_lost);
        let parts: Vec<&str> = parts.map(|(_, what)| *what).collect();
        if !parts.is_empty() {
            out.leaves_out(parts.join(", "));
        }
    }

    /// Records the cases that test the validators.
    pub fn loses_validator_cases(&self, out: &mut Output) {
        let validator_cases = &self.package.validator_cases;
        for (list, name) in [
            (&validator_cases.invalid_input, "invalid_input"),
            (&validator_cases.invalid_output, "invalid_output"),
            (&validator_cases.valid_output, "valid_output"),
        ] {
            if !list.is_empty() {
                out.leaves_out(format!("{} of `{name}`", plural(list.len(), "case")));
            }
        }
    }

    /// Records what no format that is written expresses.
    pub fn losses_everywhere(&self, out: &mut Output) {
        for what in self.data.losses.iter().chain(&self.judging.losses) {
            out.changes(what.clone());
        }
        if self.package.policy.validators_see_run && self.package.unbuffered {
            out.changes("output that is on its way without flushing");
        }
    }

    /// Records that other limits than those of time and memory are left out, if the package sets them.
    pub fn loses_output_limit(&self, out: &mut Output) {
        if self.package.limits.output_from == LimitSource::Package {
            out.changes("the output limit");
        }
    }

    /// Records the time and memory limits of single cases.
    pub fn loses_own_limits(&self, out: &mut Output) {
        let cases = self.package.cases();
        let has_own = |case: &&judge_package::TestCase| {
            case.time_limit
                .is_some_and(|time| Some(time) != self.time.fixed())
                || case
                    .memory_limit
                    .is_some_and(|memory| memory != self.package.limits.memory)
        };
        if cases.iter().any(has_own) {
            out.changes("the limits of single cases");
        }
    }

    /// Records the limits of single languages.
    pub fn loses_language_limits(&self, out: &mut Output) {
        let languages = self.package.limits.languages.iter();
        let names: Vec<&str> = languages.map(|own| own.language.as_str()).collect();
        if !names.is_empty() {
            out.changes(format!(
                "the limits of single languages: {}",
                names.join(", ")
            ));
        }
    }

    /// Records the input validators of a format that has none.
    pub fn loses_input_validators(&self, out: &mut Output) {
        for validator in &self.input_validators {
            let name = &validator.sources.main().name;
            out.leaves_out(format!("the input validator `{name}`: the format has none"));
        }
    }

    /// Records the arguments of input validators for a format that passes none but Polygon's.
    pub fn loses_input_args(&self, out: &mut Output) {
        let is_own = |args: &[String]| {
            let first = args.first().map(String::as_str);
            first.is_some_and(|first| first != "--testset" && first != "--group")
        };
        let has_own = |validator: &InputValidator| {
            let mut tests = self.data.tests();
            tests.any(|test| is_own(test.case.input_validator_args.of(&validator.name)))
        };
        if self.input_validators.iter().any(has_own) {
            out.leaves_out("the arguments of the input validators");
        }
    }

    /// Records that submissions are no programs.
    pub fn loses_submitted_output(&self, out: &mut Output) {
        if self.package.kind.submit_answer {
            out.changes("submissions that are the output");
        }
    }

    /// Records the submissions of a format that has none.
    pub fn loses_submissions(&self, out: &mut Output) {
        let count = self.package.submissions.len();
        if count > 0 {
            out.leaves_out(plural(count, "submission"));
        }
    }

    /// Records the statements of a format that has none.
    pub fn loses_statements(&self, out: &mut Output) {
        for statement in &self.statements {
            let name = statement.name();
            out.leaves_out(format!("the statement `{name}`"));
        }
    }

    /// Records the names of files that replace standard input and output.
    pub fn loses_file_io(&self, out: &mut Output) {
        let io = &self.package.file_io;
        for name in [&io.input, &io.output].into_iter().flatten() {
            out.changes(format!(
                "the file `{name}` instead of standard input or output"
            ));
        }
    }

    /// The programs that judge outputs and inputs.
    pub fn programs(&self) -> impl Iterator<Item = &Sources> {
        let first = match &self.judging.decision {
            Decision::Program(checker) => Some(&checker.sources),
            Decision::Compare(_) => None,
        };
        let others = self.judging.others.iter().map(|checker| &checker.sources);
        let validators = self.input_validators.iter().map(|own| &own.sources);
        first.into_iter().chain(others).chain(validators)
    }

    /// The package's `testlib.h`, if it ships one.
    pub fn testlib(&self) -> Option<&SourceFile> {
        let mut files = self.programs().flat_map(|sources| &sources.files);
        files.find(|file| file.name == "testlib.h")
    }

    /// Records the documents of formats whose statements and files for contestants are not read.
    pub fn loses_unread_documents(&self, out: &mut Output) {
        const PLACES: [&str; 8] = [
            "additional_file",
            "att",
            "doc",
            "public",
            "statement",
            "statements",
            "task.md",
            "testo",
        ];
        for place in PLACES {
            let path = self.package.root.join(place);
            let mut read = self.statements.iter();
            if path.exists() && !read.any(|statement| statement.path.starts_with(&path)) {
                out.leaves_out(format!("the documents in `{place}`, which are not read"));
            }
        }
    }

    /// The directory with the description of the solution. Other formats have programs in a directory of this name.
    pub fn solution(&self) -> Option<PathBuf> {
        let dir = self.package.root.join("solution");
        let mut entries = dir.read_dir().ok()?.flatten();
        let is_description = entries
            .any(|entry| judge_package::describes_solution(&entry.file_name().to_string_lossy()));
        is_description.then_some(dir)
    }

    /// The files for contestants.
    pub fn attachments(&self) -> Vec<(String, PathBuf)> {
        judge_package::attachments(&self.package.root)
            .into_iter()
            .collect()
    }
}

/// The answer of a case, or an empty file.
pub fn copy_answer(
    out: &mut Output,
    answer: Option<&DataFile>,
    name: &str,
) -> Result<(), PackageError> {
    match answer {
        Some(answer) => out.copy(answer, name),
        None => out.write(name, ""),
    }
}

/// A memory limit in whole units; at least 1.
pub fn memory_in(bytes: u64, unit: u64) -> u64 {
    bytes.div_ceil(unit).max(1)
}

/// The extension of a file, with a dot.
pub fn ending(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    format!(".{extension}")
}

/// `1 case`, `2 cases`.
pub fn plural(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
