//! Rewrites a package of version legacy as one of 2025-09.
//!
//! The new package is staged beside the old one, with links to the files that do not change, and takes its
//! place when it is complete. Comments in YAML files stay; what a person must check is returned.

mod blocks;
mod groups;

use crate::metadata::Metadata;
use crate::yaml::{YamlLines, list, quoted};
use blocks::Blocks;
use judge_package::{Kind, Package, PackageError, TimeLimit, yaml};
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use walkdir::WalkDir;

/// Rewrites the package in the directory `package.root`. Returns what to check by hand.
/// Fails when the package is not one of version legacy, or is in an archive, or cannot be written.
pub fn upgrade(package: &Package) -> Result<Vec<String>, PackageError> {
    let root = &package.origin;
    if !package.format.starts_with("legacy") {
        let what = format!(
            "is of format {}, and only version legacy is upgraded",
            package.format
        );
        return Err(PackageError::new(root, what).remedy("write it as 2025-09 with `judge export`"));
    }
    if !root.is_dir() {
        let what = "is an archive, which is not changed";
        return Err(PackageError::new(root, what).remedy("unpack it, or use `judge export`"));
    }
    let root = root.canonicalize().map_err(|e| failed(root, &e))?;
    let mut upgrade = Upgrade {
        package,
        staged: staged_copy(&root)?,
        checks: Vec::new(),
    };
    upgrade.problem_yaml()?;
    upgrade.directories()?;
    upgrade.data()?;
    upgrade.submissions()?;
    upgrade.statements()?;
    let Upgrade { staged, checks, .. } = upgrade;
    // Refuses a conversion whose result cannot be read.
    Package::read(staged.path()).map_err(|error| {
        let what = format!("cannot be converted: {}", error.what);
        PackageError::new(&root, what).remedy("write it as 2025-09 with `judge export`")
    })?;
    judge_os::replace_directory(staged.path(), &root).map_err(|e| failed(&root, &e))?;
    Ok(checks)
}

struct Upgrade<'p> {
    package: &'p Package,
    staged: TempDir,
    checks: Vec<String>,
}

/// A copy of the package beside it, made of links to its files.
fn staged_copy(root: &Path) -> Result<TempDir, PackageError> {
    let parent = root.parent().unwrap_or(root);
    let staged = tempfile::Builder::new()
        .prefix(".judge-upgrade-")
        .tempdir_in(parent)
        .map_err(|e| failed(parent, &e))?;
    for entry in WalkDir::new(root) {
        let entry = entry.map_err(|e| failed(root, &e.into()))?;
        let to = staged
            .path()
            .join(entry.path().strip_prefix(root).unwrap_or(entry.path()));
        let kind = entry.file_type();
        let made = if kind.is_dir() {
            fs::create_dir_all(&to)
        } else if kind.is_symlink() {
            fs::read_link(entry.path()).and_then(|target| judge_os::symlink(&target, &to))
        } else {
            fs::hard_link(entry.path(), &to).or_else(|_| fs::copy(entry.path(), &to).map(|_| ()))
        };
        made.map_err(|e| failed(entry.path(), &e))?;
    }
    let mode = root.metadata().map_err(|e| failed(root, &e))?.permissions();
    fs::set_permissions(staged.path(), mode).map_err(|e| failed(staged.path(), &e))?;
    Ok(staged)
}

impl Upgrade<'_> {
    fn check(&mut self, what: impl Into<String>) {
        self.checks.push(what.into());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.staged.path().join(name)
    }

    /// Replaces a file: the old one may be a link to that of the package.
    fn write(&self, name: &str, content: &str) -> Result<(), PackageError> {
        let path = self.path(name);
        let written = match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => fs::write(&path, content),
        };
        written.map_err(|e| failed(&path, &e))
    }

    fn rename(&self, from: &str, to: &str) -> Result<bool, PackageError> {
        let (from, to) = (self.path(from), self.path(to));
        if !from.exists() {
            return Ok(false);
        }
        if to.exists() {
            let what = format!(
                "exists beside `{}`",
                from.file_name().unwrap_or_default().display()
            );
            return Err(PackageError::new(&to, what).remedy("keep one of the two"));
        }
        fs::rename(&from, &to).map_err(|e| failed(&from, &e))?;
        Ok(true)
    }

    fn problem_yaml(&mut self) -> Result<(), PackageError> {
        let package = self.package;
        let file = package.root.join("problem.yaml");
        let metadata = Metadata::of(package)?;
        let text = match file.is_file() {
            true => fs::read_to_string(&file).map_err(|e| failed(&file, &e))?,
            false => String::new(),
        };
        let node = yaml::parse(&file, &text)?;
        let mut blocks = Blocks::parse(&text);
        for key in ["validation", "validator_flags", "source_url", "libraries"] {
            blocks.remove(key);
        }
        if let Some(validation) = node.get("validation").and_then(|node| node.scalar())
            && validation.contains("score")
        {
            self.check(
                "the output validator gives points: `score.txt` may hold at most those of the case",
            );
        }
        blocks.set(
            "problem_format_version",
            "problem_format_version: 2025-09\n",
            true,
        );
        blocks.set("type", &type_line(package.kind), false);
        if node.get("name").is_none() {
            blocks.set("name", &format!("name: {}\n", quoted(&package.name)), false);
        }
        if node.get("uuid").is_none() {
            blocks.set("uuid", &format!("uuid: {}\n", metadata.uuid), false);
        }
        if node.get("author").is_some() {
            let credits = format!("credits:\n  authors: {}\n", list(&metadata.authors));
            blocks.rename("author", "credits", &credits);
        }
        if let Some((name, url)) = metadata.sources.first() {
            let mut source = format!("source:\n  name: {}\n", quoted(name));
            if let Some(url) = url {
                source.value(2, "url", quoted(url));
            }
            blocks.set("source", &source, false);
        } else {
            blocks.remove("source");
        }
        let is_word = |node: &yaml::Node| node.scalar().is_some();
        if node.get("keywords").is_some_and(is_word) {
            blocks.set(
                "keywords",
                &format!("keywords: {}\n", list(&metadata.keywords)),
                false,
            );
        }
        if node.get("grading").is_some() {
            blocks.remove("grading");
            self.check("`grading` was removed from problem.yaml: compare the points of the groups");
        }
        self.limits(&mut blocks, &node);
        self.write("problem.yaml", &blocks.text())
    }

    /// Renames the factors of the time limit, and adds a limit from another file.
    fn limits(&mut self, blocks: &mut Blocks, node: &yaml::Node) {
        let limits = &self.package.limits;
        let block = blocks.get("limits").unwrap_or("limits:\n").to_owned();
        // A map in one line becomes one line for each key.
        let is_inline = block
            .lines()
            .any(|line| line.starts_with("limits") && line.contains('{'));
        let block = match node.get("limits").map(|limits| limits.entries()) {
            Some(Ok(entries)) if is_inline => {
                let mut text = String::from("limits:\n");
                for (key, value) in entries {
                    if let (Some(key), Some(value)) = (key.scalar(), value.scalar()) {
                        let _ = writeln!(text, "  {key}: {value}");
                    }
                }
                text
            }
            _ => block,
        };
        let is_factor = |line: &&str| {
            let key = line.trim_start();
            key.starts_with("time_multiplier:") || key.starts_with("time_safety_margin:")
        };
        let mut text: String = block
            .lines()
            .filter(|line| !is_factor(line))
            .fold(String::new(), |all, line| all + line + "\n");
        let indent = text
            .lines()
            .find(|line| line.starts_with([' ', '\t']) && !line.trim_start().starts_with('#'))
            .map_or(2, |line| line.len() - line.trim_start().len());
        let mut add = |line: String| {
            let _ = writeln!(text, "{:indent$}{line}", "");
        };
        let is_given = node
            .get("limits")
            .is_some_and(|limits| limits.get("time_limit").is_some());
        if let (TimeLimit::Given(time), false) = (limits.time, is_given) {
            let seconds = time.as_secs_f64();
            add(format!("time_limit: {seconds}"));
            if seconds.fract() != 0.0 {
                let step = [0.5, 0.25, 0.1, 0.05, 0.01].into_iter().find(|step| {
                    let steps: f64 = seconds / step;
                    (steps - steps.round()).abs() < 1e-9
                });
                add(format!("time_resolution: {}", step.unwrap_or(0.001)));
            }
        }
        add("time_multipliers:".to_owned());
        for (key, value, old) in [
            (
                "ac_to_time_limit",
                limits.ac_to_time_limit,
                "time_multiplier:",
            ),
            (
                "time_limit_to_tle",
                limits.time_limit_to_tle,
                "time_safety_margin:",
            ),
        ] {
            let mut lines = block.lines();
            let line = lines.find(|line| line.trim_start().starts_with(old));
            let comment = line.and_then(|line| line.split_once(" #"));
            let comment = comment.map_or(String::new(), |(_, text)| format!(" #{text}"));
            add(format!("  {key}: {value}{comment}"));
        }
        blocks.set("limits", &text, false);
    }

    /// Renames the directories, and removes the file of a time limit that is in problem.yaml now.
    fn directories(&mut self) -> Result<(), PackageError> {
        self.rename("input_format_validators", "input_validators")?;
        self.rename("problem_statement", "statement")?;
        let programs = self.package.validation.programs().count();
        if programs > 1 {
            self.check("several output validators: make one of `output_validators/`, in `output_validator/`");
        } else if programs == 1 {
            self.rename("output_validators", "output_validator")?;
        } else if self.path("output_validators").is_dir() {
            self.check("`output_validators/` was not used, and is not in version 2025-09");
        }
        let timelimit = self.path(".timelimit");
        if timelimit.is_file() {
            fs::remove_file(&timelimit).map_err(|e| failed(&timelimit, &e))?;
        }
        if self.path("domjudge-problem.ini").is_file() {
            self.check("`domjudge-problem.ini` stays: its time limit is also in problem.yaml");
        }
        if self.package.grader.is_some() {
            self.check("`graders/`: version 2025-09 has no graders of a package");
        }
        Ok(())
    }

    fn submissions(&mut self) -> Result<(), PackageError> {
        let dir = self.path("submissions");
        let mut entries = String::new();
        for (name, entry) in [
            ("partially_accepted", "permitted: [AC, WA, TLE, RTE]"),
            ("no_output", "required: [WA]"),
            ("output_limit", "required: [RTE]"),
        ] {
            if dir.join(name).is_dir() {
                let _ = writeln!(entries, "{name}:\n  {entry}");
                self.check(format!(
                    "`submissions/{name}/`: see its entry in `submissions.yaml`"
                ));
            }
        }
        if dir.join("compiler_error").is_dir() {
            self.check("`submissions/compiler_error/`: version 2025-09 has no such expectation");
        }
        if dir.join("time_limit_exceeded").is_dir() {
            self.check("`submissions/time_limit_exceeded/`: version 2025-09 permits no WA there");
        }
        if entries.is_empty() || dir.join("submissions.yaml").exists() {
            return Ok(());
        }
        self.write("submissions/submissions.yaml", &entries)
    }

    /// Gives statements without a language that of English.
    fn statements(&mut self) -> Result<(), PackageError> {
        for ending in ["tex", "md", "pdf"] {
            let (from, to) = (
                format!("statement/problem.{ending}"),
                format!("statement/problem.en.{ending}"),
            );
            if self.path(&from).is_file() && self.rename(&from, &to)? {
                self.check(format!("`{to}`: it had no language in its name"));
            }
        }
        Ok(())
    }
}

fn type_line(kind: Kind) -> String {
    let mut types = vec![if kind.scoring { "scoring" } else { "pass-fail" }];
    if kind.interactive {
        types.push("interactive");
    }
    if kind.multi_pass {
        types.push("multi-pass");
    }
    match types.as_slice() {
        [only] => format!("type: {only}\n"),
        all => format!("type: [{}]\n", all.join(", ")),
    }
}

fn failed(path: &Path, error: &io::Error) -> PackageError {
    PackageError::of_file(path, "read or write", error)
}
