//! Test groups of versions 2023-07 and 2025-09: `test_group.yaml` and the cases' `.yaml`.

use super::cases::{
    Aggregation, Group, InputValidatorArgs, Points, StaticValidation, TestCase, ValidatorCases,
    VerdictMode,
};
use super::data::{Answer, Names, RawCase, RawDir, last, scan};
use super::error::PackageError;
use super::files::Tree;
use super::model::{Dialect, Kind};
use super::text;
use super::yaml::{self, Node};
use crate::language::with_constants;
use std::path::Path;

/// The keys that a group and a case share.
const SHARED_KEYS: [&str; 6] = [
    "args",
    "input_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
];
const GROUP_KEYS: [&str; 5] = [
    "max_score",
    "score_aggregation",
    "static_validation_score",
    "require_pass",
    "static_validator_args",
];
const CASE_KEYS: [&str; 2] = ["hint", "description"];

/// What groups hand down to their cases.
#[derive(Clone, Default)]
struct Settings {
    args: Vec<String>,
    input_validator_args: InputValidatorArgs,
    output_validator_args: Vec<String>,
}

struct Reader<'a> {
    tree: &'a mut Tree,
    kind: Kind,
    dialect: Dialect,
    /// What `{{name}}` in `test_group.yaml` stands for.
    constants: &'a [(String, String)],
    /// What cases the reader makes need of an answer.
    answer: Answer,
}

/// The groups of `data`, whose samples and secret cases are read, and the validators' own cases.
pub fn read(
    tree: &mut Tree,
    data: &RawDir,
    kind: Kind,
    dialect: Dialect,
    constants: &[(String, String)],
) -> Result<(Group, ValidatorCases), PackageError> {
    let lenient = kind.interactive || kind.multi_pass || kind.submit_answer;
    let mut reader = Reader {
        tree,
        kind,
        dialect,
        constants,
        answer: if lenient {
            Answer::Wanted
        } else {
            Answer::Required
        },
    };
    let mut root = Group::new("");
    root.verdict_mode = VerdictMode::First;
    root.stop_at_first = !kind.scoring;
    if kind.scoring {
        root.aggregation = Aggregation::Sum;
    }
    let mut settings = Settings::default();
    if let Some(path) = &data.test_group {
        reader.tree.warning(PackageError::new(
            path,
            "the format has this file only in `sample`, `secret` and the groups in `secret`",
        ));
        let node = reader.test_group(path)?;
        reader.settings(&node, &mut settings)?;
    }
    if let Some(dir) = find(data, "sample") {
        let mut group = reader.group(dir, &settings)?;
        reader.flatten(dir, &settings, &mut group.cases)?;
        group.stop_at_first = !kind.scoring;
        // Samples count for the verdict, never for the points.
        group.max_score = kind.scoring.then_some(0.0);
        for case in &mut group.cases {
            case.points = Points::Ignored;
        }
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
        let mut secret = self.group(dir, settings)?;
        let inner_settings = self.inherited(dir, settings)?;
        // In 2023-07 every directory was a group, with or without a file that says so.
        let grouped = dir.dirs.iter().any(|inner| inner.test_group.is_some())
            || self.dialect == Dialect::Draft2023 && self.kind.scoring && !dir.dirs.is_empty();
        if !grouped {
            self.flatten(dir, settings, &mut secret.cases)?;
            self.score_cases(&mut secret);
            add_static_case(&mut secret);
            return Ok(secret);
        }
        if let Some(case) = dir.cases.first() {
            self.tree.error(
                PackageError::new(
                    &case.files[".in"],
                    "stands beside test groups; `data/secret` holds groups or cases, never both",
                )
                .remedy("move the case into a group of its own"),
            );
            for raw in &dir.cases {
                secret.cases.push(self.case(raw, &inner_settings)?);
            }
        }
        for inner in &dir.dirs {
            if inner.test_group.is_none() && self.dialect == Dialect::V2025 {
                self.tree.error(
                    PackageError::new(
                        &inner.path,
                        "stands beside test groups, but is none: it has no `test_group.yaml`",
                    )
                    .remedy("add a `test_group.yaml`; it may be empty"),
                );
            }
            let mut group = self.group(inner, &inner_settings)?;
            self.flatten(inner, &inner_settings, &mut group.cases)?;
            if group.cases.is_empty() && group.static_validation.is_none() {
                self.tree
                    .error(PackageError::new(&inner.path, "the test group has no case"));
            }
            self.score_cases(&mut group);
            add_static_case(&mut group);
            secret.groups.push(group);
        }
        add_static_case(&mut secret);
        secret.excess_is_error = self.kind.scoring && self.dialect == Dialect::V2025;
        self.check_requirements(dir, &secret);
        Ok(secret)
    }

    /// The group's own settings; its parts are the caller's business.
    fn group(&mut self, dir: &RawDir, inherited: &Settings) -> Result<Group, PackageError> {
        let is_secret = dir.name == "secret";
        let mut group = Group::new(dir.name.clone());
        group.verdict_mode = VerdictMode::First;
        if self.kind.scoring && is_secret {
            group.aggregation = Aggregation::Sum;
            group.max_score = Some(100.0);
        }
        if let Some(path) = &dir.testdata {
            self.tree.error(
                PackageError::new(
                    path,
                    "is a file of version `legacy`, which this version leaves out",
                )
                .remedy("rename it to `test_group.yaml` and use the keys of this version"),
            );
        }
        if let Some(path) = &dir.test_group {
            let node = self.test_group(path)?;
            self.settings(&node, &mut inherited.clone())?;
            self.group_keys(&node, &mut group)?;
        }
        group.stop_at_first = match group.aggregation {
            Aggregation::PassFail | Aggregation::Min => true,
            _ => !self.kind.scoring,
        };
        Ok(group)
    }

    fn group_keys(&mut self, node: &Node, group: &mut Group) -> Result<(), PackageError> {
        for (key, _) in node.entries()? {
            let name = key.scalar().unwrap_or_default();
            let scoring_key = matches!(name, "max_score" | "score_aggregation" | "require_pass");
            if scoring_key && !self.kind.scoring {
                let what = format!("`{name}` is only for problems of type `scoring`");
                self.tree.error(key.error(what));
            } else if scoring_key && group.name == "sample" {
                let what = format!("`{name}` is not permitted in `sample`");
                self.tree.error(key.error(what));
            }
        }
        if let Some(score) = node.get("max_score") {
            group.max_score = if score.is("unbounded") {
                None
            } else {
                Some(score.integer(0)? as f64)
            };
        }
        if let Some(aggregation) = node.get("score_aggregation") {
            group.aggregation = aggregation.choice(&[
                ("pass-fail", Aggregation::PassFail),
                ("sum", Aggregation::Sum),
                ("min", Aggregation::Min),
            ])?;
        }
        if let Some(required) = node.get("require_pass") {
            for item in required.one_or_more() {
                group.requires.push(item.text()?.to_owned());
            }
        }
        let args = match node.get("static_validator_args") {
            Some(args) => args.texts()?,
            None => Vec::new(),
        };
        if let Some(score) = node.get("static_validation_score") {
            group.static_validation = Some(StaticValidation {
                score: if score.is("pass-fail") {
                    None
                } else {
                    Some(score.integer(0)? as f64)
                },
                args,
            });
        } else if let Some(args) = node.get("static_validator_args") {
            self.tree.error(
                args.error("`static_validator_args` without `static_validation_score`")
                    .remedy("add `static_validation_score`, or remove the arguments"),
            );
        }
        if self.kind.scoring
            && group.aggregation == Aggregation::PassFail
            && group.max_score.is_none()
            && group.name.starts_with("secret")
        {
            self.tree.error(
                node.error("a `pass-fail` group must have a bounded score")
                    .remedy("give `max_score`, or another `score_aggregation`"),
            );
        }
        Ok(())
    }

    /// What a `test_group.yaml` says, its constants replaced.
    fn test_group(&mut self, path: &Path) -> Result<Node, PackageError> {
        let text = text::read(path, 1 << 20)?;
        let text = match with_constants(text.as_bytes(), self.constants).map(String::from_utf8) {
            Some(Ok(filled)) => filled,
            _ => text,
        };
        self.tree.parse_yaml(path, &text)
    }

    /// The settings for what is in `dir`.
    fn inherited(&mut self, dir: &RawDir, settings: &Settings) -> Result<Settings, PackageError> {
        let mut settings = settings.clone();
        if let Some(path) = &dir.test_group {
            let node = self.test_group(path)?;
            self.settings(&node, &mut settings)?;
        }
        Ok(settings)
    }

    /// Every case in `dir` and below, by name.
    fn flatten(
        &mut self,
        dir: &RawDir,
        settings: &Settings,
        into: &mut Vec<TestCase>,
    ) -> Result<(), PackageError> {
        let settings = self.inherited(dir, settings)?;
        self.flatten_inner(dir, &settings, into)?;
        into.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
    }

    fn flatten_inner(
        &mut self,
        dir: &RawDir,
        settings: &Settings,
        into: &mut Vec<TestCase>,
    ) -> Result<(), PackageError> {
        for raw in &dir.cases {
            let case = self.case(raw, settings)?;
            into.push(case);
        }
        for inner in &dir.dirs {
            if let Some(path) = &inner.test_group {
                self.tree.error(
                    PackageError::new(path, "makes a test group inside of a test group")
                        .remedy("groups stand directly in `data/secret`"),
                );
            }
            if dir
                .cases
                .iter()
                .any(|case| last(&case.name) == last(&inner.name))
            {
                self.tree.error(
                    PackageError::new(&inner.path, "has the name of a test case beside it")
                        .remedy("rename the directory or the case"),
                );
            }
            let settings = self.inherited(inner, settings)?;
            self.flatten_inner(inner, &settings, into)?;
        }
        Ok(())
    }

    fn case(&mut self, raw: &RawCase, settings: &Settings) -> Result<TestCase, PackageError> {
        let sample = raw.name.starts_with("sample/");
        let mut case = raw.case(self.tree, sample, self.answer)?;
        let mut settings = settings.clone();
        if let Some(path) = raw.files.get(".yaml") {
            let node = self.tree.yaml(path)?;
            node.only(&[&SHARED_KEYS[..], &CASE_KEYS].concat())?;
            self.settings(&node, &mut settings)?;
            if let Some(description) = node.get("description") {
                case.description = Some(description.text()?.to_owned());
            }
            if let Some(hint) = node.get("hint") {
                hint.text()?;
            }
        }
        if case.args.is_empty() {
            case.args = settings.args;
        }
        case.validator_args = settings.output_validator_args;
        case.input_validator_args = settings.input_validator_args;
        Ok(case)
    }

    fn settings(&mut self, node: &Node, settings: &mut Settings) -> Result<(), PackageError> {
        let known = [&SHARED_KEYS[..], &GROUP_KEYS, &CASE_KEYS].concat();
        for (key, _) in node.entries()? {
            match key.scalar().unwrap_or_default() {
                "output_validator_flags" | "input_validator_flags" => self.tree.error(
                    key.error("is a key of version `legacy`, and is left out")
                        .remedy("use `output_validator_args` or `input_validator_args`: a list"),
                ),
                name if known.contains(&name) => {}
                _ => return Err(key.unknown_key(&known)),
            }
        }
        if let Some(args) = node.get("args") {
            settings.args = args.texts()?;
        }
        if let Some(args) = node.get("output_validator_args") {
            settings.output_validator_args = self.argument_list(args)?;
        }
        if let Some(args) = node.get("input_validator_args") {
            settings.input_validator_args = match &args.value {
                yaml::Value::Map(entries) => InputValidatorArgs {
                    all: Vec::new(),
                    by_name: entries
                        .iter()
                        .map(|(name, args)| {
                            Ok((name.text()?.to_owned(), self.argument_list(args)?))
                        })
                        .collect::<Result<_, PackageError>>()?,
                },
                _ => InputValidatorArgs {
                    all: self.argument_list(args)?,
                    by_name: Vec::new(),
                },
            };
        }
        for name in ["input_visualizer_args", "output_visualizer_args"] {
            if let Some(args) = node.get(name) {
                self.argument_list(args)?;
            }
        }
        if let Some(flag) = node.get("full_feedback") {
            flag.bool()?;
        }
        Ok(())
    }

    /// A list of arguments; a line of text, as older drafts had it, with a complaint.
    fn argument_list(&mut self, node: &Node) -> Result<Vec<String>, PackageError> {
        let Some(line) = node.scalar() else {
            return node.texts();
        };
        self.tree.error(
            node.error("arguments must be a list, not a line of text")
                .remedy("write `[first, second]`"),
        );
        Ok(text::split_arguments(line))
    }

    /// The most points of each case, from the group's, and which points a validator may give it.
    fn score_cases(&self, group: &mut Group) {
        if !self.kind.scoring {
            return;
        }
        group.excess_is_error = self.dialect == Dialect::V2025;
        let of_static = group
            .static_validation
            .as_ref()
            .and_then(|validation| validation.score)
            .unwrap_or(0.0);
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
            if self.dialect == Dialect::V2025 {
                case.points = points;
            }
            if points != Points::Forbidden {
                case.score = each;
            }
        }
    }

    fn check_requirements(&mut self, dir: &RawDir, secret: &Group) {
        for group in &secret.groups {
            for required in &group.requires {
                let known = required == "sample"
                    || secret
                        .groups
                        .iter()
                        .any(|other| &other.name == required && other.name < group.name);
                if !known {
                    let path = dir
                        .dirs
                        .iter()
                        .find(|inner| inner.name == group.name)
                        .and_then(|inner| inner.test_group.clone())
                        .unwrap_or_else(|| dir.path.clone());
                    self.tree.error(
                        PackageError::new(
                            path,
                            format!("`require_pass` names `{required}`, which is no earlier group"),
                        )
                        .remedy("name `sample`, or a group like `secret/group1`"),
                    );
                }
            }
        }
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
            self.answer = if name == "invalid_input" {
                Answer::No
            } else {
                Answer::Required
            };
            self.flatten(dir, settings, into)?;
            if name != "invalid_input" {
                into.retain(|case| {
                    if case.output.is_none() {
                        let what = format!("has no `.out` file, which `{name}` is about");
                        self.tree.error(
                            PackageError::new(&case.input, what)
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

/// Puts the case of the static validator, where the group has one, before the others: it takes
/// no time, and what it rejects need not be run.
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
            Some(_) => Points::Bounded,
            None => Points::Forbidden,
        },
        ..TestCase::default()
    };
    group.cases.insert(0, case);
}

/// The directory `data`, with names as strict as the version demands.
pub fn scan_data(tree: &mut Tree) -> Result<RawDir, PackageError> {
    let path = tree.root.join("data");
    if !path.is_dir() {
        return Err(
            PackageError::new(&path, "is missing: the package has no test data")
                .remedy("add test cases as `data/secret/NAME.in` and `data/secret/NAME.ans`"),
        );
    }
    let data = scan(tree, &path, "", Names::Strict)?;
    if !data.dirs.iter().any(RawDir::has_cases) {
        return Err(
            PackageError::new(&path, "has no test case in `sample` or `secret`")
                .remedy("add test cases as `data/secret/NAME.in` and `data/secret/NAME.ans`"),
        );
    }
    Ok(data)
}
