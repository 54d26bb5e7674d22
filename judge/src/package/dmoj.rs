//! DMOJ's `init.yml`: cases and batches with points, in a zip archive or beside it.
//!
//! Source: the "Problem format" pages of DMOJ's documentation.

use super::archive;
use super::cases::{Aggregation, Group, TestCase};
use super::dmoj_match;
use super::error::PackageError;
use super::files::Tree;
use super::foreign::{Places, empty, make_scoring, parse_size};
use super::model::{
    BuiltinChecker, Dialect, FloatMode, Package, TimeLimit, Validator, ValidatorProtocol,
};
use super::yaml::{self, Node, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const KEYS: [&str; 23] = [
    "archive",
    "test_cases",
    "pretest_test_cases",
    "points",
    "checker",
    "interactive",
    "custom_judge",
    "signature_grader",
    "generator",
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
const CASE_KEYS: [&str; 13] = [
    "in",
    "out",
    "points",
    "batched",
    "dependencies",
    "generator_args",
    "generator_in",
    "checker",
    "output_prefix_length",
    "output_limit_length",
    "binary_data",
    "wall_time_factor",
    "config",
];
const CHECKERS: [&str; 12] = [
    "standard",
    "easy",
    "floats",
    "floatsabs",
    "floatsrel",
    "identical",
    "linecount",
    "linematches",
    "rstripped",
    "sorted",
    "unordered",
    "bridged",
];

/// The package in `tree`, which has an `init.yml`.
pub fn read(tree: Tree, id: String) -> Result<Package, PackageError> {
    let yaml = yaml::read(&tree.root.join("init.yml"))?;
    for (key, _) in yaml.entries()? {
        let name = key.scalar().unwrap_or_default();
        if name.ends_with("++") {
            return Err(key
                .error(format!(
                    "`{name}` is computed by a program, which is not supported"
                ))
                .remedy("write the list itself"));
        }
        if !KEYS.contains(&name) {
            return Err(key.unknown_key(&KEYS));
        }
    }
    for key in ["custom_judge", "signature_grader", "generator"] {
        if let Some(node) = yaml.get(key) {
            return Err(node
                .error(format!(
                    "`{key}` needs DMOJ's own judge, and is not supported"
                ))
                .remedy(
                    "use a checker or an interactor of type `testlib`, and write the cases out",
                ));
        }
    }
    let mut package = empty(&tree, id, Dialect::Dmoj);
    if let Some(limit) = yaml.get("time_limit") {
        package.limits.time = TimeLimit::Given(super::limits::seconds(limit)?);
    } else {
        // DMOJ keeps it in its data base; this is what new problems there get.
        package.limits.time = TimeLimit::Given(Duration::from_secs(2));
    }
    if let Some(limit) = yaml.get("memory_limit") {
        package.limits.memory = parse_size(limit.text()?, 1 << 10)
            .ok_or_else(|| limit.error("is not a size in kilobytes"))?;
    }
    if let Some(length) = yaml.get("output_limit_length") {
        package.limits.output = length.integer(1)?;
    }
    make_scoring(&mut package);
    if let Some(flag) = yaml.get("short_circuit") {
        package.data.stop_at_first = flag.bool()?;
    }
    let mut places = Places {
        dirs: vec![tree.root.clone()],
    };
    if let Some(node) = yaml.get("archive") {
        let Some(path) = places.find(node.text()?) else {
            return Err(node
                .error(format!("there is no archive `{}`", node.text()?))
                .remedy("put it beside `init.yml`"));
        };
        let unpacked = archive::unpack(&path)?;
        places.dirs.push(unpacked.guard.path().to_owned());
        package.unpacked.push(Arc::new(unpacked.guard));
    }
    let mut reader = Reader {
        tree,
        places,
        batches: 0,
        cases: 0,
        empty: None,
        points: match yaml.get("points") {
            Some(points) => points.number()?,
            None => 1.0,
        },
    };
    let mut pretests = Group::new("pretests");
    if let Some(cases) = yaml.get("pretest_test_cases") {
        reader.list(cases, &mut pretests)?;
        pretests.after = 0;
        pretests.max_score = Some(0.0);
        package.data.groups.push(pretests);
    }
    match yaml.get("test_cases") {
        Some(cases) if matches!(cases.value, Value::List(_)) => {
            reader.list(cases, &mut package.data)?;
        }
        cases => {
            let names = dmoj_match::names(&reader.places.dirs)?;
            for part in dmoj_match::parts(&names, cases, reader.points)? {
                reader.matched(part, &mut package.data)?;
            }
        }
    }
    if package.cases().is_empty() {
        return Err(yaml
            .error("names no test cases")
            .remedy("add `test_cases: [{in: 1.in, out: 1.out, points: 100}]`"));
    }
    package.validator = match (yaml.get("interactive"), yaml.get("checker")) {
        (Some(interactive), _) => {
            package.kind.interactive = true;
            reader.program(interactive)?
        }
        (None, Some(checker)) => reader.checker(checker)?,
        (None, None) => Validator::Builtin(BuiltinChecker::Standard),
    };
    package.unpacked.extend(reader.empty);
    package.findings = reader.tree.findings;
    Ok(package)
}

struct Reader {
    tree: Tree,
    places: Places,
    /// How many batches there were so far.
    batches: usize,
    /// How many cases there were so far.
    cases: usize,
    /// Holds an empty file, for cases that name none.
    empty: Option<Arc<TempDir>>,
    points: f64,
}

impl Reader {
    fn list(&mut self, node: &Node, group: &mut Group) -> Result<(), PackageError> {
        for item in node.items()? {
            item.only(&CASE_KEYS)?;
            let points = match item.get("points") {
                Some(points) => points.number()?,
                None => self.points,
            };
            let Some(batched) = item.get("batched") else {
                let case = self.case(item, &group.name)?;
                self.push_case(group, case, points);
                continue;
            };
            let mut batch = self.new_batch(group, points);
            for inner in batched.items()? {
                inner.only(&CASE_KEYS)?;
                let case = self.case(inner, &batch.name)?;
                push_batched(&mut batch, case, points);
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

    fn matched(&mut self, part: dmoj_match::Part, group: &mut Group) -> Result<(), PackageError> {
        match part {
            dmoj_match::Part::Case(files, points) => {
                let case = self.named(Some(&files.input), files.output.as_deref(), &group.name)?;
                self.push_case(group, case, points);
            }
            dmoj_match::Part::Batch(cases, points) => {
                let mut batch = self.new_batch(group, points);
                for files in cases {
                    let case =
                        self.named(Some(&files.input), files.output.as_deref(), &batch.name)?;
                    push_batched(&mut batch, case, points);
                }
                group.groups.push(batch);
            }
        }
        Ok(())
    }

    fn new_batch(&mut self, around: &Group, points: f64) -> Group {
        self.batches += 1;
        let mut batch = Group::new(format!("batch{}", self.batches));
        batch.aggregation = Aggregation::Min;
        batch.max_score = Some(points);
        batch.after = around.cases.len();
        batch
    }

    /// A case of its own. One without points guards all that follow: it must be accepted first.
    fn push_case(&mut self, group: &mut Group, mut case: TestCase, points: f64) {
        case.score = Some(points);
        if points == 0.0 {
            case.sample = true;
        }
        group.cases.push(case);
    }

    fn case(&mut self, item: &Node, group: &str) -> Result<TestCase, PackageError> {
        for key in ["generator_args", "generator_in"] {
            if let Some(node) = item.get(key) {
                return Err(node
                    .error(format!(
                        "`{key}` needs DMOJ's own judge, and is not supported"
                    ))
                    .remedy("write the cases out"));
            }
        }
        let (input, output) = (item.get("in"), item.get("out"));
        for node in [input, output].into_iter().flatten() {
            let name = node.text()?;
            if self.places.find(name).is_none() {
                return Err(node
                    .error(format!("there is no file `{name}`"))
                    .remedy("it must be in the archive, or beside `init.yml`"));
            }
        }
        let text = |node: Option<&Node>| match node {
            Some(node) => node.text().map(|text| Some(text.to_owned())),
            None => Ok(None),
        };
        self.named(text(input)?.as_deref(), text(output)?.as_deref(), group)
    }

    /// The case of these files; what is not named is empty, as DMOJ takes it.
    fn named(
        &mut self,
        input: Option<&str>,
        output: Option<&str>,
        group: &str,
    ) -> Result<TestCase, PackageError> {
        self.cases += 1;
        let stem = match input {
            Some(name) => name
                .rsplit_once('.')
                .map_or(name, |(stem, _)| stem)
                .to_owned(),
            None => format!("case{}", self.cases),
        };
        Ok(TestCase {
            name: if group.is_empty() {
                stem
            } else {
                format!("{group}/{stem}")
            },
            input: self.file(input)?,
            answer: Some(self.file(output)?),
            ..TestCase::default()
        })
    }

    fn file(&mut self, name: Option<&str>) -> Result<PathBuf, PackageError> {
        if let Some(name) = name {
            return self
                .places
                .find(name)
                .ok_or_else(|| PackageError::new(self.tree.root.join(name), "is missing"));
        }
        if self.empty.is_none() {
            let made = tempfile::tempdir().and_then(|dir| {
                std::fs::write(dir.path().join("empty"), "")?;
                Ok(dir)
            });
            let failed = |e| {
                PackageError::new(
                    &self.tree.root,
                    format!("failed to make an empty file: {e}"),
                )
            };
            self.empty = Some(Arc::new(made.map_err(failed)?));
        }
        let dir = self.empty.as_ref().expect("made above");
        Ok(dir.path().join("empty"))
    }

    /// `checker: floats`, or `checker: {name: floats, args: {precision: 9}}`.
    fn checker(&mut self, node: &Node) -> Result<Validator, PackageError> {
        let (name_node, args) = match &node.value {
            Value::Map(_) => {
                node.only(&["name", "args"])?;
                let name = node
                    .get("name")
                    .ok_or_else(|| node.error("the checker has no `name`"))?;
                (name, node.get("args"))
            }
            _ => (node, None),
        };
        let name = name_node.text()?;
        if name == "bridged" {
            let args = args.ok_or_else(|| {
                node.error("a `bridged` checker needs `args`")
                    .remedy("add `args: {files: checker.cpp, lang: CPP20, type: testlib}`")
            })?;
            return self.program(args);
        }
        let arg = |key: &str| args.and_then(|args| args.get(key));
        let tolerance = match arg("precision") {
            Some(digits) => 10_f64.powi(-(digits.integer(0)?.min(300) as i32)),
            None => 1e-6,
        };
        let mode = match (name, arg("error_mode")) {
            ("floatsabs", _) => FloatMode::Absolute,
            ("floatsrel", _) => FloatMode::Relative,
            (_, Some(mode)) => mode.choice(&[
                ("default", FloatMode::Either),
                ("absolute", FloatMode::Absolute),
                ("relative", FloatMode::Relative),
            ])?,
            _ => FloatMode::Either,
        };
        Ok(Validator::Builtin(match name {
            "standard" => BuiltinChecker::Standard,
            "easy" => BuiltinChecker::Easy,
            "floats" | "floatsabs" | "floatsrel" => BuiltinChecker::Floats { tolerance, mode },
            "identical" => BuiltinChecker::Identical {
                presentation: match arg("pe_allowed") {
                    Some(flag) => flag.bool()?,
                    None => true,
                },
            },
            "linecount" => BuiltinChecker::Linecount,
            "rstripped" => BuiltinChecker::RStripped,
            "sorted" => BuiltinChecker::Sorted {
                lines: match arg("split_on") {
                    Some(mode) => mode.choice(&[("lines", true), ("whitespace", false)])?,
                    None => true,
                },
            },
            "unordered" => BuiltinChecker::Unordered,
            _ if name.ends_with(".py") || name == "linematches" => {
                return Err(name_node
                    .error(format!(
                        "the checker `{name}` needs DMOJ's own judge, and is not supported"
                    ))
                    .remedy("use a `bridged` checker of type `testlib`"));
            }
            _ => {
                return Err(name_node
                    .error(format!("`{name}` is no checker"))
                    .remedy(yaml::advice(name, &CHECKERS)));
            }
        }))
    }

    /// A checker or an interactor that is a program: `{files: [...], lang: ..., type: testlib}`.
    fn program(&mut self, node: &Node) -> Result<Validator, PackageError> {
        let Some(files) = node.get("files") else {
            return Err(node
                .error("names no `files`")
                .remedy("add `files: checker.cpp`"));
        };
        if let Some(kind) = node.get("type") {
            // What `default` programs get and answer is a part of testlib's protocol.
            let supported = [("testlib", ()), ("default", ())];
            if matches!(kind.scalar(), Some("coci" | "peg")) {
                return Err(kind
                    .error(format!(
                        "programs of type `{}` are not supported",
                        kind.text()?
                    ))
                    .remedy("use type `testlib` or `default`"));
            }
            kind.choice(&supported)?;
        }
        let mut first = None;
        for file in files.one_or_more() {
            let name = file.text()?;
            let path = self.places.find(name).ok_or_else(|| {
                file.error(format!("there is no file `{name}`"))
                    .remedy("put it beside `init.yml`")
            })?;
            let header = [".h", ".hpp"].iter().any(|end| name.ends_with(end));
            if first.is_none() && !header {
                first = Some(path);
            }
        }
        match first {
            Some(path) => Ok(Validator::Program {
                path,
                protocol: ValidatorProtocol::Testlib,
            }),
            None => Err(files.error("names no source file")),
        }
    }
}

/// A case of a batch: each is worth what the batch is, and the least counts.
fn push_batched(batch: &mut Group, mut case: TestCase, points: f64) {
    case.score = Some(points);
    batch.cases.push(case);
}
