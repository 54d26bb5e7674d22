//! Adds a case to the text of `generators.yaml`; everything else of the text stays as it is.

use super::spec;
use super::words;
use judge_package::PackageError;
use judge_package::yaml::{self, Node, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// The text with a further case.
#[derive(Debug, PartialEq, Eq)]
pub struct Inserted {
    pub text: String,
    /// The path of the case below `data/`, with its number if it has one.
    pub case: String,
}

/// Adds the case `name`, described by `rule`, to the group `group`: the last one of its list, or an entry
/// of its map. If the name is taken, a number is appended. `None` if the file does not describe the
/// group, or writes it in a way that is not changed here.
pub fn insert(
    path: &Path,
    text: &str,
    group: &str,
    name: &str,
    rule: &str,
    constants: &[(String, String)],
) -> Result<Option<Inserted>, PackageError> {
    let root = yaml::parse(path, text)?;
    let before = cases_of(&root, constants)?;
    let (top, _) = group.split_once('/').unwrap_or((group, ""));
    let data = root.get("data").and_then(|data| data.get(top));
    let data = data
        .map(|node| data_of(node, top, group))
        .transpose()?
        .flatten();
    let Some(data) = data else {
        return Ok(None);
    };
    let taken: BTreeSet<&str> = keys(data).filter_map(Node::scalar).collect();
    let mut names = std::iter::once(name.to_owned())
        .chain((1..).map(|number| format!("{name}-{number}")))
        .filter(|name| !taken.contains(name.as_str()));
    let Some(name) = names.next() else {
        return Ok(None);
    };
    let Some(new) = with_entry(text, data, &format!("{name}: {rule}")) else {
        return Ok(None);
    };
    // The text is only changed if exactly this case is added.
    let Ok(again) = yaml::parse(path, &new) else {
        return Ok(None);
    };
    let after = cases_of(&again, constants)?;
    let own = after.iter().find(|(path, key)| {
        let (dir, _) = path.rsplit_once('/').unwrap_or_default();
        dir == group && *key == name
    });
    Ok(match own {
        Some((case, _)) if after.len() == before.len() + 1 => Some(Inserted {
            case: case.clone(),
            text: new,
        }),
        _ => None,
    })
}

/// The paths of all cases with their keys.
fn cases_of(
    root: &Node,
    constants: &[(String, String)],
) -> Result<Vec<(String, String)>, PackageError> {
    let spec = spec::read(root, constants, None)?;
    let cases = spec.cases.into_iter().map(|case| {
        let key = case.node.scalar().unwrap_or_default().to_owned();
        (case.path, key)
    });
    Ok(cases.collect())
}

/// The `data` of the directory `group`, in the directory `path` that `node` describes.
fn data_of<'n>(node: &'n Node, path: &str, group: &str) -> Result<Option<&'n Node>, PackageError> {
    let Some(data) = node.get("data") else {
        return Ok(None);
    };
    if path == group {
        return Ok(Some(data));
    }
    for (own, child) in spec::directories(data, path)? {
        if group == own || group.starts_with(&format!("{own}/")) {
            return data_of(child, &own, group);
        }
    }
    Ok(None)
}

/// The keys of a map, or of the maps in a list.
fn keys(data: &Node) -> impl Iterator<Item = &Node> {
    let maps = match &data.value {
        Value::List(items) => &items[..],
        _ => std::slice::from_ref(data),
    };
    let entries = maps.iter().filter_map(|map| map.entries().ok());
    entries.flatten().map(|(key, _)| key)
}

/// The text with `entry` at the end of the list or map `data`.
fn with_entry(text: &str, data: &Node, entry: &str) -> Option<String> {
    let start = data.offset(text)?;
    let (is_list, last) = match &data.value {
        Value::List(items) => (true, items.last()),
        Value::Map(entries) => (false, entries.last().map(|(key, _)| key)),
        Value::Scalar { .. } => return None,
    };
    if text[start..].starts_with(['[', '{']) {
        let end = start + closing(&text[start..])?;
        let comma = if last.is_some() { ", " } else { "" };
        return Some(format!(
            "{}{comma}{entry}{}",
            text[..end].trim_end(),
            &text[end..]
        ));
    }
    let at = last?.offset(text)?;
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let column = match is_list {
        // The position of an item is behind its dash.
        true => text[line..at]
            .rfind('-')
            .or_else(|| text[at..].starts_with("- ").then_some(0))?,
        false => at - line,
    };
    let dash = if is_list { "- " } else { "" };
    let end = end_of_entry(text, line, column, is_list);
    let newline = if text[..end].ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let blanks = " ".repeat(column);
    Some(format!(
        "{}{newline}{blanks}{dash}{entry}\n{}",
        &text[..end],
        &text[end..]
    ))
}

/// The end of the block entry that begins in the line at `line`, in this column: behind its last line that
/// is neither empty nor a comment.
fn end_of_entry(text: &str, line: usize, column: usize, is_list: bool) -> usize {
    let mut at = line;
    let mut end = line;
    for (k, line) in text[line..].split_inclusive('\n').enumerate() {
        let content = line.trim_start();
        at += line.len();
        let indent = line.len() - content.len();
        let is_nothing = content.is_empty() || content.starts_with('#');
        // The value of a key may be a list in the column of the key.
        let is_own_list = !is_list && indent == column && content.starts_with("- ");
        if k > 0 && !is_nothing && indent <= column && !is_own_list {
            break;
        }
        if !is_nothing {
            end = at;
        }
    }
    end
}

/// The offset of the bracket that closes the flow collection at the start of the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    let mut escaped = false;
    let mut in_comment = false;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if in_comment => in_comment = c != '\n',
            (Some('"'), _) if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            // A quote inside a plain scalar is a letter.
            (None, '"' | '\'') if before.is_whitespace() || "[{,:".contains(before) => {
                quote = Some(c);
            }
            (None, '#') if before.is_whitespace() => in_comment = true,
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// The rule of a case with this input, and whether the input must be a file of `generators/`, named like
/// the case, because it cannot be written into the rule.
pub fn rule_for(name: &str, input: &[u8]) -> (String, bool) {
    match words::inline(input) {
        Some(text) => (format!("{{in: {text}}}"), false),
        None => (format!("{{copy: {name}}}"), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(text: &str, group: &str) -> Option<(String, String)> {
        let path = Path::new("generators.yaml");
        let found = insert(path, text, group, "s", "{in: \"1\\n\"}", &[]).expect("valid rules");
        found.map(|found| (found.text, found.case))
    }

    #[test]
    fn a_case_is_added_at_the_end_of_a_list_or_map() {
        for (before, group, after, case) in [
            (
                "data:\n  secret:\n    data:\n      a: g 1\n\n# The end.\n",
                "secret",
                "data:\n  secret:\n    data:\n      a: g 1\n      s: {in: \"1\\n\"}\n\n# The end.\n",
                "secret/s",
            ),
            (
                "data:\n  secret:\n    data:\n      g:\n        data:\n        - a: g 1  # one\n        - b:\n            in: |\n              5\n\n              6\n      h:\n        data:\n        - c: g 2\n",
                "secret/g",
                "data:\n  secret:\n    data:\n      g:\n        data:\n        - a: g 1  # one\n        - b:\n            in: |\n              5\n\n              6\n        - s: {in: \"1\\n\"}\n      h:\n        data:\n        - c: g 2\n",
                "secret/g/3-s",
            ),
            (
                "data: {secret: {data: {s: 'g }'}}}\n",
                "secret",
                "data: {secret: {data: {s: 'g }', s-1: {in: \"1\\n\"}}}}\n",
                "secret/s-1",
            ),
            (
                "data: {secret: {data: [a: g 1, {h: {data: [b: g 2]}}]}}\n",
                "secret/1-h",
                "data: {secret: {data: [a: g 1, {h: {data: [b: g 2, s: {in: \"1\\n\"}]}}]}}\n",
                "secret/1-h/3-s",
            ),
            (
                "data: {secret: {data: {}}}",
                "secret",
                "data: {secret: {data: {s: {in: \"1\\n\"}}}}",
                "secret/s",
            ),
        ] {
            let expected = Some((after.to_owned(), case.to_owned()));
            assert_eq!(inserted(before, group), expected, "{before}");
        }
    }

    #[test]
    fn a_group_that_is_not_described_is_left_to_the_author() {
        assert_eq!(
            inserted("data: {secret: {data: {a: g 1}}}\n", "secret/g"),
            None
        );
        assert_eq!(
            inserted("data: {secret: {data: {a: g 1}}}\n", "sample"),
            None
        );
        assert_eq!(inserted("data: {secret: {include: []}}\n", "secret"), None);
    }
}
