//! `problem.yaml` of versions `legacy` and `legacy-icpc`.
//!
//! Source: Kattis problem package format, versions legacy and legacy-icpc; extensions that the
//! tools agree on (multi-pass, a time limit, very old grading keys) are supported too.

use super::data;
use super::groups_legacy::{self, Defaults};
use super::{default_arguments, domjudge_ini, limits, programs};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::format::icpc::Version;
use crate::input::tree::Tree;
use crate::input::yaml::{Node, Value};
use crate::model::{Group, Kind, NumberSyntax, Validation, Validator, ValidatorProtocol};
use std::path::PathBuf;

/// The keys of these versions.
pub const KEYS: [&str; 14] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "author",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "limits",
    "validation",
    "validator_flags",
    "grading",
    "keywords",
];

/// Keys of later versions and of other tools that occur in packages.
pub const KNOWN_ELSEWHERE: [&str; 11] = [
    "libraries",
    "languages",
    "credits",
    "version",
    "embargo_until",
    "constants",
    "allow_file_writing",
    "externalid",
    "short-name",
    "color",
    "statement_language",
];

/// Reads a package with the `problem.yaml` given as `yaml`.
pub fn read(builder: &mut PackageBuilder, yaml: &Node) -> Result<(), PackageError> {
    let PackageBuilder { tree, package, .. } = builder;
    let mut kind = Kind::default();
    let node = yaml.get("validation");
    let (custom, score) = match node {
        Some(node) => validation(node, &mut kind, tree)?,
        None => (false, false),
    };
    read_type(yaml.get("type"), &mut kind, tree)?;
    let mut defaults = Defaults::default();
    if let Some(flags) = yaml.get("validator_flags") {
        defaults.validator_flags = flags_of(flags)?;
        default_arguments::check(tree, flags, &defaults.validator_flags);
    }
    grading(yaml.get("grading"), &mut defaults, &mut kind)?;
    // Packages older than `type` are scoring problems because their validator gives points.
    kind.scoring |= score;
    package.kind = kind;
    let limits = limits::read(yaml.get("limits"), Version::Legacy, tree);
    package.limits = tree.attempt(limits);
    let raw = data::scan_all(tree, Version::Legacy)?;
    let data = groups_legacy::read(tree, &raw, kind, &defaults);
    (package.data, package.validator_cases) = tree.attempt(data);
    let found = programs::output_validators(builder, Version::Legacy)?;
    let PackageBuilder { tree, package, .. } = builder;
    package.validation = Validation::All(validators(node.filter(|_| custom), found, tree)?);
    package.grader = programs::single(tree, "graders", Version::Legacy)?;
    if package.grader.is_none() && uses_custom_grader(&package.data) {
        let what = "is missing, but a `testdata.yaml` says `grading: custom`";
        return Err(PackageError::new(tree.root.join("graders"), what)
            .remedy("add the grader, or use the default grader's `grader_flags`"));
    }
    if let Some(name) = super::name(yaml)? {
        package.name = name;
    } else if let Some(name) = domjudge_ini::ini_value(tree, "name")? {
        name.scalar()
            .unwrap_or_default()
            .clone_into(&mut package.name);
    }
    Ok(())
}

/// Reads `validation: custom interactive score multi-pass`. Returns whether validators of the package
/// decide, and whether they give points.
fn validation(node: &Node, kind: &mut Kind, tree: &mut Tree) -> Result<(bool, bool), PackageError> {
    let (mut custom, mut score) = (false, false);
    let text = node.text()?;
    for (at, word) in text.split_whitespace().enumerate() {
        match (at, word) {
            (0, "default") => {}
            (0, "custom") => custom = true,
            (0, _) => {
                return Err(node
                    .error(format!("`validation` begins with `{word}`"))
                    .remedy("it begins with `default` or `custom`"));
            }
            (_, _) if !custom => {
                return Err(node
                    .error(format!("`{word}` behind `default`"))
                    .remedy("only `custom` is followed by further words"));
            }
            (_, "score") => score = true,
            (_, "interactive") => kind.interactive = true,
            (_, "multi-pass" | "multipass") => kind.multi_pass = true,
            (_, _) => {
                let known = ["score", "interactive", "multi-pass"];
                return Err(node.is_not("a kind of validation", word, &known));
            }
        }
    }
    if text.trim().is_empty() {
        tree.warning(node.error("`validation` is empty; taken as `default`"));
    }
    Ok((custom, score))
}

/// The output validators, at least one; those that were `found` in the package if `custom`, the value of
/// `validation`, says so.
fn validators(
    custom: Option<&Node>,
    found: Vec<PathBuf>,
    tree: &mut Tree,
) -> Result<Vec<Validator>, PackageError> {
    match custom {
        Some(node) if found.is_empty() => Err(node
            .error("`validation: custom`, but there is no output validator")
            .remedy("add it to `output_validators/`, or use `validation: default`")),
        Some(_) => {
            let protocol = ValidatorProtocol::Icpc;
            let program = |path| Validator::Program {
                path,
                protocol: protocol.clone(),
            };
            Ok(found.into_iter().map(program).collect())
        }
        None => {
            if !found.is_empty() {
                let what = "there are output validators, but `validation` is not `custom`: they are left out";
                tree.error_of_runs(
                    PackageError::new(tree.root.join("problem.yaml"), what)
                        .remedy("add `validation: custom`, or remove them"),
                );
            }
            domjudge_ini::check(tree)?;
            Ok(vec![Validator::Default(NumberSyntax::C)])
        }
    }
}

fn read_type(node: Option<&Node>, kind: &mut Kind, tree: &mut Tree) -> Result<(), PackageError> {
    let Some(node) = node else {
        return Ok(());
    };
    for item in node.one_or_more() {
        for word in item.text()?.split_whitespace() {
            if word == "submit-answer" || !super::set_type(kind, word) {
                let known = ["pass-fail", "scoring"];
                return Err(item.is_not("a problem type", word, &known));
            }
            if matches!(word, "interactive" | "multi-pass") {
                tree.error(
                    item.error(format!("`{word}` is a type of version `2025-09`"))
                        .remedy(format!("use `validation: custom {word}`")),
                );
            }
        }
    }
    Ok(())
}

/// A line of arguments, or a list as in later versions.
fn flags_of(node: &Node) -> Result<Vec<String>, PackageError> {
    match node.value {
        Value::List(_) => node.texts(),
        _ => node.arguments(),
    }
}

fn grading(
    node: Option<&Node>,
    defaults: &mut Defaults,
    kind: &mut Kind,
) -> Result<(), PackageError> {
    let Some(node) = node else {
        return Ok(());
    };
    node.only(&[
        "objective",
        "show_test_data_groups",
        "accept_score",
        "reject_score",
        "range",
        "on_reject",
        "custom_scoring",
    ])?;
    defaults.accept_score = node.optional("accept_score", Node::number)?;
    defaults.reject_score = node.optional("reject_score", Node::number)?;
    defaults.range = node.optional("range", groups_legacy::parse_range)?;
    if let Some(on_reject) = node.get("on_reject") {
        defaults.stop_at_first = on_reject.choice(&[
            ("first_error", Some(true)),
            ("worst_error", None),
            ("grade", Some(false)),
        ])?;
        // Very old packages are graded without a `type`.
        kind.scoring |= on_reject.is("grade");
    }
    node.flag("show_test_data_groups")?;
    // No score is compared with another.
    node.optional("objective", |value| {
        value.choice(&[("max", ()), ("min", ())])
    })?;
    Ok(())
}

fn uses_custom_grader(group: &Group) -> bool {
    group.custom_grader_flags.is_some() || group.groups.iter().any(uses_custom_grader)
}
