//! DMOJ's cases and batches: files, points and generators.

use super::Reader;
use super::generator::texts;
use super::matching;
use super::programs::json;
use crate::package::error::PackageError;
use crate::package::input::yaml::Node;
use crate::package::model::{Aggregation, AnswerOf, CaseId, Group, InputOf, Recipe, TestCase};
use std::path::{Path, PathBuf};

/// The keys of a case, with defaults from the batch that contains it.
#[derive(Clone, Copy)]
struct Keys<'n> {
    own: &'n Node,
    batch: Option<&'n Node>,
}

impl<'n> Keys<'n> {
    fn get(self, key: &str) -> Option<&'n Node> {
        let around = || self.batch.and_then(|batch| batch.get(key));
        self.own.get(key).or_else(around)
    }
}

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

impl Reader {
    /// Reads a list of cases and batches into a group.
    pub fn list(&mut self, node: &Node, group: &mut Group) -> Result<(), PackageError> {
        for item in node.items()? {
            self.check_keys(item)?;
            let points = self.points(item, self.defaults.points)?;
            let Some(batched) = item.get("batched") else {
                let keys = Keys {
                    own: item,
                    batch: None,
                };
                let case = self.case(keys, &group.name)?;
                self.push_case(group, case, points);
                continue;
            };
            let mut batch = self.new_batch(group, points);
            let mut most = f64::NEG_INFINITY;
            for inner in batched.items()? {
                self.check_keys(inner)?;
                let keys = Keys {
                    own: inner,
                    batch: Some(item),
                };
                let case = self.case(keys, &batch.name)?;
                let own = self.points(inner, points)?;
                most = most.max(own);
                self.push_batched(&mut batch, case, own);
            }
            if most.is_finite() {
                batch.max_score = Some(most);
            }
            if let Some(dependencies) = item.get("dependencies") {
                for dependency in dependencies.items()? {
                    let number = dependency.integer(1)?;
                    if number as usize >= self.batches {
                        return Err(dependency
                            .error(format!("batch {number} does not come before this one"))
                            .remedy("name earlier batches; the first is 1"));
                    }
                    batch.requires.push(format!("batch{number}"));
                }
            }
            group.groups.push(batch);
        }
        Ok(())
    }

    fn points(&self, item: &Node, otherwise: f64) -> Result<f64, PackageError> {
        item.get("points").map_or(Ok(otherwise), Node::number)
    }

    /// Checks the keys of a case, unless the package's own programs may define more.
    fn check_keys(&self, item: &Node) -> Result<(), PackageError> {
        match self.own_keys {
            true => Ok(()),
            false => item.only(&CASE_KEYS),
        }
    }

    /// Adds cases that were derived from file names to a group.
    pub fn matched(&mut self, part: matching::Part, group: &mut Group) -> Result<(), PackageError> {
        match part {
            matching::Part::Case(files, points) => {
                let case = self.matched_case(&files, &group.name)?;
                self.push_case(group, case, points);
            }
            matching::Part::Batch(cases, points) => {
                let mut batch = self.new_batch(group, points);
                for files in cases {
                    let case = self.matched_case(&files, &batch.name)?;
                    self.push_batched(&mut batch, case, points);
                }
                group.groups.push(batch);
            }
        }
        Ok(())
    }

    fn matched_case(
        &mut self,
        files: &matching::Files,
        group: &str,
    ) -> Result<TestCase, PackageError> {
        let binary = self.defaults.binary_data;
        self.named(Some(&files.input), files.output.as_deref(), group, binary)
    }

    fn new_batch(&mut self, around: &Group, points: f64) -> Group {
        self.batches += 1;
        let mut batch = Group::new(format!("batch{}", self.batches));
        batch.aggregation = Aggregation::Min;
        batch.max_score = Some(points);
        batch.after = around.cases.len();
        batch.is_gate = points == 0.0;
        batch
    }

    /// Adds a case outside of a batch. A case of 0 points must be accepted for any later one to
    /// count.
    fn push_case(&mut self, group: &mut Group, mut case: TestCase, points: f64) {
        self.give(&mut case, points);
        if points == 0.0 {
            case.sample = true;
            case.is_gate = true;
        }
        group.cases.push(case);
    }

    /// Adds a case to a batch, whose score is the minimum over its cases.
    fn push_batched(&mut self, batch: &mut Group, mut case: TestCase, points: f64) {
        self.give(&mut case, points);
        batch.cases.push(case);
    }

    /// Sets the points of a case and the points that its checker may give.
    fn give(&self, case: &mut TestCase, points: f64) {
        case.score = Some(points);
        let number = *case.validator.get_or_insert(0);
        if let Some(checker) = self.checkers.get(number) {
            case.points = checker.granted;
            case.checks_failed_runs = checker.run_on_error;
        }
    }

    fn case(&mut self, item: Keys<'_>, group: &str) -> Result<TestCase, PackageError> {
        let (input, output) = (item.get("in"), item.get("out"));
        for node in [input, output].into_iter().flatten() {
            let name = node.text()?;
            if self.search_path.find(name).is_none() {
                return Err(node
                    .error(format!("there is no file `{name}`"))
                    .remedy("it must be in the archive, or beside `init.yml`"));
            }
        }
        let text = |node: Option<&Node>| match node {
            Some(node) => node.text().map(|text| Some(text.to_owned())),
            None => Ok(None),
        };
        let own = match item.get("generator") {
            Some(generator) => Some(self.generator(generator)?),
            None => None,
        };
        let generator = own.or_else(|| self.defaults.generator.clone());
        let asked = item.get("generator_args").or(item.get("generator_in"));
        let (input, output) = (text(input)?, text(output)?);
        let made = match (generator, asked, &input) {
            (None, Some(node), _) => {
                return Err(node
                    .error("is for a generator, but there is none")
                    .remedy("add `generator: gen.cpp`"));
            }
            (Some(_), Some(node), Some(_)) => {
                return Err(node
                    .error("is for the generator, but the case has an input already")
                    .remedy("remove `in`, or this"));
            }
            // A case with an input is not generated, but its answer may be.
            (generator, _, None) => generator,
            (Some(generator), None, Some(_)) if output.is_none() => Some(generator),
            _ => None,
        };
        let binary = match item.get("binary_data") {
            Some(flag) => flag.bool()?,
            None => self.defaults.binary_data,
        };
        let mut case = self.named(input.as_deref(), output.as_deref(), group, binary)?;
        case.validator = Some(self.case_checker(item.get("checker"))?);
        let mut config = serde_json::Map::new();
        for node in item.batch.into_iter().chain([item.own]) {
            merge(&mut config, node);
        }
        self.configs.insert(case.id, config);
        if let Some(generator) = made {
            let args = match item.get("generator_args") {
                Some(args) => texts(Some(args))?,
                None => generator
                    .args
                    .unwrap_or_else(|| self.defaults.generator_args.clone()),
            };
            let stdin = match item.get("generator_in") {
                Some(file) => Some(self.named_file(file)?),
                None => None,
            };
            let index = self.recipes.len();
            let answer = match &output {
                Some(_) => AnswerOf::File(case.answer.clone().unwrap_or_default()),
                None => AnswerOf::Stderr,
            };
            let program = InputOf::Program {
                path: generator.path,
                args,
                stdin,
            };
            if input.is_none() {
                case.input = Recipe::input_name(index);
            }
            case.answer = Some(Recipe::answer_name(index));
            self.recipes.push(Recipe {
                case: case.name.clone(),
                input: program,
                answer,
                normalize: !binary,
                limits: generator.limits,
            });
        }
        Ok(case)
    }

    /// The case of these files; files that are not named are empty, as in DMOJ.
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
            id: CaseId(self.cases),
            name,
            input: self.file(input, binary)?,
            answer: Some(self.file(output, binary)?),
            ..TestCase::default()
        })
    }

    /// A file of a case; a copy if its line ends differ from those that DMOJ produces.
    fn file(&mut self, name: Option<&str>, binary: bool) -> Result<PathBuf, PackageError> {
        let Some(name) = name else {
            return self.staging_dir.write("empty", b"");
        };
        let path = self
            .search_path
            .find(name)
            .ok_or_else(|| PackageError::new(self.tree.root.join(name), "is missing"))?;
        match with_line_ends(&path) {
            Some(text) if !binary => self.staging_dir.write(&format!("data/{name}"), &text),
            _ => Ok(path),
        }
    }
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
