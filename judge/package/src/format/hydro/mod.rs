//! Hydro's `config.yaml`, in the package's directory or in its `testdata/`.

mod cases;
mod files;
mod ini;
mod names;
mod objective;
mod points;
mod submitted;

use self::files::Files;
use self::submitted::Submitted;
use super::common::{SearchPath, begin, make_scoring, no_cases, peek, plain_name};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::units::{parse_size, parse_time};
use crate::input::yaml::{self, Node};
use crate::model::{
    FileIo, Group, InputValidator, InputValidatorKind, LanguageLimits, LimitSource, Package,
    Validation,
};
use std::path::Path;
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
            false => {
                let own = configuration(dir).or_else(|| ini::place(dir));
                own.filter(|name| !is_foreign(dir, name))?
            }
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
    // `config.yaml` takes precedence, as in Hydro's judge.
    let names = ["config.yaml", "config.yml"].map(|name| dir.join(name));
    let file = names.iter().find(|file| file.is_file());
    let yaml = match file {
        Some(file) => tree.yaml(file)?,
        None => yaml::parse(dir, "")?,
    };
    yaml.only(&KEYS)?;
    let mut files = Files {
        root: tree.root.clone(),
        search_path: SearchPath::new(dir)?,
        staging_dir: builder.staging_dir()?,
        judge_files: Vec::new(),
        compares: true,
        submitted: None,
    };
    let package = &mut builder.package;
    make_scoring(package);
    package.limits.memory = 256 << 20;
    package.limits.memory_from = LimitSource::Format;
    package.limits.set_time(None, Duration::from_secs(1));
    match yaml.optional("type", Node::text)?.unwrap_or("default") {
        "default" => {}
        "interactive" => package.kind.interactive = true,
        "submit_answer" => {
            package.kind.submit_answer = true;
            files.submitted = Some(Submitted::parse(&yaml));
        }
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
    files.compares = package.validation.programs().next().is_none();
    package.include = files.user_files(yaml.get("user_extra_files"))?;
    if let Some(validator) = yaml.get("validator") {
        package.input_validators.push(InputValidator {
            path: files.program("validator", validator)?,
            kind: InputValidatorKind::Testlib,
        });
    }
    let list = yaml.list("cases")?;
    if !list.is_empty() {
        package.data.cases = files.cases(list, "")?;
    } else if let (None, Some(ini)) = (file, ini::configuration(dir)) {
        package.data.cases = ini::read(&ini, &files)?;
    } else {
        let mut subtasks = files.subtasks(yaml.list("subtasks")?)?;
        if subtasks.iter().all(|subtask| subtask.len() == 0) {
            let found = names::find(&mut builder.tree, dir, yaml.flag("noOutputFile")?)?;
            if found.is_empty() {
                return Err(no_cases(&builder.tree, dir));
            }
            files.distribute(found, &mut subtasks, dir)?;
        }
        let groups = subtasks
            .into_iter()
            .map(|subtask| Ok((subtask.is_plain(), subtask.into_group()?)));
        let mut groups: Vec<(bool, Group)> = groups.collect::<Result<_, PackageError>>()?;
        match &mut groups[..] {
            // The names of files mention no subtask.
            [(true, group)] => {
                let prefix = format!("{}/", group.name);
                package.data.cases = std::mem::take(&mut group.cases);
                for case in &mut package.data.cases {
                    case.name = case.name.replacen(&prefix, "", 1);
                }
            }
            _ => package.data.groups = groups.into_iter().map(|(_, group)| group).collect(),
        }
    }
    points::set_points(package);
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
    languages(package, yaml)?;
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

/// Sets the factors of the limits of single languages.
fn languages(package: &mut Package, yaml: &Node) -> Result<(), PackageError> {
    let entries = |key: &str| yaml.get(key).map_or(Ok(&[][..]), Node::entries);
    let languages = &mut package.limits.languages;
    for (is_time, key) in [(true, "time_limit_rate"), (false, "memory_limit_rate")] {
        for (name, factor) in entries(key)? {
            let code = language_of(name.text()?);
            let known = languages.iter().position(|own| own.language == code);
            let at = known.unwrap_or(languages.len());
            if known.is_none() {
                languages.push(LanguageLimits::new(code));
            }
            let factor = factor.positive()?;
            match is_time {
                true => languages[at].time_factor = factor,
                false => languages[at].memory_factor = factor,
            }
        }
    }
    Ok(())
}

/// The code of the language that Hydro calls by its extension, and perhaps by a version after a dot.
fn language_of(name: &str) -> &str {
    match name.split('.').next().unwrap_or(name) {
        "py" if name == "py.py2" => "python2",
        "py" => "python3",
        "cc" => "cpp",
        "pas" => "pascal",
        "kt" => "kotlin",
        "rs" => "rust",
        "hs" => "haskell",
        "js" => "javascript",
        "rb" => "ruby",
        "cs" => "csharp",
        other => other,
    }
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
