//! Cases in one file, as contestants' tools keep them: cargo-compete's `testcases/NAME.yml` and cph's
//! `.cph/.NAME_HASH.prob`.
//!
//! The cases are called `NAME-1`, ..., so that each program has its own; cargo-compete's have their own
//! names if there is only one file.

use super::super::common::{pair, plain_name};
use super::super::pairs::two_directories;
use super::super::settings::report_large_tolerance;
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::tree::{Tree, names};
use crate::input::units::{duration, parse_time};
use crate::input::yaml::{self, Node};
use crate::model::{FileIo, TestCase, ToolProblem};
use crate::override_checker::tolerance_args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Largest file that is read.
const MAX_BYTES: u64 = 64 << 20;
/// The directory of cph.
const CPH: &str = ".cph";

struct Found {
    path: PathBuf,
    /// The name of the program that the cases belong to, without extension.
    program: String,
    is_cph: bool,
}

/// Whether `dir`, whose entries have these names, has files of cases.
pub fn exist(dir: &Path, names: &[String]) -> bool {
    !find(dir, names).is_empty()
}

/// The files of cases in `dir`, whose entries have the names `inside`.
fn find(dir: &Path, inside: &[String]) -> Vec<Found> {
    let mut found = Vec::new();
    for name in inside {
        let ends = [".yml", ".yaml"];
        let stem = ends.iter().find_map(|end| name.strip_suffix(end));
        let Some(stem) = stem.filter(|stem| !stem.starts_with('.')) else {
            continue;
        };
        let path = dir.join(name);
        // Other tools have such files, too.
        let is_read = parse(dir, &path).is_ok_and(|yaml| {
            let has_cases = yaml.get("cases").is_some() || yaml.get("extend").is_some();
            yaml.get("type").is_some() && (has_cases || is_interactive(&yaml))
        });
        if is_read {
            let (program, is_cph) = (stem.to_owned(), false);
            found.push(Found {
                path,
                program,
                is_cph,
            });
        }
    }
    let cph = dir.join(CPH);
    let mut problems: Vec<String> = names(&cph).collect();
    problems.sort();
    for name in problems {
        // `.sol.cpp_0123456789abcdef0123456789abcdef.prob`
        let Some(stem_with_hash) = name.strip_suffix(".prob") else {
            continue;
        };
        let source = stem_with_hash.trim_start_matches('.');
        let source = source.rsplit_once('_').map_or(source, |(source, _)| source);
        let program = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
        found.push(Found {
            path: cph.join(&name),
            program: program.to_owned(),
            is_cph: true,
        });
    }
    found
}

/// Whether it is cargo-compete's file of an interactive problem, which has no cases.
fn is_interactive(yaml: &Node) -> bool {
    yaml.get("type").and_then(Node::scalar) == Some("Interactive")
}

/// Parses a file in `dir`; JSON is YAML.
fn parse(dir: &Path, path: &Path) -> Result<Node, PackageError> {
    let inside = path.strip_prefix(dir).unwrap_or(path).to_string_lossy();
    let text = PackageDir::new(dir)?.file(&inside)?.text(MAX_BYTES)?;
    yaml::parse_leniently(path, &text).map(|(node, _)| node)
}

/// Reads the cases of the tools' files in `dir` with their limits, and if there is one file, what it says about the
/// problem.
pub fn read(builder: &mut PackageBuilder, dir: &Path) -> Result<Vec<TestCase>, PackageError> {
    let mut inside: Vec<String> = names(dir).collect();
    inside.sort();
    let files = find(dir, &inside);
    let mut cases = Vec::new();
    if files.is_empty() {
        return Ok(cases);
    }
    let staging_dir = builder.staging_dir()?;
    for file in &files {
        let yaml = parse(dir, &file.path)?;
        let (list, keys) = match file.is_cph {
            true => {
                let tests = yaml.get("tests").ok_or_else(|| {
                    let error = yaml.error("has no `tests`");
                    error.remedy("save the problem in cph again, or remove the file")
                })?;
                (tests.items()?, ["input", "output"])
            }
            false => (yaml.list("cases")?, ["in", "out"]),
        };
        let matching = yaml.get("match");
        let mut own = Vec::new();
        for (k, node) in list.iter().enumerate() {
            let given = node.optional("name", Node::text)?;
            let name = match given.filter(|_| files.len() == 1 && !file.is_cph) {
                Some(name) => name.replace('/', "-"),
                None => format!("{}-{}", file.program, k + 1),
            };
            let write = |key: &str, end: &str| {
                let text = node.optional(key, |node| Ok(node.scalar().unwrap_or_default()))?;
                let name = format!("{}/{k}.{end}", file.program);
                let write = |text: &str| staging_dir.write(&name, text.as_bytes());
                text.map(write).transpose()
            };
            let input = write(keys[0], "in")?.ok_or_else(|| {
                let error = node.error(format!("has no `{}`", keys[0]));
                error.remedy("add it, or remove the case")
            })?;
            let answer = write(keys[1], "out")?;
            let mut case = pair(&name, input, answer);
            case.validator_args = match_arguments(builder, node.get("match").or(matching))?;
            own.push(case);
        }
        let extend = yaml.get("extend").map_or(&[][..], Node::one_or_more);
        for node in extend.iter().filter(|_| !file.is_cph) {
            own.extend(extended(builder, dir, node, matching)?);
        }
        let (time, memory) = limits(&yaml, file.is_cph)?;
        let is_interactive = match file.is_cph {
            true => yaml.flag("interactive")?,
            false => is_interactive(&yaml),
        };
        builder.package.tool_problems.push(ToolProblem {
            program: file.program.clone(),
            file: file.path.clone(),
            is_interactive,
            has_cases: !own.is_empty(),
        });
        if files.len() == 1 {
            let limits = &mut builder.package.limits;
            time.into_iter()
                .for_each(|time| limits.set_time(Some(time), time));
            memory
                .into_iter()
                .for_each(|bytes| limits.set_memory(bytes));
            builder.package.kind.interactive = is_interactive;
            if file.is_cph {
                builder.package.file_io = FileIo {
                    input: file_name(&yaml, "input")?,
                    output: file_name(&yaml, "output")?,
                };
            }
        } else {
            for case in &mut own {
                (case.time_limit, case.memory_limit) = (time, memory);
            }
        }
        cases.append(&mut own);
    }
    Ok(cases)
}

/// Warns of files with cases in `dir` that are not read, because there are others.
pub fn report_unread(tree: &mut Tree, dir: &Path) {
    let mut inside: Vec<String> = names(dir).collect();
    inside.sort();
    let mut found = find(dir, &inside).into_iter();
    if let Some(first) = found.next() {
        let path = match found.next() {
            Some(_) if first.is_cph => dir.join(CPH),
            Some(_) => dir.to_owned(),
            None => first.path,
        };
        let what = "has cases that are not read, because there are others";
        let remedy = "keep the cases in one place";
        tree.warning(PackageError::new(path, what).remedy(remedy));
    }
}

/// The file that a program opens, by cph's `"input": {"type": "file", "fileName": "sum.in"}`.
fn file_name(yaml: &Node, key: &str) -> Result<Option<String>, PackageError> {
    let Some(node) = yaml.get(key) else {
        return Ok(None);
    };
    let is_file = node.get("type").and_then(Node::scalar) == Some("file");
    let name = node
        .get("fileName")
        .filter(|name| is_file && name.scalar() != Some(""));
    name.map(|name| Ok(plain_name(name)?.to_owned()))
        .transpose()
}

/// The cases of an entry of cargo-compete's `extend`: `path: ./a` with `in: /in/*.txt` and `out: /out/*.txt`, as its
/// command writes it whether or not there are such files.
fn extended(
    builder: &mut PackageBuilder,
    dir: &Path,
    node: &Node,
    matching: Option<&Node>,
) -> Result<Vec<TestCase>, PackageError> {
    let inside = |key: &str| {
        let pattern = node.get(key).and_then(Node::scalar)?;
        let (name, files) = pattern.trim_start_matches('/').split_once('/')?;
        ["*.txt", "*"].contains(&files).then_some(name)
    };
    let base = node.get("path").and_then(Node::scalar).unwrap_or_default();
    let base = dir.join(base.trim_start_matches("./"));
    let (Some(inputs), Some(answers)) = (inside("in"), inside("out")) else {
        let error =
            node.error("is not read: only a `path` with `in: /in/*.txt` and `out: /out/*.txt`");
        builder
            .tree
            .warning(error.remedy("write the cases into `cases`, or as `1.in` and `1.out`"));
        return Ok(Vec::new());
    };
    let both = [inputs, answers].map(|name| base.join(name));
    if !both.iter().all(|dir| dir.is_dir()) {
        return Ok(Vec::new());
    }
    let arguments = match_arguments(builder, node.get("match").or(matching))?;
    let mut cases = two_directories(&mut builder.tree, both)?;
    for case in &mut cases {
        case.validator_args.clone_from(&arguments);
    }
    Ok(cases)
}

/// cargo-compete's `match: {Float: {absolute_error: 1e-6}}`.
fn match_arguments(
    builder: &mut PackageBuilder,
    matching: Option<&Node>,
) -> Result<Vec<String>, PackageError> {
    if let Some(checker) = matching.and_then(|matching| matching.get("Checker")) {
        let what = "the command is not run: outputs are compared with the answers";
        let remedy = "name a checker: --checker, or `checker:` in judge.yaml";
        builder.tree.warning(checker.error(what).remedy(remedy));
    }
    let float = matching.and_then(|matching| matching.get("Float"));
    let mut largest: Option<f64> = None;
    for key in ["absolute_error", "relative_error"] {
        let found = float.and_then(|float| float.get(key));
        if let Some(node) = found.filter(|node| !node.is_null()) {
            let error = node.positive()?;
            report_large_tolerance(&mut builder.tree, node, error);
            largest = Some(largest.map_or(error, |largest| largest.max(error)));
        }
    }
    Ok(largest.map(tolerance_args).into_iter().flatten().collect())
}

/// The limits of time and memory; 0 stands for none.
fn limits(yaml: &Node, is_cph: bool) -> Result<(Option<Duration>, Option<u64>), PackageError> {
    if !is_cph {
        let time = yaml.get("timelimit").and_then(Node::scalar);
        return Ok((time.and_then(parse_time), None));
    }
    let number = |key: &str| -> Result<Option<f64>, PackageError> {
        let given = yaml.get(key).filter(|node| node.scalar() != Some("0"));
        given.map(Node::positive).transpose()
    };
    let time = number("timeLimit")?.and_then(|milliseconds| duration(milliseconds / 1000.0));
    // Whole numbers of bytes below 2^53; `as` saturates.
    let memory = number("memoryLimit")?.map(|mib| (mib * f64::from(1 << 20)) as u64);
    Ok((time, memory))
}
