//! `problem.yaml` of versions `2025-09` and `2023-07-draft`.
//!
//! Source: Kattis problem package format, version 2025-09.

use super::data;
use super::{groups_legacy, groups2025, limits, programs};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::icpc::Version;
use crate::input::tree::Tree;
use crate::input::yaml::{Node, Value};
use crate::model::{Kind, NumberSyntax, Validator, ValidatorProtocol};
use std::path::PathBuf;

/// The keys of these versions.
pub const KEYS: [&str; 15] = [
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
pub const LEGACY_KEYS: [(&str, &str); 6] = [
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

/// The legacy keys that decide verdicts.
pub const LEGACY_DECIDES: [&str; 3] = ["validation", "validator_flags", "grading"];

/// Reads the package in `tree` with the `problem.yaml` given as `yaml`.
pub fn read(
    builder: &mut PackageBuilder,
    yaml: &Node,
    version: Version,
) -> Result<(), PackageError> {
    let PackageBuilder { tree, package, .. } = builder;
    package.kind = kind(yaml.get("type"), tree)?;
    let limits = limits::read(yaml.get("limits"), version, tree);
    package.limits = tree.attempt(limits);
    if let Some(name) = tree.attempt(super::name(yaml)) {
        package.name = name;
    }
    package.constants = tree.attempt(constants(yaml.get("constants")));
    let mut raw = data::scan_all(tree, version)?;
    let is_draft = version == Version::Draft2023;
    if is_draft && raw.testdata_has_key(&groups2025::SHARED_KEYS) {
        // The last change of the draft renamed this file, so packages of its time have the old name.
        raw.rename_testdata();
    }
    // Tools of the draft's time read `testdata.yaml` as in legacy.
    let legacy_groups = is_draft && raw.has_testdata_yaml();
    let data = if legacy_groups {
        let defaults = groups_legacy::Defaults::default();
        groups_legacy::read(tree, &raw, package.kind, &defaults)
    } else {
        groups2025::read(tree, &raw, package.kind, version, &package.constants)
    };
    (package.data, package.validator_cases) = tree.attempt(data);
    package.validation = Validator::Default(NumberSyntax::Decimal).into();
    // Early versions of the draft used legacy's directory name.
    let mut validator = programs::single(tree, "output_validators", version)?;
    if let Some(path) = programs::single(tree, "output_validator", version)?
        && let Some(other) = validator.replace(path)
    {
        let what = "is a second output validator beside the one in `output_validator/`";
        return Err(PackageError::new(other, what).remedy("remove one of the two"));
    }
    if let Some(path) = validator {
        let protocol = ValidatorProtocol::Icpc;
        package.validation = Validator::Program { path, protocol }.into();
    }
    if let Some(node) = yaml.get("languages").filter(|node| !node.is("all")) {
        if node.one_or_more().is_empty() {
            tree.error(
                node.error("`languages` is an empty list")
                    .remedy("remove it, or name a language"),
            );
        }
        let codes = node.one_or_more().iter();
        let codes = codes.map(|code| code.text().map(str::to_owned));
        package.languages = Some(tree.attempt(codes.collect()));
    }
    // By default, tools of the draft's time allow it.
    package.allow_file_writing = version == Version::Draft2023;
    let allow = &mut package.allow_file_writing;
    tree.attempt(yaml.set("allow_file_writing", allow, Node::bool));
    if legacy_groups {
        package.grader = programs::single(tree, "graders", version)?;
    }
    package.static_validator = programs::single(tree, "static_validator", version)?;
    package.input_visualizer = visualizer(tree, "input_visualizer", version);
    package.output_visualizer = visualizer(tree, "output_visualizer", version);
    Ok(())
}

/// The visualizer in the directory `name`. A directory that holds more than one program is only a warning:
/// nothing is judged by it.
fn visualizer(tree: &mut Tree, name: &str, version: Version) -> Option<PathBuf> {
    match programs::single(tree, name, version) {
        Ok(found) => found,
        Err(error) => {
            tree.warning(error);
            None
        }
    }
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
            if !super::set_type(&mut kind, word) {
                return Err(item.is_not("a problem type", word, &TYPES));
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
