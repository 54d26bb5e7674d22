//! Hydro's `config.yaml`, in the package's directory or in its `testdata/`.

mod objective;
mod subtasks;

use super::common::{SearchPath, begin, judged, make_scoring, pairs, peek, plain_name};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::{StagingDir, base_name};
use crate::input::units::{parse_size, parse_time};
use crate::input::yaml::{self, Node};
use crate::model::{
    Aggregation, BuiltinChecker, FileIo, Group, InputValidator, InputValidatorKind, LimitSource,
    Package, TestCase, Validation, Validator, ValidatorProtocol,
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
const TYPES: [&str; 4] = ["default", "interactive", "submit_answer", "objective"];

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

/// Whether a file has only keys that do not resemble Hydro's: that of another program.
fn is_foreign(dir: &PackageDir, name: &str) -> bool {
    let is_unlike = |key: &Node| {
        let key = key.scalar().unwrap_or_default();
        KEYS.iter()
            .all(|known| strsim::damerau_levenshtein(key, known) > 1)
    };
    peek(dir, name).is_some_and(|yaml| {
        let entries = yaml.entries().unwrap_or_default();
        !entries.is_empty() && entries.iter().all(|(key, _)| is_unlike(key))
    })
}

/// Hydro's test data with a configuration, or an export.
pub struct Hydro {
    /// Whether to look for an export: a `problem.yaml` with a `pid`, and test data that may have no
    /// configuration.
    pub is_export: bool,
}

impl Format for Hydro {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let is_export = || Some(peek(dir, "problem.yaml")?.get("pid").is_some());
        let name = match self.is_export {
            false => configuration(dir).filter(|name| !is_foreign(dir, name))?,
            true if dir.has_dir("testdata") && is_export()? => "testdata/config.yaml",
            true => return None,
        };
        let parent = dir.root().join(name).parent()?.to_owned();
        Some(Match { dir: parent })
    }

    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError> {
        read(builder, &found.dir)
    }
}

/// Reads the package with its data, and perhaps a configuration, in `dir`.
fn read(builder: &mut PackageBuilder, dir: &Path) -> Result<(), PackageError> {
    begin(builder, "Hydro");
    let tree = &mut builder.tree;
    // The `problem.yaml` of an export.
    if let Some(path) = tree.existing("problem.yaml")?
        && let Some(title) = tree.yaml(&path)?.get("title")
    {
        title.text()?.clone_into(&mut builder.package.name);
    }
    let names = ["config.yml", "config.yaml"].map(|name| dir.join(name));
    let yaml = match names.iter().find(|file| file.is_file()) {
        Some(file) => tree.yaml(file)?,
        None => yaml::parse(dir, "")?,
    };
    yaml.only(&KEYS)?;
    let mut files = Files {
        root: tree.root.clone(),
        search_path: SearchPath::new(dir)?,
        staging_dir: builder.staging_dir()?,
        judge_files: Vec::new(),
    };
    let package = &mut builder.package;
    make_scoring(package);
    package.limits.memory = 256 << 20;
    package.limits.memory_from = LimitSource::Format;
    package.limits.set_time(None, Duration::from_secs(1));
    match yaml.optional("type", Node::text)?.unwrap_or("default") {
        "default" => {}
        "interactive" => package.kind.interactive = true,
        "submit_answer" => package.kind.submit_answer = true,
        "objective" => {
            // The other keys are not used.
            package.kind.submit_answer = true;
            let (cases, questions) = objective::read(&yaml, &files.staging_dir)?;
            package.data.cases = cases;
            package.validation = Validation::PerCase(questions);
            return Ok(());
        }
        other => return Err(not_judged(yaml.get("type").unwrap_or(&yaml), other)),
    }
    settings(package, &yaml)?;
    files.judge_files = files.all(yaml.get("judge_extra_files"))?;
    package.validation = files.validator(&yaml, package.kind.interactive)?.into();
    package.include = files.user_files(yaml.get("user_extra_files"))?;
    if let Some(validator) = yaml.get("validator") {
        package.input_validators.push(InputValidator {
            path: files.program("validator", validator)?,
            kind: InputValidatorKind::Testlib,
        });
    }
    if yaml.get("cases").is_some() {
        package.data.cases = files.cases(yaml.list("cases")?, "")?;
    } else {
        let subtasks = yaml.list("subtasks")?;
        let groups = subtasks.iter().zip(1..);
        let groups = groups.map(|(node, position)| files.subtask(node, position));
        package.data.groups = groups.collect::<Result<_, _>>()?;
        check_requirements(subtasks, &package.data.groups)?;
    }
    let no_cases = package
        .data
        .groups
        .iter()
        .all(|group| group.cases.is_empty());
    if package.data.cases.is_empty() && no_cases {
        let cases = judged(pairs(&mut builder.tree, dir)?, dir)?;
        let names: Vec<String> = package.data.groups.iter().map(|g| g.name.clone()).collect();
        subtasks::by_names(&mut package.data, cases);
        for (node, name) in yaml.list("subtasks")?.iter().zip(names) {
            let found = package.data.groups.iter_mut().find(|g| g.name == name);
            let cases = found.into_iter().flat_map(|group| &mut group.cases);
            set_limits(node, cases)?;
        }
    }
    subtasks::set_points(package);
    Ok(())
}

fn not_judged(kind: &Node, name: &str) -> PackageError {
    let why = match name {
        "communication" => "its manager talks to several processes of the submission",
        "remote_judge" => "another site judges it",
        _ => {
            return kind.is_not("a problem type", name, &TYPES);
        }
    };
    kind.error(format!("problems of type `{name}` are not judged: {why}"))
        .remedy("use type `default`, `interactive` or `submit_answer`")
}

/// Sets the limits, and how submissions are run.
fn settings(package: &mut Package, yaml: &Node) -> Result<(), PackageError> {
    let (time, memory) = limits(yaml)?;
    package.limits.set_time(time, Duration::from_secs(1));
    if let Some(memory) = memory {
        package.limits.set_memory(memory);
    }
    if let Some(passes) = yaml.optional("multi_pass", |passes| passes.integer(1))? {
        package.kind.multi_pass = true;
        package.limits.validation_passes = u32::try_from(passes).unwrap_or(u32::MAX);
    }
    // The name, without extension, of the files that replace standard input and output.
    let stem = yaml.get("filename").filter(|_| !package.kind.submit_answer);
    if let Some(stem) = stem.map(plain_name).transpose()? {
        package.file_io = FileIo {
            input: Some(format!("{stem}.in")),
            output: Some(format!("{stem}.out")),
        };
    }
    Ok(())
}

/// The limits of time and memory of the package, a subtask or a case.
fn limits(node: &Node) -> Result<(Option<Duration>, Option<u64>), PackageError> {
    let time = |time: &Node| {
        parse_time(time.text()?)
            .ok_or_else(|| time.error("is not a time").remedy("write `1s` or `500ms`"))
    };
    let memory = |memory: &Node| {
        parse_size(memory.text()?, 1 << 20)
            .ok_or_else(|| memory.error("is not a size").remedy("write `256m` or `1g`"))
    };
    let time = node.optional("time", time)?;
    Ok((time, node.optional("memory", memory)?))
}

/// Gives the limits of a subtask to its cases without limits of their own.
fn set_limits<'c>(
    subtask: &Node,
    cases: impl IntoIterator<Item = &'c mut TestCase>,
) -> Result<(), PackageError> {
    let (time, memory) = limits(subtask)?;
    for case in cases {
        case.time_limit = case.time_limit.or(time);
        case.memory_limit = case.memory_limit.or(memory);
    }
    Ok(())
}

/// The name of a file that is given as such or as `{file: NAME, lang: ...}`.
fn name_of(file: &Node) -> &Node {
    file.get("file").unwrap_or(file)
}

/// Finds and assembles the files that the configuration names.
struct Files {
    root: PathBuf,
    search_path: SearchPath,
    staging_dir: StagingDir,
    /// Files that are next to each program of the package.
    judge_files: Vec<PathBuf>,
}

impl Files {
    fn find(&self, file: &Node) -> Result<PathBuf, PackageError> {
        self.search_path
            .named(name_of(file), "put it beside the configuration")
    }

    fn all(&self, files: Option<&Node>) -> Result<Vec<PathBuf>, PackageError> {
        let files = files.map_or(&[][..], Node::one_or_more);
        files.iter().map(|file| self.find(file)).collect()
    }

    /// Assembles a program of the package together with `judge_extra_files`.
    fn program(&self, role: &str, file: &Node) -> Result<PathBuf, PackageError> {
        let mut files = vec![self.find(file)?];
        files.extend_from_slice(&self.judge_files);
        self.staging_dir.program(&self.root, role, &files, "")
    }

    fn validator(&self, yaml: &Node, interactive: bool) -> Result<Validator, PackageError> {
        if interactive {
            let interactor = yaml.get("interactor").ok_or_else(|| {
                yaml.error("an interactive problem needs an `interactor`")
                    .remedy("add `interactor: interactor.cpp`")
            })?;
            return Ok(Validator::Program {
                path: self.program("interactor", interactor)?,
                protocol: ValidatorProtocol::Testlib,
            });
        }
        let checker = yaml.get("checker");
        let default = checker.map_or("default", |_| "testlib");
        let kind = yaml.optional("checker_type", Node::text)?;
        let kind = kind.unwrap_or(default);
        let builtin = |checker| Ok(Validator::Builtin(checker));
        let protocol = match kind {
            "default" => return builtin(BuiltinChecker::RStripped),
            "strict" => return builtin(BuiltinChecker::CrlfInsensitive),
            "testlib" => ValidatorProtocol::Testlib,
            "hustoj" => ValidatorProtocol::Hustoj,
            "kattis" => ValidatorProtocol::Icpc,
            "qduoj" => ValidatorProtocol::Qduoj,
            "lemon" => ValidatorProtocol::Lemon,
            "syzoj" => ValidatorProtocol::Syzoj,
            other => {
                let place = yaml.get("checker_type").unwrap_or(yaml);
                return Err(place.is_not("a checker type", other, &CHECKER_TYPES));
            }
        };
        let checker = checker.ok_or_else(|| {
            yaml.error(format!("`checker_type: {kind}` needs a `checker`"))
                .remedy("add `checker: checker.cpp`")
        })?;
        // A name without extension is one of testlib's standard checkers; a built-in comparison
        // replaces it.
        match (checker.scalar(), &protocol) {
            (Some("wcmp" | "ncmp" | "icmp" | "hcmp"), ValidatorProtocol::Testlib) => {
                builtin(BuiltinChecker::Tokens)
            }
            (Some("lcmp"), ValidatorProtocol::Testlib) => builtin(BuiltinChecker::Standard),
            (Some("fcmp"), ValidatorProtocol::Testlib) => builtin(BuiltinChecker::CrlfInsensitive),
            _ => Ok(Validator::Program {
                path: self.program("checker", checker)?,
                protocol,
            }),
        }
    }

    /// Stages `user_extra_files`, which are next to a submission when it is compiled and run, and
    /// returns their directory. A source among them is accepted only with a `compile.sh`; otherwise
    /// it would be a second program.
    fn user_files(&self, names: Option<&Node>) -> Result<Option<PathBuf>, PackageError> {
        let paths = self.all(names)?;
        let compiled = paths.iter().any(|path| path.ends_with("compile.sh"));
        let mut include = None;
        for (path, given) in paths.iter().zip(names.map_or(&[][..], Node::one_or_more)) {
            let name = base_name(path);
            let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
            let language = match name.as_str() {
                "compile.sh" | "execute.sh" => continue,
                _ if ends(&[".c"]) => "c",
                _ if ends(&[".cpp", ".cc", ".cxx"]) => "cpp",
                _ => "default",
            };
            if language != "default" && !compiled {
                let what = format!("`{name}` is a source that no `compile.sh` compiles");
                return Err(name_of(given)
                    .error(what)
                    .remedy("make it a header, or add `compile.sh`"));
            }
            self.staging_dir
                .copy(path, &format!("include/{language}/{name}"))?;
            include = Some(self.staging_dir.path("include"));
        }
        Ok(include)
    }

    fn cases(&self, list: &[Node], prefix: &str) -> Result<Vec<TestCase>, PackageError> {
        list.iter().map(|node| self.case(node, prefix)).collect()
    }

    fn case(&self, node: &Node, prefix: &str) -> Result<TestCase, PackageError> {
        node.only(&CASE_KEYS)?;
        let input = node.get("input").ok_or_else(|| {
            node.error("the case has no `input`")
                .remedy("add `input: 1.in`")
        })?;
        let path = self.find(input)?;
        let output = node.get("output").filter(|output| !output.is("/dev/null"));
        let answer = output.map(|output| self.find(output)).transpose()?;
        let (time_limit, memory_limit) = limits(node)?;
        let name = name_of(input).text()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Ok(TestCase {
            name: format!("{prefix}{stem}"),
            input: path.into(),
            answer: answer.map(Into::into),
            time_limit,
            memory_limit,
            score: node.optional("score", Node::number)?,
            ..TestCase::default()
        })
    }

    fn subtask(&self, node: &Node, position: u64) -> Result<Group, PackageError> {
        node.only(&SUBTASK_KEYS)?;
        let kinds = [
            ("min", Aggregation::Min),
            ("max", Aggregation::Max),
            ("sum", Aggregation::Sum),
        ];
        let kind = node.optional("type", |kind| kind.choice(&kinds))?;
        let kind = kind.unwrap_or(Aggregation::Min);
        let id = node.optional("id", |id| id.integer(0))?.unwrap_or(position);
        let mut group = Group::new(format!("subtask{id}"));
        group.aggregation = kind;
        group.stop_at_first = kind == Aggregation::Min;
        for required in requirements(node) {
            let id = required.integer(0)?;
            group.requires.push(format!("subtask{id}"));
        }
        group.max_score = node.optional("score", Node::number)?;
        group.cases = self.cases(node.list("cases")?, &format!("{}/", group.name))?;
        set_limits(node, &mut group.cases)?;
        Ok(group)
    }
}

/// Returns an error about the first `if` that names no earlier subtask: grading would ignore it and
/// give points for which a subtask is missing.
fn check_requirements(subtasks: &[Node], groups: &[Group]) -> Result<(), PackageError> {
    let ids = groups
        .iter()
        .map(|group| group.name.trim_start_matches("subtask"));
    let ids: Vec<&str> = ids.collect();
    for (position, subtask) in subtasks.iter().enumerate() {
        let earlier = &ids[..position];
        for required in requirements(subtask) {
            let id = required.integer(0)?.to_string();
            if !earlier.contains(&id.as_str()) {
                return Err(required.is_not("the `id` of an earlier subtask", &id, earlier));
            }
        }
    }
    Ok(())
}

/// The identifiers of the subtasks that a subtask requires.
fn requirements(subtask: &Node) -> &[Node] {
    subtask.get("if").map_or(&[][..], Node::one_or_more)
}
