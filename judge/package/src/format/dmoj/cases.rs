//! DMOJ's cases and batches: files, points and generators.

use super::matching::{self, Patterns};
use super::python::{merge, texts};
use super::{BESIDE, Reader};
use crate::error::PackageError;
use crate::input::units::seconds;
use crate::input::yaml::{Node, Value};
use crate::model::{Aggregation, AnswerOf, GeneratorLimits, Group, InputOf, Recipe, TestCase};
use std::path::{Path, PathBuf};

const CASE_KEYS: [&str; 14] = [
    "in",
    "out",
    "points",
    "batched",
    "dependencies",
    "generator",
    "generator_args",
    "generator_in",
    "checker",
    "output_prefix_length",
    "output_limit_length",
    "binary_data",
    "wall_time_factor",
    "config",
];

const GENERATOR_KEYS: [&str; 7] = [
    "source",
    "language",
    "flags",
    "args",
    "compiler_time_limit",
    "time_limit",
    "memory_limit",
];

/// A program that generates the files of cases.
pub struct Generator {
    program: PathBuf,
    args: Option<Vec<String>>,
    limits: GeneratorLimits,
}

impl Reader<'_> {
    /// Adds the cases and batches of a list to a group.
    pub fn list(&mut self, list: &Node, group: &mut Group) -> Result<(), PackageError> {
        for item in list.items()? {
            let points = self.points_of(item, self.points)?;
            let Some(batched) = item.get("batched") else {
                let case = self.case(&[item], points, &group.name)?;
                push_single(group, case);
                continue;
            };
            let mut batch = self.new_batch(group, points);
            for inner in batched.items()? {
                let points = self.points_of(inner, points)?;
                let case = self.case(&[item, inner], points, &batch.name)?;
                batch.cases.push(case);
            }
            let points = batch.cases.iter().filter_map(|case| case.score);
            batch.max_score = points.reduce(f64::max).or(batch.max_score);
            for dependency in item.list("dependencies")? {
                let number = dependency.integer(1)?;
                if number >= self.batches {
                    return Err(dependency
                        .error(format!("batch {number} does not come before this one"))
                        .remedy("name earlier batches; the first is 1"));
                }
                batch.requires.push(format!("batch{number}"));
            }
            group.groups.push(batch);
        }
        Ok(())
    }

    /// Checks the keys of a case or a batch, and reads its points.
    fn points_of(&self, item: &Node, default: f64) -> Result<f64, PackageError> {
        if !self.has_own_keys {
            item.only(&CASE_KEYS)?;
        }
        Ok(item.optional("points", Node::number)?.unwrap_or(default))
    }

    /// Adds the cases that the names of the files determine to a group.
    pub fn matched(&mut self, patterns: &Patterns, group: &mut Group) -> Result<(), PackageError> {
        let names = matching::names(&self.search_path.dirs)?;
        for part in matching::parts(&names, patterns, self.points) {
            let mut batch = part.is_batch.then(|| self.new_batch(group, part.points));
            let name = batch.as_ref().map_or("", |batch| &batch.name).to_owned();
            for (input, output) in part.files {
                let binary = self.is_binary;
                let mut case = self.named(Some(&input), output.as_deref(), &name, binary)?;
                self.judge_by(&mut case, 0, part.points, &name, &[]);
                match &mut batch {
                    Some(batch) => batch.cases.push(case),
                    None => push_single(group, case),
                }
            }
            group.groups.extend(batch);
        }
        Ok(())
    }

    /// A batch, whose score is the minimum over its cases.
    fn new_batch(&mut self, around: &Group, points: f64) -> Group {
        self.batches += 1;
        let mut batch = Group::new(format!("batch{}", self.batches));
        batch.aggregation = Aggregation::Min;
        batch.max_score = Some(points);
        batch.after = around.cases.len();
        batch.is_gate = points == 0.0;
        batch
    }

    /// Reads a case. `nodes` are those of the batch, if there is one, and of the case, which takes
    /// precedence.
    fn case(
        &mut self,
        nodes: &[&Node],
        points: f64,
        group: &str,
    ) -> Result<TestCase, PackageError> {
        const WHERE: &str = "it must be in the archive, or beside `init.yml`";
        let get = |key: &str| nodes.iter().rev().find_map(|node| node.get(key));
        for name in [get("in"), get("out")].into_iter().flatten() {
            self.search_path.named(name, WHERE)?;
        }
        let name = |key: &str| get(key).and_then(Node::scalar);
        let binary = get("binary_data").map_or(Ok(self.is_binary), Node::bool)?;
        let mut case = self.named(name("in"), name("out"), group, binary)?;
        let checker = match get("checker") {
            Some(node) if !self.builder.package.kind.interactive => self.checker(node)?,
            _ => 0,
        };
        self.judge_by(&mut case, checker, points, group, nodes);
        let (has_input, has_output) = (name("in").is_some(), name("out").is_some());
        let (args, stdin) = (get("generator_args"), get("generator_in"));
        let generator = get("generator").or(self.yaml.get("generator"));
        match (generator, args.or(stdin)) {
            (None, Some(node)) => Err(node
                .error("is for a generator, but there is none")
                .remedy("add `generator: gen.cpp`")),
            (Some(_), Some(node)) if has_input => Err(node
                .error("is for the generator, but the case has an input already")
                .remedy("remove `in`, or this")),
            // A case with an input is not generated, but its answer may be.
            (Some(node), _) if !has_input || !has_output => {
                let generator = self.generator(node)?;
                let args = match args {
                    Some(args) => texts(args)?,
                    None => generator
                        .args
                        .unwrap_or_else(|| self.generator_args.clone()),
                };
                let stdin = stdin.map(|file| self.search_path.named(file, BESIDE));
                let recipe = Recipe {
                    case: case.name.clone(),
                    input: InputOf::Program {
                        path: generator.program,
                        args,
                        stdin: stdin.transpose()?,
                    },
                    answer: match &case.answer {
                        Some(answer) if has_output => AnswerOf::File(answer.to_path_buf()),
                        _ => AnswerOf::Stderr,
                    },
                    normalize: !binary,
                    limits: generator.limits,
                };
                let (input, answer) = self.builder.generate(recipe);
                if !has_input {
                    case.input = input;
                }
                case.answer = Some(answer);
                Ok(case)
            }
            _ => Ok(case),
        }
    }

    /// Reads `generator: gen.cpp`, a list of files, or `{source: ..., flags: ...}`.
    pub fn generator(&mut self, node: &Node) -> Result<Generator, PackageError> {
        let mut source = node;
        if let Value::Map(_) = &node.value {
            node.only(&GENERATOR_KEYS)?;
            source = node.get("source").ok_or_else(|| {
                node.error("the generator has no `source`")
                    .remedy("add `source: gen.cpp`")
            })?;
        }
        let flags = node.optional("flags", Node::texts)?.unwrap_or_default();
        let kilobytes = |limit: &Node| limit.integer(1).map(|kib| kib << 10);
        Ok(Generator {
            program: self.assembled(source, &flags, "generator")?,
            args: node.optional("args", texts)?,
            limits: GeneratorLimits {
                time: node.optional("time_limit", seconds)?,
                memory: node.optional("memory_limit", kilobytes)?,
            },
        })
    }

    /// The next case, with these files; files that are not named are empty, as in DMOJ.
    fn named(
        &mut self,
        input: Option<&str>,
        output: Option<&str>,
        group: &str,
        binary: bool,
    ) -> Result<TestCase, PackageError> {
        self.cases += 1;
        let stem = match input {
            Some(name) => name
                .rsplit_once('.')
                .map_or(name, |(stem, _)| stem)
                .to_owned(),
            None => format!("case{}", self.cases),
        };
        let name = match group {
            "" => stem,
            group => format!("{group}/{stem}"),
        };
        Ok(TestCase {
            name,
            input: self.file(input, binary)?.into(),
            answer: Some(self.file(output, binary)?.into()),
            ..TestCase::default()
        })
    }

    /// Sets the checker of the case that was named last, and its points; `nodes` hold its settings
    /// for Python code.
    fn judge_by(
        &mut self,
        case: &mut TestCase,
        checker: usize,
        points: f64,
        group: &str,
        nodes: &[&Node],
    ) {
        let own = &self.checkers[checker];
        case.validator = checker;
        case.score = Some(points);
        case.points = own.points;
        case.checks_failed_runs = own.run_on_error;
        if let Some(python) = &own.python {
            let mut config = self.common.clone();
            nodes.iter().for_each(|node| merge(&mut config, node));
            let batch = group.strip_prefix("batch").and_then(|n| n.parse().ok());
            let settings = python.settings(
                &self.builder.package,
                &self.common,
                &config,
                (points, self.cases - 1, batch.unwrap_or(0)),
            );
            case.validator_args = vec![settings];
        }
    }

    /// A file of a case; a copy if its line ends differ from those that DMOJ produces.
    fn file(&mut self, name: Option<&str>, binary: bool) -> Result<PathBuf, PackageError> {
        let Some(name) = name else {
            return self.staging_dir.write("empty", b"");
        };
        let path = self
            .search_path
            .find(name)
            .ok_or_else(|| PackageError::new(self.builder.tree.root.join(name), "is missing"))?;
        match with_line_ends(&path) {
            Some(text) if !binary => self.staging_dir.write(&format!("data/{name}"), &text),
            _ => Ok(path),
        }
    }
}

/// Adds a case outside of a batch. A case of 0 points must be accepted for any later one to count.
fn push_single(group: &mut Group, mut case: TestCase) {
    if case.score == Some(0.0) {
        case.sample = true;
        case.is_gate = true;
    }
    group.cases.push(case);
}

/// The maximum size of a file whose line ends are normalised.
const NORMALIZED: u64 = 64 << 20;

/// The file with `\n` after every line; `None` if it has that form already, or is very large.
fn with_line_ends(path: &Path) -> Option<Vec<u8>> {
    if path.metadata().ok()?.len() > NORMALIZED {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    if !bytes.contains(&b'\r') && bytes.last().is_none_or(|&last| last == b'\n') {
        return None;
    }
    let mut fixed = Vec::with_capacity(bytes.len() + 1);
    let mut rest = bytes.iter().peekable();
    while let Some(&byte) = rest.next() {
        if byte == b'\r' {
            rest.next_if_eq(&&b'\n');
            fixed.push(b'\n');
        } else {
            fixed.push(byte);
        }
    }
    if fixed.last() != Some(&b'\n') {
        fixed.push(b'\n');
    }
    Some(fixed)
}
