//! DMOJ's `init.yml`: cases and batches with points; the files are next to it or in a zip archive.
//!
//! [`Init::parse`] makes the file typed values (`init.rs`, `init_cases.rs`, `init_checkers.rs`); the
//! [`Reader`] fills the model from them and the package's files (`cases.rs`, `checkers.rs`,
//! `python.rs`). Without a list of cases, `matching.rs` makes one from the names of the files.
//!
//! Source: the "Problem format" pages of DMOJ's documentation.

mod cases;
mod checkers;
mod init;
mod init_cases;
mod init_checkers;
mod matching;
mod python;
mod validator;

use self::init::{Init, Signature, Tests};
use self::init_cases::Part;
use self::init_checkers::FileName;
use self::python::{Python, merge};
use self::validator::ValidatorArguments;
use super::common::{SearchPath, begin, make_scoring};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::archive;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::{StagingDir, base_name};
use crate::model::{
    AnswersAreOutputs, Group, LimitSource, Package, Points, Policy, Validation, Validator,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The remedy for a missing file.
const BESIDE: &str = "put it beside `init.yml`";

/// DMOJ's format.
pub struct Dmoj;

impl Format for Dmoj {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        dir.has_file("init.yml").then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let yaml = builder.tree.yaml(&builder.tree.root.join("init.yml"))?;
        let init = Init::parse(&yaml)?;
        begin(builder, "DMOJ");
        settings(&mut builder.package, &init);
        let mut reader = Reader::new(builder, &init)?;
        if let Some(node) = yaml.get("grader") {
            let error = node.error("`grader` is not a key that DMOJ's judge reads");
            let remedy = "name a grader in Python as `custom_judge`, or remove the key";
            reader.builder.tree.error(error.remedy(remedy));
        }
        if let Some(validator) = init.validator {
            reader.input_validator(validator);
        }
        let (names, found);
        let parts = match &init.tests {
            Tests::List(parts) => parts,
            Tests::Named(patterns) => {
                names = matching::names(&reader.search_path.dirs)?;
                found = matching::parts(&names, patterns, &init.defaults);
                &found
            }
        };
        let mut data = Group::new("");
        if let Some(pretests) = &init.pretests {
            // DMOJ's judge numbers them after the other cases, and judges them before.
            reader.numbers = Numbers::after(parts);
            let mut group = Group::new("pretests");
            reader.parts(pretests, &mut group)?;
            group.after = 0;
            group.is_gate = true;
            group.max_score = Some(0.0);
            data.groups.push(group);
            reader.numbers = Numbers::default();
        }
        reader.parts(parts, &mut data)?;
        let signature = init.signature.as_ref();
        let stub = signature.map(|signature| reader.stub(signature));
        let stub = stub.transpose()?;
        let include = reader.staging_dir.path("include");
        let validators = reader.checkers.into_iter().map(|checker| checker.validator);
        let package = &mut builder.package;
        package.validation = Validation::PerCase(validators.collect());
        package.include = stub.is_some().then_some(include);
        package.stub = stub;
        package.data.cases = data.cases;
        package.data.groups = data.groups;
        if package.cases().is_empty() {
            return Err(yaml
                .error("names no test cases")
                .remedy("add `test_cases: [{in: 1.in, out: 1.out, points: 100}]`"));
        }
        Ok(())
    }
}

/// Sets the limits, and how submissions are run.
fn settings(package: &mut Package, init: &Init<'_>) {
    make_scoring(package);
    package.data.stop_at_first = init.short_circuit;
    package.kind.interactive = init.defaults.is_interactive;
    // DMOJ stores the limit in its database; this is the default for new problems there.
    let default = Duration::from_secs(2);
    package.limits.set_time(init.time_limit, default);
    if let Some(memory) = init.memory_limit {
        package.limits.set_memory(memory);
    }
    package.limits.output = init.output_limit.unwrap_or(24 << 20);
    package.limits.output_from = LimitSource::Format;
    package.file_io = init.file_io.clone();
    package.unbuffered = init.unbuffered;
    package.policy = Policy {
        unbuffered_interactors: true,
        validators_see_run: true,
        answers: AnswersAreOutputs::Never,
        ..Policy::default()
    };
}

/// The state of filling the model.
struct Reader<'b> {
    builder: &'b mut PackageBuilder,
    /// Where files are looked up.
    search_path: SearchPath,
    /// Where programs are assembled.
    staging_dir: StagingDir,
    /// The assembled programs by their files' names and their flags.
    programs: HashMap<(Vec<String>, Vec<String>), PathBuf>,
    /// The number of directories with programs so far.
    directories: usize,
    /// The number of batches so far.
    batches: usize,
    /// The number of cases so far, which names those without an input.
    cases: usize,
    /// The numbers that programs of the package know.
    numbers: Numbers,
    validator_arguments: Option<ValidatorArguments>,
    /// The package's checker, then those of individual cases.
    checkers: Vec<OwnChecker>,
    /// The keys of the file, for Python code.
    common: serde_json::Map<String, serde_json::Value>,
}

/// The index of the next case and the number of the last batch.
#[derive(Clone, Copy, Default)]
struct Numbers {
    position: usize,
    batch: usize,
}

impl Numbers {
    /// The numbers after these cases and batches.
    fn after(parts: &[Part<'_>]) -> Self {
        let mut numbers = Numbers::default();
        for part in parts {
            match part {
                Part::Case(_) => numbers.position += 1,
                Part::Batch(batch) => {
                    numbers.position += batch.cases.len();
                    numbers.batch += 1;
                }
            }
        }
        numbers
    }
}

/// A checker of the package or of individual cases.
pub struct OwnChecker {
    /// The validator that implements it.
    validator: Validator,
    /// Which points it may give.
    points: Points,
    /// Whether it may give points for a failed run.
    run_on_error: bool,
    /// The settings of code in Python.
    python: Option<Python>,
}

impl From<Validator> for OwnChecker {
    fn from(validator: Validator) -> Self {
        OwnChecker {
            validator,
            points: Points::Granted,
            run_on_error: false,
            python: None,
        }
    }
}

impl<'b> Reader<'b> {
    /// Unpacks the archive, and prepares the checkers.
    fn new(builder: &'b mut PackageBuilder, init: &Init<'_>) -> Result<Self, PackageError> {
        let mut search_path = SearchPath::new(&builder.tree.root)?;
        if let Some(FileName { text, node }) = &init.archive {
            let path = search_path.find(text).ok_or_else(|| {
                let what = format!("there is no archive `{text}`");
                node.error(what).remedy(BESIDE)
            })?;
            let unpacked = archive::unpack(&path)?;
            let dir = PackageDir::new(unpacked.guard.path())?;
            search_path.dirs.push(dir);
            builder.package.unpacked.push(Arc::new(unpacked.guard));
        }
        let staging_dir = builder.staging_dir()?;
        builder.package.data_dirs.push(staging_dir.path(""));
        let mut reader = Reader {
            builder,
            search_path,
            staging_dir,
            programs: HashMap::new(),
            directories: 0,
            batches: 0,
            cases: 0,
            numbers: Numbers::default(),
            validator_arguments: None,
            checkers: Vec::new(),
            common: serde_json::Map::new(),
        };
        merge(&mut reader.common, init.defaults.yaml);
        if let Some(generator) = &init.defaults.generator {
            reader.assembled(&generator.program, "generator")?;
        }
        for (_, checker) in &init.defaults.checkers {
            reader.checker(checker)?;
        }
        Ok(reader)
    }

    /// Stages the files of the signature grader. Returns the lines to place before the submission.
    fn stub(&self, signature: &Signature<'_>) -> Result<String, PackageError> {
        let entry = self.find(signature.entry, BESIDE)?;
        let header = self.find(signature.header, BESIDE)?;
        let (header_name, entry_name) = (base_name(&header), base_name(&entry));
        let ending = entry_name.rsplit_once('.').map_or("", |(_, ending)| ending);
        // DMOJ passes it to the compiler for both files.
        let define = "#define SIGNATURE_GRADER 1\n";
        let cpp = if ending == "c" { "cpp" } else { ending };
        for (language, ending) in [("c", "c"), ("cpp", cpp)] {
            let dir = format!("include/{language}");
            self.staging_dir
                .copy(&header, &format!("{dir}/{header_name}"))?;
            let place = format!("{dir}/judge_entry.{ending}");
            self.staging_dir.copy_with(define, &entry, &place)?;
        }
        let main = match signature.allows_main {
            true => "",
            false => "#define main main_of_submission\n",
        };
        Ok(format!(
            "{define}#include \"{header_name}\"\n{main}#line 1\n"
        ))
    }
}
