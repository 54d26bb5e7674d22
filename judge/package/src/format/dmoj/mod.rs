//! DMOJ's `init.yml`: cases and batches with points; the files are next to it or in a zip archive.
//!
//! [`Init::parse`] makes the file typed values (`init.rs`, `checker.rs`, `programs.rs`); the
//! [`Reader`] fills the model from them and the package's files (`cases.rs`, `validators.rs`).
//!
//! Source: the "Problem format" pages of DMOJ's documentation.

mod cases;
mod checker;
mod init;
mod init_cases;
mod matching;
mod programs;
mod python;
mod validators;

use self::init::{Init, Signature, Tests};
use self::validators::OwnChecker;
use super::common::{SearchPath, begin, make_scoring};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::archive;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::{StagingDir, base_name};
use crate::input::yaml::Node;
use crate::model::{AnswersAreOutputs, Group, LimitSource, Policy, TimeLimit, Validation};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// DMOJ's format.
pub struct Dmoj;

impl Format for Dmoj {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        dir.has_file("init.yml").then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let file = builder.tree.root.join("init.yml");
        let yaml = builder.tree.yaml(&file)?;
        build(builder, &Init::parse(&yaml)?)
    }
}

/// Fills the model.
fn build(builder: &mut PackageBuilder, init: &Init<'_>) -> Result<(), PackageError> {
    begin(builder, "DMOJ");
    let package = &mut builder.package;
    make_scoring(package);
    package.data.stop_at_first = init.short_circuit;
    // DMOJ stores the limit in its database; this is the default for new problems there.
    let default = Duration::from_secs(2);
    package.limits.time = TimeLimit::Given(init.time_limit.unwrap_or(default));
    if init.time_limit.is_none() {
        package.limits.time_from = LimitSource::Format;
    }
    if let Some(memory) = init.memory_limit {
        package.limits.set_memory(memory);
    }
    package.limits.output = init.output_limit.unwrap_or(24 << 20);
    package.file_io = init.file_io.clone();
    package.unbuffered = init.unbuffered;
    package.policy = Policy {
        unbuffered_interactors: true,
        validators_see_run: true,
        answers: AnswersAreOutputs::Never,
        ..Policy::default()
    };
    let mut search_path = SearchPath {
        dirs: vec![PackageDir::new(&builder.tree.root)?],
    };
    if let Some(name) = &init.archive {
        let path = search_path.find(name.text).ok_or_else(|| {
            name.error(format!("there is no archive `{}`", name.text))
                .remedy("put it beside `init.yml`")
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
        checkers: Vec::new(),
        common: serde_json::Map::new(),
    };
    if let Some(generator) = &init.generator {
        reader.assembled(generator, "generator")?;
    }
    reader.decider(init)?;
    if let Some(parts) = &init.pretests {
        let mut pretests = Group::new("pretests");
        reader.parts(parts, &mut pretests)?;
        pretests.after = 0;
        pretests.is_gate = true;
        pretests.max_score = Some(0.0);
        reader.builder.package.data.groups.push(pretests);
    }
    let mut data = Group::new("");
    match &init.tests {
        Tests::List(parts) => reader.parts(parts, &mut data)?,
        Tests::Named(patterns) => {
            let names = matching::names(&reader.search_path.dirs)?;
            for part in matching::parts(&names, patterns, init.points) {
                reader.matched(part, init.binary_data, &mut data)?;
            }
        }
    }
    let signature = init.signature.as_ref();
    let stub = signature.map(|signature| reader.stub(signature));
    let stub = stub.transpose()?;
    let include = reader.staging_dir.path("include");
    let checkers = reader.checkers;
    let package = &mut builder.package;
    package.data.cases = data.cases;
    package.data.groups.append(&mut data.groups);
    if package.cases().is_empty() {
        return Err(init
            .yaml
            .error("names no test cases")
            .remedy("add `test_cases: [{in: 1.in, out: 1.out, points: 100}]`"));
    }
    let validators = checkers.into_iter().map(|checker| checker.validator);
    package.validation = Validation::PerCase(validators.collect());
    package.include = stub.is_some().then_some(include);
    package.stub = stub;
    Ok(())
}

/// The state of filling the model.
struct Reader<'b> {
    builder: &'b mut PackageBuilder,
    /// Where files are looked up.
    search_path: SearchPath,
    /// Where programs are assembled.
    staging_dir: StagingDir,
    /// The assembled programs by the nodes that name their files.
    programs: HashMap<*const Node, PathBuf>,
    /// The number of directories with programs so far.
    directories: usize,
    /// The number of batches so far.
    batches: usize,
    /// The number of cases so far.
    cases: usize,
    /// The package's checker, then those of individual cases.
    checkers: Vec<OwnChecker>,
    /// The keys of the file, for Python code.
    common: serde_json::Map<String, serde_json::Value>,
}

impl Reader<'_> {
    /// Stages files that are compiled with each submission, which begins with the header. Returns
    /// the lines to place before the submission.
    fn stub(&self, signature: &Signature<'_>) -> Result<String, PackageError> {
        const BESIDE: &str = "put it beside `init.yml`";
        let entry = self.search_path.named(&signature.entry, BESIDE)?;
        let header = self.search_path.named(&signature.header, BESIDE)?;
        let (header_name, entry_name) = (base_name(&header), base_name(&entry));
        let ending = entry_name.rsplit_once('.').map_or("", |(_, ending)| ending);
        // DMOJ passes it to the compiler for both files.
        let define = "#define SIGNATURE_GRADER 1\n";
        let cpp = if ending == "c" { "cpp" } else { ending };
        for (language, ending) in [("c", "c"), ("cpp", cpp)] {
            let dir = format!("include/{language}");
            self.staging_dir
                .copy(&header, &format!("{dir}/{header_name}"), "")?;
            let place = format!("{dir}/judge_entry.{ending}");
            self.staging_dir.copy(&entry, &place, define)?;
        }
        let main = match signature.allow_main {
            true => "",
            false => "#define main main_of_submission\n",
        };
        Ok(format!(
            "{define}#include \"{header_name}\"\n{main}#line 1\n"
        ))
    }
}
