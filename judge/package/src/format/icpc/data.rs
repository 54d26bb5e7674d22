//! Combines the files below `data/` into test cases; the versions of the format interpret them.

use crate::error::{Finding, PackageError};
use crate::format::common::last;
use crate::format::icpc::Version;
use crate::input::text;
use crate::input::tree::{Tree, forbidden_name, is_valid_name};
use crate::input::yaml::{self, Node, Value};
use crate::model::{InputValidatorArgs, TestCase};
use crate::words::split_words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The extensions of the files of a test case; the first match counts.
const ENDINGS: [&str; 17] = [
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".in",
    ".ans",
    ".out",
    ".interaction",
    ".files",
    ".yaml",
    ".args",
    ".hint",
    ".desc",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
];

/// The extensions of illustrations.
const IMAGES: [&str; 4] = [".png", ".jpg", ".jpeg", ".svg"];

/// A directory of test data.
#[derive(Default)]
pub struct RawDir {
    /// The path below `data`: `secret/group1`.
    pub name: String,
    pub path: PathBuf,
    /// The cases directly in it, sorted by name.
    pub cases: Vec<RawCase>,
    /// The directories in it, sorted by name.
    pub dirs: Vec<RawDir>,
    /// `test_group.yaml`, if present.
    pub test_group: Option<PathBuf>,
    /// `testdata.yaml`, if present.
    pub testdata: Option<PathBuf>,
}

impl RawDir {
    /// Whether a `testdata.yaml` at any depth has one of these keys.
    pub fn testdata_has_key(&self, keys: &[&str]) -> bool {
        let yaml = self.testdata.as_deref().map(yaml::read_leniently);
        let has_key = yaml
            .and_then(Result::ok)
            .is_some_and(|(yaml, _)| keys.iter().any(|key| yaml.get(key).is_some()));
        has_key || self.dirs.iter().any(|dir| dir.testdata_has_key(keys))
    }

    /// Takes each `testdata.yaml` for a `test_group.yaml`, its name in the final version.
    pub fn rename_testdata(&mut self) {
        let testdata = self.testdata.take();
        self.test_group = self.test_group.take().or(testdata);
        self.dirs.iter_mut().for_each(RawDir::rename_testdata);
    }
}

/// The files of one test case.
#[derive(Default)]
pub struct RawCase {
    /// The path below `data` without extension: `secret/01`.
    pub name: String,
    /// The path of each file by extension.
    pub files: BTreeMap<&'static str, PathBuf>,
}

impl RawDir {
    /// Whether it contains cases at any depth.
    pub fn has_cases(&self) -> bool {
        !self.cases.is_empty() || self.dirs.iter().any(RawDir::has_cases)
    }

    /// Whether it contains a `testdata.yaml` at any depth.
    pub fn has_testdata_yaml(&self) -> bool {
        self.testdata.is_some() || self.dirs.iter().any(RawDir::has_testdata_yaml)
    }
}

/// Reads the directory `data`, which must have cases; those next to `sample` and `secret` count only
/// in legacy, which accepts any name.
pub fn scan_all(tree: &mut Tree, version: Version) -> Result<RawDir, PackageError> {
    let add = match tree.root.join("generators/generators.yaml").is_file() {
        true => "make it as `generators/generators.yaml` says: `judge gen PACKAGE`",
        false => "add test cases as `data/secret/NAME.in` and `data/secret/NAME.ans`",
    };
    let path = tree.root.join("data");
    if !path.is_dir() {
        let what = "is missing: the package has no test data";
        return Err(PackageError::new(&path, what).remedy(add));
    }
    let data = scan(tree, &path, "", version)?;
    if let (Some(case), true) = (data.cases.first(), version.is_legacy()) {
        tree.error(
            PackageError::new(&case.files[".in"], "is directly in `data`")
                .remedy("move it into `data/sample` or `data/secret`"),
        );
    } else if !data.dirs.iter().any(RawDir::has_cases) {
        let what = "has no test case in `sample` or `secret`";
        return Err(PackageError::new(&path, what).remedy(add));
    }
    Ok(data)
}

/// Whether the name of a file that is left out resembles that of a file of a case or of the settings.
fn is_like_data(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".in", ".ans", ".out", ".yml"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// The name that a file with almost a name of the format should have.
fn right_name(name: &str) -> Option<String> {
    let mut right = name.to_ascii_lowercase();
    if let Some(stem) = right.strip_suffix(".yml") {
        right = format!("{stem}.yaml");
    }
    let is_known = right == "test_group.yaml" || split(&right).is_some();
    (is_known && right != name).then_some(right)
}

/// Reads the directory `dir`, called `name` below `data`, recursively.
pub fn scan(
    tree: &mut Tree,
    dir: &Path,
    name: &str,
    version: Version,
) -> Result<RawDir, PackageError> {
    let mut raw = RawDir {
        name: name.to_owned(),
        path: dir.to_owned(),
        ..RawDir::default()
    };
    let mut cases: BTreeMap<String, RawCase> = BTreeMap::new();
    for entry in tree.list(dir)? {
        if !is_valid_name(&entry.name) {
            if !version.is_legacy() {
                let error = forbidden_name(&entry.path, "; it is left out");
                let finding = Finding::error(error).of_runs_if(is_like_data(&entry.name));
                tree.findings.push(finding);
                continue;
            }
            // Archives of older versions contain names with blanks and `+`.
            tree.warning(forbidden_name(&entry.path, ""));
        }
        let is_case_dir = entry.name.ends_with(".files");
        if entry.is_dir && !is_case_dir {
            let inner = join(name, &entry.name);
            raw.dirs.push(scan(tree, &entry.path, &inner, version)?);
            continue;
        }
        match entry.name.as_str() {
            "test_group.yaml" => raw.test_group = Some(entry.path),
            "testdata.yaml" => raw.testdata = Some(entry.path),
            other => match split(other) {
                Some((stem, ending)) if (ending == ".files") == entry.is_dir => {
                    cases
                        .entry(stem.to_owned())
                        .or_default()
                        .files
                        .insert(ending, entry.path);
                }
                _ if other.starts_with("README") => {}
                _ => {
                    let what = "is not part of a test case and is left out";
                    let mut error = PackageError::new(entry.path, what);
                    if let Some(right) = right_name(other) {
                        error =
                            error.remedy(format!("rename it to `{right}` if it belongs to one"));
                    }
                    let finding = Finding::warning(error);
                    tree.findings.push(finding.of_runs_if(is_like_data(other)));
                }
            },
        }
    }
    for (stem, mut case) in cases {
        case.name = join(name, &stem);
        if case.files.contains_key(".in") {
            raw.cases.push(case);
        } else {
            orphan(tree, &case, version);
        }
    }
    Ok(raw)
}

/// The path of `name` in the directory `dir`; `""` is `data` itself.
fn join(dir: &str, name: &str) -> String {
    format!("{dir}/{name}").trim_start_matches('/').to_owned()
}

/// Reports the files of a case without an input, which 2025-09 forbids. Older versions allow an
/// interaction on its own; another file that no judge reads is a warning there.
fn orphan(tree: &mut Tree, case: &RawCase, version: Version) {
    let is_final = version == Version::V2025;
    let mut files = case.files.iter();
    let Some((ending, path)) = files.find(|(ending, _)| is_final || **ending != ".interaction")
    else {
        return;
    };
    let input = path.with_file_name(format!("{}.in", last(&case.name)));
    let complaint = PackageError::new(path, "belongs to no test case: the input is missing")
        .remedy(format!(
            "add {}, or remove the `{ending}` file",
            input.display()
        ));
    if is_final || case.files.contains_key(".ans") {
        tree.error(complaint);
    } else {
        tree.warning(complaint);
    }
}

impl RawCase {
    /// Creates the test case; a missing answer is an error if `answer_needed` requires it.
    pub fn case(
        &self,
        tree: &mut Tree,
        sample: bool,
        answer_needed: Answer,
    ) -> Result<TestCase, PackageError> {
        let input = self.files[".in"].clone();
        let answer = self.files.get(".ans").cloned();
        if answer.is_none() && answer_needed != Answer::No {
            let wanted = input.with_file_name(format!("{}.ans", last(&self.name)));
            let complaint = PackageError::new(
                &input,
                format!("the input has no answer: {} is missing", wanted.display()),
            )
            .remedy("add the answer file; a problem that needs none has an empty one");
            if answer_needed == Answer::Required {
                return Err(complaint);
            }
            tree.error(complaint);
        }
        if let Some(dir) = self.files.get(".files") {
            check_files(tree, dir)?;
        }
        let args = match self.files.get(".args") {
            Some(path) => split_words(&text::read(path, 1 << 16)?)
                .map_err(|what| PackageError::new(path, what))?,
            None => Vec::new(),
        };
        let text = |ending| {
            let path = self.files.get(ending);
            path.map(|path| text::read(path, 1 << 20)).transpose()
        };
        Ok(TestCase {
            name: self.name.clone(),
            input: input.into(),
            answer: answer.map(Into::into),
            args,
            files: self.files.get(".files").cloned(),
            sample,
            output: self.files.get(".out").cloned(),
            illustration: IMAGES
                .iter()
                .find_map(|ending| self.files.get(ending).cloned()),
            description: text(".desc")?,
            hint: text(".hint")?,
            ..TestCase::default()
        })
    }
}

/// Reads arguments for all validators, or a map of their names; `arguments` reads those of one.
pub fn validator_args(
    node: &Node,
    mut arguments: impl FnMut(&Node) -> Result<Vec<String>, PackageError>,
) -> Result<InputValidatorArgs, PackageError> {
    let mut found = InputValidatorArgs::default();
    match &node.value {
        Value::Map(entries) => {
            for (name, args) in entries {
                let name = name.text()?.to_owned();
                found.by_name.push((name, arguments(args)?));
            }
        }
        _ => found.all = arguments(node)?,
    }
    Ok(found)
}

/// Checks that no link in a `.files` directory leads out of the package: submissions see its
/// content.
fn check_files(tree: &mut Tree, dir: &Path) -> Result<(), PackageError> {
    for entry in tree.list_all(dir)? {
        if entry.is_dir {
            check_files(tree, &entry.path)?;
        }
    }
    Ok(())
}

/// Whether a case must have an answer file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The case cannot be judged without one.
    Required,
    /// The format requires one, but the case can be judged without (interactive problems).
    Wanted,
    /// Cases have none (`invalid_input`).
    No,
}

fn split(name: &str) -> Option<(&str, &'static str)> {
    ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending).map(|stem| (stem, *ending)))
        .filter(|(stem, _)| !stem.is_empty())
}
