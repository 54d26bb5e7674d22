//! Reads one case of `generators.yaml`.

use super::values::{Links, TEXTS, Texts, copied, counts_of, files_of, patterns_of};
use super::{CaseRule, Inherited, Reader};
use crate::generate::words::Command;
use judge_package::PackageError;
use judge_package::yaml::{Node, Value};

impl Reader<'_> {
    /// Reads a case; `count` makes several.
    pub fn case(
        &mut self,
        key: &Node,
        node: &Node,
        path: &str,
        outer: &Inherited,
        numbered: bool,
    ) -> Result<(), PackageError> {
        let mut rule = CaseRule {
            path: String::new(),
            node: key.clone(),
            generate: None,
            copy: None,
            texts: Texts::new(),
            links: Links::new(),
            patterns: Vec::new(),
            solution: outer.solution.clone(),
            may_repeat: false,
            is_kept: false,
        };
        let mut command = None;
        let mut counts = None;
        let mut inherited = outer.clone();
        match &node.value {
            // Earlier versions of BAPCtools: the case is handmade and already in `data/`.
            _ if node.is_null() => rule.is_kept = true,
            Value::Scalar { text, .. } => match text.strip_suffix(".in") {
                Some(copy) if !text.contains(char::is_whitespace) => {
                    rule.copy = Some(format!("generators/{}", copied(node, copy)?));
                }
                _ => command = Some((node, text.as_str())),
            },
            _ => {
                let mut known = vec![
                    "generate",
                    "copy",
                    "count",
                    "match",
                    "solution",
                    "random_salt",
                    "retries",
                    "type",
                ];
                known.extend(TEXTS);
                node.only(&known)?;
                inherited = outer.with(node)?;
                rule.solution = inherited.solution.clone();
                if let Some(generate) = node.get("generate") {
                    command = Some((generate, generate.text()?));
                }
                if let Some(copy) = node.get("copy") {
                    let copied = copied(copy, copy.text()?)?;
                    rule.copy = Some(format!("generators/{copied}"));
                }
                (rule.texts, rule.links) = files_of(node)?;
                if let Some(patterns) = node.get("match") {
                    rule.patterns = patterns_of(patterns, &mut self.spec.warnings)?;
                }
                counts = node.get("count").map(counts_of).transpose()?;
                if command.is_none() && rule.copy.is_none() && !rule.texts.contains_key("in") {
                    let complaint = key.error("needs one of `generate`, `copy` and `in`");
                    return Err(match rule.texts.keys().next() {
                        None => complaint,
                        // BAPCtools allows samples that are only in the statement.
                        Some(other) => complaint.remedy(format!(
                            "add `in`: the package format allows no `.{other}` without `.in`"
                        )),
                    });
                }
            }
        }
        let list = counts.clone().unwrap_or_else(|| vec![1]);
        let consecutive = list
            .iter()
            .max()
            .zip(list.iter().min())
            .is_some_and(|(max, min)| max - min == list.len() as i64 - 1);
        let longest = list.iter().map(|n| n.to_string().len()).max().unwrap_or(1);
        let padding = if consecutive { longest } else { 0 };
        for count in list {
            let mut own = rule.clone();
            own.path = if numbered {
                let (dir, label) = path.rsplit_once('/').unwrap_or(("", path));
                let number = self.next;
                self.next += 1;
                format!("{dir}/{number:0width$}{label}", width = self.width)
            } else {
                path.to_owned()
            };
            if counts.is_some() {
                own.path.push_str(&format!("-{count:0padding$}"));
            }
            if own.is_kept {
                own.copy = Some(format!("data/{}", own.path));
            }
            if let Some((node, text)) = command {
                let command = self.command(node, text, &inherited, counts.is_some(), count)?;
                own.may_repeat = counts.is_some() && !text.contains("{count}") && !command.seeded;
                own.generate = Some(command);
            }
            let origin = own.path.clone();
            self.push(key, own, origin)?;
        }
        Ok(())
    }

    fn command(
        &self,
        node: &Node,
        text: &str,
        inherited: &Inherited,
        counted: bool,
        count: i64,
    ) -> Result<Command, PackageError> {
        let mut text = judge_package::words::substitute(text.trim(), self.constants);
        if text.contains("{count}") {
            if !counted {
                return Err(node
                    .error("`{count}` is used without `count:`")
                    .remedy("describe the case by `generate:` and `count:`"));
            }
            text = text.replace("{count}", &count.to_string());
        }
        let mut salt = self.seed.map_or(String::new(), |seed| format!("{seed}:"));
        salt.push_str(&inherited.salt);
        if count != 1 {
            salt.push_str(&format!(":{}", count - 1));
        }
        Command::parse(node, &text, &salt, inherited.retries)
    }
}
