//! `init.yml` as typed values; names of files keep their positions. No other file is read here.

use super::init_cases::{Defaults, Part, texts};
use super::init_checkers::{Bridged, Checker, FileName, json};
use super::matching::Patterns;
use crate::error::PackageError;
use crate::format::common::plain_name;
use crate::input::units::{parse_size, seconds};
use crate::input::yaml::{Node, Value};
use crate::model::{BuiltinChecker, FileIo};
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
    /// The settings that cases inherit, and what they share.
    pub defaults: Defaults<'y>,
    pub time_limit: Option<Duration>,
    pub memory_limit: Option<u64>,
    pub output_limit: Option<u64>,
    pub file_io: FileIo,
    pub unbuffered: bool,
    pub short_circuit: bool,
    /// The zip archive with the data.
    pub archive: Option<FileName<'y>>,
    pub signature: Option<Signature<'y>>,
    /// The program that must accept every input.
    pub validator: Option<&'y Node>,
    pub pretests: Option<Vec<Part<'y>>>,
    pub tests: Tests<'y>,
}

/// `signature_grader: {entry: handler.c, header: header.h}`: files that are compiled with each
/// submission.
pub struct Signature<'y> {
    pub entry: FileName<'y>,
    pub header: FileName<'y>,
    pub allows_main: bool,
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
        let (grader, interactor) = (yaml.get("custom_judge"), yaml.get("interactive"));
        // Python code may define additional keys.
        let has_own_keys = grader.is_some()
            || checker
                .and_then(|node| node.get("name").or(Some(node))?.scalar())
                .is_some_and(|name| name.ends_with(".py"));
        check_keys(yaml, has_own_keys)?;
        let first = match (grader, interactor, checker) {
            (Some(name), ..) => Checker::Grader(FileName::parse(name)?),
            (None, Some(node), _) => Checker::Bridged(Bridged::parse(node, true)?),
            (None, None, Some(node)) => Checker::parse(node)?,
            (None, None, None) => Checker::Builtin(BuiltinChecker::Standard),
        };
        let memory = |limit: &Node| {
            limit.refuse_octal()?;
            parse_size(limit.text()?, 1 << 10)
                .ok_or_else(|| limit.error("is not a size in kilobytes"))
        };
        let mut defaults = Defaults {
            yaml,
            has_own_keys,
            is_interactive: grader.or(interactor).is_some(),
            checkers: vec![(checker.map(json), first)],
            points: yaml.optional("points", Node::points)?.unwrap_or(1.0),
            is_binary: yaml.flag("binary_data")?,
            generator_args: yaml.optional("generator_args", texts)?.unwrap_or_default(),
            generator: None,
            batches: 0,
        };
        defaults.generator = yaml.optional("generator", |node| defaults.generator(node))?;
        let mut file_io = yaml.optional("file_io", file_io)?.unwrap_or_default();
        yaml.optional("symlinks", |links| symlinks(links, &mut file_io))?;
        Ok(Init {
            time_limit: yaml.optional("time_limit", seconds)?,
            memory_limit: yaml.optional("memory_limit", memory)?,
            output_limit: yaml.optional("output_limit_length", |length| length.integer(1))?,
            file_io,
            unbuffered: yaml.flag("unbuffered")?,
            short_circuit: yaml.flag("short_circuit")?,
            archive: yaml.optional("archive", FileName::parse)?,
            signature: yaml.optional("signature_grader", signature)?,
            validator: yaml.get("validator").filter(|node| !node.is_null()),
            pretests: yaml.optional("pretest_test_cases", |list| defaults.parts(list))?,
            tests: match yaml.get("test_cases") {
                Some(list) if matches!(list.value, Value::List(_)) => {
                    Tests::List(defaults.parts(list)?)
                }
                patterns => Tests::Named(Patterns::parse(patterns)?),
            },
            defaults,
        })
    }
}

fn check_keys(yaml: &Node, has_own_keys: bool) -> Result<(), PackageError> {
    for key in yaml.unknown_keys(&KEYS)? {
        let name = key.scalar().unwrap_or_default();
        if name.ends_with('+') {
            let what = format!("`{name}` is computed by a program, which is not supported");
            return Err(key.error(what).remedy("write the list itself"));
        }
        if !has_own_keys {
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
        allows_main: node.flag("allow_main")?,
    })
}

/// `file_io: {input: x.in, output: x.out}`.
fn file_io(node: &Node) -> Result<FileIo, PackageError> {
    node.only(&["input", "output"])?;
    let name = |key: &str| Ok(node.optional(key, plain_name)?.map(str::to_owned));
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
    use super::*;
    use crate::input::yaml;
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
            init.defaults.checkers[..],
            [
                (None, Checker::Builtin(BuiltinChecker::Standard)),
                (_, Checker::Builtin(BuiltinChecker::Identical { .. }))
            ]
        ));
        let Tests::List(parts) = &init.tests else {
            panic!("a list");
        };
        let [Part::Case(single), Part::Batch(batch), Part::Batch(last)] = parts.as_slice() else {
            panic!("a case and two batches");
        };
        assert_eq!(single.points, 5.0);
        assert_eq!((single.checker, batch.cases[0].checker), (1, 0));
        assert!(!single.is_binary && single.generator.is_none());
        assert_eq!((batch.points, batch.cases[1].points), (7.0, 9.0));
        assert!(batch.cases[0].is_binary && batch.cases[0].generator.is_none());
        let generator = batch.cases[1].generator.as_ref().unwrap();
        assert_eq!(generator.args, ["1", "True"]);
        assert_eq!(generator.program.files[0].text, "gen.cpp");
        assert_eq!((last.points, last.dependencies.as_slice()), (3.0, &[1][..]));
    }

    #[test]
    fn errors_have_positions() {
        for (text, position) in [
            ("test_cases:\n- {in: a, points: x}\n", (2, 19)),
            ("test_cases:\n- {in: a, points: -1}\n", (2, 19)),
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
