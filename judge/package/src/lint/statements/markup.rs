//! Checks that environments, groups and formulas of a TeX statement are closed.

use super::{Statement, literal_length};
use crate::error::PackageError;

/// Environments whose content is no TeX.
const VERBATIM: [&str; 5] = ["verbatim", "lstlisting", "Verbatim", "minted", "comment"];

/// An open environment (by name) or group (without name), and where it begins.
struct Open<'t> {
    name: &'t str,
    at: usize,
}

/// The first place where what is open and what is closed differ.
pub fn check(statement: &Statement<'_>) -> Option<PackageError> {
    let text = statement.text;
    let mut open: Vec<Open<'_>> = Vec::new();
    // The formula that is open, and where it begins.
    let mut formula: Option<(&str, usize)> = None;
    let mut at = 0;
    while let Some(step) = text[at..].find(['\\', '{', '}', '%', '$']) {
        at += step;
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'$' => {
                let is_single = formula.is_some_and(|(sign, _)| sign == "$");
                let sign = &rest[..if rest.starts_with("$$") && !is_single {
                    2
                } else {
                    1
                }];
                formula = match formula {
                    Some((own, start)) if own == sign && !has_blank_line(&text[start..at]) => None,
                    Some((own, start)) => return Some(unclosed_formula(statement, own, start)),
                    None => Some((sign, at)),
                };
                at += sign.len();
            }
            b'%' => at += rest.find('\n').unwrap_or(rest.len()),
            b'{' => {
                open.push(Open { name: "", at });
                at += 1;
            }
            b'}' => {
                match open.pop() {
                    Some(Open { name: "", .. }) => {}
                    Some(other) => {
                        let what =
                            format!("`}}` closes nothing inside of environment `{}`", other.name);
                        return Some(statement.at(at, what).remedy("remove it, or write `\\}`"));
                    }
                    None => {
                        let what = "`}` closes nothing";
                        return Some(statement.at(at, what).remedy("remove it, or write `\\}`"));
                    }
                }
                at += 1;
            }
            _ => {
                if let Some((name, after)) = environment(rest, "\\begin{") {
                    if VERBATIM.contains(&name) {
                        let end = format!("\\end{{{name}}}");
                        let Some(length) = rest.find(&end) else {
                            return Some(unclosed(statement, &Open { name, at }));
                        };
                        at += length + end.len();
                        continue;
                    }
                    open.push(Open { name, at });
                    at += after;
                } else if let Some((name, after)) = environment(rest, "\\end{") {
                    match open.pop() {
                        Some(own) if own.name == name => {}
                        Some(own) if own.name.is_empty() => {
                            return Some(unclosed(statement, &own));
                        }
                        Some(own) => {
                            let what = format!(
                                "`\\end{{{name}}}` ends environment `{}`, which is open",
                                own.name
                            );
                            let remedy = format!("add `\\end{{{}}}` before it", own.name);
                            return Some(statement.at(at, what).remedy(remedy));
                        }
                        None => {
                            let what = format!("`\\end{{{name}}}` ends no environment");
                            let remedy = format!("remove it, or add `\\begin{{{name}}}`");
                            return Some(statement.at(at, what).remedy(remedy));
                        }
                    }
                    at += after;
                } else if let Some(length) = literal_length(rest) {
                    at += length;
                } else {
                    // The command's name, or one escaped character.
                    at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                }
            }
        }
    }
    let unclosed_group = open.first().map(|own| unclosed(statement, own));
    unclosed_group.or_else(|| formula.map(|(sign, start)| unclosed_formula(statement, sign, start)))
}

/// A formula ends before the end of its paragraph.
fn has_blank_line(text: &str) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    let inner = lines.get(1..lines.len() - 1).unwrap_or_default();
    inner.iter().any(|line| line.trim().is_empty())
}

fn unclosed_formula(statement: &Statement<'_>, sign: &str, start: usize) -> PackageError {
    let what = format!("the formula that begins with `{sign}` is not closed");
    statement.at(start, what).remedy(format!(
        "add `{sign}` in the same paragraph, or write `\\$`"
    ))
}

fn unclosed(statement: &Statement<'_>, open: &Open<'_>) -> PackageError {
    match open.name {
        "" => statement
            .at(open.at, "`{` is not closed")
            .remedy("add `}`, or write `\\{`"),
        name => {
            let what = format!("environment `{name}` is not closed");
            statement
                .at(open.at, what)
                .remedy(format!("add `\\end{{{name}}}`"))
        }
    }
}

/// The name in `\begin{NAME}`, and the length of that command.
fn environment<'t>(text: &'t str, command: &str) -> Option<(&'t str, usize)> {
    let rest = text.strip_prefix(command)?;
    let (name, _) = rest.split_once('}')?;
    Some((name, command.len() + name.len() + 1))
}
