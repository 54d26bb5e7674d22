//! The values of a case's keys in `generators.yaml`: texts, links, counts, patterns.

use super::super::words;
use judge_package::PackageError;
use judge_package::yaml::{Node, Value};
use regex::{Regex, RegexBuilder};
use std::collections::{BTreeMap, BTreeSet};

/// The text files of a case, which can be given in the rule.
pub const TEXTS: [&str; 11] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "hint",
    "desc",
    "interaction",
    "yaml",
];

/// Binary files of a case.
pub const PICTURES: [&str; 4] = ["png", "jpg", "svg", "pdf"];

/// The keys that make a map the description of a case, as the names of [`TEXTS`] do.
pub const CASE_KEYS: [&str; 4] = ["generate", "copy", "count", "match"];

/// The files that may link to others by `{link: FILE}`, and their possible targets.
const LINKS: [(&str, [&str; 3]); 4] = [
    ("in.statement", ["in", "in.statement", "in.download"]),
    ("in.download", ["in", "in.statement", "in.download"]),
    ("ans.statement", ["ans", "ans.statement", "ans.download"]),
    ("ans.download", ["ans", "ans.statement", "ans.download"]),
];

/// Files given in the rule: text by extension.
pub type Texts = BTreeMap<&'static str, String>;
/// Links between files of the case, by extension.
pub type Links = BTreeMap<&'static str, &'static str>;

/// The maximum number of cases of one `count`, as in BAPCtools.
const MAX_COUNT: i64 = 100;

/// The number of cases that are numbered.
pub fn numbered(node: &Node) -> Result<usize, PackageError> {
    let Some(data) = node.get("data") else {
        return Ok(0);
    };
    let mut total = 0;
    let is_list = matches!(data.value, Value::List(_));
    for item in data.one_or_more() {
        for (_, child) in item.entries()? {
            total += match child.get("count") {
                _ if !is_case(child) => numbered(child)?,
                _ if !is_list => 0,
                Some(count) => counts_of(count)?.len(),
                None => 1,
            };
        }
    }
    Ok(total)
}

/// Whether the node describes a case rather than a directory.
pub fn is_case(node: &Node) -> bool {
    match &node.value {
        Value::Scalar { .. } => true,
        Value::List(_) => false,
        Value::Map(entries) => entries.iter().any(|(key, _)| {
            let key = key.scalar().unwrap_or_default();
            CASE_KEYS.contains(&key) || TEXTS.contains(&key)
        }),
    }
}

/// The path of a handmade case, without extension.
pub fn copied(node: &Node, path: &str) -> Result<String, PackageError> {
    words::inside(node, path)?;
    if let Some(short) = path.strip_suffix(".in") {
        let complaint = node.error("the path of a copied case has no extension");
        return Err(complaint.remedy(format!("write `{short}`")));
    }
    Ok(path.to_owned())
}

/// The content of a file given in the rule.
fn text_of(name: &str, value: &Node) -> Result<String, PackageError> {
    let mut text = match &value.value {
        Value::Map(_) if name == "yaml" => return Ok(words::to_yaml(value)),
        _ => value.text()?.to_owned(),
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Reads the files of a rule other than its command and copy: given texts and links.
pub fn files_of(node: &Node) -> Result<(Texts, Links), PackageError> {
    let (mut texts, mut links) = (Texts::new(), Links::new());
    for name in TEXTS {
        let Some(value) = node.get(name) else {
            continue;
        };
        match (&value.value, LINKS.iter().find(|(from, _)| *from == name)) {
            (Value::Map(_), Some((_, targets))) => {
                value.only(&["link"])?;
                let link = value
                    .get("link")
                    .ok_or_else(|| value.error("expected a text or `{link: FILE}`"))?;
                let targets: Vec<(&str, &'static str)> =
                    targets.iter().map(|target| (*target, *target)).collect();
                links.insert(name, link.choice(&targets)?);
            }
            _ => {
                texts.insert(name, text_of(name, value)?);
            }
        }
    }
    for (name, target) in &links {
        if links.contains_key(target) {
            let link = node.get(name).unwrap_or(node);
            return Err(link
                .error(format!("`{target}` is a link itself"))
                .remedy("link to the file that it leads to"));
        }
    }
    Ok((texts, links))
}

/// The numbers of a `count:`.
pub fn counts_of(node: &Node) -> Result<Vec<i64>, PackageError> {
    let parse = |text: &str| {
        let number = text.parse().ok();
        number.filter(|n: &i64| n.unsigned_abs() < 1 << 40)
    };
    let number = |node: &Node| -> Result<i64, PackageError> {
        let text = node.text()?;
        parse(text).ok_or_else(|| node.error(format!("`{text}` is not an integer below 2^40")))
    };
    let list: Vec<i64> = match &node.value {
        Value::List(items) => items.iter().map(number).collect::<Result<_, _>>()?,
        _ => match node.text()?.split_once("..=") {
            None => (1..=number(node)?.clamp(0, MAX_COUNT + 1)).collect(),
            Some((low, high)) => {
                let bounds = parse(low).zip(parse(high));
                let (low, high) =
                    bounds.ok_or_else(|| node.error("expected a range such as `1..=5`"))?;
                (low..=high.min(low + MAX_COUNT)).collect()
            }
        },
    };
    let distinct: BTreeSet<i64> = list.iter().copied().collect();
    if list.is_empty() || list.len() as i64 > MAX_COUNT || distinct.len() != list.len() {
        let complaint = node.error(format!("expected 1 to {MAX_COUNT} counts, each once"));
        return Err(match list.len() as i64 > MAX_COUNT {
            true => complaint.remedy("continue in another case, with `count: 101..=200`"),
            false => complaint,
        });
    }
    Ok(list)
}

/// Reads `match:`: the file (`in` or `ans`) and the pattern. Patterns that only Python supports
/// (look-around, backreferences) are skipped with a warning.
pub fn patterns_of(
    node: &Node,
    warnings: &mut Vec<String>,
) -> Result<Vec<(&'static str, Regex)>, PackageError> {
    let mut pattern = |item: &Node| {
        // Python's `\Z` is `\z` in this engine.
        let text = item.text()?.replace("\\Z", "\\z");
        let built = RegexBuilder::new(&text)
            .multi_line(true)
            .dot_matches_new_line(true)
            .build();
        match built {
            Ok(pattern) => Ok(Some(pattern)),
            Err(e)
                if e.to_string().contains("is not supported")
                    || e.to_string().contains("are not supported") =>
            {
                let what =
                    item.error("is skipped: look-around and backreferences are not supported");
                warnings.push(what.to_string());
                Ok(None)
            }
            Err(e) => Err(item.error(format!("not a regular expression: {e}"))),
        }
    };
    let of_files = match node.value {
        Value::Map(_) => {
            node.only(&["in", "ans"])?;
            ["in", "ans"].map(|name| (name, node.get(name))).to_vec()
        }
        _ => vec![("in", Some(node))],
    };
    let mut patterns = Vec::new();
    for (name, items) in of_files {
        for item in items.map_or(&[][..], Node::one_or_more) {
            patterns.extend(pattern(item)?.map(|found| (name, found)));
        }
    }
    Ok(patterns)
}
