//! Hydro's `config.yaml`, in the package's directory or in its `testdata/`: [`Config::parse`] makes
//! it typed values, [`build`] fills the model from them.

mod config;
mod objective;

use self::config::{Case, Checker, Config, Subtask, Tests};
use super::common::{FileName, SearchPath, begin, judged, make_scoring, pairs, peek};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::{self, StagingDir};
use crate::model::{
    Aggregation, FileIo, Group, InputValidator, InputValidatorKind, LimitSource, TestCase,
    TimeLimit, Validation, Validator,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError> {
        read(builder, &found.dir)
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

    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError> {
        read(builder, &found.dir)
    }
}

/// Reads the package with its data, and perhaps a configuration, in `dir`.
fn read(builder: &mut PackageBuilder, dir: &Path) -> Result<(), PackageError> {
    begin(builder, "Hydro");
    let PackageBuilder { tree, package } = builder;
    // The `problem.yaml` of an export.
    if let Some(path) = tree.existing("problem.yaml")?
        && let Some(title) = tree.yaml(&path)?.get("title")
    {
        title.text()?.clone_into(&mut package.name);
    }
    let names = ["config.yml", "config.yaml"].map(|name| dir.join(name));
    let Some(file) = names.iter().find(|file| file.is_file()) else {
        return build(builder, dir, &Config::default());
    };
    let yaml = tree.yaml(file)?;
    build(builder, dir, &Config::parse(&yaml)?)
}

/// Fills the model.
fn build(
    builder: &mut PackageBuilder,
    dir: &Path,
    config: &Config<'_>,
) -> Result<(), PackageError> {
    let files = Files {
        root: builder.tree.root.clone(),
        search_path: SearchPath {
            dirs: vec![PackageDir::new(dir)?],
        },
        staging_dir: builder.staging_dir()?,
        judge_files: &config.judge_files,
    };
    let package = &mut builder.package;
    make_scoring(package);
    package.kind.interactive = config.interactive;
    package.kind.submit_answer = config.submit_answer;
    let limits = &mut package.limits;
    let second = Duration::from_secs(1);
    limits.time = TimeLimit::Given(config.limits.time.unwrap_or(second));
    if config.limits.time.is_none() {
        limits.time_from = LimitSource::Format;
    }
    limits.memory = 256 << 20;
    limits.memory_from = LimitSource::Format;
    if let Some(memory) = config.limits.memory {
        limits.set_memory(memory);
    }
    if let Some(passes) = config.passes {
        package.kind.multi_pass = true;
        package.limits.validation_passes = u32::try_from(passes).unwrap_or(u32::MAX);
    }
    package.file_io = config.filename.map_or_else(FileIo::default, |stem| FileIo {
        input: Some(format!("{stem}.in")),
        output: Some(format!("{stem}.out")),
    });
    let validator = match &config.checker {
        Checker::Builtin(checker) => Validator::Builtin(*checker),
        Checker::Program {
            role,
            file,
            protocol,
        } => Validator::Program {
            path: files.program(role, file)?,
            protocol: protocol.clone(),
        },
    };
    package.validation = validator.into();
    package.include = files.user_files(&config.user_files)?;
    if let Some(validator) = &config.validator {
        package.input_validators.push(InputValidator {
            path: files.program("validator", validator)?,
            kind: InputValidatorKind::Testlib,
        });
    }
    match &config.tests {
        Tests::Pairs => {
            package.data.cases = judged(pairs(&mut builder.tree, dir)?, dir)?;
            share(&mut package.data.cases, 100.0);
        }
        Tests::Cases(cases) => {
            package.data.cases = files.cases(cases, "")?;
            share(&mut package.data.cases, 100.0);
        }
        Tests::Subtasks(subtasks) => {
            let groups = subtasks.iter().map(|subtask| files.subtask(subtask));
            package.data.groups = groups.collect::<Result<_, _>>()?;
        }
        Tests::Form(questions) => {
            package.data.cases = objective::cases(questions, &files.staging_dir)?;
            let validators = questions.iter().map(|(question, _)| question.clone());
            let validators = validators.map(Validator::Question);
            package.validation = Validation::PerCase(validators.collect());
        }
    }
    Ok(())
}

/// Finds and assembles the files that the configuration names.
struct Files<'c> {
    root: PathBuf,
    search_path: SearchPath,
    staging_dir: StagingDir,
    judge_files: &'c [FileName<'c>],
}

impl Files<'_> {
    fn find(&self, name: &FileName<'_>) -> Result<PathBuf, PackageError> {
        self.search_path
            .named(name, "put it beside the configuration")
    }

    /// Assembles a program of the package together with `judge_extra_files`.
    fn program(&self, role: &str, file: &FileName<'_>) -> Result<PathBuf, PackageError> {
        let files = std::iter::once(file).chain(self.judge_files);
        let files = files.map(|file| self.find(file));
        let files: Vec<PathBuf> = files.collect::<Result<_, _>>()?;
        staging_dir::program(&self.staging_dir, &self.root, role, &files, "")
    }

    /// Stages `user_extra_files`, which are next to a submission when it is compiled and run, and
    /// returns their directory. A source among them is accepted only with a `compile.sh`; otherwise
    /// it would be a second program.
    fn user_files(&self, names: &[FileName<'_>]) -> Result<Option<PathBuf>, PackageError> {
        let mut files = Vec::new();
        for name in names {
            let path = self.find(name)?;
            files.push((name, staging_dir::base_name(&path), path));
        }
        let compiled = files.iter().any(|(_, name, _)| name == "compile.sh");
        let mut include = None;
        for (given, name, path) in &files {
            let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
            let language = match name.as_str() {
                "compile.sh" | "execute.sh" => continue,
                _ if ends(&[".c"]) => "c",
                _ if ends(&[".cpp", ".cc", ".cxx"]) => "cpp",
                _ => "default",
            };
            if language != "default" && !compiled {
                let what = format!("`{name}` is a source that no `compile.sh` compiles");
                return Err(given
                    .error(what)
                    .remedy("make it a header, or add `compile.sh`"));
            }
            self.staging_dir
                .copy(path, &format!("include/{language}/{name}"), "")?;
            include = Some(self.staging_dir.path("include"));
        }
        Ok(include)
    }

    fn cases(&self, cases: &[Case<'_>], prefix: &str) -> Result<Vec<TestCase>, PackageError> {
        let case = |case: &Case<'_>| {
            let name = case.input.text;
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let answer = case.output.as_ref().map(|output| self.find(output));
            Ok(TestCase {
                name: format!("{prefix}{stem}"),
                input: self.find(&case.input)?.into(),
                answer: answer.transpose()?.map(Into::into),
                time_limit: case.limits.time,
                memory_limit: case.limits.memory,
                score: case.score,
                ..TestCase::default()
            })
        };
        cases.iter().map(case).collect()
    }

    fn subtask(&self, subtask: &Subtask<'_>) -> Result<Group, PackageError> {
        let mut group = Group::new(format!("subtask{}", subtask.id));
        group.aggregation = subtask.aggregation;
        group.stop_at_first = subtask.aggregation == Aggregation::Min;
        let required = subtask.requires.iter();
        group.requires = required.map(|id| format!("subtask{id}")).collect();
        group.max_score = subtask.score;
        group.cases = self.cases(&subtask.cases, &format!("{}/", group.name))?;
        for case in &mut group.cases {
            case.time_limit = case.time_limit.or(subtask.limits.time);
            case.memory_limit = case.memory_limit.or(subtask.limits.memory);
        }
        match (subtask.score, subtask.aggregation) {
            (Some(score), Aggregation::Sum) => share(&mut group.cases, score),
            (Some(score), _) => {
                for case in &mut group.cases {
                    case.score.get_or_insert(score);
                }
            }
            (None, _) => {}
        }
        Ok(group)
    }
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
