//! `generators/generators.yaml`, in the form that BAPCtools defines: which cases there are, and
//! how each is made.

use super::words::{self, Command};
use crate::package::PackageError;
use crate::package::yaml::{Node, Value};
use regex::{Regex, RegexBuilder};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// The directories of `data/` that can be made.
const ROOTS: [&str; 6] = [
    "sample",
    "secret",
    "invalid_input",
    "invalid_answer",
    "invalid_output",
    "valid_output",
];

/// The files of a case that hold text, and can stand in the file itself.
pub const TEXTS: [&str; 11] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "hint",
    "desc",
    "interaction",
    "yaml",
];

/// The most cases that one `count` makes, as in BAPCtools.
const MAX_COUNT: i64 = 100;

/// The most cases: as many as a package may have files.
const MAX_CASES: usize = 100_000;

/// What the file says.
#[derive(Debug, Default)]
pub struct Spec {
    /// The cases, in order.
    pub cases: Vec<CaseRule>,
    /// The settings of groups: path below `data/` and text.
    pub group_files: BTreeMap<String, String>,
    /// The directories of `data/` that the file speaks of.
    pub roots: BTreeSet<String>,
    /// Generators that are put together of several files: name, and files below `generators/`.
    pub generators: BTreeMap<String, Vec<String>>,
}

/// How a case is made. Where several sources give the same file, the text in the file itself goes
/// before the copy, and the copy before the generator.
#[derive(Clone, Debug)]
pub struct CaseRule {
    /// The path below `data/`, without extension.
    pub path: String,
    /// Where it stands, for complaints.
    pub place: Node,
    /// The generator's command.
    pub generate: Option<Command>,
    /// The path of a handmade case below `generators/`, without extension.
    pub copy: Option<String>,
    /// Files that stand in the file itself: extension and text.
    pub texts: BTreeMap<&'static str, String>,
    /// What must be found in the case's files: extension (`in` or `ans`) and pattern.
    pub patterns: Vec<(&'static str, Regex)>,
    /// What makes the answer.
    pub solution: Solution,
    /// Whether the same input may stand elsewhere: an included case, a `count` without `{count}`.
    pub may_repeat: bool,
}

/// What makes answers.
#[derive(Clone, Debug)]
pub enum Solution {
    /// The package's first accepted submission.
    Default,
    /// Nothing: answers are given.
    None,
    /// The program at this path of the package.
    At(Node, String),
}

/// What a directory hands down to what is in it.
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
    paths: HashSet<String>,
    /// Which cases stand behind a key, for `include`.
    keys: HashMap<String, Vec<Range<usize>>>,
}

/// Reads the file. `constants` are the package's; `seed`, where given, makes all seeds others.
pub fn read(
    root: &Node,
    constants: &[(String, String)],
    seed: Option<u64>,
) -> Result<Spec, PackageError> {
    root.only(&[
        "solution",
        "random_salt",
        "retries",
        "generators",
        "data",
        "version",
        "test_group.yaml",
        "testdata.yaml",
        // Of earlier versions of BAPCtools: neither changes what is made.
        "gitignore_generated",
        "visualizer",
    ])?;
    let mut reader = Reader {
        constants,
        seed,
        next: 1,
        width: numbered(root)?.to_string().len(),
        spec: Spec::default(),
        paths: HashSet::new(),
        keys: HashMap::new(),
    };
    if let Some(generators) = root.get("generators") {
        for (key, files) in generators.entries()? {
            let files_list = files.texts()?;
            if files_list.is_empty() {
                return Err(key.error("the generator has no files"));
            }
            for file in &files_list {
                words::inside(file).map_err(|what| files.error(what))?;
            }
            let name = key.text()?.to_owned();
            reader.spec.generators.insert(name, files_list);
        }
    }
    let inherited = Inherited {
        solution: Solution::Default,
        salt: String::new(),
        retries: 1,
    }
    .with(root)?;
    let data = root
        .get("data")
        .ok_or_else(|| root.error("there is no `data`, so there is nothing to make"))?;
    reader.group_files(root, "");
    for (key, node) in data.entries()? {
        let name = key.text()?;
        if !ROOTS.contains(&name) {
            return Err(key.unknown_key(&ROOTS));
        }
        reader.spec.roots.insert(name.to_owned());
        reader.directory(node, name, &inherited)?;
    }
    Ok(reader.spec)
}

impl Inherited {
    /// The same with what `node` says otherwise.
    fn with(&self, node: &Node) -> Result<Self, PackageError> {
        let mut own = self.clone();
        for (key, value) in node.entries()? {
            match key.scalar() {
                Some("solution") if value.is_null() => own.solution = Solution::None,
                Some("solution") => {
                    let text = value.text()?;
                    let path = text
                        .strip_prefix('/')
                        .ok_or_else(|| value.error("the solution's path must begin with `/`"))?;
                    if path.contains(char::is_whitespace) {
                        return Err(value.error("a solution takes no arguments"));
                    }
                    words::inside(path).map_err(|what| value.error(what))?;
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
    /// The settings of the directory `path`, which ends in a slash or is that of all data.
    fn group_files(&mut self, node: &Node, path: &str) {
        for name in ["test_group.yaml", "testdata.yaml"] {
            if let Some(settings) = node.get(name) {
                let text = words::to_yaml(settings);
                self.spec.group_files.insert(format!("{path}{name}"), text);
            }
        }
    }

    fn directory(
        &mut self,
        node: &Node,
        path: &str,
        outer: &Inherited,
    ) -> Result<(), PackageError> {
        node.only(&[
            "data",
            "include",
            "test_group.yaml",
            "testdata.yaml",
            "solution",
            "random_salt",
            "retries",
            "visualizer",
        ])?;
        let inherited = outer.with(node)?;
        self.group_files(node, &format!("{path}/"));
        if let Some(include) = node.get("include") {
            self.include(include, path)?;
        }
        let Some(data) = node.get("data") else {
            return Ok(());
        };
        let Value::List(items) = &data.value else {
            for (key, child) in data.entries()? {
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
            let label = match key.scalar() {
                Some("") => String::new(),
                _ => format!("-{}", words::name(key)?),
            };
            let own = if is_case(child) {
                format!("{path}/{label}")
            } else {
                let own = format!("{path}/g{next_group:0group_width$}{label}");
                next_group += 1;
                own
            };
            self.child(key, child, &own, &inherited, true)?;
        }
        Ok(())
    }

    /// A case or a directory. The number of a numbered case goes before the last part of `path`.
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
                Some(_) => return Err(item.error(format!("`{key}` stands for several"))),
                None => {
                    return Err(item.error(format!("no case or group `{key}` stands before this")));
                }
            };
            for k in range {
                let mut case = self.spec.cases[k].clone();
                let name = case.path.rsplit('/').next().unwrap_or_default();
                case.path = format!("{path}/{name}");
                case.may_repeat = true;
                self.push(item, case)?;
            }
        }
        Ok(())
    }

    fn case(
        &mut self,
        key: &Node,
        node: &Node,
        path: &str,
        outer: &Inherited,
        numbered: bool,
    ) -> Result<(), PackageError> {
        let mut rule = CaseRule {
            path: String::new(),
            place: key.clone(),
            generate: None,
            copy: None,
            texts: BTreeMap::new(),
            patterns: Vec::new(),
            solution: outer.solution.clone(),
            may_repeat: false,
        };
        let mut command = None;
        let mut counts = None;
        let mut inherited = outer.clone();
        match &node.value {
            _ if node.is_null() => {
                return Err(key
                    .error("nothing says how to make this case")
                    .remedy("move a handmade case below generators/ and name it with `copy:`"));
            }
            Value::Scalar { text, .. } => match text.strip_suffix(".in") {
                Some(copy) if !text.contains(char::is_whitespace) => {
                    rule.copy = Some(copied(node, copy)?);
                }
                _ => command = Some((node, text.as_str())),
            },
            _ => {
                let mut known = vec![
                    "generate",
                    "copy",
                    "count",
                    "match",
                    "solution",
                    "random_salt",
                    "retries",
                ];
                known.extend(TEXTS);
                node.only(&known)?;
                inherited = outer.with(node)?;
                rule.solution = inherited.solution.clone();
                if let Some(generate) = node.get("generate") {
                    command = Some((generate, generate.text()?));
                }
                if let Some(copy) = node.get("copy") {
                    rule.copy = Some(copied(copy, copy.text()?)?);
                }
                for name in TEXTS {
                    if let Some(value) = node.get(name) {
                        rule.texts.insert(name, text_of(name, value)?);
                    }
                }
                if let Some(patterns) = node.get("match") {
                    rule.patterns = patterns_of(patterns)?;
                }
                counts = node
                    .get("count")
                    .map(|c| Ok((c, counts_of(c)?)))
                    .transpose()?;
                if command.is_none() && rule.copy.is_none() && !rule.texts.contains_key("in") {
                    return Err(key.error("needs one of `generate`, `copy` and `in`"));
                }
            }
        }
        let list = counts.as_ref().map_or(vec![1], |(_, list)| list.clone());
        let consecutive = list
            .iter()
            .max()
            .zip(list.iter().min())
            .is_some_and(|(max, min)| max - min == list.len() as i64 - 1);
        let longest = list.iter().map(|n| n.to_string().len()).max().unwrap_or(1);
        let padding = if consecutive { longest } else { 0 };
        for count in list {
            let mut own = rule.clone();
            own.path = if numbered {
                let (dir, label) = path.rsplit_once('/').unwrap_or(("", path));
                let number = self.next;
                self.next += 1;
                format!("{dir}/{number:0width$}{label}", width = self.width)
            } else {
                path.to_owned()
            };
            if counts.is_some() {
                own.path.push_str(&format!("-{count:0padding$}"));
            }
            if let Some((node, text)) = command {
                let command = self.command(node, text, &inherited, counts.is_some(), count)?;
                own.may_repeat = counts.is_some() && !text.contains("{count}") && !command.seeded;
                own.generate = Some(command);
            }
            self.push(key, own)?;
        }
        Ok(())
    }

    fn command(
        &self,
        node: &Node,
        text: &str,
        inherited: &Inherited,
        counted: bool,
        count: i64,
    ) -> Result<Command, PackageError> {
        let mut text = crate::text::substitute(text.trim(), self.constants);
        if text.contains("{count}") {
            if !counted {
                return Err(node.error("`{count}` stands here, but there is no `count:`"));
            }
            text = text.replace("{count}", &count.to_string());
        }
        let mut salt = self.seed.map_or(String::new(), |seed| format!("{seed}:"));
        salt.push_str(&inherited.salt);
        if count != 1 {
            salt.push_str(&format!(":{}", count - 1));
        }
        Command::parse(&text, &salt, inherited.retries).map_err(|what| node.error(what))
    }

    fn push(&mut self, key: &Node, rule: CaseRule) -> Result<(), PackageError> {
        if self.spec.cases.len() == MAX_CASES {
            return Err(key.error(format!("more than {MAX_CASES} cases")));
        }
        if !self.paths.insert(rule.path.clone()) {
            return Err(key.error(format!("the case `{}` is made twice", rule.path)));
        }
        self.spec.cases.push(rule);
        Ok(())
    }
}

/// How many cases get a number.
fn numbered(node: &Node) -> Result<usize, PackageError> {
    let Some(data) = node.get("data") else {
        return Ok(0);
    };
    let mut total = 0;
    let is_list = matches!(data.value, Value::List(_));
    for item in data.one_or_more() {
        for (_, child) in item.entries()? {
            total += match child.get("count") {
                _ if !is_case(child) => numbered(child)?,
                _ if !is_list => 0,
                Some(count) => counts_of(count)?.len(),
                None => 1,
            };
        }
    }
    Ok(total)
}

/// Whether it describes a case, not a directory.
fn is_case(node: &Node) -> bool {
    match &node.value {
        Value::Scalar { .. } => true,
        Value::List(_) => false,
        Value::Map(entries) => entries.iter().any(|(key, _)| {
            let key = key.scalar().unwrap_or_default();
            ["generate", "copy", "count", "match"].contains(&key) || TEXTS.contains(&key)
        }),
    }
}

fn copied(node: &Node, path: &str) -> Result<String, PackageError> {
    words::inside(path).map_err(|what| node.error(what))?;
    if path.ends_with(".in") {
        return Err(node.error("the path of a copied case stands without its extension"));
    }
    Ok(path.to_owned())
}

fn text_of(name: &str, value: &Node) -> Result<String, PackageError> {
    let mut text = match &value.value {
        Value::Map(_) if name == "yaml" => return Ok(words::to_yaml(value)),
        Value::Map(_) => {
            return Err(value
                .error(format!("a link for `{name}` is not supported"))
                .remedy("write the text itself"));
        }
        _ => value.text()?.to_owned(),
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn counts_of(node: &Node) -> Result<Vec<i64>, PackageError> {
    let number = |node: &Node| -> Result<i64, PackageError> {
        let text = node.text()?;
        text.parse()
            .ok()
            .filter(|n: &i64| n.unsigned_abs() < 1 << 40)
            .ok_or_else(|| node.error(format!("`{text}` is no whole number below 2^40")))
    };
    let list: Vec<i64> = match &node.value {
        Value::List(items) => items.iter().map(number).collect::<Result<_, _>>()?,
        _ => match node.text()?.split_once("..=") {
            None => (1..=number(node)?.clamp(0, MAX_COUNT + 1)).collect(),
            Some((low, high)) => {
                let bound = |text: &str| {
                    text.parse::<i64>()
                        .ok()
                        .filter(|n| n.unsigned_abs() < 1 << 40)
                        .ok_or_else(|| node.error("expected a range such as `1..=5`"))
                };
                let (low, high) = (bound(low)?, bound(high)?);
                (low..=high.min(low + MAX_COUNT)).collect()
            }
        },
    };
    let distinct: BTreeSet<i64> = list.iter().copied().collect();
    if list.is_empty() || list.len() as i64 > MAX_COUNT || distinct.len() != list.len() {
        let what = format!("expected 1 to {MAX_COUNT} counts, each once");
        return Err(node.error(what));
    }
    Ok(list)
}

fn patterns_of(node: &Node) -> Result<Vec<(&'static str, Regex)>, PackageError> {
    let pattern = |item: &Node| {
        RegexBuilder::new(item.text()?)
            .multi_line(true)
            .dot_matches_new_line(true)
            .build()
            .map_err(|e| item.error(format!("not a regular expression: {e}")))
    };
    let mut patterns = Vec::new();
    if matches!(node.value, Value::Map(_)) {
        node.only(&["in", "ans"])?;
        for name in ["in", "ans"] {
            for item in node.get(name).map_or(&[][..], Node::one_or_more) {
                patterns.push((name, pattern(item)?));
            }
        }
    } else {
        for item in node.one_or_more() {
            patterns.push(("in", pattern(item)?));
        }
    }
    Ok(patterns)
}

#[cfg(test)]
mod tests {
    use super::{MAX_CASES, read};
    use crate::package::yaml;
    use std::path::Path;

    fn complaint(text: &str) -> String {
        let node = yaml::parse(Path::new("generators.yaml"), text).expect("YAML");
        read(&node, &[], None)
            .map(|spec| format!("{} cases", spec.cases.len()))
            .unwrap_or_else(|e| e.to_string())
    }

    #[test]
    fn settings_may_stand_above_all_data() {
        let text = "visualizer: /v.py\ngitignore_generated: true\n\
                    test_group.yaml: {output_validator_args: [case_sensitive]}\n\
                    data: {secret: {test_group.yaml: {max_score: 5}, data: {a: g 1}}}\n";
        let node = yaml::parse(Path::new("generators.yaml"), text).expect("YAML");
        let files = read(&node, &[], None).expect("rules").group_files;
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(paths, ["secret/test_group.yaml", "test_group.yaml"]);
        assert!(files["test_group.yaml"].contains("case_sensitive"));
    }

    #[test]
    fn hostile_rules_are_bounded() {
        let counted = |count: &str| {
            complaint(&format!(
                "data: {{secret: {{data: [a: {{generate: g, count: {count}}}]}}}}"
            ))
        };
        assert_eq!(counted("[1, -3]"), "2 cases");
        let extremes = "[-9223372036854775808, 9223372036854775807]";
        assert!(counted(extremes).contains("no whole number below 2^40"));
        assert!(counted("-9223372036854775808..=1").contains("expected a range"));
        assert!(counted("1000000").contains("expected 1 to 100 counts"));

        // A thousand groups, each with the thousand cases of the first.
        let mut text = "data:\n  secret:\n    data:\n      - g:\n          data:\n".to_owned();
        for case in 0..1000 {
            text.push_str(&format!("            c{case}: x\n"));
        }
        for group in 0..1000 {
            text.push_str(&format!("      - h{group}: {{include: [g]}}\n"));
        }
        assert!(complaint(&text).contains(&format!("more than {MAX_CASES} cases")));
    }
}
