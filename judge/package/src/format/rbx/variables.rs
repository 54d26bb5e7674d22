//! The variables of a problem: values and expressions, as arguments of validators and as the header `rbx.h`.

use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::yaml::Node;
use std::fmt::Write;

/// The header that programs include.
pub(super) const HEADER: &str = "rbx.h";

/// A variable of the package, or of one group of tests.
struct Variable {
    /// The name with those of the maps around it: `N.max`.
    name: String,
    value: String,
}

/// The variables of the package and of groups.
pub(super) struct Variables {
    all: Vec<Variable>,
    /// The variables that a group has instead.
    groups: Vec<(String, Vec<Variable>)>,
}

impl Variables {
    /// Reads `vars` of the package and of its groups.
    pub(super) fn read(builder: &mut PackageBuilder, yaml: &Node) -> Result<Self, PackageError> {
        let all = expanded(builder, yaml.get("vars"), &[])?;
        let mut groups = Vec::new();
        for group in yaml.list("testcases")? {
            if let (Some(name), Some(vars)) = (group.get("name"), group.get("vars")) {
                let own = expanded(builder, Some(vars), &all)?;
                groups.push((name.text()?.to_owned(), own));
            }
        }
        Ok(Variables { all, groups })
    }

    /// The arguments of validators for a test of this group.
    pub(super) fn arguments(&self, group: &str) -> Vec<String> {
        let own = self.groups.iter().find(|(name, _)| name == group);
        let own = own.map_or(&[][..], |(_, variables)| variables);
        let is_replaced =
            |variable: &&Variable| own.iter().all(|other| other.name != variable.name);
        let values = self.all.iter().filter(is_replaced).chain(own);
        let words = values.map(|Variable { name, value }| format!("--{name}={value}"));
        words
            .chain(["--group".to_owned(), group.to_owned()])
            .collect()
    }

    /// The header with these variables: the template in C++ with its table.
    pub(super) fn header(&self) -> String {
        let mut table = String::new();
        let groups = self.groups.iter().map(|(group, own)| (group.as_str(), own));
        for (group, variables) in [("", &self.all)].into_iter().chain(groups) {
            for Variable { name, value } in variables {
                let _ = writeln!(
                    table,
                    "    {{{}, {}, {}}},",
                    quoted(group),
                    quoted(name),
                    quoted(value)
                );
            }
        }
        include_str!("variables.h").replace("    // The variables.\n", &table)
    }
}

/// A text as a literal of C++.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b' ' | b'!' | b'#'..=b'[' | b']'..=b'~' => out.push(char::from(byte)),
            byte => _ = write!(out, "\\{byte:03o}"),
        }
    }
    out + "\""
}

/// The variables of a map, with expressions evaluated; they may refer to each other and to `known`.
fn expanded(
    builder: &mut PackageBuilder,
    vars: Option<&Node>,
    known: &[Variable],
) -> Result<Vec<Variable>, PackageError> {
    let mut open = Vec::new();
    if let Some(vars) = vars {
        flatten(vars, "", &mut open)?;
    }
    let mut done: Vec<Variable> = Vec::new();
    // Each round evaluates what refers to the values of the rounds before.
    loop {
        let before = open.len();
        open.retain(|(name, node): &(String, &Node)| {
            let text = node.scalar().unwrap_or_default();
            let value = match expression(text) {
                Some(expression) => {
                    let find = |name: &str| {
                        let mut variables = done.iter().chain(known);
                        variables.find(|own| own.name == name)?.value.parse().ok()
                    };
                    evaluate(expression, &find).map(|value| value.to_string())
                }
                None => Some(plain_value(text)),
            };
            let is_open = value.is_none();
            done.extend(value.map(|value| Variable {
                name: name.clone(),
                value,
            }));
            is_open
        });
        if open.is_empty() || open.len() == before {
            break;
        }
    }
    for (name, node) in open {
        let what = format!("the expression of the variable `{name}` is not evaluated");
        let remedy = "write its value: programs that ask for the variable fail";
        builder.tree.warning(node.error(what).remedy(remedy));
    }
    Ok(done)
}

fn flatten<'y>(
    vars: &'y Node,
    prefix: &str,
    found: &mut Vec<(String, &'y Node)>,
) -> Result<(), PackageError> {
    for (name, value) in vars.entries()? {
        let name = format!("{prefix}{}", name.text()?);
        match value.scalar() {
            Some(_) => found.push((name, value)),
            None => flatten(value, &format!("{name}."), found)?,
        }
    }
    Ok(())
}

/// The expression of a text like "py`10**5`".
fn expression(text: &str) -> Option<&str> {
    text.strip_prefix("py`")?.strip_suffix('`')
}

/// A value on the command line: `1` and `0` for what is true and false; a first backslash is left out.
fn plain_value(text: &str) -> String {
    match text {
        "true" | "True" => "1".to_owned(),
        "false" | "False" => "0".to_owned(),
        text => text.strip_prefix('\\').unwrap_or(text).to_owned(),
    }
}

/// The value of an expression of whole numbers and variables: `+ - * // **` and parentheses. `None` for
/// others, and for variables that have no value yet.
fn evaluate(text: &str, find: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    let mut parser = Parser { rest: text, find };
    let value = parser.sum()?;
    parser.rest.trim().is_empty().then_some(value)
}

struct Parser<'t> {
    rest: &'t str,
    find: &'t dyn Fn(&str) -> Option<i128>,
}

impl Parser<'_> {
    fn take(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<i128> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i128> {
        let mut value = self.signed()?;
        loop {
            if self.take("//") {
                value = value.checked_div_euclid(self.signed()?)?;
            } else if self.take("*") {
                value = value.checked_mul(self.signed()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn signed(&mut self) -> Option<i128> {
        match self.take("-") {
            true => self.signed()?.checked_neg(),
            false => self.power(),
        }
    }

    fn power(&mut self) -> Option<i128> {
        let base = self.atom()?;
        match self.take("**") {
            true => base.checked_pow(u32::try_from(self.signed()?).ok()?),
            false => Some(base),
        }
    }

    fn atom(&mut self) -> Option<i128> {
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        let rest = self.rest.trim_start();
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        match word.strip_prefix("vars.") {
            Some(name) => (self.find)(name),
            None => word.replace('_', "").parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_whole_numbers_are_evaluated() {
        let find = |name: &str| (name == "N.max").then_some(7);
        for (text, value) in [
            ("10**5", Some(100_000)),
            ("2*10**5 + 1", Some(200_001)),
            ("-2**2", Some(-4)),
            ("(1 + 2) * 3 - 4", Some(5)),
            ("vars.N.max // 2", Some(3)),
            ("1_000", Some(1000)),
            ("vars.M", None),
            ("10**100", None),
            ("1 // 0", None),
            ("min(1, 2)", None),
            ("", None),
        ] {
            assert_eq!(evaluate(text, &find), value, "{text}");
        }
    }
}
