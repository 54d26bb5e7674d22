//! `domjudge-problem.ini`, which DOMjudge reads beside `problem.yaml`.

use crate::error::PackageError;
use crate::input::text;
use crate::input::tree::Tree;
use crate::input::yaml::Node;

/// The value of the key `wanted`, without quotes and comments.
pub fn ini_value(tree: &Tree, wanted: &str) -> Result<Option<Node>, PackageError> {
    let Some(path) = tree.existing("domjudge-problem.ini")? else {
        return Ok(None);
    };
    let content = text::read(&path, 1 << 20)?;
    let mut lines = content.lines().zip(1..);
    Ok(lines.find_map(|(line, number)| {
        let (key, value) = line.split_once('=')?;
        let is_wanted = key.trim().trim_start_matches('\u{feff}') == wanted;
        let position = (number, key.chars().count() + 2);
        is_wanted.then(|| Node::plain(&path, position, bare(value)))
    }))
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

/// Reports validators that only the contest's own DOMjudge has. Without them, DOMjudge and this
/// judge use the default validator.
pub fn complain_of_foreign_programs(tree: &mut Tree) -> Result<(), PackageError> {
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
