//! Problems of rbx: `problem.rbx.yml`, with tests that `rbx build` made or that generators make.
//!
//! Source: rbx's documentation and the schema of its configuration.

mod profiles;
mod programs;
mod script;
mod solutions;
mod tests;
mod variables;

use self::programs::Programs;
use self::variables::Variables;
use super::common::{begin, make_scoring};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::units::{milliseconds, size};
use crate::input::yaml::Node;
use crate::model::{LimitSource, Package};
use regex::Regex;
use std::path::PathBuf;

/// The names of the configuration.
const FILES: [&str; 2] = ["problem.rbx.yml", "problem.rbx.yaml"];

/// The keys of the configuration; rbx refuses others.
const KEYS: [&str; 27] = [
    "name",
    "titles",
    "type",
    "scoring",
    "timeLimit",
    "memoryLimit",
    "outputLimit",
    "timing",
    "modifiers",
    "checker",
    "interactor",
    "validator",
    "extraValidators",
    "outputValidators",
    "visualizer",
    "solutionVisualizer",
    "generators",
    "generatorScript",
    "solutions",
    "testcases",
    "stresses",
    "statements",
    "tutorials",
    "vars",
    "unitTests",
    "boca",
    "$schema",
];

/// rbx' format.
pub struct Rbx;

impl Format for Rbx {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let mut files = FILES.iter();
        files
            .any(|name| dir.has_file(name))
            .then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        begin(builder, "rbx");
        builder.package.policy.strict_inputs = true;
        let yaml = configuration(builder)?;
        yaml.only(&KEYS)?;
        settings(&mut builder.package, &yaml)?;
        profiles::read(builder)?;
        let variables = Variables::read(builder, &yaml)?;
        let programs = Programs::read(builder, &yaml, &variables)?;
        let solutions = solutions::read(builder, &yaml)?;
        tests::read(
            builder,
            &yaml,
            &programs,
            solutions.main.as_deref(),
            &variables,
        )
    }
}

fn configuration(builder: &mut PackageBuilder) -> Result<Node, PackageError> {
    let root = builder.tree.root.clone();
    let name = FILES.iter().find(|name| builder.tree.dir.has_file(name));
    builder.tree.yaml(&root.join(name.unwrap_or(&FILES[0])))
}

/// Reads the title, the limits, and how submissions are run.
fn settings(package: &mut Package, yaml: &Node) -> Result<(), PackageError> {
    yaml.set("name", &mut package.name, |name| {
        name.text().map(str::to_owned)
    })?;
    if let Some(titles) = yaml.get("titles") {
        for (language, title) in titles.entries()? {
            let name = (language.text()?.to_owned(), title.text()?.to_owned());
            package.names.push(name);
        }
        let first = titles.entries()?.first().map(|(_, title)| title);
        if let Some(title) = titles.get("en").or(first) {
            title.text()?.clone_into(&mut package.name);
        }
    }
    let required = |key: &str, remedy: &str| {
        yaml.get(key)
            .ok_or_else(|| yaml.error(format!("has no `{key}`")).remedy(remedy))
    };
    let time = milliseconds(required(
        "timeLimit",
        "add `timeLimit: 1000`, in milliseconds",
    )?)?;
    package.limits.set_time(Some(time), time);
    package.limits.set_memory(mebibytes(required(
        "memoryLimit",
        "add `memoryLimit: 256`, in MiB",
    )?)?);
    package.limits.output = 4 << 20;
    package.limits.output_from = LimitSource::Format;
    profiles::set_optional(&mut package.limits, yaml)?;
    if let Some(kind) = yaml.get("type") {
        match plain(kind.text()?).as_str() {
            "batch" => {}
            "communication" => package.kind.interactive = true,
            _ => return Err(kind.is_not("a type", kind.text()?, &["batch", "communication"])),
        }
    }
    if let Some(kind) = yaml.get("scoring") {
        match plain(kind.text()?).as_str() {
            "binary" => {}
            "points" => make_scoring(package),
            _ => return Err(kind.is_not("a kind of scoring", kind.text()?, &["binary", "points"])),
        }
    }
    Ok(())
}

fn mebibytes(node: &Node) -> Result<u64, PackageError> {
    size(node, 1 << 20)
}

/// The code of a language that rbx' environment calls by its extension.
fn language_of(name: &str) -> &str {
    match name {
        "py" => "python3",
        "kt" => "kotlin",
        "rs" => "rust",
        "js" => "javascript",
        other => other,
    }
}

/// A word of the format, which has any letter case, blanks, `-` and `_`.
fn plain(text: &str) -> String {
    let letters = text
        .chars()
        .filter(|c| !c.is_whitespace() && !"-_".contains(*c));
    letters.flat_map(char::to_lowercase).collect()
}

/// The text of `path` in an entry: a map, or the path alone.
fn path_of(node: &Node) -> Result<&Node, PackageError> {
    match node.scalar() {
        Some(_) => Ok(node),
        None => node.get("path").ok_or_else(|| node.error("has no `path`")),
    }
}

/// The file of the package that the configuration names.
fn named(builder: &PackageBuilder, name: &Node) -> Result<PathBuf, PackageError> {
    let text = name.text()?;
    let found = builder.tree.dir.find(text)?;
    found.map(PackageFile::into_path).ok_or_else(|| {
        name.error(format!("there is no file `{text}`"))
            .remedy("add it, or correct the path")
    })
}

/// The files that a pattern matches, sorted: `*` and `?` within a name, `**` for any directories. A
/// path without them is itself.
fn matching(builder: &mut PackageBuilder, pattern: &Node) -> Result<Vec<String>, PackageError> {
    let text = pattern.text()?;
    let mut expression = String::from("^");
    let mut rest = text.strip_prefix("./").unwrap_or(text);
    while let Some(c) = rest.chars().next() {
        let (piece, taken) = match c {
            '*' if rest.starts_with("**/") => ("(?:[^/]+/)*".to_owned(), 3),
            '*' => ("[^/]*".to_owned(), 1),
            '?' => ("[^/]".to_owned(), 1),
            c => (regex::escape(&c.to_string()), c.len_utf8()),
        };
        expression.push_str(&piece);
        rest = &rest[taken..];
    }
    let expression = Regex::new(&(expression + "$"))
        .map_err(|_| pattern.error("is too long for a pattern of files"))?;
    let mut files = builder.tree.files(|name| name != "build")?;
    files.retain(|name| expression.is_match(name));
    files.sort();
    Ok(files)
}
