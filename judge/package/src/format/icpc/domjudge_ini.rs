//! `domjudge-problem.ini`, which DOMjudge reads beside `problem.yaml`.

use crate::error::PackageError;
use crate::input::text;
use crate::input::tree::Tree;
use crate::input::yaml::{Node, nearest};

/// The keys that DOMjudge reads, or has read.
const KEYS: [&str; 14] = [
    "allow_judge",
    "allow_submit",
    "color",
    "externalid",
    "memlimit",
    "name",
    "outputlimit",
    "points",
    "probid",
    "short-name",
    "special_compare",
    "special_compare_args",
    "special_run",
    "timelimit",
];

/// The keys and their values, without quotes and comments.
fn entries(tree: &Tree) -> Result<Vec<(Node, Node)>, PackageError> {
    let Some(path) = tree.existing("domjudge-problem.ini")? else {
        return Ok(Vec::new());
    };
    let content = text::read(&path, 1 << 20)?;
    let lines = content.lines().zip(1..);
    let entry = |(line, number): (&str, usize)| {
        let (key, value) = line.split_once('=')?;
        let position = (number, key.chars().count() + 2);
        let name = key.trim().trim_start_matches('\u{feff}').to_owned();
        Some((
            Node::plain(&path, (number, 1), name),
            Node::plain(&path, position, bare(value)),
        ))
    };
    Ok(lines.filter_map(entry).collect())
}

/// The value of the key `wanted`.
pub fn ini_value(tree: &Tree, wanted: &str) -> Result<Option<Node>, PackageError> {
    let mut entries = entries(tree)?.into_iter();
    Ok(entries.find_map(|(key, value)| key.is(wanted).then_some(value)))
}

/// The value after `=` without quotes and comment.
fn bare(value: &str) -> String {
    let value = value.trim();
    let quoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.split(quote).next());
    let text = quoted.unwrap_or_else(|| value.split(';').next().unwrap_or_default());
    text.trim().to_owned()
}

/// Fails on a key that is probably misspelt, and reports validators that only the contest's own DOMjudge has. Without
/// them, DOMjudge and this judge use the default validator.
pub fn check(tree: &mut Tree) -> Result<(), PackageError> {
    for (key, _) in entries(tree)? {
        let name = key.scalar().unwrap_or_default();
        if !KEYS.contains(&name) && !name.starts_with([';', '#']) && nearest(name, &KEYS).is_some()
        {
            return Err(key.unknown_key(&KEYS));
        }
    }
    for (key, own, words) in [
        ("special_compare", "compare", "custom"),
        ("special_run", "run", "custom interactive"),
    ] {
        if let Some(value) = ini_value(tree, key)?
            && let Some(name) = value.scalar().filter(|name| !["", own].contains(name))
        {
            let name = text::shorten(name, 60);
            let what = format!("`{key}` names `{name}`, which is not part of the package");
            tree.error(value.error(what).remedy(format!(
                "put that program into `output_validators/`, with `validation: {words}` in \
                 problem.yaml; until then the default validator decides"
            )));
        }
    }
    Ok(())
}
