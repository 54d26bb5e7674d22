//! The test cases of `init.yml` as typed values: they inherit settings of their batch and of the file.

use super::init_checkers::{Checker, FileName, Program, json};
use crate::error::PackageError;
use crate::input::units::seconds;
use crate::input::yaml::{Node, Value};
use crate::model::GeneratorLimits;

/// The maximum number of different checkers in a package.
const MAX_CHECKERS: usize = 1000;

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

/// A case outside of batches, or a batch.
pub enum Part<'y> {
    Case(Box<Case<'y>>),
    Batch(Batch<'y>),
}

pub struct Batch<'y> {
    /// The points of cases without points of their own.
    pub points: f64,
    pub cases: Vec<Case<'y>>,
    /// The numbers of batches that must be accepted before.
    pub dependencies: Vec<u64>,
}

/// A case, with the settings of the batch that contains it.
pub struct Case<'y> {
    pub input: Option<FileName<'y>>,
    pub output: Option<FileName<'y>>,
    pub points: f64,
    pub is_binary: bool,
    /// The index among the file's checkers.
    pub checker: usize,
    pub generator: Option<Generator<'y>>,
    /// The nodes of the batch and of the case, for Python code.
    pub nodes: Vec<&'y Node>,
}

/// How the files of a case are generated.
#[derive(Clone)]
pub struct Generator<'y> {
    pub program: Program<'y>,
    pub args: Vec<String>,
    pub stdin: Option<FileName<'y>>,
    pub limits: GeneratorLimits,
}

/// The settings of the file that cases inherit, and what was found so far.
pub struct Defaults<'y> {
    /// The file itself, for Python code.
    pub yaml: &'y Node,
    /// Whether the package's own programs may define further keys.
    pub has_own_keys: bool,
    /// Whether an interactor or a grader decides, instead of the cases' checkers.
    pub is_interactive: bool,
    /// The package's checker, then the different ones of individual cases, with their configurations.
    pub checkers: Vec<(Option<serde_json::Value>, Checker<'y>)>,
    /// The points of cases and batches without points of their own.
    pub points: f64,
    /// Whether the files of cases without a setting of their own are binary.
    pub is_binary: bool,
    /// The arguments of generators without arguments of their own.
    pub generator_args: Vec<String>,
    /// The generator of cases without a generator of their own.
    pub generator: Option<Generator<'y>>,
    /// The number of batches so far.
    pub batches: u64,
}

impl<'y> Defaults<'y> {
    /// Reads a list of cases and batches.
    pub fn parts(&mut self, list: &'y Node) -> Result<Vec<Part<'y>>, PackageError> {
        list.items()?.iter().map(|item| self.part(item)).collect()
    }

    fn part(&mut self, item: &'y Node) -> Result<Part<'y>, PackageError> {
        let points = self.points_of(item, self.points)?;
        let Some(batched) = item.get("batched") else {
            return Ok(Part::Case(Box::new(self.case(vec![item], points)?)));
        };
        self.batches += 1;
        let mut cases = Vec::new();
        for inner in batched.items()? {
            let points = self.points_of(inner, points)?;
            cases.push(self.case(vec![item, inner], points)?);
        }
        let mut dependencies = Vec::new();
        for dependency in item.list("dependencies")? {
            let number = dependency.integer(1)?;
            if number >= self.batches {
                return Err(dependency
                    .error(format!("batch {number} does not come before this one"))
                    .remedy("name earlier batches; the first is 1"));
            }
            dependencies.push(number);
        }
        Ok(Part::Batch(Batch {
            points,
            cases,
            dependencies,
        }))
    }

    /// Checks the keys of a case or a batch, and reads its points.
    fn points_of(&self, item: &Node, default: f64) -> Result<f64, PackageError> {
        if !self.has_own_keys {
            item.only(&CASE_KEYS)?;
        }
        Ok(item.optional("points", Node::points)?.unwrap_or(default))
    }

    /// Reads a case. `nodes` are those of the batch, if there is one, and of the case, which takes
    /// precedence.
    fn case(&mut self, nodes: Vec<&'y Node>, points: f64) -> Result<Case<'y>, PackageError> {
        let get = |key: &str| nodes.iter().rev().find_map(|node| node.get(key));
        let input = get("in").map(FileName::parse).transpose()?;
        let output = get("out").map(FileName::parse).transpose()?;
        let own = get("generator").map(|node| self.generator(node));
        let generator = own.transpose()?.or_else(|| self.generator.clone());
        let (args, stdin) = (get("generator_args"), get("generator_in"));
        let generator = match (generator, args.or(stdin)) {
            (None, Some(node)) => {
                return Err(node
                    .error("is for a generator, but there is none")
                    .remedy("add `generator: gen.cpp`"));
            }
            (Some(_), Some(node)) if input.is_some() => {
                return Err(node
                    .error("is for the generator, but the case has an input already")
                    .remedy("remove `in`, or this"));
            }
            // A case with an input is not generated, but its answer may be.
            (Some(generator), _) if input.is_none() || output.is_none() => Some(Generator {
                args: args.map_or(Ok(generator.args), texts)?,
                stdin: stdin.map(FileName::parse).transpose()?,
                ..generator
            }),
            _ => None,
        };
        Ok(Case {
            input,
            output,
            points,
            is_binary: get("binary_data").map_or(Ok(self.is_binary), Node::bool)?,
            checker: match get("checker") {
                Some(node) if !self.is_interactive => self.checker(node)?,
                _ => 0,
            },
            generator,
            nodes,
        })
    }

    /// The index of the checker of a case; equal ones share an index.
    fn checker(&mut self, node: &'y Node) -> Result<usize, PackageError> {
        let config = Some(json(node));
        if let Some(known) = self.checkers.iter().position(|(own, _)| *own == config) {
            return Ok(known);
        }
        // Each case is compared with all of them.
        if self.checkers.len() >= MAX_CHECKERS {
            return Err(node.error(format!("more than {MAX_CHECKERS} different checkers")));
        }
        self.checkers.push((config, Checker::parse(node)?));
        Ok(self.checkers.len() - 1)
    }

    /// Reads `generator: gen.cpp`, a list of files, or `{source: ..., flags: ...}`.
    pub fn generator(&self, node: &'y Node) -> Result<Generator<'y>, PackageError> {
        let mut source = node;
        if let Value::Map(_) = &node.value {
            node.only(&GENERATOR_KEYS)?;
            source = node.get("source").ok_or_else(|| {
                node.error("the generator has no `source`")
                    .remedy("add `source: gen.cpp`")
            })?;
        }
        let kilobytes = |limit: &Node| limit.integer(1).map(|kib| kib << 10);
        let args = node.optional("args", texts)?;
        Ok(Generator {
            program: Program::parse(source, node)?,
            args: args.unwrap_or_else(|| self.generator_args.clone()),
            stdin: None,
            limits: GeneratorLimits {
                time: node.optional("time_limit", seconds)?,
                memory: node.optional("memory_limit", kilobytes)?,
            },
        })
    }
}

/// Reads a list of scalars, each formatted like Python's `str`.
pub fn texts(node: &Node) -> Result<Vec<String>, PackageError> {
    let text = |item: &Node| match json(item) {
        serde_json::Value::Bool(true) => Ok("True".to_owned()),
        serde_json::Value::Bool(false) => Ok("False".to_owned()),
        _ => item.text().map(str::to_owned),
    };
    node.items()?.iter().map(text).collect()
}
