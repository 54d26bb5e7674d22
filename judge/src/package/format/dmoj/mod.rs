//! DMOJ's `init.yml`: cases and batches with points; the files are next to it or in a zip archive.
//!
//! Source: the "Problem format" pages of DMOJ's documentation.

mod cases;
mod checker;
mod generator;
mod matching;
mod programs;
mod python;

use self::checker::OwnChecker;
use self::generator::{Generator, texts};
use self::python::Python;
use super::common::{SearchPath, empty, make_scoring, plain_name};
use super::{Format, Match};
use crate::package::error::PackageError;
use crate::package::input::archive;
use crate::package::input::package_dir::PackageDir;
use crate::package::input::staging_dir::{StagingDir, base_name};
use crate::package::input::tree::Tree;
use crate::package::input::units::{parse_size, seconds};
use crate::package::input::yaml::{Node, Value};
use crate::package::model::{
    AnswersAreOutputs, CaseId, FileIo, Generation, Group, Package, Points, Policy, Recipe,
    TimeLimit, Validator,
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
/// DMOJ's format.
pub struct Dmoj;

impl Format for Dmoj {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        dir.has_file("init.yml").then(|| Match::root(dir))
    }

    fn read(&self, tree: Tree, id: String, _: Match) -> Result<Package, PackageError> {
        read(tree, id)
    }
}

fn read(mut tree: Tree, id: String) -> Result<Package, PackageError> {
    let file = tree.root.join("init.yml");
    let yaml = tree.yaml(&file)?;
    let checker = yaml.get("checker");
    // Python code may define additional keys.
    let own_keys = yaml.get("custom_judge").is_some()
        || checker
            .and_then(|node| node.get("name").or(Some(node))?.scalar())
            .is_some_and(|name| name.ends_with(".py"));
    for (key, _) in yaml.entries()? {
        let name = key.scalar().unwrap_or_default();
        if name.ends_with('+') {
            return Err(key
                .error(format!(
                    "`{name}` is computed by a program, which is not supported"
                ))
                .remedy("write the list itself"));
        }
        if !own_keys && !KEYS.contains(&name) {
            return Err(key.unknown_key(&KEYS));
        }
    }
    let mut package = empty(&tree, id, "DMOJ");
    if let Some(limit) = yaml.get("time_limit") {
        package.limits.time = TimeLimit::Given(seconds(limit)?);
    } else {
        // DMOJ stores the limit in its database; this is the default for new problems there.
        package.limits.time = TimeLimit::Given(Duration::from_secs(2));
    }
    if let Some(limit) = yaml.get("memory_limit") {
        package.limits.memory = parse_size(limit.text()?, 1 << 10)
            .ok_or_else(|| limit.error("is not a size in kilobytes"))?;
    }
    package.limits.output = match yaml.get("output_limit_length") {
        Some(length) => length.integer(1)?,
        None => 24 << 20,
    };
    if let Some(io) = yaml.get("file_io") {
        package.file_io = file_io(io)?;
    }
    if let Some(links) = yaml.get("symlinks") {
        symlinks(links, &mut package.file_io)?;
    }
    package.unbuffered = flag(&yaml, "unbuffered")?;
    make_scoring(&mut package);
    if let Some(flag) = yaml.get("short_circuit") {
        package.data.stop_at_first = flag.bool()?;
    }
    let mut search_path = SearchPath {
        dirs: vec![PackageDir::new(&tree.root)?],
    };
    if let Some(node) = yaml.get("archive") {
        let Some(path) = search_path.find(node.text()?) else {
            return Err(node
                .error(format!("there is no archive `{}`", node.text()?))
                .remedy("put it beside `init.yml`"));
        };
        let unpacked = archive::unpack(&path)?;
        search_path
            .dirs
            .push(PackageDir::new(unpacked.guard.path())?);
        package.unpacked.push(Arc::new(unpacked.guard));
    }
    let staging_dir = StagingDir::new(&tree.root)?;
    package.data_dirs.push(staging_dir.path(""));
    package.unpacked.push(staging_dir.guard());
    let mut reader = Reader {
        tree,
        search_path,
        staging_dir,
        batches: 0,
        cases: 0,
        programs: 0,
        python: None,
        recipes: Vec::new(),
        own_keys,
        checkers: Vec::new(),
        granted: Points::Granted,
        run_on_error: false,
        talks: yaml
            .get("custom_judge")
            .or(yaml.get("interactive"))
            .is_some(),
        configs: HashMap::new(),
        defaults: Defaults {
            points: match yaml.get("points") {
                Some(points) => points.number()?,
                None => 1.0,
            },
            binary_data: flag(&yaml, "binary_data")?,
            generator: None,
            generator_args: texts(yaml.get("generator_args"))?,
        },
    };
    if let Some(generator) = yaml.get("generator") {
        reader.defaults.generator = Some(reader.generator(generator)?);
    }
    let validator = reader.validator(&yaml, &mut package)?;
    reader.keep_checker(checker, validator);
    let mut pretests = Group::new("pretests");
    if let Some(cases) = yaml.get("pretest_test_cases") {
        reader.list(cases, &mut pretests)?;
        pretests.after = 0;
        pretests.is_gate = true;
        pretests.max_score = Some(0.0);
        package.data.groups.push(pretests);
    }
    match yaml.get("test_cases") {
        Some(cases) if matches!(cases.value, Value::List(_)) => {
            reader.list(cases, &mut package.data)?;
        }
        cases => {
            let names = matching::names(&reader.search_path.dirs)?;
            for part in matching::parts(&names, cases, reader.defaults.points)? {
                reader.matched(part, &mut package.data)?;
            }
        }
    }
    if package.cases().is_empty() {
        return Err(yaml
            .error("names no test cases")
            .remedy("add `test_cases: [{in: 1.in, out: 1.out, points: 100}]`"));
    }
    reader.tell_python(&yaml, &mut package);
    let mut validators = reader.checkers.into_iter().map(|checker| checker.validator);
    package.validator = validators.next().unwrap_or(Validator::Default);
    package.more_validators = validators.collect();
    package.policy = Policy {
        unbuffered_interactors: true,
        validators_see_run: true,
        answers: AnswersAreOutputs::Never,
        ..Policy::default()
    };
    if !reader.recipes.is_empty() {
        package.generation = Some(Generation {
            recipes: reader.recipes,
            solution: None,
            hashes: None,
        });
    }
    if let Some(signature) = yaml.get("signature_grader") {
        // Read with the rest of the package's programs; here, what submissions get.
        package.stub = Some(stub(signature, &reader.search_path, &reader.staging_dir)?);
        package.include = Some(reader.staging_dir.path("include"));
    }
    package.findings = reader.tree.findings;
    Ok(package)
}

/// The defaults for cases.
struct Defaults {
    points: f64,
    binary_data: bool,
    generator: Option<Generator>,
    generator_args: Vec<String>,
}

/// The state of reading a package.
pub struct Reader {
    /// The package's directory.
    pub tree: Tree,
    /// Where files are looked up.
    pub search_path: SearchPath,
    /// Where programs are assembled.
    pub staging_dir: StagingDir,
    /// The number of programs assembled so far.
    pub programs: usize,
    /// The number of batches so far.
    batches: usize,
    /// The number of cases so far.
    cases: usize,
    python: Option<Python>,
    recipes: Vec<Recipe>,
    defaults: Defaults,
    /// Whether cases may have keys that only the package's own programs define.
    own_keys: bool,
    /// The package's checker, then those of individual cases.
    checkers: Vec<OwnChecker>,
    /// Which points the checker being read may give.
    granted: Points,
    /// Whether the checker being read may give points for a failed run.
    run_on_error: bool,
    /// Whether an interactor or grader decides instead of a checker.
    talks: bool,
    /// The configuration of each case.
    configs: HashMap<CaseId, serde_json::Map<String, serde_json::Value>>,
}

fn flag(yaml: &Node, key: &str) -> Result<bool, PackageError> {
    yaml.get(key).map_or(Ok(false), Node::bool)
}

/// `file_io: {input: x.in, output: x.out}`.
fn file_io(node: &Node) -> Result<FileIo, PackageError> {
    node.only(&["input", "output"])?;
    let name = |key: &str| -> Result<Option<String>, PackageError> {
        node.get(key)
            .map(|name| plain_name(name).map(str::to_owned))
            .transpose()
    };
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
        let name_node = name;
        let name = plain_name(name)?.to_owned();
        if place.replace(name).is_some() {
            return Err(name_node.error("is the second name of this stream; only one is supported"));
        }
    }
    Ok(())
}

/// `signature_grader: {entry: handler.c, header: header.h}`: the files are compiled with each
/// submission, which begins with the header. Returns the lines to place before the submission.
fn stub(
    node: &Node,
    search_path: &SearchPath,
    staging_dir: &StagingDir,
) -> Result<String, PackageError> {
    node.only(&["entry", "header", "allow_main"])?;
    let file = |key: &str| -> Result<PathBuf, PackageError> {
        let Some(name) = node.get(key) else {
            return Err(node.error(format!("names no `{key}`")));
        };
        let text = name.text()?;
        search_path
            .find(text)
            .ok_or_else(|| name.error(format!("there is no file `{text}`")))
    };
    let (entry, header) = (file("entry")?, file("header")?);
    let header_name = base_name(&header);
    let entry_name = base_name(&entry);
    let ending = entry_name.rsplit_once('.').map_or("", |(_, ending)| ending);
    // DMOJ passes it to the compiler for both files.
    let define = "#define SIGNATURE_GRADER 1\n";
    for (language, ending) in [
        ("c", "c"),
        ("cpp", if ending == "c" { "cpp" } else { ending }),
    ] {
        let dir = format!("include/{language}");
        staging_dir.copy(&header, &format!("{dir}/{header_name}"), "")?;
        staging_dir.copy(&entry, &format!("{dir}/judge_entry.{ending}"), define)?;
    }
    let allow_main = flag(node, "allow_main")?;
    let main = if allow_main {
        ""
    } else {
        "#define main main_of_submission\n"
    };
    Ok(format!(
        "{define}#include \"{header_name}\"\n{main}#line 1\n"
    ))
}
