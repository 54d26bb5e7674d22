//! Test groups of versions 2023-07 and 2025-09: `test_group.yaml` and the cases' `.yaml`.

mod keys;

pub use self::keys::SHARED_KEYS;
use self::keys::{CASE_KEYS, Settings};
use super::data::{Answer, RawCase, RawDir};
use crate::error::PackageError;
use crate::format::common::last;
use crate::format::icpc::Version;
use crate::input::tree::Tree;
use crate::input::yaml::Node;
use crate::model::{Aggregation, Group, Kind, Points, TestCase, ValidatorCases, VerdictMode};
use std::iter;

struct Reader<'a> {
    tree: &'a mut Tree,
    kind: Kind,
    version: Version,
    /// The replacements for `{{name}}` in `test_group.yaml`.
    constants: &'a [(String, String)],
    /// Whether cases must have an answer.
    answer: Answer,
    /// The names in `require_pass`, each with the group that has it.
    requirements: Vec<(String, Node)>,
}

/// Reads the groups in `data` and the cases that test the validators.
pub fn read(
    tree: &mut Tree,
    data: &RawDir,
    kind: Kind,
    version: Version,
    constants: &[(String, String)],
) -> Result<(Group, ValidatorCases), PackageError> {
    let mut reader = Reader {
        tree,
        kind,
        version,
        constants,
        answer: match kind.interactive || kind.multi_pass || kind.submit_answer {
            true => Answer::Wanted,
            false => Answer::Required,
        },
        requirements: Vec::new(),
    };
    let mut root = Group::new("");
    root.verdict_mode = VerdictMode::First;
    root.stop_at_first = !kind.scoring;
    if kind.scoring {
        root.aggregation = Aggregation::Sum;
    }
    let mut settings = Settings::default();
    reader.report_testdata_yaml(data);
    if let Some(path) = &data.test_group {
        reader.tree.warning(PackageError::new(
            path,
            "the format has this file only in `sample`, `secret` and the groups in `secret`",
        ));
        let node = reader.test_group(path)?;
        reader.settings(&node, &mut settings)?;
    }
    if let Some(dir) = find(data, "sample") {
        let (mut group, settings) = reader.group(dir, &settings)?;
        group.cases = reader.flatten(dir, &settings)?;
        group.stop_at_first = !kind.scoring;
        // Samples count for the verdict, but not for the score.
        group.max_score = kind.scoring.then_some(0.0);
        add_static_case(&mut group);
        root.groups.push(group);
    }
    if let Some(dir) = find(data, "secret") {
        let group = reader.secret(dir, &settings)?;
        root.groups.push(group);
    }
    let validator_cases = reader.validator_cases(data, &settings)?;
    Ok((root, validator_cases))
}

fn find<'a>(data: &'a RawDir, name: &str) -> Option<&'a RawDir> {
    data.dirs.iter().find(|dir| dir.name == name)
}

impl Reader<'_> {
    fn secret(&mut self, dir: &RawDir, settings: &Settings) -> Result<Group, PackageError> {
        let (mut secret, settings) = self.group(dir, settings)?;
        // In 2023-07 every directory is a group, with or without a settings file.
        let grouped = dir.dirs.iter().any(|inner| inner.test_group.is_some())
            || self.version == Version::Draft2023 && self.kind.scoring && !dir.dirs.is_empty();
        if !grouped {
            secret.cases = self.flatten(dir, &settings)?;
            self.score_cases(&mut secret);
            add_static_case(&mut secret);
            self.check_requirements(&secret)?;
            return Ok(secret);
        }
        if let Some(case) = dir.cases.first() {
            self.tree.error(
                PackageError::new(
                    &case.files[".in"],
                    "is next to test groups; `data/secret` holds groups or cases, never both",
                )
                .remedy("move the case into a group of its own"),
            );
            for raw in &dir.cases {
                secret.cases.push(self.case(raw, &settings)?);
            }
        }
        for inner in &dir.dirs {
            if inner.test_group.is_none() && self.version == Version::V2025 {
                self.tree.error(
                    PackageError::new(
                        &inner.path,
                        "is next to test groups but has no `test_group.yaml`",
                    )
                    .remedy("add a `test_group.yaml`; it may be empty"),
                );
            }
            let (mut group, settings) = self.group(inner, &settings)?;
            group.cases = self.flatten(inner, &settings)?;
            // Every format reports one with points.
            let has_points = group.max_score.is_some_and(|most| most > 0.0);
            if group.cases.is_empty() && group.static_validation.is_none() && !has_points {
                self.tree
                    .error(PackageError::new(&inner.path, "the test group has no case"));
            }
            self.score_cases(&mut group);
            add_static_case(&mut group);
            secret.groups.push(group);
        }
        add_static_case(&mut secret);
        secret.excess_is_error = self.kind.scoring && self.version == Version::V2025;
        self.check_requirements(&secret)?;
        Ok(secret)
    }

    /// Reads a group without its parts, and the settings of its cases.
    fn group(
        &mut self,
        dir: &RawDir,
        inherited: &Settings,
    ) -> Result<(Group, Settings), PackageError> {
        let is_secret = dir.name == "secret";
        let mut group = Group::new(dir.name.clone());
        group.verdict_mode = VerdictMode::First;
        if self.kind.scoring && is_secret {
            group.aggregation = Aggregation::Sum;
            group.max_score = Some(100.0);
        }
        self.report_testdata_yaml(dir);
        let mut settings = inherited.clone();
        if let Some(path) = &dir.test_group {
            let node = self.test_group(path)?;
            self.settings(&node, &mut settings)?;
            self.group_keys(&node, &mut group)?;
        }
        group.stop_at_first = match group.aggregation {
            Aggregation::PassFail | Aggregation::Min => true,
            _ => !self.kind.scoring,
        };
        Ok((group, settings))
    }

    /// Adds a finding about the settings file of version `legacy` in `dir`.
    fn report_testdata_yaml(&mut self, dir: &RawDir) {
        if let Some(path) = &dir.testdata {
            self.tree.error_of_runs(
                PackageError::new(
                    path,
                    "is a file of version `legacy`, which this version ignores",
                )
                .remedy("rename it to `test_group.yaml` and use the keys of this version"),
            );
        }
    }

    /// Collects every case in `dir` and below, sorted by name.
    fn flatten(
        &mut self,
        dir: &RawDir,
        settings: &Settings,
    ) -> Result<Vec<TestCase>, PackageError> {
        let mut cases = Vec::new();
        for raw in &dir.cases {
            cases.push(self.case(raw, settings)?);
        }
        for inner in &dir.dirs {
            // Cases that only test the validators are in no group; the file gives their arguments.
            let is_judged = ["sample/", "secret/"]
                .iter()
                .any(|start| inner.name.starts_with(start));
            if let Some(path) = inner.test_group.as_ref().filter(|_| is_judged) {
                self.tree.error(
                    PackageError::new(path, "makes a test group inside of a test group")
                        .remedy("groups stand directly in `data/secret`"),
                );
            }
            let mut names = dir.cases.iter().map(|case| last(&case.name));
            if names.any(|name| name == last(&inner.name)) {
                self.tree.error(
                    PackageError::new(&inner.path, "has the name of a test case beside it")
                        .remedy("rename the directory or the case"),
                );
            }
            let settings = self.inherited(inner, settings)?;
            cases.extend(self.flatten(inner, &settings)?);
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(cases)
    }

    fn case(&mut self, raw: &RawCase, settings: &Settings) -> Result<TestCase, PackageError> {
        let sample = raw.name.starts_with("sample/");
        let mut case = raw.case(self.tree, sample, self.answer)?;
        if sample || !self.kind.scoring {
            case.points = Points::Ignored;
        }
        let mut settings = settings.clone();
        if let Some(path) = raw.files.get(".yaml") {
            let node = self.tree.yaml(path)?;
            node.only(&[&SHARED_KEYS[..], &CASE_KEYS].concat())?;
            self.settings(&node, &mut settings)?;
            let description = node.optional("description", Node::text)?;
            case.description = description.map(str::to_owned).or(case.description);
            let hint = node.optional("hint", Node::text)?;
            case.hint = hint.map(str::to_owned).or(case.hint);
        }
        case.full_feedback = settings.full_feedback;
        if case.args.is_empty() {
            case.args = settings.args;
        }
        case.validator_args = settings.output_validator_args;
        case.input_validator_args = settings.input_validator_args;
        case.visualizer_args = settings.visualizer_args;
        Ok(case)
    }

    /// Sets the maximum points of each case from those of the group, and which points a validator
    /// may give.
    fn score_cases(&self, group: &mut Group) {
        if !self.kind.scoring {
            return;
        }
        group.excess_is_error = self.version == Version::V2025;
        let of_static = group.static_validation.as_ref();
        let of_static = of_static.and_then(|validation| validation.score);
        let of_static = of_static.unwrap_or(0.0);
        let count = group.cases.len().max(1) as f64;
        let each = group.max_score.map(|most| match group.aggregation {
            Aggregation::Min => most,
            _ => (most - of_static) / count,
        });
        let points = match (group.aggregation, each) {
            (Aggregation::PassFail, _) => Points::Forbidden,
            (_, Some(_)) => Points::Bounded,
            (_, None) => Points::Demanded,
        };
        for case in &mut group.cases {
            if self.version == Version::V2025 {
                case.points = points;
            }
            if points != Points::Forbidden {
                case.score = each;
            }
        }
    }

    /// Returns an error about the first name in `require_pass` that is not an earlier group: grading
    /// would ignore it and give points for which a group is missing.
    fn check_requirements(&self, secret: &Group) -> Result<(), PackageError> {
        for (name, required) in &self.requirements {
            let earlier = secret.groups.iter().map(|group| group.name.as_str());
            let earlier = earlier.filter(|other| *other < name.as_str());
            let known: Vec<&str> = iter::once("sample").chain(earlier).collect();
            let text = required.text()?;
            if name != "sample" && !known.contains(&text) {
                return Err(required.is_not("an earlier group", text, &known));
            }
        }
        Ok(())
    }

    fn validator_cases(
        &mut self,
        data: &RawDir,
        settings: &Settings,
    ) -> Result<ValidatorCases, PackageError> {
        let mut found = ValidatorCases::default();
        for (name, into) in [
            ("invalid_input", &mut found.invalid_input),
            ("invalid_output", &mut found.invalid_output),
            ("valid_output", &mut found.valid_output),
        ] {
            let Some(dir) = find(data, name) else {
                continue;
            };
            self.answer = match name {
                "invalid_input" => Answer::No,
                _ => Answer::Required,
            };
            let settings = self.inherited(dir, settings)?;
            *into = self.flatten(dir, &settings)?;
            if name != "invalid_input" {
                into.retain(|case| {
                    if case.output.is_none() {
                        let what = format!("has no `.out` file, which `{name}` is about");
                        self.tree.error(
                            PackageError::new(&*case.input, what)
                                .remedy("add the output beside it, with the ending `.out`"),
                        );
                    }
                    case.output.is_some()
                });
            }
        }
        Ok(found)
    }
}

/// Adds the case of the static validator, if the group has one, before the others: it takes no
/// time, and a rejection makes running them unnecessary.
fn add_static_case(group: &mut Group) {
    let Some(validation) = &group.static_validation else {
        return;
    };
    let case = TestCase {
        name: format!("{}/static-validation", group.name),
        validator_args: validation.args.clone(),
        sample: group.name == "sample",
        is_static: true,
        score: validation.score,
        points: match validation.score {
            _ if group.name == "sample" => Points::Ignored,
            Some(_) => Points::Bounded,
            None => Points::Forbidden,
        },
        ..TestCase::default()
    };
    group.cases.insert(0, case);
}
