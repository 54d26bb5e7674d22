//! DMOJ's `init.yml`: cases and batches with points; the files are next to it or in a zip archive.
//!
//! The [`Reader`] fills the model from the file: here what concerns the whole package, in `cases.rs`
//! cases and batches, in `checkers.rs` and `python.rs` what decides about an output.
//!
//! Source: the "Problem format" pages of DMOJ's documentation.

mod cases;
mod checkers;
mod matching;
mod python;

use self::matching::Patterns;
use self::python::{Python, texts};
use super::common::{SearchPath, begin, make_scoring, plain_name};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::archive;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::{StagingDir, base_name};
use crate::input::units::{parse_size, seconds};
use crate::input::yaml::{Node, Value};
use crate::model::{
    AnswersAreOutputs, FileIo, Group, Package, Points, Policy, Validation, Validator,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const KEYS: [&str; 24] = [
    "archive",
    "test_cases",
    "pretest_test_cases",
    "points",
    "checker",
    "interactive",
    "custom_judge",
    "signature_grader",
    "generator",
    "generator_args",
    "short_circuit",
    "unbuffered",
    "hints",
    "symlinks",
    "meta",
    "file_io",
    "binary_data",
    "output_limit_length",
    "output_prefix_length",
    "wall_time_factor",
    "validator",
    "grader",
    "time_limit",
    "memory_limit",
];

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
        // Python code may define additional keys.
        let has_own_keys = yaml.get("custom_judge").is_some()
            || yaml
                .get("checker")
                .and_then(|node| node.get("name").or(Some(node))?.scalar())
                .is_some_and(|name| name.ends_with(".py"));
        check_keys(&yaml, has_own_keys)?;
        begin(builder, "DMOJ");
        settings(&mut builder.package, &yaml)?;
        let mut reader = Reader::new(builder, &yaml, has_own_keys)?;
        reader.decider()?;
        let mut data = Group::new("");
        if let Some(list) = yaml.get("pretest_test_cases") {
            let mut pretests = Group::new("pretests");
            reader.list(list, &mut pretests)?;
            pretests.after = 0;
            pretests.is_gate = true;
            pretests.max_score = Some(0.0);
            data.groups.push(pretests);
        }
        match yaml.get("test_cases") {
            Some(list) if matches!(list.value, Value::List(_)) => reader.list(list, &mut data)?,
            patterns => reader.matched(&Patterns::parse(patterns)?, &mut data)?,
        }
        let stub = yaml.optional("signature_grader", |node| reader.stub(node))?;
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

fn check_keys(yaml: &Node, has_own_keys: bool) -> Result<(), PackageError> {
    for key in yaml.unknown_keys(&KEYS)? {
        let name = key.scalar().unwrap_or_default();
        if name.ends_with('+') {
            let what = format!("`{name}` is computed by a program, which is not supported");
            return Err(key.error(what).remedy("write the list itself"));
        }
        if !has_own_keys {
            return Err(key.unknown_key(&KEYS));
        }
    }
    Ok(())
}

/// Sets the limits, and how submissions are run.
fn settings(package: &mut Package, yaml: &Node) -> Result<(), PackageError> {
    make_scoring(package);
    package.data.stop_at_first = yaml.flag("short_circuit")?;
    // DMOJ stores the limit in its database; this is the default for new problems there.
    let time = yaml.optional("time_limit", seconds)?;
    package.limits.set_time(time, Duration::from_secs(2));
    let memory = |limit: &Node| {
        parse_size(limit.text()?, 1 << 10).ok_or_else(|| limit.error("is not a size in kilobytes"))
    };
    if let Some(memory) = yaml.optional("memory_limit", memory)? {
        package.limits.set_memory(memory);
    }
    let output = yaml.optional("output_limit_length", |length| length.integer(1))?;
    package.limits.output = output.unwrap_or(24 << 20);
    let file_io = yaml.optional("file_io", file_io)?;
    package.file_io = file_io.unwrap_or_default();
    if let Some(links) = yaml.get("symlinks") {
        symlinks(links, &mut package.file_io)?;
    }
    package.unbuffered = yaml.flag("unbuffered")?;
    package.policy = Policy {
        unbuffered_interactors: true,
        validators_see_run: true,
        answers: AnswersAreOutputs::Never,
        ..Policy::default()
    };
    Ok(())
}

/// `file_io: {input: x.in, output: x.out}`.
fn file_io(node: &Node) -> Result<FileIo, PackageError> {
    node.only(&["input", "output"])?;
    let name = |key: &str| Ok(node.optional(key, plain_name)?.map(str::to_owned));
    Ok(FileIo {
        input: name("input")?,
        output: name("output")?,
    })
}

/// `symlinks: {NAME: /dev/stdin}`: file names that stand for the submission's streams.
fn symlinks(node: &Node, io: &mut FileIo) -> Result<(), PackageError> {
    for (name, target) in node.entries()? {
        let place = match target.text()? {
            "/dev/stdin" | "/proc/self/fd/0" => &mut io.input,
            "/dev/stdout" | "/proc/self/fd/1" => &mut io.output,
            other => {
                return Err(target
                    .error(format!("a submission sees no `{other}` here"))
                    .remedy("link to `/dev/stdin` or `/dev/stdout`"));
            }
        };
        if place.replace(plain_name(name)?.to_owned()).is_some() {
            return Err(name.error("is the second name of this stream; only one is supported"));
        }
    }
    Ok(())
}

/// The state of filling the model.
struct Reader<'b> {
    builder: &'b mut PackageBuilder,
    /// The file.
    yaml: &'b Node,
    /// Whether the package's own programs may define further keys.
    has_own_keys: bool,
    /// The points of cases and batches without points of their own.
    points: f64,
    /// Whether the files of cases without a setting of their own are binary.
    is_binary: bool,
    /// The arguments of generators without arguments of their own.
    generator_args: Vec<String>,
    /// Where files are looked up.
    search_path: SearchPath,
    /// Where programs are assembled.
    staging_dir: StagingDir,
    /// The assembled programs by the nodes that name their files.
    programs: HashMap<*const Node, PathBuf>,
    /// The number of directories with programs so far.
    directories: usize,
    /// The number of batches so far.
    batches: u64,
    /// The number of cases so far.
    cases: usize,
    /// The package's checker, then those of individual cases.
    checkers: Vec<OwnChecker>,
    /// The keys of the file, for Python code.
    common: serde_json::Map<String, serde_json::Value>,
}

/// A checker of the package or of individual cases.
pub struct OwnChecker {
    /// The configuration, if there is one. Equal ones share a validator.
    config: Option<serde_json::Value>,
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
            config: None,
            validator,
            points: Points::Granted,
            run_on_error: false,
            python: None,
        }
    }
}

impl<'b> Reader<'b> {
    fn new(
        builder: &'b mut PackageBuilder,
        yaml: &'b Node,
        has_own_keys: bool,
    ) -> Result<Self, PackageError> {
        let mut search_path = SearchPath::new(&builder.tree.root)?;
        if let Some(archive) = yaml.get("archive") {
            let name = archive.text()?;
            let path = search_path.find(name).ok_or_else(|| {
                let what = format!("there is no archive `{name}`");
                archive.error(what).remedy(BESIDE)
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
            yaml,
            has_own_keys,
            points: yaml.optional("points", Node::number)?.unwrap_or(1.0),
            is_binary: yaml.flag("binary_data")?,
            generator_args: yaml.optional("generator_args", texts)?.unwrap_or_default(),
            search_path,
            staging_dir,
            programs: HashMap::new(),
            directories: 0,
            batches: 0,
            cases: 0,
            checkers: Vec::new(),
            common: serde_json::Map::new(),
        };
        yaml.optional("generator", |node| reader.generator(node))?;
        Ok(reader)
    }

    /// Stages the files of `signature_grader: {entry: handler.c, header: header.h}`, which are
    /// compiled with each submission. Returns the lines to place before the submission.
    fn stub(&self, signature: &Node) -> Result<String, PackageError> {
        signature.only(&["entry", "header", "allow_main"])?;
        let file = |key: &str| {
            let name = signature.get(key);
            let name = name.ok_or_else(|| signature.error(format!("names no `{key}`")))?;
            self.search_path.named(name, BESIDE)
        };
        let (entry, header) = (file("entry")?, file("header")?);
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
        let main = match signature.flag("allow_main")? {
            true => "",
            false => "#define main main_of_submission\n",
        };
        Ok(format!(
            "{define}#include \"{header_name}\"\n{main}#line 1\n"
        ))
    }
}
