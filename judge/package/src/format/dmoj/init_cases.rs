//! The test cases of `init.yml` as typed values: batches and cases inherit settings of the file.

use super::checker::Checker;
use super::programs::{Program, json};
use crate::error::PackageError;
use crate::format::common::FileName;
use crate::input::units::seconds;
use crate::input::yaml::{Node, Value};
use crate::model::GeneratorLimits;

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
    pub binary: bool,
    pub checker: Option<Checker<'y>>,
    pub generation: Option<CaseGeneration<'y>>,
    /// The nodes of the batch and of the case, for Python code.
    pub nodes: Vec<&'y Node>,
}

/// How the files of a case are generated.
pub struct CaseGeneration<'y> {
    pub program: Program<'y>,
    pub args: Vec<String>,
    pub stdin: Option<FileName<'y>>,
    pub limits: GeneratorLimits,
}

#[derive(Clone)]
pub struct Generator<'y> {
    pub program: Program<'y>,
    pub args: Option<Vec<String>>,
    pub limits: GeneratorLimits,
}

/// The defaults of cases, and the number of batches so far.
pub struct Parser<'y> {
    /// Whether cases may have keys that only the package's own programs define.
    pub own_keys: bool,
    /// Whether a checker decides, and not an interactor or a grader.
    pub has_checkers: bool,
    pub points: f64,
    pub binary_data: bool,
    pub generator: Option<Generator<'y>>,
    pub generator_args: Vec<String>,
    pub batches: u64,
}

impl<'y> Parser<'y> {
    pub fn parts(&mut self, list: &'y Node) -> Result<Vec<Part<'y>>, PackageError> {
        list.items()?.iter().map(|item| self.part(item)).collect()
    }

    fn part(&mut self, item: &'y Node) -> Result<Part<'y>, PackageError> {
        self.check_keys(item)?;
        let points = item.get("points").map_or(Ok(self.points), Node::number)?;
        let Some(batched) = item.get("batched") else {
            return Ok(Part::Case(Box::new(self.case(vec![item], points)?)));
        };
        self.batches += 1;
        let mut cases = Vec::new();
        for inner in batched.items()? {
            self.check_keys(inner)?;
            let points = inner.get("points").map_or(Ok(points), Node::number)?;
            cases.push(self.case(vec![item, inner], points)?);
        }
        let mut dependencies = Vec::new();
        for dependency in item.get("dependencies").map_or(Ok(&[][..]), Node::items)? {
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

    fn check_keys(&self, item: &Node) -> Result<(), PackageError> {
        match self.own_keys {
            true => Ok(()),
            false => item.only(&CASE_KEYS),
        }
    }

    /// `nodes` are those of the batch, if there is one, and of the case, which takes precedence.
    fn case(&self, nodes: Vec<&'y Node>, points: f64) -> Result<Case<'y>, PackageError> {
        let get = |key: &str| nodes.iter().rev().find_map(|node| node.get(key));
        let input = get("in").map(FileName::parse).transpose()?;
        let output = get("out").map(FileName::parse).transpose()?;
        let own = get("generator").map(generator).transpose()?;
        let generator = own.or_else(|| self.generator.clone());
        let args = get("generator_args");
        let generator = match (generator, args.or(get("generator_in")), &input) {
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
            (generator, None, Some(_)) => generator.filter(|_| output.is_none()),
        };
        let generation = match generator {
            None => None,
            Some(generator) => Some(CaseGeneration {
                program: generator.program,
                args: match (args, generator.args) {
                    (Some(args), _) => texts(args)?,
                    (None, Some(args)) => args,
                    (None, None) => self.generator_args.clone(),
                },
                stdin: get("generator_in").map(FileName::parse).transpose()?,
                limits: generator.limits,
            }),
        };
        let checker = get("checker").filter(|_| self.has_checkers);
        Ok(Case {
            input,
            output,
            points,
            binary: get("binary_data").map_or(Ok(self.binary_data), Node::bool)?,
            checker: checker.map(Checker::parse).transpose()?,
            generation,
            nodes,
        })
    }
}

/// `generator: gen.cpp`, a list of files, or `{source: ..., flags: ...}`.
pub fn generator(node: &Node) -> Result<Generator<'_>, PackageError> {
    let Value::Map(_) = &node.value else {
        return Ok(Generator {
            program: Program::parse(node, None)?,
            args: None,
            limits: GeneratorLimits::default(),
        });
    };
    node.only(&GENERATOR_KEYS)?;
    let source = node.get("source").ok_or_else(|| {
        node.error("the generator has no `source`")
            .remedy("add `source: gen.cpp`")
    })?;
    let kilobytes = |limit: &Node| limit.integer(1).map(|kib| kib << 10);
    Ok(Generator {
        program: Program::parse(source, node.get("flags"))?,
        args: node.get("args").map(texts).transpose()?,
        limits: GeneratorLimits {
            time: node.get("time_limit").map(seconds).transpose()?,
            memory: node.get("memory_limit").map(kilobytes).transpose()?,
        },
    })
}

/// Reads a list of scalars, each formatted like Python's `str`.
pub fn texts(node: &Node) -> Result<Vec<String>, PackageError> {
    let text = |item: &Node| -> Result<String, PackageError> {
        Ok(match json(item) {
            serde_json::Value::Bool(true) => "True".to_owned(),
            serde_json::Value::Bool(false) => "False".to_owned(),
            _ => item.text()?.to_owned(),
        })
    };
    node.items()?.iter().map(text).collect()
}
