//! DMOJ's `init.yml`: cases and batches with points, in a zip archive or beside it.
//!
//! Source: the "Problem format" pages of DMOJ's documentation.

use super::archive;
use super::cases::{Aggregation, Group, TestCase};
use super::dmoj_match;
use super::dmoj_programs::json;
use super::error::PackageError;
use super::files::Tree;
use super::foreign::{Places, empty, make_scoring, parse_size};
use super::generation::{AnswerOf, Generation, InputOf, Recipe};
use super::model::{BuiltinChecker, Dialect, FileIo, FloatMode, Package, TimeLimit, Validator};
use super::workshop::Workshop;
use super::yaml::{self, Node, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
pub fn read(mut tree: Tree, id: String) -> Result<Package, PackageError> {
    let file = tree.root.join("init.yml");
    let yaml = tree.yaml(&file)?;
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
    package.limits.output = match yaml.get("output_limit_length") {
        Some(length) => length.integer(1)?,
        None => 24 << 20,
    };
    if let Some(io) = yaml.get("file_io") {
        package.file_io = file_io(io)?;
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
    let workshop = Workshop::new(&tree.root)?;
    package.places.push(workshop.path(""));
    package.unpacked.push(workshop.guard());
    let mut reader = Reader {
        tree,
        places,
        workshop,
        batches: 0,
        cases: 0,
        programs: 0,
        python: None,
        recipes: Vec::new(),
        defaults: Defaults {
            points: match yaml.get("points") {
                Some(points) => points.number()?,
                None => 1.0,
            },
            binary_data: flag(&yaml, "binary_data")?,
            generator: None,
            generator_args: texts(yaml.get("generator_args"))?,
        },
    };
    if let Some(generator) = yaml.get("generator") {
        reader.defaults.generator = Some(reader.generator(generator)?);
    }
    let validator = reader.validator(&yaml, &mut package)?;
    let mut pretests = Group::new("pretests");
    if let Some(cases) = yaml.get("pretest_test_cases") {
        reader.list(cases, &mut pretests)?;
        pretests.after = 0;
        pretests.guards = true;
        pretests.max_score = Some(0.0);
        package.data.groups.push(pretests);
    }
    match yaml.get("test_cases") {
        Some(cases) if matches!(cases.value, Value::List(_)) => {
            reader.list(cases, &mut package.data)?;
        }
        cases => {
            let names = dmoj_match::names(&reader.places.dirs)?;
            for part in dmoj_match::parts(&names, cases, reader.defaults.points)? {
                reader.matched(part, &mut package.data)?;
            }
        }
    }
    if package.cases().is_empty() {
        return Err(yaml
            .error("names no test cases")
            .remedy("add `test_cases: [{in: 1.in, out: 1.out, points: 100}]`"));
    }
    package.validator = validator;
    reader.tell_python(&yaml, &mut package);
    if !reader.recipes.is_empty() {
        package.generation = Some(Generation {
            recipes: reader.recipes,
            solution: None,
        });
    }
    if let Some(signature) = yaml.get("signature_grader") {
        // Read with the rest of the package's programs; here, what submissions get.
        package.stub = Some(stub(signature, &reader.places, &reader.workshop)?);
        package.include = Some(reader.workshop.path("include"));
    }
    package.findings = reader.tree.findings;
    Ok(package)
}

/// What holds where a case says nothing.
struct Defaults {
    points: f64,
    binary_data: bool,
    generator: Option<PathBuf>,
    generator_args: Vec<String>,
}

/// A checker or grader in Python: what it is told besides the case.
struct Python {
    file: String,
    interactive: bool,
    args: serde_json::Value,
}

/// Reads a package.
pub struct Reader {
    /// The package's directory.
    pub tree: Tree,
    /// Where files are looked for.
    pub places: Places,
    /// Where programs are put together.
    pub workshop: Workshop,
    /// How many of them there are.
    pub programs: usize,
    /// How many batches there were so far.
    batches: usize,
    /// How many cases there were so far.
    cases: usize,
    python: Option<Python>,
    recipes: Vec<Recipe>,
    defaults: Defaults,
}

impl Reader {
    fn list(&mut self, node: &Node, group: &mut Group) -> Result<(), PackageError> {
        for item in node.items()? {
            item.only(&CASE_KEYS)?;
            let points = match item.get("points") {
                Some(points) => points.number()?,
                None => self.defaults.points,
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
                let case = self.matched_case(&files, &group.name)?;
                self.push_case(group, case, points);
            }
            dmoj_match::Part::Batch(cases, points) => {
                let mut batch = self.new_batch(group, points);
                for files in cases {
                    let case = self.matched_case(&files, &batch.name)?;
                    push_batched(&mut batch, case, points);
                }
                group.groups.push(batch);
            }
        }
        Ok(())
    }

    fn matched_case(
        &mut self,
        files: &dmoj_match::Files,
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
        batch.guards = points == 0.0;
        batch
    }

    /// A case of its own. One without points guards all that follow: it must be accepted first.
    fn push_case(&mut self, group: &mut Group, mut case: TestCase, points: f64) {
        case.score = Some(points);
        if points == 0.0 {
            case.sample = true;
            case.guards = true;
        }
        group.cases.push(case);
    }

    fn case(&mut self, item: &Node, group: &str) -> Result<TestCase, PackageError> {
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
                    .error("is for a generator, and there is none")
                    .remedy("add `generator: gen.cpp`"));
            }
            (Some(_), Some(node), Some(_)) => {
                return Err(node
                    .error("is for the generator, but the case has an input already")
                    .remedy("remove `in`, or this"));
            }
            // A case that has an input is not made; its answer may have to be.
            (generator, _, None) => generator,
            (Some(generator), None, Some(_)) if output.is_none() => Some(generator),
            _ => None,
        };
        let binary = match item.get("binary_data") {
            Some(flag) => flag.bool()?,
            None => self.defaults.binary_data,
        };
        let mut case = self.named(input.as_deref(), output.as_deref(), group, binary)?;
        if let Some(generator) = made {
            let args = match item.get("generator_args") {
                Some(args) => texts(Some(args))?,
                None => self.defaults.generator_args.clone(),
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
                path: generator,
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
            });
        }
        Ok(case)
    }

    /// The case of these files; what is not named is empty, as DMOJ takes it.
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
        Ok(TestCase {
            name: if group.is_empty() {
                stem
            } else {
                format!("{group}/{stem}")
            },
            input: self.file(input, binary)?,
            answer: Some(self.file(output, binary)?),
            ..TestCase::default()
        })
    }

    /// A file of a case; a copy where its lines do not end as DMOJ makes them end.
    fn file(&mut self, name: Option<&str>, binary: bool) -> Result<PathBuf, PackageError> {
        let Some(name) = name else {
            return self.workshop.write("empty", b"");
        };
        let path = self
            .places
            .find(name)
            .ok_or_else(|| PackageError::new(self.tree.root.join(name), "is missing"))?;
        match with_line_ends(&path) {
            Some(text) if !binary => self.workshop.write(&format!("data/{name}"), &text),
            _ => Ok(path),
        }
    }

    /// `generator: gen.cpp`, a list of files, or `{source: ..., flags: ...}`.
    fn generator(&mut self, node: &Node) -> Result<PathBuf, PackageError> {
        match &node.value {
            Value::Map(_) => {
                node.only(&[
                    "source",
                    "language",
                    "flags",
                    "args",
                    "compiler_time_limit",
                    "time_limit",
                    "memory_limit",
                ])?;
                let source = node.get("source").ok_or_else(|| {
                    node.error("the generator has no `source`")
                        .remedy("add `source: gen.cpp`")
                })?;
                if let Some(args) = node.get("args") {
                    self.defaults.generator_args = texts(Some(args))?;
                }
                self.assembled(source, node.get("flags"), "generator")
            }
            _ => self.assembled(node, None, "generator"),
        }
    }

    /// What decides whether an output is right.
    fn validator(&mut self, yaml: &Node, package: &mut Package) -> Result<Validator, PackageError> {
        if let Some(grader) = yaml.get("custom_judge") {
            package.kind.interactive = true;
            let (validator, file) = self.python(grader, true)?;
            self.python = Some(Python {
                file,
                interactive: true,
                args: serde_json::json!({}),
            });
            return Ok(validator);
        }
        if let Some(interactive) = yaml.get("interactive") {
            package.kind.interactive = true;
            return self.bridged(interactive, true);
        }
        match yaml.get("checker") {
            Some(checker) => self.checker(checker),
            None => Ok(Validator::Builtin(BuiltinChecker::Standard)),
        }
    }

    /// Tells a program in Python of each case.
    fn tell_python(&self, yaml: &Node, package: &mut Package) {
        let Some(python) = &self.python else {
            return;
        };
        let mut position = 0;
        let config = json(yaml);
        let id = package.id.clone();
        let mut tell = |case: &mut TestCase, batch: usize| {
            let settings = serde_json::json!({
                "file": python.file,
                "interactive": python.interactive,
                "args": python.args,
                "problem": id,
                "config": config,
                "points": case.score,
                "position": position,
                "batch": batch,
                "binary_data": self.defaults.binary_data,
            });
            position += 1;
            case.validator_args = vec![settings.to_string()];
        };
        each_case(&mut package.data, &mut tell);
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
            return self.bridged(args, false);
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
            _ if name.ends_with(".py") => {
                let (validator, file) = self.python(name_node, false)?;
                self.python = Some(Python {
                    file,
                    interactive: false,
                    args: args.map_or_else(|| serde_json::json!({}), json),
                });
                return Ok(validator);
            }
            "linematches" => {
                return Err(name_node
                    .error("the checker `linematches` is not supported")
                    .remedy("use `linecount`, or a checker in Python"));
            }
            _ => {
                return Err(name_node
                    .error(format!("`{name}` is no checker"))
                    .remedy(yaml::advice(name, &CHECKERS)));
            }
        }))
    }
}

/// A case of a batch: each is worth what the batch is, and the least counts.
fn push_batched(batch: &mut Group, mut case: TestCase, points: f64) {
    case.score = Some(points);
    batch.cases.push(case);
}

/// Every case, with the number of its batch (0: none).
fn each_case(group: &mut Group, tell: &mut impl FnMut(&mut TestCase, usize)) {
    let batch = group
        .name
        .rsplit_once("batch")
        .and_then(|(_, n)| n.parse().ok());
    for case in &mut group.cases {
        tell(case, batch.unwrap_or(0));
    }
    for inner in &mut group.groups {
        each_case(inner, tell);
    }
}

fn flag(yaml: &Node, key: &str) -> Result<bool, PackageError> {
    yaml.get(key).map_or(Ok(false), Node::bool)
}

/// A list of anything, each item as Python's `str` has it.
fn texts(node: Option<&Node>) -> Result<Vec<String>, PackageError> {
    let Some(node) = node else {
        return Ok(Vec::new());
    };
    let text = |item: &Node| -> Result<String, PackageError> {
        Ok(match json(item) {
            serde_json::Value::Bool(true) => "True".to_owned(),
            serde_json::Value::Bool(false) => "False".to_owned(),
            _ => item.text()?.to_owned(),
        })
    };
    node.items()?.iter().map(text).collect()
}

/// The largest file whose lines are looked at.
const NORMALIZED: u64 = 64 << 20;

/// The file with `\n` at the end of every line; `None` where it is so already, or very large.
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

/// `file_io: {input: x.in, output: x.out}`.
fn file_io(node: &Node) -> Result<FileIo, PackageError> {
    node.only(&["input", "output"])?;
    let name = |key: &str| -> Result<Option<String>, PackageError> {
        node.get(key)
            .map(|name| super::foreign::plain_name(name).map(str::to_owned))
            .transpose()
    };
    Ok(FileIo {
        input: name("input")?,
        output: name("output")?,
    })
}

/// `signature_grader: {entry: handler.c, header: header.h}`: the files are compiled with each
/// submission, which begins with the header. Gives the lines before it.
fn stub(node: &Node, places: &Places, workshop: &Workshop) -> Result<String, PackageError> {
    node.only(&["entry", "header", "allow_main"])?;
    let file = |key: &str| -> Result<PathBuf, PackageError> {
        let Some(name) = node.get(key) else {
            return Err(node.error(format!("names no `{key}`")));
        };
        let text = name.text()?;
        places
            .find(text)
            .ok_or_else(|| name.error(format!("there is no file `{text}`")))
    };
    let (entry, header) = (file("entry")?, file("header")?);
    let header_name = super::workshop::base_name(&header);
    let entry_name = super::workshop::base_name(&entry);
    let ending = entry_name.rsplit_once('.').map_or("", |(_, ending)| ending);
    for (language, ending) in [
        ("c", "c"),
        ("cpp", if ending == "c" { "cpp" } else { ending }),
    ] {
        let dir = format!("include/{language}");
        workshop.copy(&header, &format!("{dir}/{header_name}"), "")?;
        let before = "#define SIGNATURE_GRADER 1\n";
        workshop.copy(&entry, &format!("{dir}/judge_entry.{ending}"), before)?;
    }
    let allow_main = flag(node, "allow_main")?;
    let main = if allow_main {
        ""
    } else {
        "#define main main_of_submission\n"
    };
    Ok(format!("#include \"{header_name}\"\n{main}#line 1\n"))
}
