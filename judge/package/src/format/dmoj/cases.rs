//! DMOJ's cases and batches: files, points and generators.

use super::Reader;
use super::init_cases::{Case, CaseGeneration, Part};
use super::matching;
use super::programs::json;
use crate::error::PackageError;
use crate::input::yaml::Node;
use crate::model::{Aggregation, AnswerOf, Group, InputOf, Recipe, TestCase};
use std::path::{Path, PathBuf};

impl Reader<'_> {
    /// Adds cases and batches to a group.
    pub fn parts(&mut self, parts: &[Part<'_>], group: &mut Group) -> Result<(), PackageError> {
        for part in parts {
            match part {
                Part::Case(case) => {
                    let made = self.case(case, &group.name)?;
                    push_single(group, made);
                }
                Part::Batch(found) => {
                    let mut batch = self.new_batch(group, found.points);
                    for case in &found.cases {
                        let case = self.case(case, &batch.name)?;
                        batch.cases.push(case);
                    }
                    let points = found.cases.iter().map(|case| case.points);
                    batch.max_score = points.reduce(f64::max).or(batch.max_score);
                    let required = found.dependencies.iter();
                    batch.requires = required.map(|id| format!("batch{id}")).collect();
                    group.groups.push(batch);
                }
            }
        }
        Ok(())
    }

    /// Adds cases that were derived from file names to a group.
    pub fn matched(
        &mut self,
        part: matching::Part,
        binary: bool,
        group: &mut Group,
    ) -> Result<(), PackageError> {
        let case = |reader: &mut Self, files: &matching::Files, points, group: &str| {
            let (input, output) = (Some(&*files.input), files.output.as_deref());
            let mut case = reader.named(input, output, group, binary)?;
            reader.judge_by(&mut case, 0, points, group, &[]);
            Ok::<_, PackageError>(case)
        };
        match part {
            matching::Part::Case(files, points) => {
                let made = case(self, &files, points, &group.name)?;
                push_single(group, made);
            }
            matching::Part::Batch(cases, points) => {
                let mut batch = self.new_batch(group, points);
                for files in cases {
                    let case = case(self, &files, points, &batch.name)?;
                    batch.cases.push(case);
                }
                group.groups.push(batch);
            }
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

    fn case(&mut self, from: &Case<'_>, group: &str) -> Result<TestCase, PackageError> {
        const WHERE: &str = "it must be in the archive, or beside `init.yml`";
        for name in [&from.input, &from.output].into_iter().flatten() {
            self.search_path.named(name, WHERE)?;
        }
        let input = from.input.as_ref().map(|name| name.text);
        let output = from.output.as_ref().map(|name| name.text);
        let mut case = self.named(input, output, group, from.binary)?;
        let checker = self.checker(from.checker.as_ref())?;
        self.judge_by(&mut case, checker, from.points, group, &from.nodes);
        if let Some(generation) = &from.generation {
            self.generated(&mut case, from, generation)?;
        }
        Ok(case)
    }

    /// Adds the recipe of a case.
    fn generated(
        &mut self,
        case: &mut TestCase,
        from: &Case<'_>,
        generation: &CaseGeneration<'_>,
    ) -> Result<(), PackageError> {
        let stdin = generation.stdin.as_ref();
        let recipe = Recipe {
            case: case.name.clone(),
            input: InputOf::Program {
                path: self.assembled(&generation.program, "generator")?,
                args: generation.args.clone(),
                stdin: stdin.map(|file| self.named_file(file)).transpose()?,
            },
            answer: match (&from.output, &case.answer) {
                (Some(_), Some(answer)) => AnswerOf::File(answer.to_path_buf()),
                _ => AnswerOf::Stderr,
            },
            normalize: !from.binary,
            limits: generation.limits,
        };
        let (input, answer) = self.builder.generate(recipe);
        if from.input.is_none() {
            case.input = input;
        }
        case.answer = Some(answer);
        Ok(())
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

/// Adds the keys of a package, a batch or a case to its configuration, except for the lists of
/// cases.
pub fn merge(config: &mut serde_json::Map<String, serde_json::Value>, node: &Node) {
    if let serde_json::Value::Object(own) = json(node) {
        let lists = ["batched", "test_cases", "pretest_test_cases"];
        config.extend(
            own.into_iter()
                .filter(|(key, _)| !lists.contains(&key.as_str())),
        );
    }
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
