//! The syntax inside `generators.yaml`: commands, names, paths, and YAML that is copied to other
//! files.

use judge_core::text::constant_regex;
use judge_package::PackageError;
use judge_package::words::split_words;
use judge_package::yaml::{Node, Value};
use regex::Regex;
use sha2::{Digest, Sha512};
use std::path::{Component, Path};
use std::sync::LazyLock;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The generator's name.
    pub program: String,
    /// Its arguments, with `{seed}` and `{name}` not yet replaced.
    args: Vec<String>,
    /// Whether the arguments contain `{seed}`.
    pub seeded: bool,
    /// The value of `{seed}` at the first attempt.
    seed: u64,
    /// The number of attempts, each with another seed, if the generator fails.
    pub retries: u64,
}

impl Command {
    /// Parses a command, which is written at `node`. `salt` changes its seed.
    pub fn parse(node: &Node, text: &str, salt: &str, retries: u64) -> Result<Self, PackageError> {
        let words = split_words(text).map_err(|what| node.error(what))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or_else(|| {
            let complaint = node.error("the command is empty");
            complaint.remedy("name a file of generators/ and its arguments")
        })?;
        inside(node, &program)?;
        let args: Vec<String> = words.collect();
        if let Some(unknown) = args.iter().find_map(|arg| unknown_placeholder(arg)) {
            let complaint = node.error(format!("`{unknown}` is no placeholder of generators"));
            return Err(complaint.remedy("write `{seed}`, `{seed:NUMBER}`, `{name}` or `{count}`"));
        }
        let seeds: usize = args.iter().map(|arg| SEED.find_iter(arg).count()).sum();
        if seeds > 1 {
            return Err(node
                .error("`{seed}` may occur only once in a command")
                .remedy("let the generator derive other seeds from it"));
        }
        // As in BAPCtools: the lowest 31 bits of a hash of salt and command.
        let hash = Sha512::digest(format!("{salt}{text}"));
        let low = hash[60..]
            .iter()
            .fold(0, |n, byte| n << 8 | u64::from(*byte));
        Ok(Command {
            program,
            args,
            seeded: seeds == 1,
            seed: low % (1 << 31),
            retries,
        })
    }

    /// The arguments of attempt `k`.
    pub fn args(&self, k: u64) -> Vec<String> {
        let seed = ((self.seed + k) % (1 << 31)).to_string();
        let args = self.args.iter();
        args.map(|arg| with_name(&SEED.replace_all(arg, &seed)))
            .collect()
    }
}

/// `{seed}` and `{seed:7}`.
static SEED: LazyLock<Regex> = LazyLock::new(|| constant_regex(r"\{seed(?::[0-9]+)?\}"));

/// A part of an argument that looks like a placeholder, and is none.
fn unknown_placeholder(arg: &str) -> Option<&str> {
    static PLACEHOLDER: LazyLock<Regex> =
        LazyLock::new(|| constant_regex(r"\{[A-Za-z_]+(?::[^{}]*)?\}"));
    let mut found = PLACEHOLDER.find_iter(arg).map(|found| found.as_str());
    found
        .find(|text| *text != "{name}" && SEED.find(text).is_none_or(|seed| seed.as_str() != *text))
}

/// The name of a case's files where its generator runs, and the value of `{name}`, as in BAPCtools.
pub const CASE_NAME: &str = "testcase";

/// Replaces `{name}` in an argument of a generator.
pub fn with_name(arg: &str) -> String {
    arg.replace("{name}", CASE_NAME)
}

/// Checks that a relative path, which is written at `node`, stays inside its directory.
/// Fails when the path is absolute or contains `..`.
pub fn inside(node: &Node, path: &str) -> Result<(), PackageError> {
    let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || !Path::new(path).components().all(plain) {
        return Err(node
            .error(format!("the path `{path}` must stay inside its directory"))
            .remedy("write a path below it, without `..`"));
    }
    Ok(())
}

/// Checks the name of a case or group.
pub fn name(key: &Node) -> Result<&str, PackageError> {
    let text = key.scalar().unwrap_or_default();
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if text.is_empty() || !text.chars().all(fits) || text.starts_with(['.', '-']) {
        let what = format!("`{text}` cannot name a case");
        let remedy = "use letters, digits, `_`, `.` and `-`; start with neither `.` nor `-`";
        return Err(key.error(what).remedy(remedy));
    }
    // The input of a case `1.in` would be `1.in.in`, which readers find twice.
    let short = text.strip_suffix(".in");
    if short.is_some() || ["test_group", "testdata"].contains(&text) {
        let complaint = key.error(format!("a case cannot be called `{text}`"));
        return Err(match short {
            Some(short) => complaint.remedy(format!("call it `{short}`")),
            None => complaint.remedy("choose another name"),
        });
    }
    Ok(text)
}

/// The maximum length of a key that is written without `?`, in characters.
const MAX_PLAIN_KEY: usize = 1000;

pub fn to_yaml(node: &Node) -> String {
    let mut out = String::new();
    write_yaml(node, 0, &mut out);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

fn write_yaml(node: &Node, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match &node.value {
        Value::Scalar { .. } => out.push_str(&scalar(node)),
        Value::List(items) if items.is_empty() => out.push_str("[]"),
        Value::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Value::List(items) => {
            for item in items {
                out.push_str(&format!("{indent}-"));
                write_child(item, depth, out);
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                let key = scalar(key);
                // YAML restricts a key without `?` to 1024 characters.
                match key.chars().count() <= MAX_PLAIN_KEY {
                    true => out.push_str(&format!("{indent}{key}:")),
                    false => out.push_str(&format!("{indent}? {key}\n{indent}:")),
                }
                write_child(value, depth, out);
            }
        }
    }
}

fn write_child(node: &Node, depth: usize, out: &mut String) {
    let is_block = match &node.value {
        Value::Scalar { .. } => false,
        Value::List(items) => !items.is_empty(),
        Value::Map(entries) => !entries.is_empty(),
    };
    out.push(if is_block { '\n' } else { ' ' });
    write_yaml(node, depth + 1, out);
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// The maximum size of an input that is written into `generators.yaml`, in bytes.
const MAX_INLINE: usize = 1000;

/// The lines for `generators.yaml` that describe a new case of `data/`: `judge gen` refuses cases that it
/// does not know.
pub fn rule_of(group: &str, name: &str, input: &[u8]) -> String {
    let add = format!("add this to the `data` of `{group}` in generators/generators.yaml");
    match inline(input) {
        Some(text) => format!("{add}:\n  {name}: {{in: {text}}}\n"),
        None => format!("copy {name}.in to generators/, and {add}:\n  {name}: {{copy: {name}}}\n"),
    }
}

/// The input in quotes, if it can be written into a rule.
pub fn inline(input: &[u8]) -> Option<String> {
    let is_plain = |c: char| c == '\n' || !c.is_control();
    let text = std::str::from_utf8(input).ok()?;
    let fits = text.len() <= MAX_INLINE && text.ends_with('\n') && text.chars().all(is_plain);
    fits.then(|| quoted(text))
}

/// Whether a plain scalar can be written unquoted on one line. Text that cannot is never a number,
/// so quoting does not change its type.
pub fn stays_plain(text: &str) -> bool {
    let is_indicator = matches!(text, "?" | "-" | ":");
    !is_indicator && !text.contains('\n') && !text.starts_with("---") && !text.starts_with("...")
}

/// A scalar, quoted if it was quoted: `"1"` is not `1`.
fn scalar(node: &Node) -> String {
    match &node.value {
        Value::Scalar { text, plain: true } if stays_plain(text) => text.clone(),
        Value::Scalar { text, .. } => quoted(text),
        _ => String::new(),
    }
}

/// Quotes as in JSON, which is valid YAML except that YAML requires more characters to be escaped.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in serde_json::Value::from(text).to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_package::yaml;

    #[test]
    fn seeds_are_those_of_bapctools() {
        // int(hashlib.sha512(b"abcdgraph {seed}").hexdigest(), 16) % 2**31
        let node = yaml::parse(Path::new("x.yaml"), "x").expect("YAML");
        let parse = |text, salt| Command::parse(&node, text, salt, 1);
        let command = parse("graph {seed}", "abcd").expect("a command");
        assert_eq!(command.args(0), [SEED]);
        let other = parse("graph n={seed:2}", "abcd").expect("a command");
        assert!(other.seeded && other.args(0)[0].starts_with("n="));
        assert_ne!(other.args(0)[0], format!("n={SEED}"));
        assert!(parse("graph {seed} {seed:2}", "").is_err());
        let misspelt = parse("graph {sed:1}", "").expect_err("no placeholder");
        assert!(misspelt.what.contains("`{sed:1}`"));
        assert!(
            parse("graph {seed:x}", "").is_err() && parse("graph {1,2} '{\"a\":1}'", "").is_ok()
        );
    }

    const SEED: &str = "611036640";

    #[test]
    fn printed_yaml_keeps_quotes() {
        let text = "a: 1\nb:\n  - \"1\"\n  - c: {}\nd: 1e-9\n";
        let node = yaml::parse(Path::new("x.yaml"), text).expect("YAML");
        let again = yaml::parse(Path::new("x.yaml"), &to_yaml(&node)).expect("YAML");
        assert_eq!(to_yaml(&again), to_yaml(&node));
        assert!(to_yaml(&node).contains("\"1\"") && to_yaml(&node).contains("d: 1e-9"));
    }

    #[test]
    fn unprintable_characters_are_escaped() {
        let text = r#"a: "s\n\u0082\u2028\uffff""#;
        let node = yaml::parse(Path::new("x.yaml"), text).expect("YAML");
        assert_eq!(to_yaml(&node), format!("{text}\n"));
        yaml::parse(Path::new("x.yaml"), &to_yaml(&node)).expect("YAML again");
        // A flow map can have a longer key than a block map.
        let long = format!("{{\"{}\"}}", "k".repeat(2000));
        let node = yaml::parse(Path::new("x.yaml"), &long).expect("YAML");
        yaml::parse(Path::new("x.yaml"), &to_yaml(&node)).expect("YAML with a long key");
    }
}
