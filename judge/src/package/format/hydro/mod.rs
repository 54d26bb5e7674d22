//! Hydro's `config.yaml`, in the package's directory or in its `testdata/`.

mod objective;

use super::common::{
    SearchPath, empty, make_scoring, no_answer, no_cases, pairs, peek, plain_name,
};
use super::{Format, Match};
use crate::package::error::PackageError;
use crate::package::input::package_dir::PackageDir;
use crate::package::input::staging_dir::{self, StagingDir};
use crate::package::input::tree::Tree;
use crate::package::input::units::{parse_size, parse_time};
use crate::package::input::yaml::{self, Node};
use crate::package::model::{
    Aggregation, BuiltinChecker, FileIo, Group, InputValidator, InputValidatorKind, Package,
    TestCase, TimeLimit, Validator, ValidatorProtocol,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

const KEYS: [&str; 27] = [
    "type",
    "subType",
    "target",
    "score",
    "time",
    "memory",
    "filename",
    "checker_type",
    "num_processes",
    "user_extra_files",
    "judge_extra_files",
    "detail",
    "answers",
    "redirect",
    "cases",
    "subtasks",
    "langs",
    "multi_pass",
    "checker",
    "interactor",
    "manager",
    "validator",
    "time_limit_rate",
    "memory_limit_rate",
    "key",
    "template",
    "noOutputFile",
];
const SUBTASK_KEYS: [&str; 7] = ["time", "memory", "score", "if", "id", "type", "cases"];
const CASE_KEYS: [&str; 6] = ["input", "output", "time", "memory", "score", "id"];
const CHECKER_TYPES: [&str; 8] = [
    "default", "strict", "testlib", "hustoj", "kattis", "qduoj", "lemon", "syzoj",
];
const MIB: u64 = 1 << 20;

/// The names of a configuration file; Luogu uses them too.
const CONFIGURATIONS: [&str; 4] = [
    "config.yml",
    "config.yaml",
    "testdata/config.yml",
    "testdata/config.yaml",
];

/// The name of the first configuration file in the package, if there is one.
pub fn configuration(dir: &PackageDir) -> Option<&'static str> {
    CONFIGURATIONS.into_iter().find(|name| dir.has_file(name))
}

/// Hydro's test data with a configuration.
pub struct Hydro;

impl Format for Hydro {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let parent = dir.root().join(configuration(dir)?).parent()?.to_owned();
        Some(Match { dir: parent })
    }

    fn read(&self, tree: Tree, id: String, found: Match) -> Result<Package, PackageError> {
        read_in(tree, id, &found.dir)
    }
}

/// An export of Hydro: a `problem.yaml` with a `pid`, and test data that may have no configuration.
pub struct Export;

impl Format for Export {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let is_export = dir.has_dir("testdata") && peek(dir, "problem.yaml")?.get("pid").is_some();
        is_export.then(|| Match {
            dir: dir.root().join("testdata"),
        })
    }

    fn read(&self, tree: Tree, id: String, found: Match) -> Result<Package, PackageError> {
        read_in(tree, id, &found.dir)
    }
}

fn read_in(mut tree: Tree, id: String, dir: &Path) -> Result<Package, PackageError> {
    let names = ["config.yml", "config.yaml"].map(|name| dir.join(name));
    let yaml = match names.iter().find(|file| file.is_file()) {
        Some(file) => Some(tree.yaml(file)?),
        None => None,
    };
    read(tree, id, dir, yaml.as_ref())
}

/// Reads the package in `tree` with its data in `dir` and the configuration `yaml`.
fn read(
    mut tree: Tree,
    id: String,
    dir: &Path,
    yaml: Option<&Node>,
) -> Result<Package, PackageError> {
    let mut package = empty(&tree, id, "Hydro");
    let search_path = SearchPath {
        dirs: vec![PackageDir::new(dir)?],
    };
    package.validator = Validator::Builtin(BuiltinChecker::RStripped);
    package.limits.time = TimeLimit::Given(Duration::from_secs(1));
    package.limits.memory = 256 * MIB;
    if let Some(title) = title(&mut tree)? {
        package.name = title;
    }
    make_scoring(&mut package);
    let mut described = false;
    if let Some(yaml) = yaml {
        yaml.only(&KEYS)?;
        described = configure(&mut package, &search_path, yaml)?;
    }
    if !described {
        let found = pairs(&mut tree, dir)?;
        if found.is_empty() {
            return Err(no_cases(dir));
        }
        let worth = 100.0 / found.len() as f64;
        for pair in found {
            if pair.answer.is_none() {
                return Err(no_answer(&pair.input));
            }
            let mut case = pair.case();
            case.score = Some(worth);
            package.data.cases.push(case);
        }
    }
    package.findings = tree.findings;
    Ok(package)
}

/// The title in the `problem.yaml` of an export.
fn title(tree: &mut Tree) -> Result<Option<String>, PackageError> {
    let Some(path) = tree.existing("problem.yaml")? else {
        return Ok(None);
    };
    let yaml = tree.yaml(&path)?;
    match yaml.get("title") {
        Some(title) => Ok(Some(title.text()?.to_owned())),
        None => Ok(None),
    }
}

/// Applies the configuration; returns whether it lists the cases.
fn configure(
    package: &mut Package,
    search_path: &SearchPath,
    yaml: &Node,
) -> Result<bool, PackageError> {
    if let Some(kind) = yaml.get("type") {
        match kind.text()? {
            "default" => {}
            "interactive" => package.kind.interactive = true,
            "submit_answer" => package.kind.submit_answer = true,
            "objective" => {
                objective::read(package, yaml)?;
                return Ok(true);
            }
            other @ ("communication" | "remote_judge") => {
                let why = match other {
                    "communication" => "its manager talks to several processes of the submission",
                    _ => "another site judges it",
                };
                return Err(kind
                    .error(format!("problems of type `{other}` are not judged: {why}"))
                    .remedy("use type `default`, `interactive` or `submit_answer`"));
            }
            other => {
                let known = ["default", "interactive", "submit_answer", "objective"];
                return Err(kind
                    .error(format!("`{other}` is not a problem type"))
                    .remedy(yaml::advice(other, &known)));
            }
        }
    }
    let limits = Limits::read(yaml)?;
    if let Some(time) = limits.time {
        package.limits.time = TimeLimit::Given(time);
    }
    if let Some(memory) = limits.memory {
        package.limits.memory = memory;
    }
    if let Some(passes) = yaml.get("multi_pass") {
        package.kind.multi_pass = true;
        package.limits.validation_passes = u32::try_from(passes.integer(1)?).unwrap_or(u32::MAX);
    }
    let staging_dir = StagingDir::new(&package.root)?;
    package.unpacked.push(staging_dir.guard());
    checker(package, search_path, yaml, &staging_dir)?;
    user_files(package, search_path, yaml, &staging_dir)?;
    if let Some(name) = yaml.get("filename")
        && !package.kind.submit_answer
        && !name.is_null()
    {
        let stem = plain_name(name)?;
        package.file_io = FileIo {
            input: Some(format!("{stem}.in")),
            output: Some(format!("{stem}.out")),
        };
    }
    if let Some(validator) = yaml.get("validator") {
        package.input_validators.push(InputValidator {
            path: program(
                package,
                search_path,
                validator,
                yaml,
                &staging_dir,
                "validator",
            )?,
            kind: InputValidatorKind::Testlib,
        });
    }
    if let Some(cases) = yaml.get("cases") {
        read_cases(cases, "", search_path, &mut package.data)?;
        share(&mut package.data.cases, 100.0);
        return Ok(!package.data.cases.is_empty());
    }
    let Some(subtasks) = yaml.get("subtasks") else {
        return Ok(false);
    };
    for (index, node) in subtasks.items()?.iter().enumerate() {
        node.only(&SUBTASK_KEYS)?;
        let group = subtask(node, index + 1, search_path)?;
        package.data.groups.push(group);
    }
    if package
        .data
        .groups
        .iter()
        .all(|group| group.cases.is_empty())
    {
        return Ok(false);
    }
    Ok(true)
}

struct Limits {
    time: Option<Duration>,
    memory: Option<u64>,
}

impl Limits {
    fn read(node: &Node) -> Result<Self, PackageError> {
        let time = match node.get("time") {
            Some(time) => Some(
                parse_time(time.text()?)
                    .ok_or_else(|| time.error("is not a time").remedy("write `1s` or `500ms`"))?,
            ),
            None => None,
        };
        let memory = match node.get("memory") {
            Some(memory) => Some(
                parse_size(memory.text()?, MIB)
                    .ok_or_else(|| memory.error("is not a size").remedy("write `256m` or `1g`"))?,
            ),
            None => None,
        };
        Ok(Limits { time, memory })
    }
}

fn checker(
    package: &mut Package,
    search_path: &SearchPath,
    yaml: &Node,
    staging_dir: &StagingDir,
) -> Result<(), PackageError> {
    if package.kind.interactive {
        let Some(interactor) = yaml.get("interactor") else {
            return Err(yaml
                .error("an interactive problem needs an `interactor`")
                .remedy("add `interactor: interactor.cpp`"));
        };
        package.validator = Validator::Program {
            path: program(
                package,
                search_path,
                interactor,
                yaml,
                staging_dir,
                "interactor",
            )?,
            protocol: ValidatorProtocol::Testlib,
        };
        return Ok(());
    }
    let default = if yaml.get("checker").is_some() {
        "testlib"
    } else {
        "default"
    };
    let kind = match yaml.get("checker_type") {
        Some(kind) => kind.text()?,
        None => default,
    };
    let protocol = match kind {
        "default" => {
            package.validator = Validator::Builtin(BuiltinChecker::RStripped);
            return Ok(());
        }
        "strict" => {
            package.validator = Validator::Builtin(BuiltinChecker::CrlfInsensitive);
            return Ok(());
        }
        "testlib" => ValidatorProtocol::Testlib,
        "hustoj" => ValidatorProtocol::Hustoj,
        "kattis" => ValidatorProtocol::Icpc,
        "qduoj" => ValidatorProtocol::Qduoj,
        "lemon" => ValidatorProtocol::Lemon,
        "syzoj" => ValidatorProtocol::Syzoj,
        other => {
            let place = yaml.get("checker_type").unwrap_or(yaml);
            return Err(place
                .error(format!("`{other}` is not a checker type"))
                .remedy(yaml::advice(other, &CHECKER_TYPES)));
        }
    };
    let Some(checker) = yaml.get("checker") else {
        return Err(yaml
            .error(format!("`checker_type: {kind}` needs a `checker`"))
            .remedy("add `checker: checker.cpp`"));
    };
    // A name without extension is one of testlib's standard checkers; a built-in comparison
    // replaces it.
    package.validator = match (checker.scalar(), &protocol) {
        (Some("wcmp" | "ncmp" | "icmp" | "hcmp"), ValidatorProtocol::Testlib) => {
            Validator::Builtin(BuiltinChecker::Tokens)
        }
        (Some("lcmp"), ValidatorProtocol::Testlib) => Validator::Builtin(BuiltinChecker::Standard),
        (Some("fcmp"), ValidatorProtocol::Testlib) => {
            Validator::Builtin(BuiltinChecker::CrlfInsensitive)
        }
        _ => Validator::Program {
            path: program(package, search_path, checker, yaml, staging_dir, "checker")?,
            protocol,
        },
    };
    Ok(())
}

/// The file given as a name or as `{file: NAME, lang: ...}`.
fn file(search_path: &SearchPath, node: &Node) -> Result<PathBuf, PackageError> {
    let name = match node.get("file") {
        Some(name) => name,
        None => node,
    };
    let text = name.text()?;
    search_path.find(text).ok_or_else(|| {
        name.error(format!("there is no file `{text}`"))
            .remedy("put it beside the configuration")
    })
}

/// Assembles a program of the package together with `judge_extra_files`.
fn program(
    package: &Package,
    search_path: &SearchPath,
    node: &Node,
    yaml: &Node,
    staging_dir: &StagingDir,
    name: &str,
) -> Result<PathBuf, PackageError> {
    let mut files = vec![file(search_path, node)?];
    for extra in yaml
        .get("judge_extra_files")
        .map_or(&[][..], Node::one_or_more)
    {
        files.push(file(search_path, extra)?);
    }
    staging_dir::program(staging_dir, &package.root, name, &files, "")
}

/// Stages `user_extra_files`, which are next to a submission when it is compiled and run. A source
/// among them is accepted only with a `compile.sh`; otherwise it would be a second program.
fn user_files(
    package: &mut Package,
    search_path: &SearchPath,
    yaml: &Node,
    staging_dir: &StagingDir,
) -> Result<(), PackageError> {
    let Some(list) = yaml.get("user_extra_files") else {
        return Ok(());
    };
    let mut files = Vec::new();
    for node in list.one_or_more() {
        files.push((node, file(search_path, node)?));
    }
    let name_of = |path: &Path| staging_dir::base_name(path);
    let compiled = files.iter().any(|(_, path)| name_of(path) == "compile.sh");
    for (node, path) in &files {
        let name = name_of(path);
        let source = [".cpp", ".cc", ".cxx", ".c"]
            .iter()
            .any(|end| name.ends_with(end));
        let language = match name.as_str() {
            "compile.sh" | "execute.sh" => continue,
            name if name.ends_with(".c") => "c",
            _ if source => "cpp",
            _ => "default",
        };
        if source && !compiled {
            return Err(node
                .error(format!(
                    "`{name}` is a source that no `compile.sh` compiles"
                ))
                .remedy("make it a header, or add `compile.sh`"));
        }
        staging_dir.copy(path, &format!("include/{language}/{name}"), "")?;
    }
    if staging_dir.path("include").is_dir() {
        package.include = Some(staging_dir.path("include"));
    }
    Ok(())
}

fn subtask(node: &Node, position: usize, search_path: &SearchPath) -> Result<Group, PackageError> {
    let id = match node.get("id") {
        Some(id) => id.integer(0)?,
        None => position as u64,
    };
    let mut group = Group::new(format!("subtask{id}"));
    let kind = match node.get("type") {
        Some(kind) => kind.choice(&[
            ("min", Aggregation::Min),
            ("max", Aggregation::Max),
            ("sum", Aggregation::Sum),
        ])?,
        None => Aggregation::Min,
    };
    group.aggregation = kind;
    group.stop_at_first = kind == Aggregation::Min;
    if let Some(required) = node.get("if") {
        for item in required.one_or_more() {
            group.requires.push(format!("subtask{}", item.integer(0)?));
        }
    }
    if let Some(cases) = node.get("cases") {
        read_cases(cases, &format!("{}/", group.name), search_path, &mut group)?;
    }
    let limits = Limits::read(node)?;
    for case in &mut group.cases {
        case.time_limit = case.time_limit.or(limits.time);
        case.memory_limit = case.memory_limit.or(limits.memory);
    }
    if let Some(score) = node.get("score") {
        let score = score.number()?;
        group.max_score = Some(score);
        match kind {
            Aggregation::Sum => share(&mut group.cases, score),
            _ => {
                for case in &mut group.cases {
                    case.score = Some(case.score.unwrap_or(score));
                }
            }
        }
    }
    Ok(group)
}

fn read_cases(
    node: &Node,
    prefix: &str,
    search_path: &SearchPath,
    group: &mut Group,
) -> Result<(), PackageError> {
    for item in node.items()? {
        item.only(&CASE_KEYS)?;
        let Some(input) = item.get("input") else {
            return Err(item
                .error("the case has no `input`")
                .remedy("add `input: 1.in`"));
        };
        let answer = match item.get("output") {
            Some(output) if !output.is("/dev/null") => Some(file(search_path, output)?),
            _ => None,
        };
        let name = input.text()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let limits = Limits::read(item)?;
        group.cases.push(TestCase {
            name: format!("{prefix}{stem}"),
            input: file(search_path, input)?,
            answer,
            time_limit: limits.time,
            memory_limit: limits.memory,
            score: match item.get("score") {
                Some(score) => Some(score.number()?),
                None => None,
            },
            ..TestCase::default()
        });
    }
    Ok(())
}

/// Gives the cases without points equal shares of the rest of `total`.
fn share(cases: &mut [TestCase], total: f64) {
    let given: f64 = cases.iter().filter_map(|case| case.score).sum();
    let without = cases.iter().filter(|case| case.score.is_none()).count();
    for case in cases {
        case.score = Some(
            case.score
                .unwrap_or(f64::max(0.0, total - given) / without.max(1) as f64),
        );
    }
}
