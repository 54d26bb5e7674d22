//! Reads one case of `generators.yaml`.

use super::values::{Links, TEXTS, Texts, copied, counts_of, files_of, patterns_of};
use super::{CaseRule, Inherited, Reader};
use crate::generate::words::Command;
use judge_package::PackageError;
use judge_package::yaml::{Node, Value};

/// A case as `generators.yaml` describes it.
struct Described<'n> {
    /// Its rule, without path and command.
    rule: CaseRule,
    inherited: Inherited,
    /// The command of the generator.
    command: Option<(&'n Node, &'n str)>,
    /// The numbers of the cases, if `count` makes several.
    counts: Option<Vec<i64>>,
}

/// The width of the numbers in names: the longest one's if they are consecutive, else each its own.
fn padding(counts: Option<&[i64]>) -> usize {
    let counts = counts.unwrap_or(&[1]);
    let is_consecutive = counts
        .iter()
        .max()
        .zip(counts.iter().min())
        .is_some_and(|(max, min)| max - min == counts.len() as i64 - 1);
    let widths = counts.iter().map(|n| n.to_string().len());
    match is_consecutive {
        true => widths.max().unwrap_or(1),
        false => 0,
    }
}

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
        let Described {
            rule,
            inherited,
            command,
            counts,
        } = self.described(key, node, outer)?;
        let padding = padding(counts.as_deref());
        for count in counts.clone().unwrap_or_else(|| vec![1]) {
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

    /// Reads how a case is described, in one of three forms: nothing, a command or a file, a mapping.
    fn described<'n>(
        &mut self,
        key: &Node,
        node: &'n Node,
        outer: &Inherited,
    ) -> Result<Described<'n>, PackageError> {
        let mut described = Described {
            rule: CaseRule {
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
            },
            inherited: outer.clone(),
            command: None,
            counts: None,
        };
        match &node.value {
            // Earlier versions of BAPCtools: the case is handmade and already in `data/`.
            _ if node.is_null() => described.rule.is_kept = true,
            Value::Scalar { text, .. } => match text.strip_suffix(".in") {
                Some(copy) if !text.contains(char::is_whitespace) => {
                    described.rule.copy = Some(format!("generators/{}", copied(node, copy)?));
                }
                _ => described.command = Some((node, text.as_str())),
            },
            _ => self.read_mapping(key, node, outer, &mut described)?,
        }
        Ok(described)
    }

    fn read_mapping<'n>(
        &mut self,
        key: &Node,
        node: &'n Node,
        outer: &Inherited,
        described: &mut Described<'n>,
    ) -> Result<(), PackageError> {
        let own = [
            "generate",
            "copy",
            "count",
            "match",
            "solution",
            "random_salt",
            "retries",
            "type",
        ];
        let known: Vec<&str> = own.into_iter().chain(TEXTS).collect();
        node.only(&known)?;
        described.inherited = outer.with(node)?;
        let rule = &mut described.rule;
        rule.solution = described.inherited.solution.clone();
        if let Some(generate) = node.get("generate") {
            described.command = Some((generate, generate.text()?));
        }
        if let Some(copy) = node.get("copy") {
            let copied = copied(copy, copy.text()?)?;
            rule.copy = Some(format!("generators/{copied}"));
        }
        (rule.texts, rule.links) = files_of(node)?;
        if let Some(patterns) = node.get("match") {
            rule.patterns = patterns_of(patterns, &mut self.spec.warnings)?;
        }
        described.counts = node.get("count").map(counts_of).transpose()?;
        if described.command.is_none() && rule.copy.is_none() && !rule.texts.contains_key("in") {
            let complaint = key.error("needs one of `generate`, `copy` and `in`");
            return Err(match rule.texts.keys().next() {
                None => complaint,
                // BAPCtools allows samples that are only in the statement.
                Some(other) => complaint.remedy(format!(
                    "add `in`: the package format allows no `.{other}` without `.in`"
                )),
            });
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
