//! Reads `generators/generators.yaml`, in the format of BAPCtools: the cases and how each is made.

mod case;
mod values;

use self::values::{Links, Texts, is_case, numbered};
pub use self::values::{PICTURES, TEXTS};
use super::words::{self, Command};
use judge_package::PackageError;
use judge_package::yaml::{self, Node, Value};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The directories of `data/` that can be generated, in BAPCtools' order: a directory may include
/// cases of earlier ones.
const ROOTS: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    // Extensions of BAPCtools: inputs for a testing tool, and inputs found by `bt fuzz`.
    "testing_tool_test",
    "fuzz",
];

/// Names of these directories in earlier versions of the format.
const OLD_ROOTS: [&str; 4] = [
    "invalid_inputs",
    "invalid_answers",
    "invalid_outputs",
    "valid_outputs",
];

/// The top-level keys.
const KEYS: [&str; 11] = [
    "solution",
    "random_salt",
    "retries",
    "generators",
    "data",
    "version",
    "test_group.yaml",
    "testdata.yaml",
    // Keys of earlier versions of BAPCtools, which have no effect on the data.
    "gitignore_generated",
    "parallel",
    "visualizer",
];

const GROUP_KEYS: [&str; 9] = [
    "data",
    "include",
    "test_group.yaml",
    "testdata.yaml",
    "solution",
    "random_salt",
    "retries",
    // Keys of earlier versions of BAPCtools.
    "type",
    "visualizer",
];

/// The maximum number of cases; equal to the maximum number of files of a package.
const MAX_CASES: usize = 100_000;

/// The content of `generators.yaml`.
#[derive(Debug, Default)]
pub struct Spec {
    pub cases: Vec<CaseRule>,
    /// Settings of groups, by path below `data/`.
    pub group_files: BTreeMap<String, GroupFile>,
    /// The directories of `data/` that the file describes.
    pub roots: BTreeSet<String>,
    /// Problems that the author should look at.
    pub warnings: Vec<String>,
    /// Generators of several files: paths below `generators/`, by name.
    pub generators: BTreeMap<String, Vec<String>>,
}

#[derive(Debug)]
pub struct GroupFile {
    /// The position of the settings, for error messages.
    pub node: Node,
    pub text: String,
}

/// How a case is made. If several sources provide the same file, text in the rule has priority over
/// the copy, and the copy over the generator.
#[derive(Clone, Debug)]
pub struct CaseRule {
    /// The path below `data/`, without extension.
    pub path: String,
    /// The rule's position, for error messages.
    pub node: Node,
    pub generate: Option<Command>,
    /// The path of a handmade case in the package, without extension.
    pub copy: Option<String>,
    /// Files given in the rule.
    pub texts: Texts,
    /// Files equal to other files of the case; copied, so that archives contain them.
    pub links: Links,
    /// Patterns that the case's files must match: extension (`in` or `ans`) and pattern.
    pub patterns: Vec<(&'static str, Regex)>,
    /// The program that makes the answer.
    pub solution: Solution,
    /// Whether the input may equal another case's: an included case, or a `count` without
    /// `{count}`.
    pub may_repeat: bool,
    /// Whether the handmade case is already in `data/`. It is not recorded as made, so it is never
    /// removed.
    pub is_kept: bool,
}

/// The program that makes answers.
#[derive(Clone, Debug)]
pub enum Solution {
    /// The package's first accepted submission.
    Default,
    /// None: answers are given.
    None,
    /// The program at this path of the package.
    At(Node, String),
}

/// Settings that a directory passes to its entries.
#[derive(Clone)]
struct Inherited {
    solution: Solution,
    salt: String,
    retries: u64,
}

struct Reader<'a> {
    constants: &'a [(String, String)],
    seed: Option<u64>,
    next: usize,
    width: usize,
    spec: Spec,
    /// For each case's path, the path of the case it was included from, or its own.
    origins: HashMap<String, String>,
    /// The cases that a key refers to, for `include`.
    keys: HashMap<String, Vec<Range<usize>>>,
}

/// Reads the file. `constants` are the package's; `seed` changes every seed.
pub fn read(
    root: &Node,
    constants: &[(String, String)],
    seed: Option<u64>,
) -> Result<Spec, PackageError> {
    check_keys(root, &KEYS, &KEYS)?;
    let mut reader = Reader {
        constants,
        seed,
        next: 1,
        width: numbered(root)?.to_string().len(),
        spec: Spec::default(),
        origins: HashMap::new(),
        keys: HashMap::new(),
    };
    reader.spec.generators = generators(root)?;
    let inherited = Inherited {
        solution: Solution::Default,
        salt: String::new(),
        retries: 1,
    }
    .with(root)?;
    let data = root.get("data").ok_or_else(|| {
        let complaint = root.error("the key `data` is missing");
        complaint.remedy("add `data: {secret: {data: {NAME: COMMAND}}}`")
    })?;
    reader.group_files(root, "");
    for (key, _) in data.entries()? {
        let name = key.text()?;
        if OLD_ROOTS.contains(&name) {
            let complaint = key.error(format!("`{name}` is the name of an earlier version"));
            return Err(complaint.remedy(format!("call it `{}`", &name[..name.len() - 1])));
        }
        if !ROOTS.contains(&name) {
            return Err(key.unknown_key(&ROOTS));
        }
        reader.spec.roots.insert(name.to_owned());
    }
    for name in ROOTS {
        if let Some(node) = data.get(name) {
            let first = reader.spec.cases.len();
            reader.directory(node, name, &inherited)?;
            let range = first..reader.spec.cases.len();
            reader.keys.entry(name.to_owned()).or_default().push(range);
        }
    }
    Ok(reader.spec)
}

/// Reads the key `generators`: generators of several files, by name.
pub fn generators(root: &Node) -> Result<BTreeMap<String, Vec<String>>, PackageError> {
    let mut generators = BTreeMap::new();
    let entries = root.get("generators").map(Node::entries).transpose()?;
    for (key, files) in entries.unwrap_or_default() {
        let files_list = files.texts()?;
        if files_list.is_empty() {
            return Err(key
                .error("the generator has no files")
                .remedy("list its files, beginning with the one to start"));
        }
        for file in &files_list {
            words::inside(files, file)?;
        }
        generators.insert(key.text()?.to_owned(), files_list);
    }
    Ok(generators)
}

/// Checks the keys of a map against the `known` ones. Others are left to other tools, unless they
/// resemble one of `known` or `similar`.
fn check_keys(node: &Node, known: &[&str], similar: &[&str]) -> Result<(), PackageError> {
    for key in node.unknown_keys(known)? {
        let text = key.scalar().unwrap_or_default();
        if yaml::nearest(text, similar).is_some() {
            return Err(key.unknown_key(similar));
        }
    }
    Ok(())
}

/// Checks the keys of a directory, which may be a case whose key is misspelt.
fn check_keys_of_group(node: &Node) -> Result<(), PackageError> {
    let case_keys = values::CASE_KEYS.into_iter().chain(TEXTS);
    let all: Vec<&str> = GROUP_KEYS.into_iter().chain(case_keys).collect();
    match node.unknown_keys(&GROUP_KEYS)?.next() {
        Some(key) => Err(key.unknown_key(&all)),
        None => Ok(()),
    }
}

/// The directories in a list or map `data` with their paths, in the directory `path`.
pub fn directories<'n>(
    data: &'n Node,
    path: &str,
) -> Result<Vec<(String, &'n Node)>, PackageError> {
    let mut found = Vec::new();
    let Value::List(items) = &data.value else {
        for (key, child) in data.entries()?.iter().filter(|(_, child)| !is_case(child)) {
            found.push((format!("{path}/{}", words::name(key)?), child));
        }
        return Ok(found);
    };
    let mut groups = Vec::new();
    for item in items {
        groups.extend(item.entries()?.iter().filter(|(_, child)| !is_case(child)));
    }
    let width = groups.len().to_string().len();
    for (number, (key, child)) in groups.into_iter().enumerate() {
        let number = number + 1;
        found.push((format!("{path}/{number:0width$}{}", label(key)?), child));
    }
    Ok(found)
}

/// The part of a numbered name after its number.
fn label(key: &Node) -> Result<String, PackageError> {
    Ok(match key.scalar() {
        Some("") => String::new(),
        _ => format!("-{}", words::name(key)?),
    })
}

impl Inherited {
    /// These settings with the changes in `node`.
    fn with(&self, node: &Node) -> Result<Self, PackageError> {
        let mut own = self.clone();
        for (key, value) in node.entries()? {
            match key.scalar() {
                Some("solution") if value.is_null() => own.solution = Solution::None,
                Some("solution") => {
                    let text = value.text()?;
                    let path = text.strip_prefix('/').ok_or_else(|| {
                        let complaint = value.error("the solution's path must begin with `/`");
                        complaint.remedy("write it like `/submissions/accepted/PROGRAM`")
                    })?;
                    if path.contains(char::is_whitespace) {
                        return Err(value.error("a solution takes no arguments"));
                    }
                    words::inside(value, path)?;
                    own.solution = Solution::At(value.clone(), path.to_owned());
                }
                Some("random_salt") => {
                    own.salt = value.scalar().unwrap_or_default().to_owned();
                }
                Some("retries") => own.retries = value.integer(1)?,
                _ => {}
            }
        }
        Ok(own)
    }
}

impl Reader<'_> {
    /// Reads the directory `path`, which ends in a slash unless it is the root.
    fn group_files(&mut self, node: &Node, path: &str) {
        for name in ["test_group.yaml", "testdata.yaml"] {
            if let Some(settings) = node.get(name) {
                let file = GroupFile {
                    node: settings.clone(),
                    text: words::to_yaml(settings),
                };
                self.spec.group_files.insert(format!("{path}{name}"), file);
            }
        }
    }

    fn directory(
        &mut self,
        node: &Node,
        path: &str,
        outer: &Inherited,
    ) -> Result<(), PackageError> {
        check_keys_of_group(node)?;
        let inherited = outer.with(node)?;
        self.group_files(node, &format!("{path}/"));
        if let Some(include) = node.get("include") {
            self.include(include, path)?;
        }
        let Some(data) = node.get("data") else {
            return Ok(());
        };
        let Value::List(items) = &data.value else {
            // As in BAPCtools: keys in alphabetical order, which numbers the cases below them.
            let mut entries: Vec<_> = data.entries()?.iter().collect();
            entries.sort_by_key(|(key, _)| key.scalar().unwrap_or_default());
            for (key, child) in entries {
                let name = words::name(key)?;
                self.child(key, child, &format!("{path}/{name}"), &inherited, false)?;
            }
            return Ok(());
        };
        if !path.contains('/') && items.is_empty() {
            return Ok(());
        }
        let mut groups = 0;
        for item in items {
            let count = item.entries()?.iter().filter(|(_, c)| !is_case(c)).count();
            groups += count;
        }
        let group_width = groups.to_string().len();
        let mut next_group = 1;
        for item in items {
            let [(key, child)] = item.entries()? else {
                return Err(item
                    .error("an item of a numbered list must have exactly one key, its name")
                    .remedy("indent what describes the case one level more"));
            };
            let label = label(key)?;
            let own = if is_case(child) {
                format!("{path}/{label}")
            } else {
                let own = format!("{path}/{next_group:0group_width$}{label}");
                next_group += 1;
                own
            };
            self.child(key, child, &own, &inherited, true)?;
        }
        Ok(())
    }

    /// Reads a case or a directory. A numbered case has its number before the last part of `path`.
    fn child(
        &mut self,
        key: &Node,
        node: &Node,
        path: &str,
        inherited: &Inherited,
        numbered: bool,
    ) -> Result<(), PackageError> {
        let first = self.spec.cases.len();
        if is_case(node) {
            self.case(key, node, path, inherited, numbered)?;
        } else {
            self.directory(node, path, inherited)?;
        }
        let range = first..self.spec.cases.len();
        let text = key.scalar().unwrap_or_default().to_owned();
        self.keys.entry(text).or_default().push(range);
        Ok(())
    }

    fn include(&mut self, include: &Node, path: &str) -> Result<(), PackageError> {
        for item in include.items()? {
            let key = item.text()?;
            let range = match self.keys.get(key).map(Vec::as_slice) {
                Some([one]) => one.clone(),
                Some(_) => {
                    return Err(item
                        .error(format!("`{key}` is ambiguous"))
                        .remedy("give each case or group of this name another one"));
                }
                None => {
                    return Err(item
                        .error(format!("no case or group `{key}` precedes this"))
                        .remedy("move it before this, or correct the name"));
                }
            };
            for k in range {
                let mut case = self.spec.cases[k].clone();
                let origin = self.origins.get(&case.path).unwrap_or(&case.path).clone();
                let name = case.path.rsplit('/').next().unwrap_or_default();
                case.path = format!("{path}/{name}");
                case.may_repeat = true;
                // Two included groups may both include this case.
                if self.origins.get(&case.path) != Some(&origin) {
                    self.push(item, case, origin)?;
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, key: &Node, rule: CaseRule, origin: String) -> Result<(), PackageError> {
        if self.spec.cases.len() == MAX_CASES {
            return Err(key
                .error(format!("more than {MAX_CASES} cases"))
                .remedy("reduce `count` or `include`"));
        }
        if self.origins.insert(rule.path.clone(), origin).is_some() {
            return Err(key
                .error(format!("the case `{}` is made twice", rule.path))
                .remedy("rename one of the two"));
        }
        self.spec.cases.push(rule);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
