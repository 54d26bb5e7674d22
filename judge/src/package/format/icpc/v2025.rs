//! `problem.yaml` of versions `2025-09` and `2023-07-draft`.
//!
//! Source: Kattis problem package format, version 2025-09.

use super::{groups_legacy, groups2025, limits, programs, submissions};
use crate::package::error::PackageError;
use crate::package::format::icpc::Version;
use crate::package::input::tree::Tree;
use crate::package::input::yaml::{Node, Value};
use crate::package::model::{
    Kind, Package, PackageLimits, TimeLimit, Validator, ValidatorProtocol,
};
use std::time::Duration;

const KEYS: [&str; 15] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "version",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
];

/// Keys of version `legacy` and their replacements.
const LEGACY_KEYS: [(&str, &str); 6] = [
    ("author", "use `credits: {authors: ...}`"),
    ("source_url", "use `source: {name: ..., url: ...}`"),
    (
        "validation",
        "put the validator into `output_validator/` and say `type: interactive` where it is",
    ),
    (
        "validator_flags",
        "use `output_validator_args` in `test_group.yaml`",
    ),
    ("grading", "use `score_aggregation` in `test_group.yaml`"),
    ("libraries", "remove it"),
];

/// Reads the package in `tree` with the `problem.yaml` given as `yaml`.
pub fn read(
    mut tree: Tree,
    id: String,
    yaml: &Node,
    version: Version,
) -> Result<Package, PackageError> {
    for (key, _) in yaml.entries()? {
        let name = key.scalar().unwrap_or_default();
        if let Some((_, advice)) = LEGACY_KEYS.iter().find(|(known, _)| *known == name) {
            tree.error(
                key.error(format!("`{name}` is a key of version `legacy`"))
                    .remedy(*advice),
            );
        } else if !KEYS.contains(&name) {
            return Err(limits::unknown_beside(key, &KEYS));
        }
    }
    let kind = kind(yaml.get("type"), &mut tree)?;
    let limits = limits::read_2025(yaml.get("limits"), &mut tree)?;
    let limits = with_time_limit_beside(limits, &tree)?;
    let name = name(yaml, &id)?;

    let constants = constants(yaml.get("constants"))?;
    let raw = groups2025::scan_data(&mut tree)?;
    // Tools of the draft's time read `testdata.yaml` as in legacy.
    let legacy_groups = version == Version::Draft2023 && raw.has_testdata_yaml();
    let (data, validator_cases) = if legacy_groups {
        let defaults = groups_legacy::Defaults::default();
        groups_legacy::read(&mut tree, &raw, kind, &defaults)?
    } else {
        groups2025::read(&mut tree, &raw, kind, version, &constants)?
    };
    // Early versions of the draft used legacy's directory name.
    let validator = match programs::single(&mut tree, "output_validator")? {
        None => programs::single(&mut tree, "output_validators")?,
        found => found,
    };
    let validator = match validator {
        Some(path) => Validator::Program {
            path,
            protocol: ValidatorProtocol::Icpc,
        },
        None => Validator::Default,
    };
    let languages = match yaml.get("languages") {
        Some(node) if !node.is("all") => Some(
            node.one_or_more()
                .iter()
                .map(|code| code.text().map(str::to_owned))
                .collect::<Result<_, _>>()?,
        ),
        _ => None,
    };
    let allow_file_writing = match yaml.get("allow_file_writing") {
        Some(node) => node.bool()?,
        // By default, tools of the draft's time allow it.
        None => version == Version::Draft2023,
    };
    let grader = match legacy_groups {
        true => programs::single(&mut tree, "graders")?,
        false => None,
    };
    Ok(Package {
        name,
        kind,
        limits,
        validator,
        data,
        submissions: submissions::read(&mut tree, version, kind)?,
        include: tree.existing("include")?,
        input_validators: programs::input_validators(&mut tree)?,
        static_validator: programs::single(&mut tree, "static_validator")?,
        grader,
        languages,
        allow_file_writing,
        constants,
        validator_cases,
        findings: std::mem::take(&mut tree.findings),
        ..version.package(&tree, id)
    })
}

/// Applies the time limit of `domjudge-problem.ini` or `.timelimit` if `problem.yaml` has none.
fn with_time_limit_beside(
    mut limits: PackageLimits,
    tree: &Tree,
) -> Result<PackageLimits, PackageError> {
    if matches!(limits.time, TimeLimit::Derived { .. })
        && let Some(time) = limits::beside(tree)?
    {
        limits.time = TimeLimit::Given(Duration::max(time, Duration::from_millis(1)));
    }
    Ok(limits)
}

fn kind(node: Option<&Node>, tree: &mut Tree) -> Result<Kind, PackageError> {
    const TYPES: [&str; 5] = [
        "pass-fail",
        "scoring",
        "multi-pass",
        "interactive",
        "submit-answer",
    ];
    let mut kind = Kind::default();
    let Some(node) = node else {
        return Ok(kind);
    };
    let mut seen: Vec<&str> = Vec::new();
    for item in node.one_or_more() {
        let text = item.text()?;
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() > 1 {
            tree.error(
                item.error(format!("several types must be a list, not `{text}`"))
                    .remedy(format!("write `type: [{}]`", words.join(", "))),
            );
        }
        for word in words {
            if seen.contains(&word) {
                tree.error(item.error(format!("type `{word}` is given twice")));
            }
            match word {
                "pass-fail" => {}
                "scoring" => kind.scoring = true,
                "multi-pass" => kind.multi_pass = true,
                "interactive" => kind.interactive = true,
                "submit-answer" => kind.submit_answer = true,
                _ => {
                    return Err(item
                        .error(format!("`{word}` is not a problem type"))
                        .remedy(crate::package::input::yaml::advice(word, &TYPES)));
                }
            }
            seen.push(word);
        }
    }
    if seen.is_empty() {
        return Err(node
            .error("`type` is an empty list")
            .remedy("remove it, or name a type"));
    }
    for (one, other) in [
        ("pass-fail", "scoring"),
        ("submit-answer", "multi-pass"),
        ("submit-answer", "interactive"),
    ] {
        if seen.contains(&one) && seen.contains(&other) {
            return Err(node
                .error(format!("types `{one}` and `{other}` exclude each other"))
                .remedy("remove one of the two"));
        }
    }
    Ok(kind)
}

/// The English name, or that in the first language.
fn name(yaml: &Node, id: &str) -> Result<String, PackageError> {
    let Some(name) = yaml.get("name") else {
        return Ok(id.to_owned());
    };
    match &name.value {
        Value::Map(entries) => {
            let chosen = name
                .get("en")
                .or_else(|| entries.first().map(|(_, value)| value));
            match chosen {
                Some(chosen) => Ok(chosen.text()?.to_owned()),
                None => Ok(id.to_owned()),
            }
        }
        _ => Ok(name.text()?.to_owned()),
    }
}

/// `{{name}}` and `{{name.variant}}` with their texts.
fn constants(node: Option<&Node>) -> Result<Vec<(String, String)>, PackageError> {
    let mut found = Vec::new();
    let Some(node) = node else {
        return Ok(found);
    };
    for (key, value) in node.entries()? {
        let name = constant_name(key)?;
        match &value.value {
            Value::Map(variants) => {
                let Some(plain) = value.get("value") else {
                    return Err(key
                        .error(format!("constant `{name}` has no `value`"))
                        .remedy("add `value:`; the other keys are variants of it"));
                };
                found.push((name.to_owned(), plain.text()?.to_owned()));
                for (variant, text) in variants {
                    let variant = constant_name(variant)?;
                    found.push((format!("{name}.{variant}"), text.text()?.to_owned()));
                }
            }
            _ => {
                let text = value.text()?.to_owned();
                found.push((format!("{name}.value"), text.clone()));
                found.push((name.to_owned(), text));
            }
        }
    }
    Ok(found)
}

fn constant_name(key: &Node) -> Result<&str, PackageError> {
    let name = key.text()?;
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if fits {
        Ok(name)
    } else {
        Err(key
            .error(format!("`{name}` cannot name a constant"))
            .remedy("use letters, digits and `_`, and no digit first"))
    }
}
