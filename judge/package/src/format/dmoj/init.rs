//! `init.yml` as typed values; names of files keep their positions.

use super::checker::Checker;
use super::init_cases::{Parser, Part, generator, texts};
use super::matching::Patterns;
use super::programs::{Bridged, Program};
use crate::error::PackageError;
use crate::format::common::{FileName, plain_name};
use crate::input::units::{parse_size, seconds};
use crate::input::yaml::{Node, Value};
use crate::model::FileIo;
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

/// The whole file.
pub struct Init<'y> {
    /// The file itself, for Python code, which may define additional keys.
    pub yaml: &'y Node,
    pub time_limit: Option<Duration>,
    pub memory_limit: Option<u64>,
    pub output_limit: Option<u64>,
    pub file_io: FileIo,
    pub unbuffered: bool,
    pub short_circuit: bool,
    /// The zip archive with the data.
    pub archive: Option<FileName<'y>>,
    pub decider: Decider<'y>,
    pub signature: Option<Signature<'y>>,
    /// The generator of cases without a generator of their own.
    pub generator: Option<Program<'y>>,
    /// The defaults of cases that are recognised by their names.
    pub points: f64,
    pub binary_data: bool,
    pub pretests: Option<Vec<Part<'y>>>,
    pub tests: Tests<'y>,
}

/// What decides about an output.
pub enum Decider<'y> {
    /// A `Grader` in Python.
    Grader(FileName<'y>),
    Interactor(Bridged<'y>),
    Checker(Checker<'y>),
}

/// `signature_grader: {entry: handler.c, header: header.h}`: files that are compiled with each
/// submission.
pub struct Signature<'y> {
    pub entry: FileName<'y>,
    pub header: FileName<'y>,
    pub allow_main: bool,
}

/// The test cases.
pub enum Tests<'y> {
    List(Vec<Part<'y>>),
    /// The names of the files determine them.
    Named(Patterns),
}

impl<'y> Init<'y> {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// An unknown key or an invalid value.
    pub fn parse(yaml: &'y Node) -> Result<Self, PackageError> {
        let checker = yaml.get("checker");
        // Python code may define additional keys.
        let own_keys = yaml.get("custom_judge").is_some()
            || checker
                .and_then(|node| node.get("name").or(Some(node))?.scalar())
                .is_some_and(|name| name.ends_with(".py"));
        check_keys(yaml, own_keys)?;
        let decider = match (yaml.get("custom_judge"), yaml.get("interactive")) {
            (Some(grader), _) => Decider::Grader(FileName::parse(grader)?),
            (None, Some(interactor)) => Decider::Interactor(Bridged::parse(interactor, true)?),
            (None, None) => {
                Decider::Checker(checker.map_or(Ok(Checker::standard()), Checker::parse)?)
            }
        };
        let mut parser = Parser {
            own_keys,
            has_checkers: matches!(decider, Decider::Checker(_)),
            points: yaml.get("points").map_or(Ok(1.0), Node::number)?,
            binary_data: flag(yaml, "binary_data")?,
            generator: yaml.get("generator").map(generator).transpose()?,
            generator_args: yaml.get("generator_args").map_or(Ok(Vec::new()), texts)?,
            batches: 0,
        };
        let memory = |limit: &Node| {
            parse_size(limit.text()?, 1 << 10)
                .ok_or_else(|| limit.error("is not a size in kilobytes"))
        };
        let mut file_io = yaml.get("file_io").map_or(Ok(FileIo::default()), file_io)?;
        if let Some(links) = yaml.get("symlinks") {
            symlinks(links, &mut file_io)?;
        }
        Ok(Init {
            yaml,
            time_limit: yaml.get("time_limit").map(seconds).transpose()?,
            memory_limit: yaml.get("memory_limit").map(memory).transpose()?,
            output_limit: yaml
                .get("output_limit_length")
                .map(|length| length.integer(1))
                .transpose()?,
            file_io,
            unbuffered: flag(yaml, "unbuffered")?,
            short_circuit: flag(yaml, "short_circuit")?,
            archive: yaml.get("archive").map(FileName::parse).transpose()?,
            decider,
            signature: yaml.get("signature_grader").map(signature).transpose()?,
            pretests: yaml
                .get("pretest_test_cases")
                .map(|list| parser.parts(list))
                .transpose()?,
            tests: match yaml.get("test_cases") {
                Some(list) if matches!(list.value, Value::List(_)) => {
                    Tests::List(parser.parts(list)?)
                }
                patterns => Tests::Named(Patterns::parse(patterns)?),
            },
            generator: parser.generator.map(|generator| generator.program),
            points: parser.points,
            binary_data: parser.binary_data,
        })
    }
}

fn check_keys(yaml: &Node, own_keys: bool) -> Result<(), PackageError> {
    for key in yaml.unknown_keys(&KEYS)? {
        let name = key.scalar().unwrap_or_default();
        if name.ends_with('+') {
            let what = format!("`{name}` is computed by a program, which is not supported");
            return Err(key.error(what).remedy("write the list itself"));
        }
        if !own_keys {
            return Err(key.unknown_key(&KEYS));
        }
    }
    Ok(())
}

fn signature(node: &Node) -> Result<Signature<'_>, PackageError> {
    node.only(&["entry", "header", "allow_main"])?;
    let file = |key: &str| {
        let name = node.get(key);
        FileName::parse(name.ok_or_else(|| node.error(format!("names no `{key}`")))?)
    };
    Ok(Signature {
        entry: file("entry")?,
        header: file("header")?,
        allow_main: flag(node, "allow_main")?,
    })
}

fn flag(yaml: &Node, key: &str) -> Result<bool, PackageError> {
    yaml.get(key).map_or(Ok(false), Node::bool)
}

/// `file_io: {input: x.in, output: x.out}`.
fn file_io(node: &Node) -> Result<FileIo, PackageError> {
    node.only(&["input", "output"])?;
    let name = |key: &str| {
        let name = node.get(key).map(plain_name).transpose()?;
        Ok(name.map(str::to_owned))
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
        if place.replace(plain_name(name)?.to_owned()).is_some() {
            return Err(name.error("is the second name of this stream; only one is supported"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::checker::Kind;
    use super::*;
    use crate::input::yaml;
    use crate::model::BuiltinChecker;
    use std::path::Path;

    fn parse(text: &str) -> Result<Node, PackageError> {
        yaml::parse(Path::new("init.yml"), text)
    }

    #[test]
    fn a_case_gets_the_settings_of_its_batch_and_of_the_file() {
        let text = "points: 3\ngenerator: gen.cpp\ngenerator_args: [1, true]\ntest_cases:\n\
                    - {in: a.in, out: a.out, points: 5, checker: identical}\n\
                    - {points: 7, binary_data: true, batched: [{in: b.in, out: b.out}, {points: 9}]}\n\
                    - {dependencies: [1], batched: []}\n";
        let yaml = parse(text).unwrap();
        let init = Init::parse(&yaml).unwrap();
        assert!(matches!(
            init.decider,
            Decider::Checker(Checker {
                kind: Kind::Builtin(BuiltinChecker::Standard),
                ..
            })
        ));
        let Tests::List(parts) = &init.tests else {
            panic!("a list");
        };
        let [Part::Case(single), Part::Batch(batch), Part::Batch(last)] = parts.as_slice() else {
            panic!("a case and two batches");
        };
        assert_eq!(single.points, 5.0);
        assert!(single.checker.is_some() && !single.binary && single.generation.is_none());
        assert_eq!((batch.points, batch.cases[1].points), (7.0, 9.0));
        assert!(batch.cases[0].binary && batch.cases[0].generation.is_none());
        let generation = batch.cases[1].generation.as_ref().unwrap();
        assert_eq!(generation.args, ["1", "True"]);
        assert_eq!(generation.program.files[0].text, "gen.cpp");
        assert_eq!((last.points, last.dependencies.as_slice()), (3.0, &[1][..]));
    }

    #[test]
    fn errors_have_positions() {
        for (text, position) in [
            ("test_cases:\n- {in: a, points: x}\n", (2, 19)),
            ("test_cases:\n- {dependencies: [1], batched: []}\n", (2, 19)),
            ("test_cases+: []\n", (1, 1)),
            ("checker: nothing\n", (1, 10)),
        ] {
            let yaml = parse(text).unwrap();
            let error = Init::parse(&yaml).map(|_| ()).unwrap_err();
            assert_eq!(error.position, Some(position), "{error}");
        }
    }
}
