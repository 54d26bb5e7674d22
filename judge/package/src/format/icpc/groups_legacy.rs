//! Test groups of version `legacy`: `testdata.yaml`, whose keys are inherited by subgroups, and the
//! flags of the default grader.

use super::data::{Answer, RawDir, validator_args};
use super::default_arguments;
use crate::error::PackageError;
use crate::input::tree::Tree;
use crate::input::yaml::{self, Node};
use crate::model::{
    Aggregation, Group, InputValidatorArgs, Kind, Points, TestCase, ValidatorCases, VerdictMode,
};

const KEYS: [&str; 8] = [
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
];

const GRADER_FLAGS: [&str; 10] = [
    "worst_error",
    "no_errors",
    "first_error",
    "always_accept",
    "sum",
    "avg",
    "min",
    "max",
    "ignore_sample",
    "accept_if_any_accepted",
];

/// The settings of `problem.yaml` for all groups.
#[derive(Default)]
pub struct Defaults {
    /// `validator_flags`.
    pub validator_flags: Vec<String>,
    /// Keys of `grading` that predate `testdata.yaml`; they apply to every group.
    pub accept_score: Option<f64>,
    /// The same for `reject_score`.
    pub reject_score: Option<f64>,
    /// The same for `range`.
    pub range: Option<(f64, f64)>,
    /// The same for `on_reject`: whether to stop at the first case that is not accepted.
    pub stop_at_first: Option<bool>,
}

/// The keys of a `testdata.yaml` after inheritance.
#[derive(Clone, Default)]
struct Settings {
    stop_at_first: bool,
    custom_grading: bool,
    grader_flags: Vec<String>,
    input_validator_args: InputValidatorArgs,
    output_validator_args: Vec<String>,
    accept_score: f64,
    reject_score: f64,
    range: Option<(f64, f64)>,
}

struct Reader<'a> {
    tree: &'a mut Tree,
    kind: Kind,
    defaults: &'a Defaults,
}

/// Reads the groups in `data`.
pub fn read(
    tree: &mut Tree,
    data: &RawDir,
    kind: Kind,
    defaults: &Defaults,
) -> Result<(Group, ValidatorCases), PackageError> {
    let settings = Settings {
        stop_at_first: true,
        accept_score: 1.0,
        ..Settings::default()
    };
    let mut reader = Reader {
        tree,
        kind,
        defaults,
    };
    let mut cases = ValidatorCases::default();
    let root = reader.group(data, &settings, &mut cases)?;
    Ok((root, cases))
}

/// The cases of a directory in `data` that only tests the validators: tools for legacy support such
/// directories although the version does not define them.
fn validators_own<'c>(name: &str, cases: &'c mut ValidatorCases) -> Option<&'c mut Vec<TestCase>> {
    match name {
        "invalid_input" | "invalid_inputs" | "bad" => Some(&mut cases.invalid_input),
        "invalid_output" | "invalid_outputs" => Some(&mut cases.invalid_output),
        "valid_output" | "valid_outputs" => Some(&mut cases.valid_output),
        _ => None,
    }
}

impl Reader<'_> {
    fn group(
        &mut self,
        dir: &RawDir,
        inherited: &Settings,
        validator_cases: &mut ValidatorCases,
    ) -> Result<Group, PackageError> {
        let settings = self.settings(dir, inherited)?;
        let mut group = Group::new(dir.name.clone());
        self.configure(&mut group, &settings, dir)?;
        let mut names = Vec::new();
        for raw in &dir.cases {
            let sample = raw.name.starts_with("sample/");
            let answer = match self.kind.interactive || self.kind.multi_pass {
                true => Answer::Wanted,
                false => Answer::Required,
            };
            let mut case = raw.case(self.tree, sample, answer)?;
            if !sample {
                // The version does not define the file; old tools left it behind.
                case.output = None;
            }
            names.push(case.name.clone());
            group.cases.push(self.scored(case, &settings));
        }
        for inner in &dir.dirs {
            if dir.name.is_empty() && !self.is_judged(inner, dir) {
                self.validator_cases(inner, &settings, validator_cases)?;
                continue;
            }
            if inner.test_group.is_some() {
                let what = "is a file of version `2025-09`, which this version ignores";
                self.tree.error_of_runs(
                    PackageError::new(inner.path.join("test_group.yaml"), what)
                        .remedy("use `testdata.yaml`"),
                );
            }
            let mut part = self.group(inner, &settings, validator_cases)?;
            // Cases and groups are judged in the common order of their names.
            part.after = names.partition_point(|name| *name < part.name);
            group.groups.push(part);
        }
        Ok(group)
    }

    /// Whether a directory of `data` contains cases to judge. Without `secret`, old packages have
    /// their groups next to `sample`, and problemtools judges them.
    fn is_judged(&mut self, inner: &RawDir, data: &RawDir) -> bool {
        match inner.name.as_str() {
            "sample" | "secret" => true,
            name if validators_own(name, &mut ValidatorCases::default()).is_some() => false,
            _ if data.dirs.iter().any(|dir| dir.name == "secret") || !inner.has_cases() => false,
            _ => {
                self.tree.error(
                    PackageError::new(&inner.path, "is in `data`, not in `data/secret`")
                        .remedy("move it there"),
                );
                true
            }
        }
    }

    /// The flags of `problem.yaml`, then those of the group.
    fn validator_args(&self, settings: &Settings) -> Vec<String> {
        let flags = [
            &self.defaults.validator_flags,
            &settings.output_validator_args,
        ];
        flags.into_iter().flatten().cloned().collect()
    }

    fn scored(&self, mut case: TestCase, settings: &Settings) -> TestCase {
        if self.kind.scoring {
            case.score = Some(settings.accept_score);
            case.reject_score = (settings.reject_score != 0.0).then_some(settings.reject_score);
        } else {
            case.points = Points::Ignored;
        }
        case.validator_args = self.validator_args(settings);
        case.input_validator_args = settings.input_validator_args.clone();
        case
    }

    fn configure(
        &mut self,
        group: &mut Group,
        settings: &Settings,
        dir: &RawDir,
    ) -> Result<(), PackageError> {
        group.stop_at_first = settings.stop_at_first;
        group.range = settings.range.filter(|_| self.kind.scoring);
        if self.kind.scoring {
            group.aggregation = Aggregation::Sum;
        }
        if settings.custom_grading {
            group.custom_grader_flags = Some(settings.grader_flags.clone());
            return Ok(());
        }
        for flag in &settings.grader_flags {
            // Of several conflicting flags the last one counts.
            match flag.as_str() {
                // An old name that the default grader still accepts.
                "worst_error" | "no_errors" => group.verdict_mode = VerdictMode::Worst,
                "first_error" => group.verdict_mode = VerdictMode::First,
                "always_accept" => group.verdict_mode = VerdictMode::AlwaysAccept,
                "sum" => group.aggregation = Aggregation::Sum,
                "avg" => group.aggregation = Aggregation::Average,
                "min" => group.aggregation = Aggregation::Min,
                "max" => group.aggregation = Aggregation::Max,
                "accept_if_any_accepted" => group.accept_if_any = true,
                // The flag is inherited like any other, but only affects the root.
                "ignore_sample" => group.ignore_sample = dir.name.is_empty(),
                _ => {
                    let path = dir.testdata.as_ref().unwrap_or(&dir.path);
                    let what = format!("`{flag}` is not a flag of the default grader");
                    return Err(
                        PackageError::new(path, what).remedy(yaml::advice(flag, &GRADER_FLAGS))
                    );
                }
            }
        }
        Ok(())
    }

    fn settings(&mut self, dir: &RawDir, inherited: &Settings) -> Result<Settings, PackageError> {
        let mut settings = inherited.clone();
        let mut file = None;
        if let Some(path) = &dir.testdata {
            let node = self.tree.yaml(path)?;
            self.testdata_yaml(&node, &mut settings)?;
            file = Some(node);
        }
        // These old keys of `problem.yaml` override all settings below.
        let defaults = self.defaults;
        settings.accept_score = defaults.accept_score.unwrap_or(settings.accept_score);
        settings.reject_score = defaults.reject_score.unwrap_or(settings.reject_score);
        settings.range = defaults.range.or(settings.range);
        settings.stop_at_first = defaults.stop_at_first.unwrap_or(settings.stop_at_first);
        let mut flags = settings.grader_flags.iter();
        if flags.any(|flag| flag == "ignore_sample")
            && let Some(flags) = file.as_ref().and_then(|node| node.get("grader_flags"))
        {
            if !dir.name.is_empty() {
                self.tree
                    .error(flags.error("`ignore_sample` is only allowed in `data/testdata.yaml`"));
            } else if settings.stop_at_first {
                self.tree.error(
                    flags
                        .error("`ignore_sample` with `on_reject: break`: after a failed sample no secret case is judged")
                        .remedy("add `on_reject: continue`"),
                );
            }
        }
        Ok(settings)
    }

    fn testdata_yaml(&mut self, node: &Node, settings: &mut Settings) -> Result<(), PackageError> {
        for key in node.unknown_keys(&KEYS)? {
            self.tree
                .report_unknown_key(key, &KEYS, key.unknown_key(&KEYS))?;
        }
        node.set("on_reject", &mut settings.stop_at_first, |value| {
            value.choice(&[("break", true), ("continue", false)])
        })?;
        node.set("grading", &mut settings.custom_grading, |value| {
            value.choice(&[("default", false), ("custom", true)])
        })?;
        if let Some(node) = node.get("grader_flags") {
            settings.grader_flags = node.arguments()?;
            let mut flags = settings.grader_flags.iter();
            let unknown = flags.find(|flag| !GRADER_FLAGS.contains(&flag.as_str()));
            if let Some(flag) = unknown.filter(|_| !settings.custom_grading) {
                return Err(node.is_not("a flag of the default grader", flag, &GRADER_FLAGS));
            }
        }
        node.set(
            "input_validator_flags",
            &mut settings.input_validator_args,
            validator_flags,
        )?;
        if let Some(node) = node.get("output_validator_flags") {
            let flags = validator_flags(node)?;
            let of_one = flags.by_name.into_iter().next();
            settings.output_validator_args = of_one.map_or(flags.all, |(_, args)| args);
            default_arguments::check(self.tree, node, &settings.output_validator_args);
        }
        for name in ["accept_score", "reject_score", "range"] {
            if let Some(value) = node.get(name)
                && !self.kind.scoring
            {
                let what = format!("`{name}` is only for problems of type `scoring`");
                self.tree.error(
                    value
                        .error(what)
                        .remedy("write `type: scoring` into `problem.yaml`, or remove the key"),
                );
            }
        }
        node.set("accept_score", &mut settings.accept_score, Node::number)?;
        node.set("reject_score", &mut settings.reject_score, Node::number)?;
        settings.range = node.optional("range", parse_range)?.or(settings.range);
        Ok(())
    }

    /// Reads the cases of a directory that only tests the validators, and warns of any other.
    fn validator_cases(
        &mut self,
        dir: &RawDir,
        settings: &Settings,
        into: &mut ValidatorCases,
    ) -> Result<(), PackageError> {
        let Some(list) = validators_own(&dir.name, into) else {
            self.tree.warning(
                PackageError::new(&dir.path, "is left out: not `sample` nor `secret`")
                    .remedy("move the cases into one of the two"),
            );
            return Ok(());
        };
        let has_outputs = dir.name.contains("output");
        let answer = match has_outputs {
            true => Answer::Required,
            false => Answer::No,
        };
        let mut open = vec![dir];
        while let Some(dir) = open.pop() {
            for raw in &dir.cases {
                let mut case = raw.case(self.tree, false, answer)?;
                case.validator_args = self.validator_args(settings);
                case.input_validator_args = settings.input_validator_args.clone();
                list.push(case);
            }
            open.extend(&dir.dirs);
        }
        list.retain(|case| !has_outputs || case.output.is_some());
        list.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
    }
}

/// A line of flags, `{name: flags}`, or `{name: NAME, flags: FLAGS}`.
fn validator_flags(node: &Node) -> Result<InputValidatorArgs, PackageError> {
    let flags_of = |node: &Node| match node.is_null() {
        true => Ok(Vec::new()),
        false => node.arguments(),
    };
    let Some(name) = node.get("name") else {
        return validator_args(node, flags_of);
    };
    node.only(&["name", "flags"])?;
    let flags = node.optional("flags", Node::arguments)?.unwrap_or_default();
    Ok(InputValidatorArgs {
        all: Vec::new(),
        by_name: vec![(name.text()?.to_owned(), flags)],
    })
}

/// `0 100`, `-inf +inf`.
pub fn parse_range(node: &Node) -> Result<(f64, f64), PackageError> {
    let numbers: Option<Vec<f64>> = node
        .text()?
        .split_whitespace()
        .map(|word| word.parse().ok().filter(|number: &f64| !number.is_nan()))
        .collect();
    match numbers.as_deref() {
        Some(&[least, most]) if least <= most => Ok((least, most)),
        _ => Err(node
            .error("`range` must be two numbers, the least and the most")
            .remedy("write `range: 0 100`; `-inf` and `+inf` are allowed")),
    }
}
